import CConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceSQLite

@Suite("Statements live and are reused safely")
struct StatementTests {
    @Test func aCachedStatementInUseIsNotHandedOutAgain() throws {
        let db = try Database(path: ":memory:")
        let sql = "VALUES (1), (2), (3)"
        // The statement is used within itself.
        var pairs: [[Int]] = []
        let outer = try Int.fetchCursor(db, sql: sql)
        while let first = try outer.next() {
            let inner = try Int.fetchCursor(db, sql: sql)
            while let second = try inner.next() { pairs.append([first, second]) }
        }
        #expect(pairs == [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3], [3, 1], [3, 2], [3, 3]])
        let first = try db.cachedStatement(sql: sql)
        let second = try db.cachedStatement(sql: sql)
        #expect(first.handle != second.handle)
    }

    @Test func aCachedStatementComesBackWithoutArguments() throws {
        let db = try Database(path: ":memory:")
        var statement: Statement? = try db.cachedStatement(sql: "SELECT ?")
        try statement?.execute(arguments: [1])
        let handle = statement?.handle
        statement = nil
        let again = try db.cachedStatement(sql: "SELECT ?")
        #expect(again.handle == handle)
        #expect(throws: DatabaseError.self) { try again.execute() }
    }

    /// What a statement has changed may be refused when it ends.
    @Test func aChangeOfWhichOneRowIsFetchedEnds() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                PRAGMA foreign_keys = 1;
                CREATE TABLE parent(id INTEGER PRIMARY KEY);
                CREATE TABLE child(id INTEGER PRIMARY KEY, parent REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED);
                """)
        let error = #expect(throws: DatabaseError.self) {
            try Int.fetchOne(db, sql: "INSERT INTO child(parent) VALUES (99) RETURNING id")
        }
        #expect(error?.resultCode == .SQLITE_CONSTRAINT)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM child") == 0)
        #expect(try Int.fetchOne(db, sql: "INSERT INTO parent VALUES (1), (2) RETURNING id") == 1)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM parent") == 2)
    }

    @Test func theCacheIsBounded() throws {
        var configuration = Configuration()
        configuration.statementCacheCapacity = 3
        let db = try Database(path: ":memory:", configuration: configuration)
        for number in 0..<10 { _ = try Int.fetchOne(db, sql: "SELECT \(number)") }
        #expect(db.statementCache.count == 3)
        var used: Statement? = try db.cachedStatement(sql: "SELECT 7")
        let handle = used?.handle
        used = nil  // now 7 is the most recently used
        _ = try Int.fetchOne(db, sql: "SELECT 10")
        _ = try Int.fetchOne(db, sql: "SELECT 11")
        #expect(try db.cachedStatement(sql: "SELECT 7").handle == handle)
        _ = try Int.fetchOne(db, sql: "SELECT 1 -- " + String(repeating: "x", count: 100_000))
        #expect(db.statementCache.count == 3)
        configuration.statementCacheCapacity = -1
        let none = try Database(path: ":memory:", configuration: configuration)
        _ = try Int.fetchOne(none, sql: "SELECT 1")
        #expect(none.statementCache.count == 0)
    }

    @Test func schemaChangesReachCachedStatements() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        let sql = "SELECT * FROM t"
        let held = try db.makeStatement(sql: sql)
        #expect(try Row.fetchAll(held) == [["a": 1]])
        #expect(try Row.fetchAll(db, sql: sql) == [["a": 1]])
        try db.execute(sql: "ALTER TABLE t ADD COLUMN b DEFAULT 2")
        #expect(try Row.fetchAll(db, sql: sql) == [["a": 1, "b": 2]])
        #expect(try Row.fetchAll(held) == [["a": 1, "b": 2]])
        try db.execute(sql: "ALTER TABLE t RENAME COLUMN a TO c")
        #expect(try Row.fetchAll(held) == [["c": 1, "b": 2]])
        try db.execute(sql: "DROP TABLE t; CREATE TABLE t (z)")
        #expect(try Row.fetchAll(db, sql: sql) == [])
        #expect(try db.cachedStatement(sql: sql).columnNames.count > 0)
        try db.execute(sql: "DROP TABLE t")
        #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: sql) }
        #expect(throws: DatabaseError.self) { try held.execute() }
    }

    @Test func aStatementOutlivesItsDatabaseVariable() throws {
        var db: Database? = try Database(path: ":memory:")
        let statement = try #require(try db?.makeStatement(sql: "VALUES (1), (2)"))
        db = nil
        #expect(try Int.fetchAll(statement) == [1, 2])
    }

    @Test func everythingThrowsAfterClosing() throws {
        let folder = try TemporaryFolder()
        let db = try Database(path: folder["a.db"])
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
        let statement = try db.makeStatement(sql: "SELECT a FROM t")
        let parameterized = try db.makeStatement(sql: "SELECT ?")
        let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t")
        _ = try cursor.next()
        try db.execute(sql: "BEGIN IMMEDIATE")
        #expect(try statement.step())
        try db.close()
        try db.close()
        for (name, attempt) in [
            ("step", { _ = try statement.step() }), ("execute", { try statement.execute() }),
            ("next", { _ = try cursor.next() }), ("bind", { try parameterized.execute(arguments: [1]) }),
            ("script", { try db.execute(sql: "SELECT 1") }), ("make", { _ = try db.makeStatement(sql: "SELECT 1") }),
            ("cached", { _ = try db.cachedStatement(sql: "SELECT 1") }),
            ("transaction", { try db.inTransaction { .commit } }),
            ("savepoint", { try db.inSavepoint { .commit } }), ("connection", { _ = try db.sqliteConnection }),
            ("function", { try db.add(function: DatabaseFunction("f") { _ in nil }) }),
            ("schema", { _ = try db.tableExists("t") }),
        ] as [(String, () throws -> Void)] {
            let error = #expect(throws: DatabaseError.self, "\(name)") { try attempt() }
            #expect(error?.resultCode == .SQLITE_MISUSE, "\(name)")
        }
        #expect(statement.int64(at: 0) == 0)
        #expect(db.lastInsertedRowID == 0)
        #expect(db.changesCount == 0)
        #expect(!db.isInsideTransaction)
        db.interrupt()
        // Its transaction is rolled back and its lock is free, although statements are left.
        let other = try Database(path: folder["a.db"])
        try other.execute(sql: "INSERT INTO t VALUES (3)")
    }

    @Test func aFunctionCannotPullTheStatementFromUnderIt() throws {
        let db = try Database(path: ":memory:")
        let meddle = Locked<() throws -> Void>({})
        try db.add(
            function: DatabaseFunction("meddle") { _ in
                try meddle.withLock { $0 }()
                return 1
            })
        let statement = try db.makeStatement(sql: "SELECT meddle()")
        for attempt in [{ try statement.execute() }, { _ = try statement.step() }, { try db.close() }] {
            meddle.withLock { $0 = attempt }
            let error = #expect(throws: DatabaseError.self) { try statement.execute() }
            #expect(error?.resultCode == .SQLITE_MISUSE)
        }
        meddle.withLock { $0 = { statement.reset() } }
        #expect(try Int.fetchOne(statement) == 1)
        meddle.withLock { $0 = { _ = try Int.fetchAll(db, sql: "VALUES (1), (2)") } }
        #expect(try Int.fetchOne(statement) == 1)
        meddle.withLock { $0 = {} }
    }

    @Test func executingAStatementWhileItsRowsAreReadIsAnError() throws {
        let db = try Database(path: ":memory:")
        let statement = try db.makeStatement(sql: "VALUES (1), (2)")
        for meddle in [
            { try statement.execute() }, { statement.reset() },
            {
                _ = try statement.step(); statement.reset()
            },
        ] {
            var count = 0
            #expect(throws: DatabaseError.self) {
                try statement.forEachRow { _ in
                    count += 1
                    try meddle()
                }
            }
            #expect(count == 1)
            let cursor = try Int.fetchCursor(statement)
            #expect(try cursor.next() == 1)
            try meddle()
            #expect(throws: DatabaseError.self) { try cursor.next() }
            #expect(try cursor.next() == nil)
        }
        #expect(try Int.fetchAll(statement) == [1, 2])
    }

    @Test func aCursorEndsOnceAndFreesItsStatement() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
        var cursor: DatabaseCursor<Int>? = try Int.fetchCursor(db, sql: "SELECT a FROM t")
        #expect(try cursor?.next() == 1)
        cursor = nil
        try db.execute(sql: "DROP TABLE t")  // which an unfinished read would keep from being dropped
        let all = try Int.fetchCursor(db, sql: "VALUES (1), (2)")
        var sum = 0
        try all.forEach { sum += $0 }
        #expect(sum == 3)
        #expect(try all.next() == nil)
    }

    @Test(arguments: [
        ("", 0), (" ; ;; -- nothing\n/* at all", 0), ("SELECT 1", 1), ("SELECT 1; -- one", 1), ("SELECT 1;;", 1),
        ("SELECT 1; SELECT 2", 2), ("SELECT 1 /* ; */; /**/ SELECT ';'; --", 2),
    ])
    func scripts(sql: String, count: Int) throws {
        let db = try Database(path: ":memory:")
        nonisolated(unsafe) var executed = 0
        db.trace { if $0.kind == .begin { executed += 1 } }
        try db.execute(sql: sql)
        #expect(executed == count)
        if count == 1 {
            _ = try db.makeStatement(sql: sql)
        } else {
            #expect(throws: DatabaseError.self) { try db.makeStatement(sql: sql) }
        }
    }
}
