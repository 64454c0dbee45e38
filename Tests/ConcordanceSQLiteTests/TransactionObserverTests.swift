import CConcordanceSQLite
import ConcordanceSQLite
import Testing

private struct Veto: Error, Equatable {}

/// Writes down what it is told.
private final class Recorder: TransactionObserver {
    var log: [String] = []
    var vetoes = false

    func databaseDidChange(with event: DatabaseEvent) {
        log.append("\(event.kind) \(event.databaseName).\(event.tableName) \(event.rowID)")
    }

    func databaseWillCommit() throws {
        log.append("will commit")
        if vetoes { throw Veto() }
    }

    func databaseDidCommit(_ db: Database) { log.append(db.isInsideTransaction ? "did not commit" : "did commit") }
    func databaseDidRollback(_ db: Database) { log.append(db.isInsideTransaction ? "no rollback" : "did roll back") }

    func takeLog() -> [String] {
        defer { log = [] }
        return log
    }
}

@Suite("A transaction observer")
struct TransactionObserverTests {
    private let db: Database

    init() throws {
        db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, a UNIQUE)")
    }

    @Test("is told of changes, and of how transactions end")
    func events() throws {
        let recorder = Recorder()
        try db.add(transactionObserver: recorder)
        let cases: [(String, [String])] = [
            ("INSERT INTO t VALUES (7, 'x')", ["insert main.t 7", "will commit", "did commit"]),
            ("UPDATE t SET id = 8", ["update main.t 8", "will commit", "did commit"]),
            ("DELETE FROM t WHERE id = 8", ["delete main.t 8", "will commit", "did commit"]),
            ("SELECT 1", []),
            ("BEGIN; COMMIT", []),
            (
                "BEGIN; INSERT INTO t VALUES (1, 'a'); INSERT INTO t VALUES (2, 'b'); COMMIT",
                ["insert main.t 1", "insert main.t 2", "will commit", "did commit"]
            ),
            ("BEGIN; INSERT INTO t VALUES (3, 'c'); ROLLBACK", ["insert main.t 3", "did roll back"]),
        ]
        for (sql, expected) in cases {
            try db.execute(sql: sql)
            #expect(recorder.takeLog() == expected, "\(sql)")
        }
        try db.inTransaction {
            try db.execute(sql: "INSERT INTO t VALUES (4, 'd')")
            return .rollback
        }
        #expect(recorder.takeLog() == ["insert main.t 4", "did roll back"])
        #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT OR ROLLBACK INTO t VALUES (5, 'a')") }
        #expect(recorder.takeLog().last == "did roll back")
    }

    @Test("can veto a commit, whose statement throws the observer's error")
    func veto() throws {
        let recorder = Recorder()
        let other = Recorder()
        try db.add(transactionObserver: recorder)
        try db.add(transactionObserver: other)
        recorder.vetoes = true
        #expect(throws: Veto()) { try db.execute(sql: "INSERT INTO t VALUES (1, 'a')") }
        #expect(other.takeLog() == ["insert main.t 1", "did roll back"])
        #expect(throws: Veto()) {
            try db.inTransaction {
                try db.execute(sql: "INSERT INTO t VALUES (1, 'a')")
                return .commit
            }
        }
        #expect(!db.isInsideTransaction)
        recorder.vetoes = false
        try db.execute(sql: "INSERT INTO t VALUES (1, 'a')")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 1)
    }

    @Test("may use the connection once the transaction has ended, and be told of that too")
    func nesting() throws {
        var depth = 0
        try db.afterNextTransaction { db in
            depth = 1
            try? db.afterNextTransaction { _ in depth = 2 }
            try? db.execute(sql: "INSERT INTO t VALUES (2, 'b')")
        }
        try db.execute(sql: "INSERT INTO t VALUES (1, 'a')")
        #expect(depth == 2)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 2)
    }

    @Test("watches as long as it should")
    func extents() throws {
        var recorder: Recorder? = Recorder()
        weak var observed = recorder
        try db.add(transactionObserver: try #require(recorder))
        recorder = nil
        #expect(observed == nil)
        recorder = Recorder()
        observed = recorder
        try db.add(transactionObserver: try #require(recorder), extent: .databaseLifetime)
        recorder = nil
        try db.execute(sql: "INSERT INTO t VALUES (1, 'a')")
        #expect(observed?.log.count == 3)
        let removed = Recorder()
        try db.add(transactionObserver: removed)
        db.remove(transactionObserver: removed)
        let once = Recorder()
        try db.add(transactionObserver: once, extent: .nextTransaction)
        try db.execute(sql: "INSERT INTO t VALUES (2, 'b'); INSERT INTO t VALUES (3, 'c')")
        #expect(removed.log == [])
        #expect(once.log.count == 3)
        try db.close()
        #expect(observed == nil)
    }

    @Test("of a borrowed connection takes the hooks only when told to")
    func borrowed() throws {
        let connection = try db.sqliteConnection
        let guest = Database(borrowing: connection)
        let recorder = Recorder()
        #expect {
            try guest.add(transactionObserver: recorder)
        } throws: { ($0 as? DatabaseError)?.advice?.contains("replacingHooks") == true }
        try guest.add(transactionObserver: recorder, replacingHooks: true)
        // The host's statements are seen; their end is reported with the guest's next one.
        #expect(csqlite_exec(connection, "INSERT INTO t VALUES (1, 'a')", nil, nil, nil) == SQLITE_OK)
        #expect(recorder.takeLog() == ["insert main.t 1", "will commit"])
        try guest.execute(sql: "SELECT 1")
        #expect(recorder.takeLog() == ["did commit"])
        try guest.close()
        // The guest is gone, but the object to which SQLite still points is not.
        #expect(csqlite_exec(connection, "INSERT INTO t VALUES (2, 'b')", nil, nil, nil) == SQLITE_OK)
        #expect(recorder.takeLog() == ["insert main.t 2", "will commit"])
    }

    @Test("is not told of a commit that a lock prevented")
    func busyCommit() throws {
        let file = try TemporaryDatabase()
        var impatient = Configuration()
        impatient.busyTimeout = 0
        let writer = try Database(path: file.path, configuration: impatient)
        try writer.execute(sql: "CREATE TABLE t(a)")
        let reader = try Database(path: file.path)
        try reader.execute(sql: "BEGIN; SELECT * FROM t")
        let recorder = Recorder()
        try writer.add(transactionObserver: recorder)
        try writer.execute(sql: "BEGIN; INSERT INTO t VALUES (1)")
        #expect(throws: DatabaseError.self) { try writer.execute(sql: "COMMIT") }
        try reader.execute(sql: "COMMIT")
        #expect(recorder.takeLog() == ["insert main.t 1"])
        try writer.execute(sql: "COMMIT")
        #expect(recorder.takeLog() == ["will commit", "did commit"])
    }
}
