import Concordance
import ConcordanceSearch
import Foundation
import TestSupport
import Testing

@Suite("An index follows its tables through any history")
struct SyncPropertyTests {
    /// How many histories, and where seeds begin: more by CONCORDANCE_HISTORIES and CONCORDANCE_SEED.
    private static let count = environment("CONCORDANCE_HISTORIES") ?? 200
    private static let firstSeed = environment("CONCORDANCE_SEED") ?? 1

    private static func environment(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init)
    }

    @Test func `after random statements on random tables every index equals its source`() throws {
        var executed = 0
        var refused = 0
        for seed in Self.firstSeed..<Self.firstSeed + Self.count {
            let history = RandomHistory(seed: UInt64(seed))
            let result = HistoryRun(history).run()
            executed += result.executed
            refused += result.refused
            guard let problem = result.problem else { continue }
            let short = history.shrunk { HistoryRun($0).run().problem != nil }
            Issue.record("\(problem)\n\(short.script)\n-- \(HistoryRun(short).run().problem ?? "")")
            return
        }
        print("\(Self.count) histories: \(executed) statements, of which \(refused) were refused")
        #expect(refused < executed * 2 / 3)
    }
}

/// Executes a history and compares.
struct HistoryRun {
    let history: RandomHistory

    init(_ history: RandomHistory) { self.history = history }

    func run() -> (problem: String?, executed: Int, refused: Int) {
        var executed = 0
        var refused = 0
        do {
            let connections = try connect()
            let first = connections[0]
            for sql in history.schema.sql { try first.execute(sql: sql) }
            for index in history.schema.indexes {
                for db in connections { try db.install(index) }
            }
            for (number, step) in history.steps.enumerated() {
                executed += 1
                do {
                    try connections[step.connection].execute(sql: step.sql)
                } catch let error as DatabaseError {
                    refused += 1
                    if let unexpected = unexpected(error) { return ("\(unexpected)\n\(step.sql)", executed, refused) }
                }
                if number % 8 == 7, let problem = try differences(connections) { return (problem, executed, refused) }
            }
            for db in connections where db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
            let problem = try difference(first) ?? damage(first)
            for db in connections { try db.close() }
            return (problem, executed, refused)
        } catch {
            return ("\(error)", executed, refused)
        }
    }

    private func connect() throws -> [Database] {
        var configuration = Configuration()
        configuration.busyTimeout = 0
        if history.connectionCount == 1 { return [try Database(path: ":memory:", configuration: configuration)] }
        let path = "file:/history\(history.seed)-\(UUID().uuidString)?vfs=memdb"
        return try (0..<history.connectionCount).map { _ in
            let db = try Database(path: path, configuration: configuration)
            try SearchSupport.enable(on: db)
            return db
        }
    }

    /// Errors that the tables and transactions give are part of the history; those of an index are not.
    private func unexpected(_ error: DatabaseError) -> String? {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_MISMATCH: return nil
        case .SQLITE_CONSTRAINT:
            let isIndexed = history.schema.indexes.contains { index in
                error.message?.contains(index.definition.name + "_") == true
            }
            return isIndexed || error.extendedResultCode == .SQLITE_CONSTRAINT_VTAB ? "\(error)" : nil
        case .SQLITE_ERROR:
            let expected = ["transaction", "savepoint", "ON CONFLICT clause", "VACUUM", "foreign key mismatch"]
            return expected.contains { error.message?.contains($0) == true } ? nil : "\(error)"
        default: return "\(error)"
        }
    }

    /// Each connection that can read must find its indexes equal to its tables, in the middle of transactions too.
    private func differences(_ connections: [Database]) throws -> String? {
        for db in connections {
            do {
                if let problem = try difference(db) { return problem }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {}
        }
        return nil
    }

    private func difference(_ db: Database) throws -> String? {
        for index in history.schema.indexes {
            let name = index.definition.name
            let expected = try Row.fetchAll(db, sql: "SELECT rowid, * FROM \(name)_source ORDER BY rowid")
            let found = try Row.fetchAll(db, sql: "SELECT rowid, * FROM \(name) ORDER BY rowid")
            if expected.map(\.databaseValues) != found.map(\.databaseValues) {
                return "index \(name) has\n\(found)\ninstead of\n\(expected)"
            }
            // An index that keeps no texts reads them from its source, and must match them.
            guard index.definition.engine == .concordance else { continue }
            let sql = "SELECT rowid FROM \(name) WHERE concordance_is_current(\(name)) IS NOT 1"
            let stale = try Int64.fetchAll(db, sql: sql)
            if !stale.isEmpty { return "index \(name) has other terms than its source in the rows \(stale)" }
        }
        return nil
    }

    private func damage(_ db: Database) throws -> String? {
        for index in history.schema.indexes {
            // With the rank 1 the postings are compared with the texts, wherever these are.
            let name = index.definition.name
            try db.execute(sql: "INSERT INTO \(name)(\(name), rank) VALUES ('integrity-check', 1)")
        }
        return nil
    }
}
