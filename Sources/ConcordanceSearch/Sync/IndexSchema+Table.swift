import ConcordanceSQLite
import ConcordanceText

/// What an index needs to know about a table of the database.
struct TableSchema {
    /// The name as the database spells it.
    let name: String
    let columns: [ColumnInfo]
    /// The INTEGER PRIMARY KEY column, another name of the rowid.
    let rowIDColumn: String?
    /// A name of the rowid; nil if there is none.
    let rowID: String?
    /// The columns that identify a row: the rowid, or the primary key of a table without one.
    let rowOrder: [String]

    /// - Parameter isSearched: Whether the table is only searched, and no trigger has to follow it: it may then be the
    ///   full-text table itself, which no index keeps, with rows of its own.
    /// - Throws: `SearchIndexError.noSuchTable`, and `unsupportedTable` for what triggers cannot follow.
    init(_ name: String, for index: String, isSearched: Bool = false, in db: Database) throws {
        let found = try Row.fetchOne(
            db,
            sql: """
                SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE
                """, arguments: [name])
        guard let found else { throw try Self.missing(name, for: index, in: db) }
        self.name = found["name"] ?? name
        let type: String = found["type"] ?? ""
        let isItself = isSearched && type == "virtual" && self.name.equalsIgnoringASCIICase(index)
        if !isItself, let reason = Self.obstacle(self.name, type: type) {
            throw SearchIndexError.unsupportedTable(self.name, index: index, reason: reason)
        }
        columns = try db.columns(in: self.name, schema: "main")
        let key = try db.primaryKey(self.name, schema: "main")
        let isWithoutRowID: Bool = found["wr"] ?? false
        rowIDColumn = key.rowIDColumn
        let names = columns.map(\.name)
        let alias = ["rowid", "_rowid_", "oid"].first { alias in
            !names.contains { $0.equalsIgnoringASCIICase(alias) }
        }
        rowID = isWithoutRowID ? nil : alias ?? key.rowIDColumn
        rowOrder = rowID.map { [$0] } ?? key.columns
    }

    /// The column with that name, in the database's spelling.
    func column(_ name: String, for index: String) throws(SearchIndexError) -> String {
        guard let column = columns.first(where: { $0.name.equalsIgnoringASCIICase(name) }) else {
            throw .noSuchColumn(name, table: self.name, index: index, known: columns.map(\.name))
        }
        return column.name
    }

    /// A name of the rowid that never changes by itself.
    ///
    /// - Throws: `SearchIndexError.unsupportedTable` if there is none.
    func stableRowID(for index: String, in db: Database) throws -> String {
        guard let rowID else {
            throw SearchIndexError.unsupportedTable(
                name, index: index,
                reason: columns.contains { $0.name.equalsIgnoringASCIICase("oid") }
                    ? "its columns use all names of the rowid; give it an INTEGER PRIMARY KEY"
                    : "it is WITHOUT ROWID, but entries are identified by rowid; create it as an ordinary table")
        }
        // VACUUM renumbers the rows of a table that has neither an INTEGER PRIMARY KEY nor an index.
        if rowIDColumn == nil, try db.indexes(on: name, schema: "main").isEmpty {
            throw SearchIndexError.unsupportedTable(
                name, index: index,
                reason:
                    "it has no primary key and no index, so VACUUM may renumber its rows; give it an INTEGER PRIMARY KEY"
            )
        }
        return rowID
    }

    /// The foreign keys of this table that refer to another one.
    func foreignKeys(to parent: TableSchema, in db: Database) throws -> [[(child: String, parent: String)]] {
        // SQLite numbers foreign keys backwards; a key that names no columns refers to the primary key.
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT id, "from", "to" FROM pragma_foreign_key_list(?, 'main')
                WHERE "table" = ? COLLATE NOCASE ORDER BY id DESC, seq
                """, arguments: [name, parent.name])
        let primaryKey = try db.primaryKey(parent.name, schema: "main").columns
        var keys: [[(child: String, parent: String)]] = []
        var last: Int?
        for row in rows {
            let id: Int? = row["id"]
            if id != last { keys.append([]) }
            last = id
            let end = keys.count - 1
            let place = keys[end].count
            let column: String? = row["to"] ?? (place < primaryKey.count ? primaryKey[place] : nil)
            if let child: String = row["from"], let column { keys[end].append((child, column)) }
        }
        return keys.filter { !$0.isEmpty }
    }

    private static func obstacle(_ name: String, type: String) -> String? {
        if name.lowercasedASCII.hasPrefix("sqlite_") { return "it is a table of SQLite's own, which has no triggers" }
        switch type {
        case "table": return nil
        case "view":
            return "it is a view, which triggers cannot follow; index its tables, with joined and computed fields"
        case "virtual": return "it is a virtual table, which has no triggers; index the table that its rows come from"
        default: return "it belongs to a virtual table; index the table that its rows come from"
        }
    }

    /// The error for a table that does not exist, or is in another schema.
    private static func missing(_ name: String, for index: String, in db: Database) throws -> SearchIndexError {
        let schema = try String.fetchOne(
            db, sql: "SELECT schema FROM pragma_table_list WHERE name = ? COLLATE NOCASE", arguments: [name])
        if let schema {
            return .unsupportedTable(
                name, index: index,
                reason: "it is in the schema \(schema); an index follows tables of main only")
        }
        let known = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM pragma_table_list
                WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
                """)
        return .noSuchTable(name, index: index, known: known)
    }
}
