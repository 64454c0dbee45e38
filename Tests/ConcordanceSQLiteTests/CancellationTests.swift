import Dispatch
import Foundation
import Testing

@testable import ConcordanceSQLite

@Suite("Cancelling a task")
struct CancellationTests {
    private func makePool() throws -> ConnectionPool {
        ConnectionPool(name: "test", count: 1, setups: ConnectionSetups([])) { try Database(path: ":memory:") }
    }

    @Test("that has not begun its access keeps it from running")
    func beforeStart() async throws {
        let queue = try DatabaseQueue()
        let hasRun = Gauge()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await queue.write { _ in hasRun.enter() }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(hasRun.maximum == 0)
    }

    @Test("that waits in line takes it out of the line, without running, at once")
    func inLine() async throws {
        let pool = try makePool()
        let hold = DispatchSemaphore(value: 0)
        let holder = Task { try await pool.run { _, _ in hold.wait() } }
        await eventually { pool.heldCount == 1 }
        let hasRun = Gauge()
        let tasks = (0..<10).map { _ in Task { try await pool.run { _, _ in hasRun.enter() } } }
        await eventually { pool.waitingCount == 10 }
        for task in tasks { task.cancel() }
        // The holder still has the connection: nobody needed a turn for this.
        for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
        #expect(pool.waitingCount == 0)
        hold.signal()
        try await holder.value
        #expect(hasRun.maximum == 0)
        try await pool.run { _, _ in hasRun.enter() }
        #expect(hasRun.maximum == 1)
    }

    @Test("keeps the order of those who stay in line")
    func order() async throws {
        let pool = try makePool()
        let hold = DispatchSemaphore(value: 0)
        let holder = Task { try await pool.run { _, _ in hold.wait() } }
        await eventually { pool.heldCount == 1 }
        let order = Locked<[Int]>([])
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<60 {
            tasks.append(Task { try await pool.run { _, _ in order.withLock { $0.append(number) } } })
            await eventually { pool.waitingCount == number + 1 }
        }
        for number in 0..<60 where number % 3 != 0 { tasks[number].cancel() }
        await eventually { pool.waitingCount == 20 }
        hold.signal()
        try await holder.value
        for number in 0..<60 where number % 3 == 0 { try await tasks[number].value }
        #expect(order.withLock { $0 } == (0..<60).filter { $0 % 3 == 0 })
    }

    @Test("interrupts the statement that runs, and rolls back")
    func whileRunning() async throws {
        let queue = try DatabaseQueue()
        try await queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        let isRunning = Gauge()
        let task = Task {
            try await queue.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (1)")
                isRunning.enter()
                try db.execute(sql: endlessQuery)
            }
        }
        await eventually { isRunning.maximum == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
    }

    @Test("between two statements stops the next one that takes long")
    func betweenStatements() async throws {
        let queue = try DatabaseQueue()
        let isRunning = Gauge()
        let goOn = DispatchSemaphore(value: 0)
        let task = Task {
            try await queue.writeWithoutTransaction { db in
                isRunning.enter()
                goOn.wait()
                #expect(throws: CancellationError.self) { try db.checkCancellation() }
                try db.execute(sql: endlessQuery)
            }
        }
        await eventually { isRunning.maximum == 1 }
        task.cancel()
        goOn.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("after its last statement, but before the commit, rolls back")
    func beforeCommit() async throws {
        let queue = try DatabaseQueue()
        try await queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        let isRunning = Gauge()
        let goOn = DispatchSemaphore(value: 0)
        let task = Task {
            try await queue.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (1)")
                isRunning.enter()
                goOn.wait()
            }
        }
        await eventually { isRunning.maximum == 1 }
        task.cancel()
        goOn.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
    }

    @Test("that waits for another connection's lock ends the wait")
    func whileBusy() async throws {
        let file = try TemporaryDatabase()
        let queue = try DatabaseQueue(path: file.path, configuration: .patient)
        let other = try Database(path: file.path)
        try other.execute(sql: "CREATE TABLE t(a); BEGIN IMMEDIATE")
        let isWaiting = Gauge()
        let task = Task {
            try await queue.writeWithoutTransaction { db in
                isWaiting.enter()
                try db.execute(sql: "INSERT INTO t VALUES (1)")
            }
        }
        await eventually { isWaiting.maximum == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try other.execute(sql: "COMMIT")
        try await queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    }

    @Test("never interrupts the access that comes after")
    func noLateInterrupt() async throws {
        let queue = try DatabaseQueue()
        try await queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3)") }
        let sum = "SELECT sum(x.a * y.a * z.a) FROM t x, t y, t z, t v, t w, t u"
        for round in 0..<200 {
            let victim = Task { try await queue.read { try Int.fetchOne($0, sql: sum) } }
            let bystander = Task { try await queue.read { try Int.fetchOne($0, sql: sum) } }
            for _ in 0..<(round % 7) { await Task.yield() }
            victim.cancel()
            let result = await victim.result
            if case .failure(let error) = result { #expect(error is CancellationError, "round \(round): \(error)") }
            #expect(try await bystander.value == 5832, "round \(round)")
        }
    }

    @Test("leaves no interrupt behind in a statement that escaped in the middle of its rows")
    func escapedStatement() async throws {
        let queue = try DatabaseQueue()
        let escaped = Locked<[Statement]>([])
        let isRunning = Gauge()
        let goOn = DispatchSemaphore(value: 0)
        let task = Task {
            try await queue.unsafeRead { db in
                // No table, hence no transaction, that would show that it runs.
                let statement = try db.makeStatement(sql: "SELECT 1 UNION ALL SELECT 2")
                _ = try statement.step()
                escaped.withLock { $0 = [statement] }
                isRunning.enter()
                goOn.wait()
            }
        }
        await eventually { isRunning.maximum == 1 }
        task.cancel()
        queue.interrupt()
        goOn.signal()
        _ = await task.result
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT 3") } == 3)
        #expect(throws: DatabaseError.self) { try escaped.withLock { _ = try $0[0].step() } }
    }

    @Test("of a barrier that waits for readers takes it out of their line")
    func barrier() async throws {
        let file = try TemporaryDatabase()
        let pool = try DatabasePool(path: file.path)
        let hold = DispatchSemaphore(value: 0)
        let isReading = Gauge()
        let reader = Task {
            try await pool.read { _ in
                isReading.enter()
                hold.wait()
            }
        }
        await eventually { isReading.maximum == 1 }
        let hasRun = Gauge()
        let barrier = Task { try await pool.barrierWriteWithoutTransaction { _ in hasRun.enter() } }
        for _ in 0..<100 { await Task.yield() }
        barrier.cancel()
        await #expect(throws: CancellationError.self) { try await barrier.value }
        // The readers' line is not blocked by those that left it.
        try await pool.read { _ in }
        hold.signal()
        try await reader.value
        #expect(hasRun.maximum == 0)
    }

    @Test("interrupt() stops what runs and nothing else")
    func interrupt() async throws {
        let queue = try DatabaseQueue()
        let isRunning = Gauge()
        let task = Task {
            try await queue.read { db in
                isRunning.enter()
                try db.execute(sql: endlessQuery)
            }
        }
        await eventually { isRunning.maximum == 1 }
        // The first may come before the statement has begun.
        let isDone = Gauge()
        async let failure = task.result
        let interrupter = Task {
            while isDone.maximum == 0 {
                queue.interrupt()
                await Task.yield()
            }
        }
        if case .failure(let error) = await failure {
            #expect((error as? DatabaseError)?.resultCode == .SQLITE_INTERRUPT)
        } else {
            Issue.record("the statement was not interrupted")
        }
        isDone.enter()
        await interrupter.value
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
    }
}
