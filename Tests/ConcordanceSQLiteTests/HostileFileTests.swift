import ConcordanceSQLite
import Foundation
import TestSupport
import Testing

/// Files, disks and processes that fail in the middle.
@Suite("Hostile files and processes", .timeLimit(.minutes(2)))
struct HostileFileTests {
    private let file: TemporaryDatabase

    init() throws { file = try TemporaryDatabase() }

    // MARK: Files that are no databases

    @Test("that are no database are refused", arguments: [100, 512, 5000])
    func notADatabase(size: Int) throws {
        try Data(repeating: 0x41, count: size).write(to: URL(fileURLWithPath: file.path))
        let queue = try DatabaseQueue(path: file.path)
        for _ in 0..<2 {
            #expect {
                try queue.read { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
            } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_NOTADB }
        }
        #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") } }
        #expect(throws: DatabaseError.self) { try DatabasePool(path: file.path) }
        #expect(throws: DatabaseError.self) { try DatabaseQueue(path: file.path + "/below") }
        #expect(throws: DatabaseError.self) { try DatabaseQueue(path: FileManager.default.temporaryDirectory.path) }
        try queue.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)).count == size)
    }

    // MARK: A full disk

    /// Writes until there is no room, and expects that every transaction that was committed is there, and nothing else.
    private func fill(_ writer: some DatabaseWriter) throws {
        try writer.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS t(n INTEGER PRIMARY KEY, a BLOB)") }
        var committed = 0
        var failure: DatabaseError?
        while failure == nil, committed < 10_000 {
            do {
                try writer.write { db in
                    for half in [0, 1] {
                        try db.execute(
                            sql: "INSERT INTO t VALUES (?, zeroblob(10000))", arguments: [committed * 2 + half])
                    }
                }
                committed += 1
            } catch let error as DatabaseError {
                failure = error
            }
        }
        #expect(failure?.resultCode == .SQLITE_FULL || failure?.resultCode == .SQLITE_IOERR, "\(failure as Any)")
        #expect(committed > 0)
        let (isInside, count, integrity) = try writer.writeWithoutTransaction { db in
            (
                db.isInsideTransaction, try Int.fetchOne(db, sql: "SELECT count(*) FROM t"),
                try String.fetchOne(db, sql: "PRAGMA integrity_check")
            )
        }
        #expect(!isInside)
        #expect(count == committed * 2)
        #expect(integrity == "ok")
    }

    @Test("leave the committed rows when the database may not grow any more", arguments: [true, false])
    func fullDatabase(isPool: Bool) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = 100")
        }
        if isPool {
            try fill(DatabasePool(path: file.path, configuration: configuration))
        } else {
            let queue = try DatabaseQueue(path: file.path, configuration: configuration)
            try fill(queue)
            // Once there is room again, all goes on.
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "DELETE FROM t WHERE n > 2; VACUUM; INSERT INTO t VALUES (100, 'x')")
            }
        }
    }

    #if os(Linux)
        @Test("leave the committed rows when the disk is full", arguments: [true, false])
        func fullDisk(isPool: Bool) throws {
            let folder = file.path(named: "disk")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            guard try run("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", folder) else {
                print("SKIPPED \(#function): this user cannot mount a small disk")
                return
            }
            defer { _ = try? run("umount", folder) }
            if isPool {
                let pool = try DatabasePool(path: folder + "/full.sqlite")
                try fill(pool)
                try pool.close()
            } else {
                let queue = try DatabaseQueue(path: folder + "/full.sqlite")
                try fill(queue)
                try queue.close()
            }
        }
    #endif

    // MARK: Processes that are killed

    @Test("keep what a killed process had committed")
    func killedWriter() throws {
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
            while True:
                n = db.execute("SELECT coalesce(max(n), 0) FROM t").fetchone()[0]
                db.execute("BEGIN IMMEDIATE")
                db.execute("INSERT INTO t VALUES (?, zeroblob(3000))", (n + 1,))
                db.execute("UPDATE total SET n = n + 1")
                db.execute("COMMIT")
                print(n + 1, flush=True)
            """
        guard try run("python3", "-c", "import sqlite3") else {
            print("SKIPPED \(#function): no python3 with sqlite3 on this machine")
            return
        }
        let pool = try DatabasePool(path: file.path)
        try pool.write {
            try $0.execute(
                sql: "CREATE TABLE t(n INTEGER PRIMARY KEY, a); CREATE TABLE total(n); INSERT INTO total VALUES (0)")
        }
        for round in 0..<6 {
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            child.arguments = ["python3", "-c", script, file.path]
            let output = Pipe()
            child.standardOutput = output
            child.standardError = FileHandle.nullDevice
            try child.run()
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
            // The writer's lock is free again, whatever the process was at.
            let counts = try pool.write { db in
                try Int.fetchAll(
                    db, sql: "SELECT count(*) FROM t UNION ALL SELECT n FROM total UNION ALL SELECT max(n) FROM t")
            }
            #expect(counts.first ?? -1 >= last ?? .max, "round \(round): \(announced.suffix(40))")
            #expect(Set(counts).count == 1, "round \(round): \(counts)")
        }
        #expect(try pool.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    private func run(_ arguments: String...) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
