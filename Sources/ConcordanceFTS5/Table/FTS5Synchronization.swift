import ConcordanceSQLite

/// An external-content FTS5 table that triggers keep in step with its content
/// (https://www.sqlite.org/fts5.html#external_content_tables).
struct FTS5Synchronization {
    let contentTable: String

    /// The content table, which is in the FTS5 table's schema.
    func content(of table: QualifiedName, in db: Database) throws -> SynchronizedTable {
        try SynchronizedTable(contentTable, schema: table.schema ?? "main", in: db)
    }

    /// Creates the triggers and what they need, and indexes the existing rows.
    ///
    /// - Parameter columns: The indexed columns.
    func start(for table: QualifiedName, columns: [String], in db: Database) throws {
        let triggers = SynchronizationTriggers(
            table: table, content: try content(of: table, in: db), columns: columns)
        for sql in triggers.sql { try db.execute(sql: sql) }
        let name = table.name.quotedDatabaseIdentifier
        try db.execute(sql: "INSERT INTO \(table.sql)(\(name)) VALUES ('rebuild')")
    }
}

extension Database {
    /// Removes everything that `FTS5TableDefinition.synchronize(withTable:)` created for the FTS5 table `table` besides
    /// that table: the triggers, and the table and the index that belong to them.
    ///
    /// ```swift
    /// // DROP TRIGGER IF EXISTS "__notesIndex_ai" ...
    /// // DROP TABLE IF EXISTS "__notesIndex_pending"
    /// // DROP INDEX IF EXISTS "__notesIndex_rowids"
    /// try db.dropFTS5SynchronizationTriggers(forTable: "notesIndex")
    /// try db.execute(sql: "DROP TABLE notesIndex")
    /// ```
    public func dropFTS5SynchronizationTriggers(forTable table: String, in schema: String? = nil) throws {
        let names = SynchronizationNames(QualifiedName(table, in: schema))
        try inSavepoint {
            for trigger in SynchronizationNames.Trigger.allCases {
                try execute(sql: "DROP TRIGGER IF EXISTS \(names.trigger(trigger).sql)")
            }
            try execute(sql: "DROP TABLE IF EXISTS \(names.pending.sql)")
            try execute(sql: "DROP INDEX IF EXISTS \(names.rowIDs.sql)")
            return .commit
        }
    }
}
