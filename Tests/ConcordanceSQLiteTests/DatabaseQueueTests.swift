import ConcordanceSQLite
import Dispatch
import Foundation
import Testing

private struct Refusal: Error, Equatable {}

@Suite("A database queue")
struct DatabaseQueueTests {
    private func makeQueue() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        return queue
    }

    private func count(_ reader: some DatabaseReader) throws -> Int? {
        try reader.unsafeRead { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    }

    @Test("commits what write does, rolls back what throws")
    func writes() throws {
        let queue = try makeQueue()
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        #expect(throws: Refusal()) {
            try queue.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (2)")
                throw Refusal()
            }
        }
        try queue.inDatabase { try $0.execute(sql: "INSERT INTO t VALUES (3)") }
        try queue.inTransaction { db in
            try db.execute(sql: "INSERT INTO t VALUES (4)")
            return .rollback
        }
        #expect(try queue.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1, 3])
    }

    @Test("refuses writes in read, and takes them again afterwards")
    func readOnlyReads() throws {
        let queue = try makeQueue()
        for sql in ["INSERT INTO t VALUES (1)", "DROP TABLE t", "PRAGMA user_version = 3"] {
            #expect {
                try queue.read { try $0.execute(sql: sql) }
            } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_READONLY }
        }
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        #expect(try count(queue) == 1)
    }

    @Test("shares a database in memory by name")
    func namedMemory() throws {
        for name in ["shared", "with space/and?mark", "ü"] {
            let first = try DatabaseQueue(named: name)
            let second = try DatabaseQueue(named: name)
            let other = try DatabaseQueue(named: name + "2")
            try first.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (7)") }
            #expect(try second.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 7)
            #expect(throws: DatabaseError.self) { try other.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } }
        }
    }

    @Test("answers an access within an access with an error that says what to do")
    func reentrancy() throws {
        let queue = try makeQueue()
        let accesses: [(String, (() throws -> Void) throws -> Void)] = [
            ("read", { body in try queue.read { _ in try body() } }),
            ("write", { body in try queue.write { _ in try body() } }),
            ("inDatabase", { body in try queue.inDatabase { _ in try body() } }),
            ("unsafeRead", { body in try queue.unsafeRead { _ in try body() } }),
            ("barrier", { body in try queue.barrierWriteWithoutTransaction { _ in try body() } }),
        ]
        for (outerName, outer) in accesses {
            for (innerName, inner) in accesses + [("close", { _ in try queue.close() })] {
                #expect("\(innerName) in \(outerName)") {
                    try outer { try inner {} }
                } throws: { error in
                    let error = error as? DatabaseError
                    return error?.resultCode == .SQLITE_MISUSE
                        && error?.advice?.contains("unsafeReentrantRead") == true
                }
            }
        }
        try queue.write { db in
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            #expect(try queue.unsafeReentrantRead { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 1)
            try queue.unsafeReentrantWrite { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        }
        #expect(try count(queue) == 2)
    }

    @Test("rolls back a transaction that a closure leaves open, and says so")
    func openTransaction() throws {
        let queue = try makeQueue()
        #expect {
            try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN; INSERT INTO t VALUES (1)") }
        } throws: { ($0 as? DatabaseError)?.message?.contains("still open") == true }
        // The closure's own error is the more telling one.
        #expect(throws: Refusal()) {
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "BEGIN; INSERT INTO t VALUES (1)")
                throw Refusal()
            }
        }
        #expect(try count(queue) == 0)
    }

    @Test("rolls back a write for which there is no room, and goes on")
    func fullDisk() throws {
        let file = try TemporaryDatabase()
        let queue = try DatabaseQueue(path: file.path)
        try queue.write {
            try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1); PRAGMA max_page_count = 20")
        }
        #expect {
            try queue.write { db in
                for _ in 0..<100 { try db.execute(sql: "INSERT INTO t VALUES (zeroblob(4000))") }
            }
        } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_FULL }
        #expect(try count(queue) == 1)
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        #expect(try count(queue) == 2)
    }

    @Test("ends the snapshot of a cursor that a closure lets escape")
    func escapingCursor() throws {
        let file = try TemporaryDatabase()
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3)") }
        let cursor = try queue.unsafeRead { db in
            let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t")
            _ = try cursor.next()
            return cursor
        }
        // A lock left behind would make this wait for its timeout.
        var impatient = Configuration()
        impatient.busyTimeout = 0
        try DatabaseQueue(path: file.path, configuration: impatient).write { try $0.execute(sql: "DELETE FROM t") }
        #expect {
            _ = try cursor.next()
        } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_MISUSE }
    }

    @Test("reports a database used after its closure")
    func escapingDatabase() throws {
        let queue = try makeQueue()
        let (db, statement) = try queue.read { ($0, try $0.makeStatement(sql: "SELECT 1")) }
        #expect {
            try db.execute(sql: "SELECT 1")
        } throws: { ($0 as? DatabaseError)?.message?.contains("after the closure") == true }
        #expect(throws: DatabaseError.self) { try statement.execute() }
    }

    @Test("is closed once, and refuses accesses from then on")
    func closing() async throws {
        let queue = try makeQueue()
        try queue.close()
        try queue.close()
        #expect {
            try queue.read { _ in }
        } throws: { ($0 as? DatabaseError)?.message?.contains("closed") == true }
        await #expect(throws: DatabaseError.self) { try await queue.write { _ in } }
    }

    @Test("serves async accesses outside of the caller's thread")
    func asyncAccess() async throws {
        let queue = try DatabaseQueue()
        try await queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (5)") }
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 5)
        #expect(try await queue.unsafeRead { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 5)
        await #expect(throws: Refusal()) { try await queue.write { _ in throw Refusal() } }
        await #expect(throws: DatabaseError.self) { try await queue.read { try $0.execute(sql: "DELETE FROM t") } }
        // An access within it is still seen to be within it.
        await #expect(throws: DatabaseError.self) {
            try await queue.write { _ in try queue.read { _ in } }
        }
    }

    @Test("gives setups to the connection before its next use, and at once to the access that adds them")
    func setups() throws {
        let queue = try DatabaseQueue()
        queue.configureEachConnection { try? $0.execute(sql: "CREATE TEMP TABLE first(a)") }
        try queue.read { try #expect(Int.fetchOne($0, sql: "SELECT count(*) FROM first") == 0) }
        try queue.inDatabase { db in
            queue.configureEachConnection { outer in
                try? outer.execute(sql: "CREATE TEMP TABLE second(a)")
                queue.configureEachConnection { try? $0.execute(sql: "CREATE TEMP TABLE third(a)") }
            }
            try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM second") == 0)
            try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM third") == 0)
        }
    }

    @Test("tries a setup that throws again with each access, and throws its error")
    func failingSetup() throws {
        let queue = try makeQueue()
        let attempts = Gauge()
        queue.configureEachConnection { _ in
            attempts.enter()
            if attempts.maximum < 3 { throw Refusal() }
        }
        #expect(throws: Refusal()) { try queue.read { _ in } }
        #expect(throws: Refusal()) { try queue.write { _ in } }
        try queue.read { _ in }
        try queue.read { _ in }
        #expect(attempts.maximum == 3)
    }

    @Test("rolls back what a setup has begun and not ended", arguments: [true, false])
    func unfinishedSetup(throwing: Bool) throws {
        let queue = try makeQueue()
        let attempts = Gauge()
        queue.configureEachConnection { db in
            attempts.enter()
            if attempts.maximum > 1 { return }
            try db.execute(sql: "BEGIN; INSERT INTO t VALUES (1)")
            if throwing { throw Refusal() }
        }
        if throwing {
            #expect(throws: Refusal()) { try queue.read { _ in } }
        } else {
            #expect(throws: DatabaseError.self) { try queue.read { _ in } }
        }
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        #expect(try count(queue) == 1)
    }

    @Test("lets several threads write in turn")
    func threads() throws {
        let queue = try makeQueue()
        let gauge = Gauge()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<50 {
                try? queue.write { db in
                    gauge.enter()
                    defer { gauge.leave() }
                    try db.execute(sql: "INSERT INTO t VALUES (1)")
                }
            }
        }
        #expect(gauge.maximum == 1)
        #expect(try count(queue) == 400)
    }

    @Test("reads for spawnConcurrentRead from the same connection")
    func concurrentRead() throws {
        let queue = try makeQueue()
        let gauge = Gauge()
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            queue.spawnConcurrentRead { result in
                if (try? Int.fetchOne(result.get(), sql: "SELECT count(*) FROM t")) == 1 { gauge.enter() }
            }
        }
        try queue.write { _ in
            queue.spawnConcurrentRead { result in if case .failure = result { gauge.enter() } }
        }
        #expect(gauge.maximum == 2)
    }
}
