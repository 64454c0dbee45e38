import Dispatch
import TestSupport
import Testing

@testable import ConcordanceSQLite

@Suite("A database pool with hundreds of tasks")
struct PoolLoadTests {
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

    @Test("holds no thread of the cooperative pool while accesses wait or run")
    func cooperativePool() async throws {
        let hold = DispatchSemaphore(value: 0)
        let isWriting = Gauge()
        let slow = Task { [pool] in
            try await pool.write { _ in
                isWriting.enter()
                hold.wait()
            }
        }
        await eventually { isWriting.maximum == 1 }
        let waiting = (0..<64).map { _ in
            Task { [pool] in try await pool.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") } }
        }
        let blockedReaders = (0..<64).map { _ in
            Task { [pool] in try await pool.read { _ in hold.wait() } }
        }
        // This would never return if the 128 tasks above held the pool's threads.
        let progress = Task {
            var total = 0
            for number in 0..<1000 {
                await Task.yield()
                total += number
            }
            return total
        }
        #expect(await progress.value == 499_500)
        for _ in 0..<65 { hold.signal() }
        try await slow.value
        for task in waiting { try await task.value }
        for task in blockedReaders { try await task.value }
        #expect(try await pool.read(Self.count) == 64)
    }

    /// Transfers between accounts: no read may see money made or lost, no two writes may overlap.
    @Test("keeps invariants under many readers and writers, some of them cancelled", arguments: [1, 2] as [UInt64])
    func stress(seed: UInt64) async throws {
        try await pool.write { db in
            try db.execute(sql: "CREATE TABLE account(id INTEGER PRIMARY KEY, balance INTEGER)")
            for id in 0..<10 { try db.execute(sql: "INSERT INTO account VALUES (?, 100)", arguments: [id]) }
        }
        var generator = SeededGenerator(seed: seed)
        let wrongSums = Locked<[Int]>([])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<300 {
                let from = Int.random(in: 0..<10, using: &generator)
                let to = Int.random(in: 0..<10, using: &generator)
                let kind = Int.random(in: 0..<6, using: &generator)
                group.addTask { [pool] in
                    let task = Task {
                        switch kind {
                        case 0:
                            try await pool.write { db in
                                try db.execute(
                                    sql: "UPDATE account SET balance = balance - 1 WHERE id = ?", arguments: [from])
                                try db.execute(
                                    sql: "UPDATE account SET balance = balance + 1 WHERE id = ?", arguments: [to])
                            }
                        case 1:
                            try await pool.write { db in
                                try db.execute(
                                    sql: "UPDATE account SET balance = balance - 2 WHERE id = ?", arguments: [from])
                                throw CancellationError()
                            }
                        default:
                            let sum = try await pool.read { db in
                                try (Int.fetchOne(db, sql: "SELECT sum(balance) FROM account WHERE id < 5") ?? 0)
                                    + (Int.fetchOne(db, sql: "SELECT sum(balance) FROM account WHERE id >= 5") ?? 0)
                            }
                            if sum != 1000 { wrongSums.withLock { $0.append(sum) } }
                        }
                    }
                    if from == to { task.cancel() }
                    _ = await task.result
                }
            }
        }
        #expect(wrongSums.withLock { $0 } == [], "seed \(seed)")
        #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT sum(balance) FROM account") } == 1000)
    }

    @Test("keeps readers out of a barrier")
    func barrier() async throws {
        let readers = Gauge()
        let overlaps = Gauge()
        let inBarrier = Locked(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { [pool] in
                    if number % 10 == 0 {
                        try await pool.barrierWriteWithoutTransaction { db in
                            inBarrier.withLock { $0 = true }
                            try db.execute(sql: "INSERT INTO t VALUES (1)")
                            inBarrier.withLock { $0 = false }
                        }
                    } else {
                        try await pool.read { db in
                            readers.enter()
                            if inBarrier.withLock({ $0 }) { overlaps.enter() }
                            _ = try Self.count(db)
                            readers.leave()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(overlaps.maximum == 0)
        #expect(try await pool.read(Self.count) == 20)
    }
}
