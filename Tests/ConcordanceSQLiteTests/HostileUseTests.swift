import CConcordanceSQLite
import Foundation
import TestSupport
import Testing

@testable import ConcordanceSQLite

/// Uses that no documentation suggests: each works, or throws.
@Suite("Hostile use")
struct HostileUseTests {
    private let db: Database

    init() throws { db = try Database(path: ":memory:") }

    // MARK: Texts that are equal in Swift and not in SQL

    @Test("of statements that differ in the code points of a letter only gets each one's result")
    func canonicallyEquivalentStatements() throws {
        for letter in ["\u{E9}", "e\u{301}", "\u{E9}"] {
            let length = try Int.fetchOne(db, sql: "SELECT length('\(letter)')")
            #expect(length == letter.unicodeScalars.count)
        }
        #expect(db.statementCache.count == 2)
    }

    @Test("of columns that differ in the code points of a letter only gets each one's value")
    func canonicallyEquivalentColumns() throws {
        let row = try #require(try Row.fetchOne(db, sql: "SELECT 1 AS '\u{E9}', 2 AS 'e\u{301}'"))
        #expect(row["\u{E9}"] == 1)
        #expect(row["e\u{301}"] == 2)
    }

    // MARK: NUL characters

    @Test("of NUL in the names of functions, collations and modules throws")
    func nulInNames() throws {
        for count in [nil, 1] {
            let function = DatabaseFunction("a\0b", argumentCount: count) { _ in 1 }
            #expect(throws: DatabaseError.self) { try db.add(function: function) }
            #expect(throws: DatabaseError.self) { try db.remove(function: function) }
        }
        let collation = DatabaseCollation("a\0b") { _, _ in .same }
        #expect(throws: DatabaseError.self) { try db.add(collation: collation) }
        #expect(throws: DatabaseError.self) { try db.remove(collation: collation) }
        #expect(throws: DatabaseError.self) { try db.remove(module: "a\0b") }
        #expect(try db.tableExists("sqlite_schema\0") == false)
        #expect(try db.viewExists("\0") == false)
        #expect(throws: (any Error).self) { try db.columns(in: "\0") }
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT 1 AS \("a\0b".quotedDatabaseIdentifier)") }
        #expect(throws: DatabaseError.self) { try Database(path: "/tmp/a\0b") }
    }

    @Test("of NUL and invalid UTF-8 in values keeps them")
    func hostileValues() throws {
        try db.execute(sql: "CREATE TABLE t(a)")
        let text = "a\0b\u{FFFF}\u{10FFFF}"
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [text])
        #expect(try String.fetchOne(db, sql: "SELECT a FROM t") == text)
        let bytes: [UInt8] = [0xFF, 0, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0xF5]
        let statement = try db.makeStatement(sql: "UPDATE t SET a = ?")
        try bytes.withUnsafeBytes { try statement.bind(text: $0, at: 1) }
        try statement.execute()
        let select = try db.makeStatement(sql: "SELECT a FROM t")
        try select.forEachRow { row in
            #expect(row.withBytes(at: 0) { Array($0) } == bytes)
            #expect(row.string(at: 0)?.isEmpty == false)
        }
        #expect(try Row.fetchOne(db, sql: "SELECT a FROM t")?.count == 1)
    }

    // MARK: Numbers

    @Test("of extreme numbers works or throws", arguments: [Int.min, -1, 0, Int(Int32.max) + 1, .max])
    func extremes(number: Int) throws {
        let statement = try db.makeStatement(sql: "SELECT ?1, ?2")
        #expect(throws: DatabaseError.self) { try statement.bind(.null, at: number) }
        try statement.bind(1, at: 1)
        #expect(try statement.step())
        #expect(statement.int64(at: number) == (number == 0 ? 1 : 0))
        _ = statement.double(at: number)
        _ = statement.string(at: number)
        _ = statement.storageClass(at: number)
        _ = statement.withBytes(at: number) { $0.count }
        if number != 0 { #expect(throws: DatabaseError.self) { try statement.decode(Int.self, at: number) } }
        let row = Row(statement)
        #expect((row[number] == nil) == (number != 0))
        #expect(throws: DatabaseError.self) { try row.decode(Int.self, at: number == 0 ? 7 : number) }
        statement.reset()
        _ = statement.int64(at: 0)

        let rows = try Int.fetchAll(db, sql: "SELECT 1 LIMIT ? OFFSET ?", arguments: [number, number])
        #expect(rows.count <= 1)
        let copy = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t(a)")
        try db.backup(to: copy, pagesPerStep: number)
        #expect(try copy.tableExists("t"))
        let function = DatabaseFunction("f", argumentCount: number) { _ in 1 }
        if number == 0 {
            try db.add(function: function)
        } else {
            #expect(throws: DatabaseError.self) { try db.add(function: function) }
        }
        #expect(!"\(DatabaseError(sql: "SELECT", offset: number))".isEmpty)
    }

    @Test("of extreme configurations opens", arguments: [Int.min, 0, .max])
    func extremeConfigurations(number: Int) throws {
        let file = try TemporaryDatabase()
        for timeout in [-1, Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e-300] {
            var configuration = Configuration()
            configuration.busyTimeout = timeout
            configuration.maximumReaderCount = number
            configuration.statementCacheCapacity = number
            let pool = try DatabasePool(path: file.path, configuration: configuration)
            try pool.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS t(a)") }
            #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
            try pool.barrierWriteWithoutTransaction { try $0.execute(sql: "DELETE FROM t") }
            try pool.close()
        }
    }

    // MARK: Size and depth

    @Test("of too many columns, too deep expressions and too long texts throws")
    func tooMuch() throws {
        let columns = (0..<10_000).map { "c\($0)" }.joined(separator: ", ")
        #expect(throws: DatabaseError.self) { try db.execute(sql: "CREATE TABLE wide(\(columns))") }
        #expect(throws: DatabaseError.self) { try db.execute(sql: "CREATE TABLE none()") }
        for nested in [
            String(repeating: "(", count: 500_000), String(repeating: "(", count: 500_000) + "1",
            String(repeating: "-", count: 500_000) + "1", String(repeating: "NOT ", count: 250_000) + "1",
            String(repeating: "1+", count: 500_000) + "1", String(repeating: "1,", count: 500_000) + "1",
            "'" + String(repeating: "'", count: 1_000_000), String(repeating: ";", count: 10) + "/*",
        ] {
            do {
                try db.execute(sql: "SELECT " + nested)
                Issue.record("\(nested.prefix(20)) was executed")
            } catch is DatabaseError {}
        }
    }

    // MARK: Callbacks

    @Test(
        "of an error whose code is not an error's, thrown by a function, gets to the caller",
        arguments: [0, -1, .min, .max, SQLITE_ROW, SQLITE_DONE, 0x100, SQLITE_ROW | 0x100, SQLITE_SCHEMA, SQLITE_NOMEM])
    func codesThatAreNoErrors(code: Int32) throws {
        let error = DatabaseError(resultCode: ResultCode(rawValue: code), message: "from a function")
        try db.add(function: DatabaseFunction("fail") { _ in throw error })
        try db.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)")
        var rows = 0
        do {
            try db.makeStatement(sql: "SELECT fail(a) FROM t").forEachRow { _ in
                rows += 1
                if rows > 10 { throw CancellationError() }
            }
            Issue.record("the error \(code) got lost")
        } catch let caught as DatabaseError {
            #expect(caught == error)
        }
        #expect(rows == 0)
        #expect(throws: error) { try db.execute(sql: "UPDATE t SET a = fail(a)") }
        #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1, 2])
    }

    @Test("of a connection that its own callbacks close throws")
    func closingInCallbacks() throws {
        nonisolated(unsafe) let db = db
        let errors = Locked(0)
        let close: @Sendable () -> Void = {
            do { try db.close() } catch { errors.withLock { $0 += 1 } }
        }
        try db.add(
            function: DatabaseFunction("closing") { _ in
                close(); return 1
            })
        try db.add(
            collation: DatabaseCollation("closing") {
                close(); return $0 < $1 ? .ascending : .descending
            })
        db.trace { _ in close() }
        #expect(try Int.fetchOne(db, sql: "SELECT closing()") == 1)
        #expect(
            try String.fetchAll(db, sql: "SELECT * FROM (VALUES ('b'), ('a')) ORDER BY 1 COLLATE closing") == [
                "a", "b",
            ])
        db.trace(nil)
        #expect(errors.withLock { $0 } > 3)
        #expect(throws: DatabaseError.self) {
            try db.makeStatement(sql: "SELECT 1 UNION ALL SELECT 2").forEachRow { _ in try db.close() }
        }
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT 1") }
    }

    @Test("of a statement that is in use, by the function that it calls, throws")
    func recursion() throws {
        nonisolated(unsafe) var statement: Statement?
        try db.add(
            function: DatabaseFunction("again") { _ in
                statement?.reset()
                try statement?.setArguments([])
                return try statement?.step()
            })
        statement = try db.makeStatement(sql: "SELECT again()")
        #expect(throws: DatabaseError.self) { try statement?.execute() }
        statement = nil
    }

    @Test("of functions that replace themselves while they run works or throws")
    func replacingItself() throws {
        nonisolated(unsafe) let db = db
        try db.add(
            function: DatabaseFunction("again") { _ in
                try db.add(function: DatabaseFunction("again") { _ in 2 })
                return 1
            })
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT again()") }
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT again()") }
    }

    // MARK: Statements that leak

    @Test("of a statement or a cursor that has escaped throws, and does not write in a later read")
    func leaking() throws {
        let queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3)") }
        var insert: Statement?
        var cursor: DatabaseCursor<Int>?
        try queue.writeWithoutTransaction { db in
            insert = try db.makeStatement(sql: "INSERT INTO t SELECT a FROM t RETURNING a")
            let hasRow = try insert?.step()
            #expect(hasRow == true)
            cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t")
            let first = try cursor?.next()
            #expect(first == 1)
        }
        #expect(throws: DatabaseError.self) { _ = try insert?.step() }
        #expect(throws: DatabaseError.self) { _ = try cursor?.next() }
        cursor = try queue.read { db in
            #expect(throws: DatabaseError.self) { try insert?.step() }
            let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t")
            #expect(try cursor.next() == 1)
            return cursor
        }
        try queue.read { _ in
            #expect(throws: DatabaseError.self) { try cursor?.next() }
            let next = try cursor?.next()
            #expect(next == nil)
        }
        try queue.close()
        #expect(throws: DatabaseError.self) { try insert?.execute() }
    }

    @Test("of a statement that is released where its connection is not held lets the next access free it")
    func releasingEscaped() throws {
        let queue = try DatabaseQueue()
        var statement: Statement?
        var database: Database?
        try queue.read { db in
            statement = try db.makeStatement(sql: "SELECT 1 UNION ALL SELECT 2")
            let hasRow = try statement?.step()
            #expect(hasRow == true)
            database = db
        }
        func openStatements() -> Int {
            guard let connection = database?.handle else { return 0 }
            var count = 0
            var statement = csqlite_next_stmt(connection, nil)
            while let current = statement {
                count += csqlite_sql(current).map { String(cString: $0).contains("UNION ALL") } == true ? 1 : 0
                statement = csqlite_next_stmt(connection, current)
            }
            return count
        }
        statement = nil
        #expect(openStatements() == 1)
        try queue.read { _ in #expect(openStatements() == 0) }
        try queue.read { db in statement = try db.makeStatement(sql: "SELECT 1 UNION ALL SELECT 3") }
        try queue.close()
        statement = nil
        #expect(openStatements() == 0)
    }

    @Test("of cursors that threads release while others use their connections breaks nothing")
    func releasingConcurrently() throws {
        let queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3)") }
        let failures = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for round in 0..<500 {
                do {
                    var cursor: DatabaseCursor<Int>?
                    let sum = try queue.read { db in
                        cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t WHERE a > \(-thread - round % 7)")
                        _ = try cursor?.next()
                        return try Int.fetchOne(db, sql: "SELECT sum(a) FROM t")
                    }
                    cursor = nil
                    if sum != 6 { failures.withLock { $0 += 1 } }
                } catch {
                    failures.withLock { $0 += 1 }
                }
            }
        }
        #expect(failures.withLock { $0 } == 0)
    }

    @Test("of cursors that threads release while their connections are closed breaks nothing")
    func releasingWhileClosing() throws {
        let folder = try TemporaryFolder()
        for round in 0..<20 {
            let pool = try DatabasePool(path: folder["\(round).sqlite"])
            try pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3)") }
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for step in 0..<40 {
                    var cursor: DatabaseCursor<Int>?
                    // Throws once the pool is closed.
                    try? pool.read { db in
                        cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t WHERE a > \(-thread - step % 3)")
                        _ = try cursor?.next()
                    }
                    if thread == 0, step % 5 == 0 { try? pool.releaseMemory() }
                    if thread == 1, step == 20 { try? pool.close() }
                    cursor = nil
                }
            }
            #expect(throws: DatabaseError.self) { try pool.read { _ in } }
        }
    }

    // MARK: Other people's connections

    @Test("of a borrowed connection after its owner closed it throws, and the next connection starts afresh")
    func ownerCloses() throws {
        final class Mark {}
        var kept: [Database] = []
        for _ in 0..<20 {
            var connection: OpaquePointer?
            try #require(csqlite_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
            let borrowing = Database(borrowing: try #require(connection))
            let other = Database(borrowing: try #require(connection))
            _ = borrowing.storage(of: Mark.self) { Mark() }
            var isNew = false
            _ = other.storage(of: Mark.self) {
                isNew = true; return Mark()
            }
            #expect(!isNew)
            try borrowing.makeStatement(sql: "SELECT 1").execute()
            #expect(csqlite_close_v2(connection) == SQLITE_OK)
            #expect(throws: DatabaseError.self) { try borrowing.execute(sql: "SELECT 1") }
            #expect(throws: DatabaseError.self) { try other.execute(sql: "SELECT 1") }
            borrowing.interrupt()
            kept += [borrowing, other]

            try #require(csqlite_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
            let next = Database(borrowing: try #require(connection))
            _ = next.storage(of: Mark.self) {
                isNew = true; return Mark()
            }
            #expect(isNew)
            kept.removeFirst()
            #expect(try Int.fetchOne(next, sql: "SELECT 1") == 1)
            try next.close()
            #expect(csqlite_next_stmt(connection, nil) == nil)
            csqlite_close_v2(connection)
        }
    }
}
