import ConcordanceSQLite
import Foundation
import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("Live values")
struct LiveValuesTests {
    @Test(arguments: LiveDatabase.Kind.allCases)
    func `are yielded at once and after own commits`(kind: LiveDatabase.Kind) async throws {
        let database = try LiveDatabase(kind)
        var values = database.sums().makeAsyncIterator()
        #expect(try await values.next() == 0)
        for n in 1...3 {
            try await database.writer.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (10)") }
            #expect(try await values.next() == 10 * n)
        }
    }

    @Test(arguments: LiveDatabase.Kind.allCases.filter(\.isShared))
    func `follow other connections`(kind: LiveDatabase.Kind) async throws {
        let database = try LiveDatabase(kind)
        let other = try database.another()
        var values = database.sums().makeAsyncIterator()
        #expect(try await values.next() == 0)
        for n in 1...3 {
            try await other.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (10)") }
            #expect(try await values.next() == 10 * n)
        }
    }

    @Test(arguments: [LiveDatabase.Kind.queue, .pool])
    func `follow other processes`(kind: LiveDatabase.Kind) async throws {
        let database = try LiveDatabase(kind)
        guard Python.isThere() else { return }
        var values = database.sums().makeAsyncIterator()
        #expect(try await values.next() == 0)
        let child = try Python.start(
            "db = sqlite3.connect(sys.argv[1], timeout=3600); db.execute('INSERT INTO t (n) VALUES (7)'); db.commit()",
            database.path)
        #expect(try await values.next() == 7)
        child.waitUntilExit()
        #expect(child.terminationStatus == 0)
    }

    /// Changes that SQLite's update hook does not report.
    @Test(arguments: [
        ("INSERT OR REPLACE INTO t VALUES (2, 0, 1)", 20),
        ("DELETE FROM t", 0),
        ("INSERT INTO w VALUES ('a', 5)", 35),
        ("DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)", 0),
        ("UPDATE t SET n = 1", 2),
        ("ALTER TABLE t RENAME COLUMN n TO m; ALTER TABLE t ADD COLUMN n INTEGER DEFAULT 3", 6),
    ])
    func `follow changes of every kind`(sql: String, sum: Int) async throws {
        let database = try LiveDatabase(.memory)
        try await database.writer.write { try $0.execute(sql: "INSERT INTO t VALUES (1, 10, 1), (3, 20, 3)") }
        var values = database.sums().makeAsyncIterator()
        #expect(try await values.next() == 30)
        try await database.writer.write { try $0.execute(sql: sql) }
        #expect(try await values.next() == sum, "\(sql)")
    }

    @Test(arguments: LiveDatabase.Kind.allCases)
    func `equal to the last one are not yielded`(kind: LiveDatabase.Kind) async throws {
        let database = try LiveDatabase(kind)
        var values = database.sums().makeAsyncIterator()
        #expect(try await values.next() == 0)
        for _ in 0..<5 { try await database.writer.write { try $0.execute(sql: "INSERT INTO other VALUES (1)") } }
        try await database.writer.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (1)") }
        #expect(try await values.next() == 1)
    }

    @Test func `a rollback yields nothing`() async throws {
        let database = try LiveDatabase(.pool)
        var values = database.sums().makeAsyncIterator()
        #expect(try await values.next() == 0)
        try await database.writer.inTransaction { db in
            try db.execute(sql: "INSERT INTO t (n) VALUES (5)")
            return .rollback
        }
        try await database.writer.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (1)") }
        #expect(try await values.next() == 1)
    }

    @Test func `a slow consumer gets the newest only`() async throws {
        let database = try LiveDatabase(.pool)
        let fetches = Counter()
        var values = database.sums(fetches).makeAsyncIterator()
        #expect(try await values.next() == 0)
        for _ in 0..<100 { try await database.writer.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (1)") } }
        #expect(try await values.next() == 100)
        #expect(fetches.value <= 3)
    }

    @Test(arguments: LiveDatabase.Kind.allCases)
    func `end with their task, and leave nothing running`(kind: LiveDatabase.Kind) async throws {
        let database = try LiveDatabase(kind)
        let monitor = CommitMonitor.of(database.writer)
        let (yielded, continuation) = AsyncStream.makeStream(of: Void.self)
        let tasks = (0..<20).map { _ in
            Task {
                for try await _ in database.sums() { continuation.yield() }
                return Task.isCancelled
            }
        }
        var firsts = yielded.makeAsyncIterator()
        for _ in tasks { await firsts.next() }
        #expect(monitor.watcherCount == 20)
        #expect(monitor.isPolling)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(try await task.value) }
        #expect(monitor.watcherCount == 0)
        #expect(!monitor.isPolling)
    }

    @MainActor @Test func `are for the main actor too`() async throws {
        let database = try LiveDatabase(.pool)
        var last = -1
        for try await sum in database.sums() {
            last = sum
            if sum == 2 { break }
            try await database.writer.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (1)") }
        }
        #expect(last == 2)
    }

    @Test func `stop watching when the loop is left`() async throws {
        let database = try LiveDatabase(.pool)
        for try await _ in database.sums() { break }
        let monitor = CommitMonitor.of(database.writer)
        #expect(monitor.watcherCount == 0)
        #expect(!monitor.isPolling)
    }

    /// Nothing would close it again.
    @Test func `open no connection of their own if they do not look for other processes`() async throws {
        let database = try LiveDatabase(.pool)
        let monitor = CommitMonitor.of(database.writer)
        let values = database.writer.values(pollingEvery: nil) { db in
            try Int.fetchOne(db, sql: "SELECT coalesce(sum(n), 0) FROM t")
        }
        var sums = values.makeAsyncIterator()
        for sum in 0..<3 {
            #expect(try await sums.next() == sum)
            #expect(!monitor.isProbing)
            try await database.writer.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (1)") }
        }
    }

    @Test func `do not look for other processes in the background, and do at once afterwards`() async throws {
        let database = try LiveDatabase(.pool)
        let other = try database.another()
        let monitor = CommitMonitor.of(database.writer)
        var sums = database.sums().makeAsyncIterator()
        #expect(try await sums.next() == 0)
        #expect(monitor.isPolling)
        monitor.setInBackground(true)
        #expect(!monitor.isPolling)
        // Own commits are reported all the same.
        try await database.writer.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (1)") }
        #expect(try await sums.next() == 1)
        try await other.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (2)") }
        monitor.setInBackground(false)
        #expect(monitor.isPolling)
        #expect(try await sums.next() == 3)
    }

    @Test func `learn of the background by notifications`() {
        let center = NotificationCenter()
        let states = Locked<[Bool]>([])
        let watch = BackgroundWatch(center) { isInBackground in states.withLock { $0.append(isInBackground) } }
        for name in BackgroundWatch.entering + BackgroundWatch.leaving + ["other"] {
            center.post(name: Notification.Name(name), object: nil)
        }
        withExtendedLifetime(watch) {}
        #expect(states.withLock { $0 } == [true, true, false, false])
    }

    @Test func `do not keep their database alive`() async throws {
        weak var reader: (any DatabaseReader)?
        do {
            let database = try LiveDatabase(.pool)
            reader = database.writer
            for try await _ in database.sums() { break }
        }
        #expect(reader == nil)
    }

    @Test func `throw the error of the fetch, and end`() async throws {
        let database = try LiveDatabase(.pool)
        var values = database.sums().makeAsyncIterator()
        #expect(try await values.next() == 0)
        try await database.writer.write { try $0.execute(sql: "DROP TABLE t") }
        await #expect(throws: DatabaseError.self) { _ = try await values.next() }
        #expect(try await values.next() == nil)
        #expect(CommitMonitor.of(database.writer).watcherCount == 0)
    }

    @Test func `of a snapshot end after the first`() async throws {
        let folder = try TemporaryFolder()
        let snapshot = try DatabasePool(path: folder["live.sqlite"]).makeSnapshot()
        var count = 0
        for try await _ in snapshot.values(of: { try Int.fetchOne($0, sql: "SELECT 1") }) { count += 1 }
        #expect(count == 1)
    }

    @Test func `changes of an attached database and of temporary tables count`() async throws {
        let folder = try TemporaryFolder()
        let path = folder["attached.sqlite"]
        let attached = try DatabaseQueue(path: path)
        try await attached.write { try $0.execute(sql: "CREATE TABLE a (n)") }
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "ATTACH ? AS other", arguments: [path]) }
        let queue = try DatabaseQueue(path: folder["main.sqlite"], configuration: configuration)
        try queue.inDatabase { try $0.execute(sql: "CREATE TEMP TABLE b (n)") }
        let sums = queue.values(pollingEvery: .milliseconds(10)) { db in
            try Int.fetchOne(db, sql: "SELECT (SELECT count(*) FROM other.a) + 10 * (SELECT count(*) FROM temp.b)")
        }
        var values = sums.makeAsyncIterator()
        #expect(try await values.next() == 0)
        try await attached.write { try $0.execute(sql: "INSERT INTO a VALUES (1)") }
        #expect(try await values.next() == 1)
        try await queue.write { try $0.execute(sql: "INSERT INTO other.a VALUES (1)") }
        #expect(try await values.next() == 2)
        try await queue.write { try $0.execute(sql: "INSERT INTO temp.b VALUES (1)") }
        #expect(try await values.next() == 12)
    }
}
