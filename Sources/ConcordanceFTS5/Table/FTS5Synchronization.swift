import ConcordanceSQLite
import ConcordanceText

/// The triggers that keep an external-content FTS5 table in step with its content
/// (https://www.sqlite.org/fts5.html#external_content_tables).
struct FTS5Synchronization {
    let contentTable: String

    /// The column of the content table with the rowids, which must be its `INTEGER PRIMARY KEY`.
    func rowIDColumn(for table: QualifiedName, in db: Database) throws -> String {
        try contentTable.validateAsName()
        let schema = table.schema ?? "main"
        let columns = try Row.fetchAll(
            db, sql: "SELECT name, type, pk FROM pragma_table_info(?, ?)", arguments: [contentTable, schema])
        if columns.isEmpty {
            throw FTS5Error.invalidOption(
                "synchronize(withTable:)",
                reason: "needs the table \(contentTable), which does not exist; create it first")
        }
        let keys = try columns.filter { try $0.decode(Int.self, at: "pk") > 0 }
        guard keys.count == 1, let key = keys.first,
            try key.decode(String.self, at: "type").equalsIgnoringASCIICase("INTEGER")
        else {
            throw FTS5Error.invalidOption(
                "synchronize(withTable:)",
                reason: "needs a table with an INTEGER PRIMARY KEY, and \(contentTable) has none")
        }
        return try key.decode(at: "name")
    }

    /// Creates the triggers, and indexes the rows that are there.
    func start(for table: QualifiedName, columns: [String], in db: Database) throws {
        let rowID = try rowIDColumn(for: table, in: db)
        for sql in triggers(for: table, columns: columns, rowID: rowID) { try db.execute(sql: sql) }
        let name = table.name.quotedDatabaseIdentifier
        try db.execute(sql: "INSERT INTO \(table.sql)(\(name)) VALUES ('rebuild')")
    }

    static func triggerNames(for table: String) -> [String] {
        ["ai", "ad", "au"].map { "__\(table)_\($0)" }
    }

    private func triggers(for table: QualifiedName, columns: [String], rowID: String) -> [String] {
        let names = Self.triggerNames(for: table.name).map { table.sibling($0).sql }
        let content = contentTable.quotedDatabaseIdentifier
        // In a trigger, a table is named without its schema.
        let index = table.name.quotedDatabaseIdentifier
        let contentColumns = ([rowID] + columns).map(\.quotedDatabaseIdentifier)
        let indexColumns = (["rowid"] + columns.map(\.quotedDatabaseIdentifier)).joined(separator: ", ")
        func values(_ row: String) -> String { contentColumns.map { "\(row).\($0)" }.joined(separator: ", ") }
        // FTS5 sees the text of a value, so its text is compared: 1 is not 1.0, and no collation makes a equal A.
        func texts(_ row: String) -> String {
            contentColumns.map { "CAST(\(row).\($0) AS TEXT)" }.joined(separator: ", ")
        }
        let insert = "INSERT INTO \(index)(\(indexColumns)) VALUES (\(values("new")));"
        let delete = "INSERT INTO \(index)(\(index), \(indexColumns)) VALUES ('delete', \(values("old")));"
        return [
            "CREATE TRIGGER \(names[0]) AFTER INSERT ON \(content) BEGIN \(insert) END",
            "CREATE TRIGGER \(names[1]) AFTER DELETE ON \(content) BEGIN \(delete) END",
            """
            CREATE TRIGGER \(names[2]) AFTER UPDATE ON \(content) WHEN (\(texts("old"))) IS NOT (\(texts("new"))) \
            BEGIN \(delete) \(insert) END
            """,
        ]
    }
}

extension Database {
    /// Removes the triggers that `FTS5TableDefinition.synchronize(withTable:)` made for the FTS5 table `table`.
    ///
    /// ```swift
    /// // DROP TRIGGER IF EXISTS "__notesIndex_ai" ...
    /// try db.dropFTS5SynchronizationTriggers(forTable: "notesIndex")
    /// try db.execute(sql: "DROP TABLE notesIndex")
    /// ```
    public func dropFTS5SynchronizationTriggers(forTable table: String, in schema: String? = nil) throws {
        for name in FTS5Synchronization.triggerNames(for: table) {
            try execute(sql: "DROP TRIGGER IF EXISTS \(QualifiedName(name, in: schema).sql)")
        }
    }
}
