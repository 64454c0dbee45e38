import Concordance
import Foundation
import TestSupport
import Testing

/// Programs without this library that change the schema, whether or not they mind triggers, and that die while they do.
@Suite(.enabled(if: SQLiteShell.isThere)) struct `An index of tables that other programs rebuild` {
    private let folder: TemporaryFolder
    private let path: String
    private let index = SearchIndex("reminderTexts", in: "reminders") {
        Field("title", weight: 10)
        Field("notes", weight: 5)
        Field("tags").joined("tags", \.title, through: "reminderTags", separator: ",")
    }

    init() throws {
        folder = try TemporaryFolder()
        path = folder["reminders.sqlite"]
        try SQLiteShell.run("PRAGMA journal_mode = WAL; " + RemindersFixture.schema + RemindersFixture.rows, path)
    }

    private func pool() throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: .patient)
        try pool.install(index)
        return pool
    }

    /// A rebuild that forgets triggers, as by tools that do not know about them.
    private static let rebuild = """
        BEGIN; CREATE TABLE rebuilt AS SELECT * FROM reminders; DROP TABLE reminders;
        CREATE TABLE reminders(id INTEGER PRIMARY KEY, title TEXT, notes TEXT, isCompleted BOOLEAN);
        INSERT INTO reminders SELECT id, title, notes, isCompleted FROM rebuilt; DROP TABLE rebuilt; COMMIT;
        """

    /// Searches until the index has all changes of others; each search takes in what it can in some milliseconds.
    private func searchAll(_ text: String, in pool: DatabasePool) throws -> [Int64] {
        for _ in 0..<1000 {
            let page = try pool.search(index.query(text).limit(.max))
            if page.isComplete { return page.map(\.id) }
        }
        struct Incomplete: Error { let report: String }
        let notes = try pool.read { try Row.fetchAll($0, sql: "SELECT * FROM reminderTexts_changes") }
        throw Incomplete(report: "\(try pool.verify(index)) \(try pool.indexState(of: index)) \(notes)")
    }

    @Test func `follows them again from the next search on`() throws {
        let pool = try pool()
        try SQLiteShell.run(Self.rebuild + "UPDATE reminders SET title = 'Barber' WHERE id = 2;", path)
        #expect(try searchAll("barber", in: pool) == [2])
        #expect(try pool.verify(index).isClean)
        // Our own changes, and those of others, are noted as before.
        try pool.write { try $0.execute(sql: "UPDATE reminders SET title = 'Coiffeur' WHERE id = 2") }
        #expect(try pool.search(index, "coiffeur").map(\.id) == [2])
        try SQLiteShell.run("UPDATE tags SET title = 'bonus' WHERE id = 1;", path)
        #expect(try searchAll("bonus", in: pool) == searchAll("tags:bonus", in: pool))
        #expect(try pool.verify(index, thorough: true).isClean)
    }

    @Test func `says so if it cannot`() throws {
        _ = try pool()
        try SQLiteShell.run(Self.rebuild, path)
        var configuration = Configuration()
        configuration.readonly = true
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        #expect(try reader.search(index, "week").isComplete == false)
    }

    @Test func `leaves an index of another definition to its owner`() throws {
        let pool = try pool()
        let other = SearchIndex("reminderTexts", in: "reminders") { Field("title") }
        try SQLiteShell.run(Self.rebuild, path)
        let page = try pool.search(other.query("title:week"))
        #expect(!page.isComplete)
        #expect(try pool.indexState(of: other) != .ready)
        #expect(try searchAll("week", in: pool).isEmpty == false)
        #expect(try pool.indexState(of: index) == .ready)
    }

    @Test(arguments: 1...8) func `is whole after they were killed at any moment`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pool = try pool()
        var nextColumn = 0
        for round in 1...4 {
            let script = (0..<30).map { _ in
                nextColumn += 1
                return Self.statement(nextColumn, &random)
            }
            try runAndKill(script, afterLines: Int.random(in: 0...30, using: &random))
            try pool.write { db in
                let title = "ours \(round)"
                try db.execute("INSERT INTO reminders(title, notes) VALUES (\(title), 'unmistakable')")
            }
            // The others may have removed some.
            let sql = "SELECT id FROM reminders WHERE notes = 'unmistakable' ORDER BY id"
            let left = try pool.read { try Int64.fetchAll($0, sql: sql) }
            #expect(try searchAll("unmistakable", in: pool).sorted() == left)
            #expect(!left.isEmpty)
            let report = try pool.verify(index, thorough: true)
            #expect(report.isClean, "round \(round): \(report)")
        }
    }

    private static func statement(_ number: Int, _ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return rebuild
        case 1: return "ALTER TABLE reminders ADD COLUMN c\(number);"
        case 2: return "BEGIN; ALTER TABLE tags RENAME TO t; ALTER TABLE t RENAME TO tags; COMMIT;"
        case 3:
            return """
                BEGIN; ALTER TABLE reminders RENAME COLUMN notes TO n; ALTER TABLE reminders RENAME COLUMN n TO notes;
                COMMIT;
                """
        case 4: return "REPLACE INTO reminders(id, title) VALUES (\(number % 7), 'replaced \(number)');"
        case 5: return "UPDATE tags SET title = 'tag \(number)' WHERE id = \(number % 4);"
        case 6: return "DELETE FROM reminders WHERE id = \(number % 9);"
        case 7: return "VACUUM;"
        case 8: return "BEGIN; UPDATE reminders SET title = title || ' \(number)'; ROLLBACK;"
        default: return "INSERT INTO reminders(title, notes) VALUES ('foreign \(number)', 'words');"
        }
    }

    /// Lets the shell execute statements, and kills it when it has printed this many lines, one after each statement.
    private func runAndKill(_ script: [String], afterLines count: Int) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        // Another connection of ours may be reading the changes that are noted.
        let waiting = ".timeout 3600000\n"
        process.arguments = [path]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = waiting + script.map { "\($0)\nSELECT 'done';\n" }.joined()
        input.fileHandleForWriting.write(Data(text.utf8))
        input.fileHandleForWriting.closeFile()
        var lines = 0
        while lines < count {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            lines += data.count { $0 == UInt8(ascii: "\n") }
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
