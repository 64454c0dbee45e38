import ConcordanceSQLite
import Dispatch
import Testing

private struct Enough: Error {}

@Suite("A backup")
struct BackupTests {
    private func makeSource() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE t(a)")
            for _ in 0..<50 { try db.execute(sql: "INSERT INTO t VALUES (zeroblob(4000))") }
        }
        return queue
    }

    private func rows(_ reader: some DatabaseReader) throws -> Int? {
        try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    }

    @Test("replaces the destination's content", arguments: [-1, 0, 1, 7, 1_000_000_000_000])
    func copies(pagesPerStep: Int) throws {
        let source = try makeSource()
        let destination = try DatabaseQueue()
        try destination.write { try $0.execute(sql: "CREATE TABLE other(a)") }
        var steps: [DatabaseBackupProgress] = []
        try source.backup(to: destination, pagesPerStep: pagesPerStep) { steps.append($0) }
        #expect(try rows(destination) == 50)
        #expect(try destination.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema") } == ["t"])
        let last = try #require(steps.last)
        #expect(last.isCompleted && last.remainingPageCount == 0 && last.completedPageCount == last.totalPageCount)
        #expect(steps.dropLast().allSatisfy { !$0.isCompleted && $0.remainingPageCount > 0 })
        if pagesPerStep == 1 { #expect(steps.count == last.totalPageCount) }
    }

    @Test("abandoned by its progress leaves the destination as it was")
    func abandoned() throws {
        let source = try makeSource()
        let destination = try DatabaseQueue()
        try destination.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        #expect(throws: Enough.self) {
            try source.backup(to: destination, pagesPerStep: 10) { if $0.completedPageCount >= 20 { throw Enough() } }
        }
        #expect(try rows(destination) == 1)
        try source.backup(to: destination)
        #expect(try rows(destination) == 50)
    }

    @Test("is cancelled with its task")
    func cancelled() async throws {
        let source = try makeSource()
        let destination = try DatabaseQueue()
        let (steps, continuation) = AsyncStream.makeStream(of: Void.self)
        let goOn = DispatchSemaphore(value: 0)
        let task = Task {
            try await source.backup(to: destination, pagesPerStep: 1) { progress in
                guard progress.completedPageCount == 10 else { return }
                continuation.yield()
                goOn.wait()
            }
        }
        for await _ in steps {
            task.cancel()
            goOn.signal()
            continuation.finish()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await destination.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") } == 0)
        try await source.backup(to: destination)
        #expect(try rows(destination) == 50)
    }

    @Test("of a pool has one state, though the pool is written to meanwhile")
    func consistent() throws {
        let file = try TemporaryDatabase()
        let pool = try DatabasePool(path: file.path)
        try pool.write { db in
            try db.execute(sql: "CREATE TABLE t(a); CREATE TABLE log(a)")
            for _ in 0..<50 { try db.execute(sql: "INSERT INTO t VALUES (zeroblob(4000))") }
        }
        let destination = try DatabaseQueue(path: file.path(named: "copy.sqlite"))
        let writer = try DatabaseQueue(path: file.path)
        try pool.backup(to: destination, pagesPerStep: 5) { progress in
            if progress.isCompleted { return }
            try writer.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (zeroblob(4000)); INSERT INTO log VALUES (1)")
            }
        }
        #expect(try rows(destination) == 50)
        #expect(try destination.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM log") } == 0)
        #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM log") ?? 0 } > 0)
        #expect(try destination.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test("onto a database that is being written by another connection says that it is busy")
    func busy() throws {
        let file = try TemporaryDatabase()
        var impatient = Configuration()
        impatient.busyTimeout = 0
        let destination = try DatabaseQueue(path: file.path, configuration: impatient)
        let other = try Database(path: file.path)
        try other.execute(sql: "CREATE TABLE t(a); BEGIN IMMEDIATE")
        let source = try makeSource()
        #expect {
            try source.backup(to: destination)
        } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_BUSY }
        try other.execute(sql: "COMMIT")
        try source.backup(to: destination)
        #expect(try rows(destination) == 50)
    }
}
