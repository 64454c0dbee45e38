import ConcordanceSQLite

/// A table, view or trigger that belongs to an index, with the SQL that creates it, as SQLite stores it.
struct SchemaObject: Codable, Hashable, Sendable {
    enum Kind: String, Codable, Sendable {
        case table, view, trigger
    }

    let kind: Kind
    let name: String
    let sql: String

    /// `DROP TRIGGER IF EXISTS "name"`
    var dropSQL: String { "DROP \(kind.rawValue.uppercased()) IF EXISTS main.\(name.quotedDatabaseIdentifier)" }
}

/// The names of everything that belongs to a full-text table: that of an index, or the one being built to replace it.
struct IndexNames: Hashable, Sendable {
    /// The full-text table.
    let table: String
    /// The query for what it must hold.
    var source: String { table + "_source" }
    /// The table of changes that it has yet to follow.
    var changes: String { table + "_changes" }
    /// The table of rows about to be replaced.
    var pending: String { table + "_pending" }

    /// The names of the table that is built while another one with that name is in use.
    var next: IndexNames { IndexNames(table: table + "_next") }
    /// The names of the table that was in use before, until it is dropped.
    var old: IndexNames { IndexNames(table: table + "_old") }

    /// The columns of the full-text table and of the query: the rowid, then the fields.
    func columns(of definition: IndexDefinition) -> String {
        ([IndexSchema.rowIDColumn] + definition.fields.map(\.name.quotedDatabaseIdentifier)).joined(separator: ", ")
    }
}
