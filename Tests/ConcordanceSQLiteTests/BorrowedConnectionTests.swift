import CConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceSQLite

@Suite("Connections of other libraries")
struct BorrowedConnectionTests {
    /// A connection as another library has it.
    func open() throws -> OpaquePointer {
        var connection: OpaquePointer?
        #expect(csqlite_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        return try #require(connection)
    }

    /// Closes as `sqlite3_close` does, which fails if statements are left: none may be.
    func close(_ connection: OpaquePointer) {
        #expect(csqlite_next_stmt(connection, nil) == nil)
        #expect(csqlite_close_v2(connection) == SQLITE_OK)
    }

    @Test func itIsGivenBackAsItWas() throws {
        let connection = try open()
        do {
            let db = Database(borrowing: connection)
            try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
            #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1])
            try db.add(function: DatabaseFunction("one") { _ in 1 })
            db.trace { _ in }
            try db.execute(sql: "BEGIN")
            do {
                try db.execute(sql: "INSERT INTO none VALUES (1)")
            } catch ResultCode.SQLITE_ERROR {}
        }
        let again = Database(borrowing: connection)
        #expect(again.isInsideTransaction)  // the owner's
        #expect(try Int.fetchOne(again, sql: "SELECT one() + count(*) FROM t") == 2)
        try again.execute(sql: "COMMIT")
        try again.close()
        #expect(throws: DatabaseError.self) { try again.execute(sql: "SELECT 1") }
        #expect(csqlite_exec(connection, "INSERT INTO t VALUES (2)", nil, nil, nil) == SQLITE_OK)
        close(connection)
    }

    @Test func aCallbackFindsTheDatabase() throws {
        let owned = try Database(path: ":memory:")
        #expect(try Database.from(try owned.sqliteConnection) === owned)
        let connection = try open()
        let borrowing = Database(borrowing: connection)
        #expect(try Database.from(connection) === borrowing)
        try borrowing.close()
        weak var attached: Database?
        do {
            let database = try Database.from(connection)
            attached = database
            #expect(try Int.fetchOne(database, sql: "SELECT 1") == 1)
        }
        #expect(attached != nil)
        #expect(try Database.from(connection) === attached)
        close(connection)
        #expect(attached == nil)
    }

    final class Counter {
        var count = 0
    }

    @Test func storageBelongsToTheConnection() throws {
        let connection = try open()
        let first = Database(borrowing: connection)
        let second = Database(borrowing: connection)
        first.storage(of: Counter.self) { Counter() }.count += 1
        second.storage(of: Counter.self) { Counter() }.count += 1
        #expect(first.storage(of: Counter.self) { Counter() }.count == 2)
        weak let weakCounter = first.storage(of: Counter.self) { Counter() }
        try first.close()
        #expect(weakCounter != nil)
        try second.close()
        #expect(weakCounter == nil)
        close(connection)
    }

    struct Failure: Error {}

    @Test func errorsOfCallbacksReachTheDatabaseThatExecutes() throws {
        let connection = try open()
        let first = Database(borrowing: connection)
        let second = Database(borrowing: connection)
        try first.add(function: DatabaseFunction("fail") { _ in throw Failure() })
        #expect(throws: Failure.self) { try second.execute(sql: "SELECT fail()") }
        try first.close()
        #expect(throws: Failure.self) { try second.execute(sql: "SELECT fail()") }
        try second.close()
        // Without us, it is SQLite's error.
        #expect(csqlite_exec(connection, "SELECT fail()", nil, nil, nil) == SQLITE_ERROR)
        close(connection)
    }
}

@Suite("Connections are set up")
struct ConfigurationTests {
    struct Failure: Error {}

    @Test func preparationsRunInOrderAndCanFail() throws {
        let names = Locked<[String]>([])
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            names.withLock { $0.append("first") }
            try db.execute(sql: "PRAGMA cache_size = 123")
        }
        configuration.prepareDatabase { _ in names.withLock { $0.append("second") } }
        let db = try Database(path: ":memory:", configuration: configuration)
        #expect(names.withLock { $0 } == ["first", "second"])
        #expect(try Int.fetchOne(db, sql: "PRAGMA cache_size") == 123)
        configuration.prepareDatabase { _ in throw Failure() }
        #expect(throws: Failure.self) { try Database(path: ":memory:", configuration: configuration) }
    }

    @Test(arguments: [(5.0, 5000), (0, 0), (-1, 0), (.nan, 0), (.infinity, Int(Int32.max / 2)), (0.25, 250)])
    func busyTimeouts(seconds: Double, milliseconds: Int) throws {
        var configuration = Configuration()
        configuration.busyTimeout = seconds
        let db = try Database(path: ":memory:", configuration: configuration)
        #expect(try Int.fetchOne(db, sql: "PRAGMA busy_timeout") == milliseconds)
    }

    @Test func tracing() throws {
        let lines = Locked<[String]>([])
        var configuration = Configuration()
        configuration.trace = { event in
            let line =
                switch event.kind {
                case .begin: event.expandedSQL
                case .end(let nanoseconds): nanoseconds >= 0 ? "end \(event.sql)" : "negative"
                }
            lines.withLock { $0.append(line) }
        }
        let db = try Database(path: ":memory:", configuration: configuration)
        try db.execute(sql: "SELECT ?", arguments: ["it's"])
        db.trace(nil)
        try db.execute(sql: "SELECT 2")
        #expect(lines.withLock { $0 } == ["SELECT 'it''s'", "end SELECT ?"])
    }
}
