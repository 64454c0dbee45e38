import ConcordanceSQLite
import Foundation
import TestSupport
import Testing

/// Other processes that use the same file, by Python's own SQLite module.
@Suite("Two processes")
struct ProcessLoadTests {
    private let file: TemporaryDatabase

    init() throws { file = try TemporaryDatabase() }

    /// Python with `script`, whose `sys.argv[1]` is the database, not yet started; nil, with a printed line, if there
    /// is no Python.
    private func python(_ script: String, function: String = #function) throws -> Process? {
        func process(_ script: String) -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", script, file.path]
            return process
        }
        let probe = process("import sqlite3")
        probe.standardError = FileHandle.nullDevice
        try probe.run()
        probe.waitUntilExit()
        if probe.terminationStatus == 0 { return process("import sqlite3, sys\n" + script) }
        print("SKIPPED \(function): no python3 with sqlite3 on this machine")
        return nil
    }

    @Test("write to the same file, and no write is lost or refused", arguments: [true, false])
    func bothWrite(isPool: Bool) async throws {
        let writer: any DatabaseWriter =
            isPool
            ? try DatabasePool(path: file.path, configuration: .patient)
            : try DatabaseQueue(path: file.path, configuration: .patient)
        try await writer.write { try $0.execute(sql: "CREATE TABLE counter(n); INSERT INTO counter VALUES (0)") }
        let child = try python(
            """
            db = sqlite3.connect(sys.argv[1], timeout=3600, isolation_level=None)
            for i in range(200):
                db.execute("BEGIN IMMEDIATE")
                n = db.execute("SELECT n FROM counter").fetchone()[0]
                db.execute("UPDATE counter SET n = ?", (n + 1,))
                db.execute("COMMIT")
            """)
        guard let child else { return }
        try child.run()
        defer { if child.isRunning { child.terminate() } }
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
            let child = try python(
                """
                while True:
                    try:
                        db = sqlite3.connect(sys.argv[1], timeout=3600, isolation_level=None)
                        db.execute("PRAGMA journal_mode = WAL").fetchone()
                        db.execute("CREATE TABLE IF NOT EXISTS t(a)")
                        db.execute("INSERT INTO t VALUES (1)")
                        break
                    except sqlite3.OperationalError:
                        pass
                """)
            guard let child else { return }
            try child.run()
            defer { if child.isRunning { child.terminate() } }
            // Opens again and again while the child starts, so that the two meet.
            var opened = 0
            while child.isRunning || opened == 0 {
                let pool = try DatabasePool(path: file.path, configuration: .patient)
                try pool.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS t(a); INSERT INTO t VALUES (2)") }
                opened += 1
                #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t WHERE a = 2") } == opened)
                try pool.close()
            }
            child.waitUntilExit()
            #expect(child.terminationStatus == 0, "round \(round)")
            let pool = try DatabasePool(path: file.path, configuration: .patient)
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

    @Test("keep what a killed process had committed")
    func killedWriter() throws {
        let script = """
            db = sqlite3.connect(sys.argv[1], timeout=3600, isolation_level=None)
            while True:
                n = db.execute("SELECT coalesce(max(n), 0) FROM t").fetchone()[0]
                db.execute("BEGIN IMMEDIATE")
                db.execute("INSERT INTO t VALUES (?, zeroblob(3000))", (n + 1,))
                db.execute("UPDATE total SET n = n + 1")
                db.execute("COMMIT")
                print(n + 1, flush=True)
            """
        let pool = try DatabasePool(path: file.path, configuration: .patient)
        try pool.write {
            try $0.execute(
                sql: "CREATE TABLE t(n INTEGER PRIMARY KEY, a); CREATE TABLE total(n); INSERT INTO total VALUES (0)")
        }
        for round in 0..<6 {
            guard let child = try python(script) else { return }
            let output = Pipe()
            child.standardOutput = output
            child.standardError = FileHandle.nullDevice
            try child.run()
            defer { if child.isRunning { child.terminate() } }
            // Kills it in the middle of whatever it does after some commits.
            var announced = ""
            while announced.utf8.lazy.filter({ $0 == 10 }).count < 3 + round * 5 {
                let data = output.fileHandleForReading.availableData
                guard !data.isEmpty else { break }
                announced += String(decoding: data, as: UTF8.self)
            }
            kill(child.processIdentifier, SIGKILL)
            announced += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            child.waitUntilExit()
            let last = announced.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last.flatMap {
                Int($0)
            }
            // The writer's lock is free again, whatever the process was doing.
            let counts = try pool.write { db in
                try Int.fetchAll(
                    db, sql: "SELECT count(*) FROM t UNION ALL SELECT n FROM total UNION ALL SELECT max(n) FROM t")
            }
            #expect(counts.first ?? -1 >= last ?? .max, "round \(round): \(announced.suffix(40))")
            #expect(Set(counts).count == 1, "round \(round): \(counts)")
        }
        #expect(try pool.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }
}
