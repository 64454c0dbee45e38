import ConcordanceSQLite
import Foundation
import TestSupport
import Testing

/// Files, disks and processes that fail in the middle.
@Suite("Hostile files and processes")
struct HostileFileTests {
    private let file: TemporaryDatabase

    init() throws { file = try TemporaryDatabase() }

    // MARK: Files that are no databases

    @Test("that are not a database are refused", arguments: [100, 512, 5000])
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

    @Test("that are damaged can be emptied in place", arguments: ["wal", "delete"])
    func erasing(journalMode: String) throws {
        let db = try Database(path: file.path)
        try db.execute(
            sql: """
                PRAGMA journal_mode = \(journalMode);
                CREATE TABLE t(a); CREATE INDEX i ON t(a); CREATE VIEW v AS SELECT a FROM t;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                INSERT INTO t SELECT hex(zeroblob(50)) || i FROM n;
                PRAGMA wal_checkpoint(TRUNCATE)
                """)
        try db.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
        bytes.replaceSubrange(4096..<40960, with: repeatElement(0xA5, count: 36864))
        try bytes.write(to: URL(fileURLWithPath: file.path))

        let damaged = try Database(path: file.path)
        #expect(throws: DatabaseError.self) { try Int.fetchOne(damaged, sql: "SELECT sum(length(a)) FROM t") }
        try damaged.execute(sql: "BEGIN")
        #expect(throws: DatabaseError.self) { try damaged.erase() }
        try damaged.execute(sql: "ROLLBACK")
        try damaged.erase()
        #expect(try Int.fetchOne(damaged, sql: "SELECT count(*) FROM sqlite_schema") == 0)
        #expect(try String.fetchOne(damaged, sql: "PRAGMA journal_mode") == journalMode)
        try damaged.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
        try damaged.close()
        let other = try Database(path: file.path)
        #expect(try String.fetchAll(other, sql: "PRAGMA integrity_check") == ["ok"])
        #expect(try Int.fetchAll(other, sql: "SELECT a FROM t") == [1])
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
            // Once there is room again, everything works.
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
