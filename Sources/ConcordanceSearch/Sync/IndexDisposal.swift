import CConcordanceSQLite
import ConcordanceSQLite

/// Drops a full-text table that is no longer used bit by bit, because SQLite visits each of its pages to drop it at
/// once.
struct IndexDisposal {
    let record: IndexRecord
    let db: Database

    /// How many rows one statement deletes, which takes some milliseconds.
    private static let rowCount = 200

    /// - Parameter deadline: When to stop, after at least one statement; nil for never. If the time is up before the
    ///   work begins, as on a busy machine, the table still shrinks with each call, and is gone in the end.
    /// - Returns: Whether the table is gone.
    func run(until deadline: ContinuousClock.Instant?) throws -> Bool {
        if let deadline {
            guard try empty(until: deadline) else { return false }
        }
        try record.removeAll(in: db)
        return true
    }

    /// Empties the tables in which the engine stores the full-text table, which nobody reads any more.
    private func empty(until deadline: ContinuousClock.Instant) throws -> Bool {
        // Anything else with that name stays.
        guard let engine = try SearchEngine.keeping(record.table, in: db) else { return true }
        guard try db.withShadowTablesWritable({ try deleteRows(engine, until: deadline) }) else { return false }
        try engine.empty(record.table, in: db)
        return true
    }

    private func deleteRows(_ engine: SearchEngine, until deadline: ContinuousClock.Instant) throws -> Bool {
        for suffix in engine.shadowTableSuffixes {
            let name = record.table + suffix
            let hasRowID = try Bool.fetchOne(
                db, literal: "SELECT NOT wr FROM pragma_table_list WHERE schema = 'main' AND name = \(name)")
            guard hasRowID == true else { continue }
            let table = name.quotedDatabaseIdentifier
            // Without its first rows, a connection that has not used the table cannot open it, not even to drop it: the
            // engine needs them to read the others.
            let kept = engine.openingRows.upperBound
            let statement = try db.makeStatement(
                sql: """
                    DELETE FROM \(table) WHERE rowid IN (
                      SELECT rowid FROM \(table) WHERE rowid NOT BETWEEN 0 AND \(kept) LIMIT \(Self.rowCount))
                    """)
            while true {
                try statement.execute()
                if db.changesCount == 0 { break }
                if ContinuousClock.now >= deadline { return false }
            }
        }
        return true
    }
}

extension SearchEngine {
    /// Replaces the rows that opening a table reads by those of an empty table, so that it can be dropped.
    func empty(_ table: String, in db: Database) throws {
        try db.withShadowTablesWritable { try db.execute(sql: emptySQL(of: table)) }
    }
}

extension Database {
    /// Runs `body` with permission to write to shadow tables, which a defensive connection denies.
    fileprivate func withShadowTablesWritable<Result>(_ body: () throws -> Result) throws -> Result {
        let connection = try sqliteConnection
        var isDefensive: Int32 = 0
        csqlite_db_config_switch(connection, SQLITE_DBCONFIG_DEFENSIVE, -1, &isDefensive)
        csqlite_db_config_switch(connection, SQLITE_DBCONFIG_DEFENSIVE, 0, nil)
        defer { csqlite_db_config_switch(connection, SQLITE_DBCONFIG_DEFENSIVE, isDefensive, nil) }
        return try body()
    }
}
