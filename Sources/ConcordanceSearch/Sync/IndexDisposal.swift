import CConcordanceSQLite
import ConcordanceSQLite

/// Drops a full-text table that is no longer used bit by bit: to drop it at once, SQLite visits each of its pages.
struct IndexDisposal {
    let record: IndexRecord
    let db: Database

    /// How many rows one statement deletes, some milliseconds' worth.
    private static let rowCount = 200

    /// - Parameter deadline: When to stop, after at least one statement; nil for never. Where the time is over before the work
    ///   begins, as on a busy machine, the table still gets smaller with each call, and goes in the end.
    /// - Returns: Whether the table is gone.
    func run(until deadline: ContinuousClock.Instant?) throws -> Bool {
        if let deadline {
            guard try empty(until: deadline) else { return false }
        }
        try record.removeAll(in: db)
        return true
    }

    /// Empties the tables that the engine keeps for the full-text table, which nobody reads any more.
    private func empty(until deadline: ContinuousClock.Instant) throws -> Bool {
        // What has that name and is no full-text table stays.
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
            // Without its first rows a connection that has not used the table cannot open it, even to drop it: an engine
            // keeps there what it must know of the others.
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
    /// Makes of the rows which opening a table takes those of an empty table, so that it can be dropped.
    func empty(_ table: String, in db: Database) throws {
        try db.withShadowTablesWritable { try db.execute(sql: emptySQL(of: table)) }
    }
}

extension Database {
    /// Runs `body` with leave to write to the tables that belong to a virtual table, which a defensive connection refuses.
    fileprivate func withShadowTablesWritable<Result>(_ body: () throws -> Result) throws -> Result {
        let connection = try sqliteConnection
        var isDefensive: Int32 = 0
        csqlite_db_config_switch(connection, SQLITE_DBCONFIG_DEFENSIVE, -1, &isDefensive)
        csqlite_db_config_switch(connection, SQLITE_DBCONFIG_DEFENSIVE, 0, nil)
        defer { csqlite_db_config_switch(connection, SQLITE_DBCONFIG_DEFENSIVE, isDefensive, nil) }
        return try body()
    }
}
