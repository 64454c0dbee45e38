import Concordance
import Foundation
import TestSupport
import Testing

@Suite struct `A notes app` {
    private typealias App = NotesApp

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder["notes.sqlite"]
    }

    /// The app after its first launch, with notes.
    private func launched(_ count: Int = 150, seed: UInt64 = 1) throws -> DatabasePool {
        let pool = try App.open(path)
        try pool.write { db in
            try App.addFoldersAndTags(db)
            try App.addNotes(count, seed: seed, db)
        }
        try pool.install(App.index)
        return pool
    }

    private func oracle(_ pool: DatabasePool) throws -> NotesOracle { try pool.read { try NotesOracle($0) } }

    /// Searches until all changes by other programs are taken in: each search takes in some of them.
    private func complete(
        _ request: SearchRequest<App.Note>, _ pool: DatabasePool
    ) throws -> SearchPage<App.Note> {
        while true {
            let page = try pool.search(request)
            if page.isComplete { return page }
        }
    }

    /// Compares what every question finds with what the tables hold, and how often all of them find something.
    @discardableResult
    private func checkAll(_ pool: DatabasePool, _ comment: Comment? = nil) throws -> Int {
        let oracle = try oracle(pool)
        var count = 0
        for question in NotesOracle.questions {
            let request = App.index.query(question.typed).typos(.none)
            let page = try complete(request.counting(.exact).limit(10_000), pool)
            let expected = oracle.ids(question.isMatch)
            #expect(page.hits.map(\.id).sorted() == expected, "\(question.typed) \(comment ?? "")")
            #expect(page.total?.count == expected.count && page.total?.isExact == true && page.next == nil)
            count += expected.count
        }
        return count
    }

    // MARK: - Launches

    @Test func `an app opens, writes and installs at every launch`() throws {
        for launch in 1...3 {
            let pool = try App.open(path)
            if launch == 1 {
                #expect(try pool.indexState(of: App.index) == .notInstalled)
                #expect(throws: SearchIndexError.notInstalled("noteTexts")) { try pool.search(App.index, "lantern") }
                try pool.write { try App.addFoldersAndTags($0) }
            } else {
                #expect(try pool.indexState(of: App.index) == .ready)
            }
            _ = try pool.write { try App.addNotes(40, seed: UInt64(launch), $0) }
            try pool.install(App.index)
            #expect(try pool.indexState(of: App.index) == .ready)
            #expect(try checkAll(pool) > 40 * launch)
            try pool.write { db in
                try App.addNotes(10, seed: UInt64(100 + launch), db)
                try db.execute(sql: "UPDATE notes SET title = title || ' violin' WHERE id % 7 = 0")
                try db.execute(sql: "DELETE FROM notes WHERE id % 11 = 0")
            }
            try checkAll(pool, "after writes of launch \(launch)")
            #expect(try pool.verify(App.index, thorough: true).isClean)
            try pool.close()
        }
    }

    @Test func `every question of these tests finds something at first, except the one that cannot`() throws {
        let oracle = try oracle(launched())
        let vain = NotesOracle.questions.filter { oracle.ids($0.isMatch).isEmpty }.map(\.typed)
        #expect(vain == ["nowhere "])
    }

    @Test func `records are found as they are written, changed and deleted, in their own transaction too`() throws {
        let pool = try launched(20)
        var note = try pool.write { db in
            var note = App.Note(
                folderID: try App.folder("travel", db), title: "Crème brûlée for Frau Großmann",
                body: "Ask about lamps",
                modified: App.date(1_000))
            try note.insert(db)
            #expect(try App.index.query("grossm").fetch(db).hits.map(\.id) == [note.id].compactMap(\.self))
            return note
        }
        let id = try #require(note.id)
        #expect(try pool.search(App.index, "creme brulee").hits.map(\.id) == [id])
        #expect(try pool.search(App.index, "travel lamp").hits.first?.record.title == note.title)
        try pool.write { db in
            let isChanged = try note.updateChanges(db) { $0.title = "Tea for Herr Øre" }
            #expect(isChanged)
            try App.NoteTag(noteID: id, tagID: App.tag("secret", db)).insert(db)
        }
        #expect(try pool.search(App.index, "grossm").hits.isEmpty)
        #expect(try pool.search(App.index, "#secret ore ").hits.map(\.id) == [id])
        #expect(throws: CancellationError.self) {
            try pool.write { db in
                try note.delete(db)
                #expect(try App.index.query("ore ").fetch(db).hits.isEmpty)
                throw CancellationError()
            }
        }
        #expect(try pool.search(App.index, "ore ").hits.map(\.id) == [id])
        #expect(try pool.write { try note.delete($0) })
        #expect(try pool.search(App.index, "ore ").hits.isEmpty)
        try checkAll(pool)
    }

    // MARK: - Changes

    /// What people do with tags and folders, as SQL.
    static let changes = [
        "UPDATE tags SET name = 'family' || id WHERE name = 'someday'",
        "UPDATE tags SET name = 'harvest' WHERE name = 'paper'",
        "DELETE FROM tags WHERE name = 'urgent'",
        "INSERT OR REPLACE INTO tags(id, name) VALUES (77, 'family')",
        "INSERT OR IGNORE INTO noteTags SELECT id, 2 FROM notes WHERE id % 3 = 0",
        "UPDATE notes SET folderID = (SELECT id FROM folders WHERE name = 'garden') WHERE id % 4 = 1",
        "UPDATE folders SET parentID = (SELECT id FROM folders WHERE name = 'home') WHERE name = 'projects'",
        "UPDATE folders SET parentID = NULL WHERE name = 'recipes'",
        "UPDATE folders SET name = 'lantern' WHERE name = 'garden'",
        "DELETE FROM folders WHERE name = 'work'",
        "UPDATE notes SET id = id + 1000 WHERE id % 5 = 0",
        "UPDATE OR REPLACE notes SET id = 1 WHERE id = 2",
        "DELETE FROM notes; DELETE FROM folders",
    ]

    @Test func `tags and folders are renamed, moved and deleted, one after the other`() throws {
        let pool = try launched()
        for sql in Self.changes {
            try pool.write { try $0.execute(sql: sql) }
            try checkAll(pool, "\(sql)")
        }
        #expect(try pool.verify(App.index, thorough: true).isClean)
    }

    @Test(arguments: changes)
    func `a change that is rolled back has not been`(sql: String) throws {
        let pool = try launched(60)
        let before = try oracle(pool)
        try pool.inTransaction { db in
            try db.execute(sql: sql)
            return .rollback
        }
        for question in NotesOracle.questions {
            let page = try pool.search(App.index.query(question.typed).limit(1_000))
            #expect(page.isComplete && page.hits.map(\.id).sorted() == before.ids(question.isMatch))
        }
    }

    @Test func `a table that a migration rebuilds in twelve steps is indexed again by the next install`() throws {
        let pool = try launched()
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            try db.inTransaction {
                try db.execute(
                    sql: """
                        CREATE TABLE new_notes (
                          id INTEGER PRIMARY KEY,
                          folderID INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
                          title TEXT NOT NULL CHECK (title <> ''), body TEXT NOT NULL,
                          isPinned BOOLEAN NOT NULL DEFAULT 0, modified DATETIME NOT NULL, color TEXT);
                        INSERT INTO new_notes(id, folderID, title, body, isPinned, modified)
                          SELECT id, folderID, title || ' lantern', replace(body, 'copper', 'violin'), isPinned,
                            modified
                          FROM notes WHERE id % 9 <> 0;
                        DROP TABLE notes;
                        ALTER TABLE new_notes RENAME TO notes;
                        CREATE INDEX notesFolder ON notes(folderID);
                        DELETE FROM noteTags WHERE noteID NOT IN (SELECT id FROM notes);
                        UPDATE notes SET title = title || ' meadow' WHERE id % 2 = 0;
                        """)
                #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
                return .commit
            }
            try db.execute(sql: "PRAGMA foreign_keys = ON")
        }
        guard case .altered(let objects) = try pool.indexState(of: App.index) else {
            Issue.record("\(try pool.indexState(of: App.index))")
            return
        }
        #expect(!objects.isEmpty)
        try pool.install(App.index)
        #expect(try pool.indexState(of: App.index) == .ready)
        #expect(try checkAll(pool) > 0)
        #expect(try pool.verify(App.index, thorough: true).isClean)
        // The triggers are back, with the foreign keys.
        try pool.write { try $0.execute(sql: "DELETE FROM folders WHERE name = 'home'; DELETE FROM tags WHERE id = 1") }
        try checkAll(pool)
    }

    // MARK: - Live

    @Test func `live results follow renamed tags, moved and deleted folders, and other processes`() async throws {
        let pool = try launched()
        let question = NotesOracle.Question("zephyr ") { $0.has("zephyr") }
        var pages = pool.results(of: App.index.query(question.typed).limit(1_000)).makeAsyncIterator()
        #expect(try await pages.next()?.hits.isEmpty == true)
        var before: [Int64] = []
        for sql in [
            "UPDATE tags SET name = 'zephyr' WHERE name = 'family'",
            "UPDATE folders SET name = 'zephyr' WHERE name = 'projects'",
            "UPDATE folders SET name = 'zephyr' WHERE name = 'home'",
            "UPDATE folders SET parentID = 2 WHERE name = 'travel'",
            "UPDATE notes SET body = body || ' zephyr' WHERE id % 3 = 0",
            "DELETE FROM folders WHERE id = 2",
        ] {
            try await pool.write { try $0.execute(sql: sql) }
            let expected = try await pool.read { try NotesOracle($0) }.ids(question.isMatch)
            try #require(expected != before, "\(sql)")
            #expect(try await pages.next()?.hits.map(\.id).sorted() == expected, "\(sql)")
            before = expected
        }
        guard Python.isThere() else { return }
        let script = """
            db = sqlite3.connect(sys.argv[1], timeout=3600)
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("UPDATE tags SET name = 'family' WHERE name = 'zephyr'")
            db.execute("UPDATE notes SET title = 'zephyr' WHERE id % 5 = 0")
            db.commit()
            """
        let process = try Python.start(script, path)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let expected = try await pool.read { try NotesOracle($0) }.ids(question.isMatch)
        try #require(expected != before)
        // The rows may be read before the index has followed all of them.
        while let page = try await pages.next() { if page.hits.map(\.id).sorted() == expected { break } }
    }

    // MARK: - Other programs

    @Test(.enabled(if: SQLiteShell.isThere))
    func `what SQLite's shell writes is found, whatever it is`() throws {
        let pool = try launched()
        for sql in Self.changes {
            try SQLiteShell.run("PRAGMA busy_timeout = 3600000; PRAGMA foreign_keys = ON; " + sql, path)
            try checkAll(pool, "\(sql)")
        }
        #expect(try pool.verify(App.index, thorough: true).isClean)
    }

    @Test func `what Python writes while the app runs, or between two launches, is found`() throws {
        guard Python.isThere() else { return }
        let script = """
            db = sqlite3.connect(sys.argv[1], timeout=3600)
            db.execute("PRAGMA foreign_keys = ON")
            base = db.execute("SELECT max(id) FROM notes").fetchone()[0]
            rows = [(base + n, 1 + n % 6, "whistle %d" % n, "copper violin " * (n % 3), n % 2, "2024-01-01 00:00:00")
                    for n in range(1, 200)]
            db.executemany("INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?)", rows)
            db.executemany("INSERT INTO noteTags VALUES (?, ?)", [(row[0], 1 + row[0] % 5) for row in rows])
            db.executemany("INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?, ?, ?)",
                           [(base + n, 2, "lantern harvest", "", 0, "2024-01-02 00:00:00") for n in range(1, 50)])
            db.execute("UPDATE tags SET name = name || 's'")
            db.commit()
            """
        func change() throws {
            let process = try Python.start(script, path)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        let pool = try launched(30)
        try change()
        try checkAll(pool, "while it runs")
        try pool.close()
        try change()
        let again = try App.open(path)
        try again.install(App.index)
        #expect(try again.search(App.index, "whistle").isComplete)
        try checkAll(again, "at the next launch")
        #expect(try again.verify(App.index, thorough: true).isClean)
    }
}
