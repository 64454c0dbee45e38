import ConcordanceSQLite
import ConcordanceText

/// A table whose changes triggers can apply to an external-content FTS5 table.
struct SynchronizedTable {
    let name: String
    /// The schema that it is in.
    let schema: String
    /// A name of the rowid: that of the `INTEGER PRIMARY KEY`, or one that no column has.
    let rowID: String
    /// Whether it has an index that nobody can drop, or an `INTEGER PRIMARY KEY`. Otherwise `VACUUM` renumbers the
    /// rows.
    let keepsRowIDs: Bool
    /// What a new row can share with a row that REPLACE then deletes.
    let keys: [UniqueKey]
    /// The columns of NEW that a trigger before an update must name to read its keys.
    let conflictSources: [String]

    /// - Throws: `FTS5Error.invalidOption` for anything without rowids or triggers.
    init(_ name: String, schema: String, in db: Database) throws {
        try name.validateAsName()
        self.name = name
        self.schema = schema
        let found = try Row.fetchOne(
            db,
            sql: """
                SELECT type, wr FROM pragma_table_list
                WHERE schema = ? COLLATE NOCASE AND name = ? COLLATE NOCASE
                """, arguments: [schema, name])
        guard let found else {
            throw Self.obstacle("needs the table \(name), which does not exist; create it first")
        }
        try Self.validate(name, type: found["type"] ?? "", isWithoutRowID: found["wr"] ?? false)
        let rowIDColumn = try db.primaryKey(name, schema: schema).rowIDColumn
        let names = try db.columns(in: name, schema: schema).map(\.name)
        let hidden = ["rowid", "_rowid_", "oid"].first { hidden in
            !names.contains { $0.equalsIgnoringASCIICase(hidden) }
        }
        guard let rowID = rowIDColumn ?? hidden else {
            throw Self.obstacle(
                "needs a name for the rowid, but columns of \(name) have them all: rowid, _rowid_, oid; rename one"
            )
        }
        self.rowID = rowID
        keepsRowIDs =
            try rowIDColumn != nil || db.indexes(on: name, schema: schema).contains { $0.origin != .createIndex }
        keys = try UniqueKey.all(of: name, in: schema, rowID: rowID, db)
        conflictSources = try UniqueKey.sourcesOfGeneratedColumns(in: keys, of: name, in: schema, db)
    }

    private static func validate(_ name: String, type: String, isWithoutRowID: Bool) throws(FTS5Error) {
        if isWithoutRowID {
            throw obstacle("needs rowids, but \(name) is a table WITHOUT ROWID; create it as an ordinary table")
        }
        if name.lowercasedASCII.hasPrefix("sqlite_") {
            throw obstacle("needs triggers, but \(name) is a table of SQLite's own, which cannot have any")
        }
        if ["old", "new"].contains(where: { name.equalsIgnoringASCIICase($0) }) {
            throw obstacle("needs triggers, which use the name \(name) for a row; rename the table")
        }
        switch type {
        case "table": return
        case "view":
            throw obstacle(
                "needs a table, but \(name) is a view, which triggers cannot follow; use the table its rows come from"
            )
        default:
            throw obstacle(
                "needs triggers, but \(name) belongs to a virtual table; use the table that its rows come from")
        }
    }

    private static func obstacle(_ reason: String) -> FTS5Error {
        .invalidOption("synchronize(withTable:)", reason: reason)
    }
}
