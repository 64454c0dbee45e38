/// A column of a table or a view, as `PRAGMA table_xinfo` describes it.
public struct ColumnInfo: Hashable, Sendable {
    /// The kind of a column.
    public enum Kind: Int64, Sendable {
        /// Stored as written.
        case ordinary = 0
        /// Of a virtual table, and left out by `SELECT *`.
        case hidden = 1
        /// Computed when read.
        case generated = 2
        /// Computed when written.
        case stored = 3
    }

    /// Its name.
    public let name: String

    /// The declared type, as written; empty if there is none.
    public let type: String

    /// Whether it was declared `NOT NULL`, or belongs to the primary key of a `WITHOUT ROWID` table.
    public let isNotNull: Bool

    /// The expression of the default, as written.
    public let defaultSQL: String?

    /// The position in the primary key, from 1; nil if it is not part of it.
    public let primaryKeyIndex: Int?

    /// Whether it is ordinary, hidden or generated.
    public let kind: Kind
}

/// How the rows of a table are identified.
public struct PrimaryKeyInfo: Hashable, Sendable {
    /// The columns of the declared primary key; empty if none is declared.
    public let columns: [String]

    /// The column that is another name for the rowid: an `INTEGER PRIMARY KEY`.
    public let rowIDColumn: String?

    /// Whether rows have a rowid; those of a view or a `WITHOUT ROWID` table do not.
    public let hasRowID: Bool
}

/// An index of a table, as `PRAGMA index_list` and `PRAGMA index_info` describe it.
public struct IndexInfo: Hashable, Sendable {
    /// What created the index.
    public enum Origin: String, Sendable {
        /// `CREATE INDEX`.
        case createIndex = "c"
        /// A `UNIQUE` constraint.
        case uniqueConstraint = "u"
        /// A `PRIMARY KEY` constraint.
        case primaryKey = "pk"
    }

    /// Its name.
    public let name: String

    /// The indexed columns; nil for an expression.
    public let columns: [String?]

    /// Whether no two rows may be equal in its columns.
    public let isUnique: Bool
    /// Whether it contains only the rows selected by its WHERE clause.
    public let isPartial: Bool
    /// What created it.
    public let origin: Origin
}

/// A foreign key of a table, as `PRAGMA foreign_key_list` describes it.
public struct ForeignKeyInfo: Hashable, Sendable {
    /// The table it refers to.
    public let destinationTable: String

    /// The columns that refer.
    public let originColumns: [String]

    /// The columns referred to, in the same order.
    public let destinationColumns: [String]
}
