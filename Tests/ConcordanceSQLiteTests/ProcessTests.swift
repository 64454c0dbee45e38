import ConcordanceSQLite
import Foundation
import Testing

/// Other processes that use the same file, by Python's own SQLite module.
@Suite("Two processes", .timeLimit(.minutes(2)))
struct ProcessTests {
    private let file: TemporaryDatabase

    init() throws { file = try TemporaryDatabase() }

    /// Starts Python with `script`, whose `sys.argv[1]` is the database; nil, with a printed line, where there is none.
    private func startPython(_ script: String, function: String = #function) throws -> Process? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import sqlite3, sys\n" + script, file.path]
        let probe = Process()
        probe.executableURL = process.executableURL
        probe.arguments = ["python3", "-c", "import sqlite3"]
        probe.standardError = FileHandle.nullDevice
        try probe.run()
        probe.waitUntilExit()
        guard probe.terminationStatus == 0 else {
            print("SKIPPED \(function): no python3 with sqlite3 on this machine")
            return nil
        }
        try process.run()
        return process
    }

    @Test("write to the same file, and no write is lost or refused", arguments: [true, false])
    func bothWrite(isPool: Bool) async throws {
        let writer: any DatabaseWriter =
            isPool ? try DatabasePool(path: file.path) : try DatabaseQueue(path: file.path)
        try await writer.write { try $0.execute(sql: "CREATE TABLE counter(n); INSERT INTO counter VALUES (0)") }
        let child = try startPython(
            """
            db = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
            for i in range(200):
                db.execute("BEGIN IMMEDIATE")
                n = db.execute("SELECT n FROM counter").fetchone()[0]
                db.execute("UPDATE counter SET n = ?", (n + 1,))
                db.execute("COMMIT")
            """)
        guard let child else { return }
        for _ in 0..<200 {
            try await writer.write { db in
                // Reads before it writes: a deferred transaction would now and then fail here.
                let n = try Int.fetchOne(db, sql: "SELECT n FROM counter") ?? 0
                try db.execute(sql: "UPDATE counter SET n = ?", arguments: [n + 1])
            }
        }
        child.waitUntilExit()
        #expect(child.terminationStatus == 0)
        #expect(try await writer.read { try Int.fetchOne($0, sql: "SELECT n FROM counter") } == 400)
    }

    @Test("create the same file in WAL mode at the same time")
    func openingRace() throws {
        for round in 0..<3 {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
            let child = try startPython(
                """
                import time
                end = time.monotonic() + 60
                while True:
                    try:
                        db = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
                        db.execute("PRAGMA journal_mode = WAL").fetchone()
                        db.execute("CREATE TABLE IF NOT EXISTS t(a)")
                        db.execute("INSERT INTO t VALUES (1)")
                        break
                    except sqlite3.OperationalError:
                        if time.monotonic() > end: raise
                """)
            guard let child else { return }
            // Opens again and again while the child starts, so that the two meet.
            var opened = 0
            while child.isRunning || opened == 0 {
                let pool = try DatabasePool(path: file.path)
                try pool.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS t(a); INSERT INTO t VALUES (2)") }
                opened += 1
                #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t WHERE a = 2") } == opened)
                try pool.close()
            }
            child.waitUntilExit()
            #expect(child.terminationStatus == 0, "round \(round)")
            let pool = try DatabasePool(path: file.path)
            #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t WHERE a = 1") } == 1)
        }
    }

    @Test("see the other one's writer as busy when they do not wait")
    func busy() throws {
        var impatient = Configuration()
        impatient.busyTimeout = 0
        let queue = try DatabaseQueue(path: file.path, configuration: impatient)
        let other = try DatabaseQueue(path: file.path)
        try other.write { db in
            try db.execute(sql: "CREATE TABLE t(a)")
            #expect {
                try queue.write { _ in }
            } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_BUSY }
        }
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    }
}
