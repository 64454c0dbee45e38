import Concordance
import ConcordanceSQLite
import Foundation
import TestSupport
import Testing

/// SQLite's own shell, which knows nothing of this library.
enum SQLiteShell {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let path = "/usr/bin/sqlite3"

    /// Whether there is one; prints a line if not.
    static let isThere: Bool = {
        if FileManager.default.isExecutableFile(atPath: path) { return true }
        print("SKIPPED tests with SQLite's shell: no \(path) on this machine")
        return false
    }()

    /// Executes SQL on the file, and stops at the first error, which is thrown.
    static func run(_ sql: String, _ file: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-bail", file, sql]
        let errors = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let problem = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: problem + sql) }
    }
}

@Suite("An index of tables that programs without this library write to", .enabled(if: SQLiteShell.isThere))
struct OtherProgramTests {
    private let folder: TemporaryFolder
    private let path: String
    /// As the fixture's, of rows whose columns may change.
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
        let pool = try DatabasePool(path: path)
        try pool.install(index)
        return pool
    }

    private static let statements = [
        "INSERT INTO reminders(title, notes) VALUES ('Holidays', 'somewhere warm')",
        "UPDATE reminders SET title = 'Barber' WHERE id = 2", "UPDATE reminders SET rowid = 40 WHERE id = 3",
        "UPDATE reminders SET _ROWID_ = 41 WHERE id = 3",
        "DELETE FROM reminders WHERE id = 3", "REPLACE INTO reminders(id, title) VALUES (1, 'Shopping')",
        "UPDATE tags SET title = 'holidays' WHERE title = 'weekend'",
        "INSERT OR REPLACE INTO tags(id, title) VALUES (9, 'fun')",
        "UPDATE OR REPLACE tags SET title = 'fun' WHERE id = 2",
        "DELETE FROM tags WHERE id = 1", "DELETE FROM reminders; DELETE FROM tags",
        "UPDATE tags SET title = title || '1'; DELETE FROM reminderTags; UPDATE tags SET title = title || '2'",
        "PRAGMA recursive_triggers = ON; REPLACE INTO tags(id, title) VALUES (7, 'weekend')",
        "BEGIN; INSERT INTO reminders(title) VALUES ('never'); ROLLBACK; UPDATE reminders SET notes = 'after'",
    ]

    @Test(arguments: statements)
    func `a search answers as if this library had executed the statement`(sql: String) throws {
        let pool = try pool()
        try SQLiteShell.run("PRAGMA foreign_keys = ON; " + sql, path)
        let page = try pool.search(index.query(SearchQuery("")).limit(0))
        #expect(page.isComplete)
        let report = try pool.verify(index, thorough: true)
        #expect(report.isClean, "\(report)")
        let left = try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM reminderTexts_changes") }
        #expect(left == 0)
    }

    @Test func `a change by another program is found by the next search, live ones included`() async throws {
        guard Python.isThere() else { return }
        let pool = try pool()
        var pages = pool.results(of: index.query("holidays")).makeAsyncIterator()
        #expect(try await pages.next()?.hits.isEmpty == true)
        let script = """
            db = sqlite3.connect(sys.argv[1], timeout=3600)
            db.execute("UPDATE tags SET title = 'holidays' WHERE title = 'weekend'")
            db.commit()
            """
        let process = try Python.start(script, path)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try await pages.next()?.hits.map(\.id).sorted() == [1, 2, 4])
        #expect(try await pool.search(index, "holidays").hits.map(\.id).sorted() == [1, 2, 4])
    }

    @Test func `if nobody can write, a search says that changes are missing`() throws {
        try pool().close()
        try SQLiteShell.run("UPDATE reminders SET title = 'Barber' WHERE id = 2", path)
        var configuration = Configuration()
        configuration.readonly = true
        let reader = try DatabasePool(path: path, configuration: configuration)
        let page = try reader.search(index, "haircut")
        #expect(page.hits.map(\.id) == [2] && !page.isComplete)
        let pool = try DatabasePool(path: path)
        #expect(try pool.search(index, "barber").isComplete)
        #expect(try reader.search(index, "barber").hits.map(\.id) == [2])
        #expect(try reader.search(index, "barber").isComplete)
    }

    @Test func `a search does not wait for another program that writes`() throws {
        let pool = try pool()
        try SQLiteShell.run("UPDATE reminders SET title = 'Barber' WHERE id = 2", path)
        let other = try Database(path: path)
        try other.execute("BEGIN IMMEDIATE")
        let page = try pool.search(index, "haircut")
        #expect(page.hits.map(\.id) == [2] && !page.isComplete)
        try other.execute("COMMIT")
        #expect(try pool.search(index, "barber").hits.map(\.id) == [2])
    }

    @Test func `the next write takes in earlier changes`() throws {
        let pool = try pool()
        try SQLiteShell.run("UPDATE reminders SET title = 'Barber' WHERE id = 2; DELETE FROM tags WHERE id = 1", path)
        try pool.write { try $0.execute(sql: "UPDATE reminders SET notes = 'low fat' WHERE id = 1") }
        let left = try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM reminderTexts_changes") }
        #expect(left == 0)
        #expect(try pool.verify(index, thorough: true).isClean)
    }

    @Test func `many changes are taken in bit by bit, and all of them by install`() throws {
        let pool = try pool()
        try SQLiteShell.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO reminders(id, title) SELECT i, 'number ' || i FROM n;
            UPDATE reminders SET notes = 'even' WHERE id % 2 = 0;
            """, path)
        _ = try pool.search(index, "even")
        #expect(try pool.indexState(of: index) == .ready)
        try pool.install(index)
        let page = try pool.search(index.query("even").counting(.exact))
        #expect(page.isComplete && page.total?.count == 9_953)
        #expect(try pool.verify(index).isClean)
    }

    @Test func `changes made while the index is built, or built again, are in it`() throws {
        // So many rows that filling takes more transactions than there are changes, even on the fastest machine.
        try SQLiteShell.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
            INSERT INTO reminders(id, title) SELECT i, 'number ' || i FROM n
            """, path)
        let pool = try DatabasePool(path: path)
        var count = 0
        func change() throws {
            count += 1
            try SQLiteShell.run(
                "UPDATE reminders SET title = 'other \(count)' WHERE id IN (\(count), 100000 - \(count))", path)
        }
        try pool.install(index) { _ in if count < 5 { try change() } }
        #expect(try pool.verify(index).isClean)
        let other = SearchIndex("reminderTexts", in: "reminders") {
            Field("title")
            Field("tags").joined("tags", \.title, through: "reminderTags")
        }
        try pool.install(other) { _ in if count < 10 { try change() } }
        #expect(count == 10)
        #expect(try pool.verify(other).isClean)
        #expect(try pool.search(other.query("other").counting(.exact)).isComplete)
    }

    @Test func `an app may write before it installs, at its first launch and at every other`() throws {
        for launch in 1...3 {
            let pool = try DatabasePool(path: path)
            try pool.write { try $0.execute(sql: "INSERT INTO reminders(title) VALUES ('launch \(launch)')") }
            try pool.install(index)
            #expect(try pool.search(index, "launch").hits.count == launch)
            try pool.write { try $0.execute(sql: "UPDATE reminders SET notes = 'again' WHERE title LIKE 'launch%'") }
            #expect(try pool.search(index, "again").hits.count == launch)
            try pool.close()
        }
    }

    @Test func `every connection that is opened has engine, tokenizers and functions from the start`() throws {
        try pool().close()
        let db = try Database(path: path)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE plain USING concordance(a, tokenize = 'concordance words fold');
                INSERT INTO plain VALUES ('Élan');
                """)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM plain('elan')") == 1)
        let ids = try Int.fetchAll(db, sql: "SELECT rowid FROM reminderTexts('groceries') ORDER BY rank")
        #expect(ids == [1])
    }

    @Test(arguments: [true, false])
    func `tables that are joined by one column and by several are followed`(isOwn: Bool) throws {
        try SQLiteShell.run(
            """
            CREATE TABLE parts(id INTEGER PRIMARY KEY, title TEXT, maker TEXT, number INTEGER, shelf INTEGER);
            CREATE TABLE models(maker TEXT, number INTEGER, name TEXT, PRIMARY KEY (maker, number));
            CREATE TABLE shelves(id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO models VALUES ('acme', 7, 'rocket'), ('acme', 8, 'skates');
            INSERT INTO shelves VALUES (1, 'attic'), (2, 'cellar');
            INSERT INTO parts VALUES (1, 'fin', 'acme', 7, 1), (2, 'wheel', 'acme', 8, 2);
            """, path)
        let index = SearchIndex("partTexts", in: "parts") {
            Field("title")
            Field("model").joined(
                Relation.Step("models", on: ["maker", "number"], equals: ["maker", "number"]), "name")
            Field("shelf").joined(Relation.Step("shelves", on: "id", equals: "shelf"), "name")
        }
        let pool = try DatabasePool(path: path)
        try pool.install(index)
        let changes = """
            UPDATE shelves SET name = 'garden' WHERE id = 2;
            UPDATE models SET name = 'saucer' WHERE number = 7;
            UPDATE models SET number = 9 WHERE number = 8;
            """
        if isOwn {
            try pool.write { try $0.execute(sql: changes) }
        } else {
            try SQLiteShell.run(changes, path)
        }
        #expect(try pool.search(index, "garden").hits.map(\.id) == [2])
        #expect(try pool.search(index, "saucer").hits.map(\.id) == [1])
        #expect(try pool.search(index, "skates").hits.isEmpty)
        #expect(try pool.verify(index, thorough: true).isClean)
    }

    // MARK: - Changes of the schema

    private static let alterations = [
        "ALTER TABLE reminders ADD COLUMN priority INTEGER",
        "ALTER TABLE reminders RENAME COLUMN isCompleted TO isDone",
        "ALTER TABLE reminders RENAME COLUMN notes TO body", "ALTER TABLE reminders DROP COLUMN isCompleted",
        "ALTER TABLE reminders DROP COLUMN notes", "ALTER TABLE tags RENAME COLUMN title TO name",
        "ALTER TABLE reminderTags RENAME COLUMN tagID TO tag", "ALTER TABLE tags RENAME TO labels",
        "ALTER TABLE reminders RENAME TO tasks",
        """
        CREATE TABLE new(id INTEGER PRIMARY KEY, title TEXT, notes TEXT, isCompleted INTEGER, more);
        INSERT INTO new SELECT id, title || '!', notes, isCompleted, 0 FROM reminders;
        DROP TABLE reminders;
        ALTER TABLE new RENAME TO reminders
        """,
        """
        CREATE TABLE new(id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        INSERT INTO new SELECT id, 'tag ' || title FROM tags;
        DROP TABLE tags;
        ALTER TABLE new RENAME TO tags
        """,
        "DROP TABLE tags", "DROP TABLE reminderTags",
    ]

    /// Whether the tables still have what the index reads.
    private static func fits(_ sql: String) -> Bool {
        ["ADD", "isCompleted", "new("].contains { sql.contains($0) }
    }

    @Test(arguments: alterations, [true, false])
    func `any program can alter the tables`(sql: String, isOwn: Bool) throws {
        let pool = try pool()
        if isOwn {
            try pool.barrierWriteWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF; " + sql) }
        } else {
            try SQLiteShell.run(sql, path)
        }
        // Whatever the tables are now, they can be written to.
        let tables = try pool.read {
            try String.fetchAll(
                $0, sql: "SELECT name FROM sqlite_schema WHERE name IN ('reminders', 'tasks', 'tags', 'labels')")
        }
        for table in tables {
            let insert = "INSERT INTO \(table)(title) VALUES ('late')"
            let column = sql.contains("RENAME COLUMN title") && table == "tags" ? "name" : "title"
            try pool.write { try $0.execute(sql: insert.replacingOccurrences(of: "(title)", with: "(\(column))")) }
            try SQLiteShell.run("UPDATE \(table) SET \(column) = \(column) || ' and later'", path)
        }
        if Self.fits(sql) {
            try pool.install(index)
            let report = try pool.verify(index, thorough: true)
            #expect(report.isClean, "\(report)")
            #expect(try pool.search(index, "later").isComplete)
        } else if tables.contains("reminders") {
            let index = SearchIndex("reminderTexts", in: "reminders") { Field("title") }
            try pool.install(index)
            #expect(try pool.verify(index, thorough: true).isClean)
            #expect(try pool.search(index, "later").hits.count == 5)
        }
    }

    @Test func `an index of a function that a connection does not have keeps nobody from writing`() throws {
        let function = DatabaseFunction("shout", argumentCount: 1, pure: true) {
            (String.fromDatabaseValue($0[0]) ?? "").uppercased()
        }
        let index = SearchIndex("loud", in: "reminders") { Field("title").computed("shout(title)") }
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.add(function: function) }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.install(index)
        try SQLiteShell.run("UPDATE reminders SET title = 'barber' WHERE id = 2", path)
        let plain = try DatabaseQueue(path: path)
        try plain.write { try $0.execute(sql: "UPDATE reminders SET title = 'dentist' WHERE id = 3") }
        #expect(try !plain.search(index, "dentist").isComplete)
        #expect(try pool.search(index, "dentist").hits.map(\.id) == [3])
        #expect(try pool.verify(index, thorough: true).isClean)
    }

    /// A connection's own trigger outlives the table that another one drops, and is nothing until SQLite reads the schema.
    @Test func `an index that another connection has removed follows changes once it is installed again`() throws {
        let pool = try pool()
        let other = try DatabaseQueue(path: path)
        for round in 1...3 {
            try other.uninstall(index)
            #expect(try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "SELECT count(*) FROM tags") } != nil)
            try pool.install(index)
            try pool.write { db in
                try db.execute("UPDATE reminders SET title = \("dentist \(round)") WHERE id = 3")
                let page = try index.query("dentist \(round)").fetch(db)
                #expect(page.isComplete && page.hits.map(\.id) == [3])
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM reminderTexts_changes") == 0)
            }
        }
        #expect(try pool.verify(index, thorough: true).isClean)
    }

    @Test func `a statement that fails leaves the index as it was`() throws {
        let pool = try pool()
        for sql in [
            "UPDATE tags SET title = 'same'", "UPDATE OR FAIL tags SET title = 'same'",
            "INSERT INTO tags(title) VALUES ('new'), ('fun')",
            "INSERT OR FAIL INTO tags(title) VALUES ('new'), ('fun')",
            "UPDATE OR ROLLBACK tags SET title = 'same'",
        ] {
            try? pool.writeWithoutTransaction { db in
                try db.execute("BEGIN")
                try db.execute(sql: "UPDATE reminders SET notes = 'in between'")
                #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
                if db.isInsideTransaction { try db.execute("COMMIT") }
            }
            let report = try pool.verify(index, thorough: true)
            #expect(report.isClean, "\(sql): \(report)")
        }
    }
}
