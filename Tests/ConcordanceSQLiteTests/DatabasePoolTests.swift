@testable import ConcordanceSQLite
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("A database pool")
struct DatabasePoolTests {
    private let file: TemporaryDatabase
    private let pool: DatabasePool

    init() throws {
        file = try TemporaryDatabase()
        pool = try DatabasePool(path: file.path)
        try pool.write { try $0.execute(sql: "CREATE TABLE t(a)") }
    }

    private static let count: @Sendable (Database) throws -> Int? = {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM t")
    }

    @Test("is in WAL mode, and its readers cannot write")
    func mode() throws {
        #expect(try pool.unsafeReentrantWrite { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 1)
        var careful = Configuration()
        careful.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = EXTRA") }
        let other = try DatabasePool(path: file.path, configuration: careful)
        #expect(try other.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 3)
        #expect(try pool.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        for read in [pool.read, pool.unsafeRead] as [((Database) throws -> Void) throws -> Void] {
            #expect {
                try read { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
            } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_READONLY }
        }
    }

    @Test("needs a file that can have a WAL", arguments: [":memory:", "", "file:x?mode=memory"])
    func inMemory(path: String) {
        #expect {
            _ = try DatabasePool(path: path)
        } throws: { ($0 as? DatabaseError)?.advice?.contains("DatabaseQueue") == true }
    }

    @Test("reads one state during a read, whatever is written meanwhile")
    func snapshotIsolation() throws {
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        let written = DispatchSemaphore(value: 0)
        let begun = DispatchSemaphore(value: 0)
        DispatchQueue(label: "writer").async { [pool] in
            begun.wait()
            try? pool.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
            written.signal()
        }
        try pool.read { db in
            try #expect(Self.count(db) == 1)
            begun.signal()
            written.wait()
            #expect(try Self.count(db) == 1)
        }
        #expect(try pool.read(Self.count) == 2)
    }

    @Test("reads while a write is under way, on the writing thread too: the state before")
    func readDuringWrite() throws {
        try pool.write { db in
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            #expect(try pool.read(Self.count) == 0)
            #expect(try pool.unsafeReentrantRead(Self.count) == 1)
        }
        #expect(try pool.read(Self.count) == 1)
    }

    @Test("answers an access that would wait for its own thread with an error")
    func reentrancy() throws {
        let attempts: [(String, () throws -> Void)] = [
            ("read in read", { try pool.read { _ in try pool.read { _ in } } }),
            ("write in read", { try pool.read { _ in try pool.write { _ in } } }),
            ("barrier in read", { try pool.read { _ in try pool.barrierWriteWithoutTransaction { _ in } } }),
            ("write in write", { try pool.write { _ in try pool.write { _ in } } }),
            ("read in barrier", { try pool.barrierWriteWithoutTransaction { _ in try pool.read { _ in } } }),
            ("close in read", { try pool.read { _ in try pool.close() } }),
            ("close in write", { try pool.write { _ in try pool.close() } }),
        ]
        for (name, attempt) in attempts {
            #expect("\(name)") { try attempt() } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_MISUSE }
        }
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        #expect(try pool.read(Self.count) == 1)
    }

    @Test("never reads with more connections than it may, and uses all it may")
    func readerBound() async throws {
        var configuration = Configuration()
        configuration.maximumReaderCount = 3
        let opened = Gauge()
        configuration.prepareDatabase { _ in opened.enter() }
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        let reading = Gauge()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<60 {
                group.addTask {
                    try await pool.read { db in
                        reading.enter()
                        defer { reading.leave() }
                        _ = try Int.fetchOne(
                            db, sql: endlessQuery.replacingOccurrences(of: "1000000000000", with: "3000"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(reading.maximum <= 3)
        #expect(opened.maximum <= 4)
        // All of them at once, each of which waits for the others.
        let gate = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    try await pool.read { _ in
                        gate.withLock { $0 += 1 }
                        while gate.withLock({ $0 < 3 }) { sched_yield() }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(opened.maximum == 4)
    }

    @Test("gives setups to the readers that are open and to those opened later")
    func setups() async throws {
        _ = try await pool.read(Self.count)
        try await pool.write { [pool] db in
            pool.configureEachConnection { try? $0.execute(sql: "CREATE TEMP TABLE added(a)") }
            try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM added") == 0)
        }
        let readers = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                group.addTask { [pool] in
                    try await pool.read { db in
                        try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM added") == 0)
                        readers.withLock { $0 += 1 }
                        while readers.withLock({ $0 < 5 }) { sched_yield() }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("gets over a reader that cannot be opened")
    func failingReader() async throws {
        struct NotNow: Error {}
        let openings = Gauge()
        var configuration = Configuration()
        configuration.maximumReaderCount = 1
        configuration.prepareDatabase { _ in
            openings.enter()
            if openings.maximum == 2 || openings.maximum == 3 { throw NotNow() }
        }
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        await #expect(throws: NotNow.self) { try await pool.read(Self.count) }
        #expect(throws: NotNow.self) { try pool.read(Self.count) }
        #expect(try await pool.read(Self.count) == 0)
    }

    @Test("keeps a snapshot as it was")
    func snapshot() async throws {
        try await pool.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        let snapshot = try pool.makeSnapshot()
        try await pool.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        #expect(try await snapshot.read(Self.count) == 1)
        #expect(try await pool.read(Self.count) == 2)
        #expect(throws: DatabaseError.self) { try snapshot.read { try $0.execute(sql: "DELETE FROM t") } }
        // An error, or an interrupted statement, does not cost it its state.
        let task = Task { try await snapshot.read { try $0.execute(sql: endlessQuery) } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await snapshot.unsafeRead(Self.count) == 1)
        #expect {
            try snapshot.read { try $0.execute(sql: "COMMIT") }
            try snapshot.read { _ in }
        } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_ABORT }
        try snapshot.close()
    }

    @Test("reads the current state for spawnConcurrentRead, while writes go on")
    func concurrentRead() async throws {
        let pool = pool
        let written = DispatchSemaphore(value: 0)
        let count = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int?, any Error>) in
            do {
                try pool.writeWithoutTransaction { db in
                    try db.execute(sql: "INSERT INTO t VALUES (1)")
                    pool.spawnConcurrentRead { result in
                        written.wait()
                        continuation.resume(with: Result { try Self.count(result.get()) })
                    }
                    try db.execute(sql: "INSERT INTO t VALUES (2)")
                }
                written.signal()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(count == 1)
        let failures = Gauge()
        pool.spawnConcurrentRead { if case .failure = $0 { failures.enter() } }
        #expect(failures.maximum == 1)
    }

    @Test("closes, checkpoints, and opens again")
    func lifeCycle() throws {
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        try pool.checkpoint(.truncate)
        #expect(FileManager.default.contents(atPath: file.path + "-wal")?.isEmpty == true)
        try pool.releaseMemory()
        #expect(try pool.read(Self.count) == 1)
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        try pool.close()
        try pool.close()
        #expect(throws: DatabaseError.self) { try pool.read { _ in } }
        #expect(throws: DatabaseError.self) { try pool.write { _ in } }
        // The writer was the last to close, and cleaned up.
        #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
        var readonly = Configuration()
        readonly.readonly = true
        let other = try DatabasePool(path: file.path, configuration: readonly)
        #expect(try other.read(Self.count) == 2)
        #expect(throws: DatabaseError.self) { try other.write { try $0.execute(sql: "DELETE FROM t") } }
    }

    @Test("cleans up behind itself when it is no longer used")
    func release() throws {
        var other: DatabasePool? = try DatabasePool(path: file.path(named: "other.sqlite"))
        try other?.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        _ = try other?.read(Self.count)
        other = nil
        #expect(!FileManager.default.fileExists(atPath: file.path(named: "other.sqlite") + "-wal"))
    }

    /// A file that needs a key cannot be read before the app's own setup has given it.
    @Test func `the app's setup comes before the WAL, and its choice of synchronous stays`() throws {
        let folder = try TemporaryFolder()
        let modes = Locked<[String]>([])
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? ""
            modes.withLock { $0.append(mode) }
        }
        let pool = try DatabasePool(path: folder["new.sqlite"], configuration: configuration)
        #expect(modes.withLock { $0 } == ["delete"])
        let settings = try pool.writeWithoutTransaction { db in
            [
                try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(db, sql: "PRAGMA synchronous").map(String.init),
            ]
        }
        #expect(settings == ["wal", "1"])
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = EXTRA") }
        let careful = try DatabasePool(path: folder["new.sqlite"], configuration: configuration)
        #expect(try careful.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 3)
    }
}
