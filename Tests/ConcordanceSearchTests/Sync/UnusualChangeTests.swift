import ConcordanceSQLite
import Foundation
import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("Changes that are easily missed, and rows that are hard to read")
struct UnusualChangeTests {
    private let queue: DatabaseQueue
    private let index = SearchIndex("noteTexts", in: "notes") { Field("title") }

    init() throws {
        queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, url TEXT, details TEXT);
                    INSERT INTO notes VALUES (1, 'first', 'a', '{}'), (2, 'second', 'b', '{"city": "Oslo"}');
                    """)
        }
    }

    private func ids(_ text: String, _ index: SearchIndex<Row>) throws -> [Int64] {
        try queue.search(index, text).map(\.id)
    }

    /// The triggers before the new index do not record what REPLACE deletes because of it.
    @Test func `rows replaced by a unique index that is younger than the triggers leave the index`() throws {
        try queue.install(index)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE UNIQUE INDEX noteURLs ON notes(url);
                    INSERT OR REPLACE INTO notes(id, title, url) VALUES (3, 'third', 'a');
                    """)
        }
        try queue.install(index)
        #expect(try queue.verify(index).isClean)
        #expect(try ids("first", index).isEmpty)
        #expect(try ids("third", index) == [3])
    }

    @Test func `a unique index of only the rows that its expression can read keeps nobody from writing`() throws {
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO notes VALUES (3, 'broken', 'c', 'not json');
                    CREATE UNIQUE INDEX noteCities ON notes(json_extract(details, '$.city')) WHERE json_valid(details);
                    """)
        }
        try queue.install(index)
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO notes VALUES (4, 'also broken', 'd', 'not json, either');
                    UPDATE notes SET details = 'no longer json' WHERE id = 1;
                    REPLACE INTO notes VALUES (5, 'fifth', 'e', '{"city": "Oslo"}');
                    UPDATE notes SET details = '{"city": "Rome"}' WHERE id = 3;
                    """)
        }
        #expect(try ids("second", index).isEmpty)
        #expect(try ids("broken", index).sorted() == [3, 4])
        #expect(try queue.verify(index).isClean)
    }

    // MARK: Expressions that fail

    private let cities = SearchIndex("noteTexts", in: "notes") {
        Field("title")
        Field("city").computed("json_extract(details, '$.city')")
    }

    @Test func `an expression that fails for a row says for which`() throws {
        try queue.write { try $0.execute(sql: "INSERT INTO notes VALUES (7, 'broken', 'c', 'not json')") }
        let error = try #require(throws: DatabaseError.self) { try queue.install(cities) }
        #expect(error.message?.contains("malformed JSON in row 7, for index noteTexts") == true, "\(error)")
        #expect(error.advice?.contains("expression") == true)
        // One that is gone has no rows to blame.
        try queue.write { try $0.execute(sql: "DELETE FROM notes WHERE id = 7") }
        try queue.install(cities)
        #expect(try ids("oslo", cities) == [2])
    }

    @Test func `changes by others before and after one that an index cannot follow are followed`() throws {
        let folder = try TemporaryFolder()
        let pool = try DatabasePool(path: folder["notes.sqlite"])
        try pool.write { db in
            try db.execute(sql: "CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, details TEXT)")
        }
        try pool.install(cities)
        // A connection of SQLite alone follows nothing.
        let other = try RawDatabase(path: folder["notes.sqlite"])
        try other.execute(
            """
            INSERT INTO notes VALUES (1, 'before', '{}');
            INSERT INTO notes VALUES (2, 'broken', 'not json');
            INSERT INTO notes VALUES (3, 'after', '{"city": "Oslo"}');
            """)
        let page = try pool.search(cities, "after")
        #expect(page.map(\.id) == [3])
        #expect(!page.isComplete)
        #expect(try pool.search(cities, "before").map(\.id) == [1])
        #expect(try pool.search(cities, "broken").isEmpty)
        // Ours are followed as before, and one that mends the row brings it in.
        try pool.write { try $0.execute(sql: "INSERT INTO notes VALUES (4, 'ours', NULL)") }
        #expect(try pool.search(cities, "ours").map(\.id) == [4])
        let error = #expect(throws: DatabaseError.self) { try pool.install(cities) }
        #expect(error?.message?.contains("in row 2, ") == true, "\(String(describing: error))")
        try pool.write { try $0.execute(sql: "UPDATE notes SET details = '{}' WHERE id = 2") }
        let mended = try pool.search(cities, "broken")
        #expect(mended.map(\.id) == [2])
        #expect(try pool.search(cities, "broken").isComplete)
        #expect(try pool.verify(cities).isClean)
    }

    private func poolWithRows(_ sql: String) throws -> (pool: DatabasePool, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let pool = try DatabasePool(path: folder["notes.sqlite"])
        try pool.write { try $0.execute(sql: "CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, details TEXT)") }
        try pool.install(cities)
        try RawDatabase(path: folder["notes.sqlite"]).execute(sql)
        return (pool, folder)
    }

    /// Rows that cannot be followed, and one that can.
    private static func broken(_ count: Int) -> String {
        """
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO notes(title, details) SELECT 'broken', 'not json' FROM n;
        INSERT INTO notes(title) VALUES ('after');
        """
    }

    @Test func `changes that an index cannot follow leave their turn to later ones`() throws {
        let (pool, folder) = try poolWithRows(Self.broken(100))
        defer { withExtendedLifetime(folder) {} }
        var job = IndexCatchUp(definition: cities.definition)
        var parts = 0
        while try pool.write({ try job.advance(in: $0, until: .now - .seconds(1)) }) != nil { parts += 1 }
        #expect(parts > 1)
        #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM noteTexts_changes") } == 100)
        #expect(try pool.search(cities, "after").count == 1)
    }

    /// Searches have some milliseconds each, less than these take.
    @Test func `searches get to a change behind thousands that an index cannot follow`() throws {
        let (pool, folder) = try poolWithRows(Self.broken(20_000))
        defer { withExtendedLifetime(folder) {} }
        let searches = try (1...1000).first { _ in try !pool.search(cities, "after").isEmpty }
        #expect(searches != nil)
    }

    /// Live results search again after each commit.
    @Test func `a search that can follow no change commits nothing`() throws {
        let (pool, folder) = try poolWithRows("INSERT INTO notes VALUES (1, 'broken', 'not json')")
        defer { withExtendedLifetime(folder) {} }
        let commits = Locked(0)
        let observation = pool.observeCommits { commits.withLock { $0 += 1 } }
        for _ in 0..<3 { #expect(try !pool.search(cities, "broken").isComplete) }
        #expect(commits.withLock { $0 } == 0)
        try pool.write { try $0.execute(sql: "DELETE FROM notes") }
        #expect(commits.withLock { $0 } == 1)
        withExtendedLifetime(observation) {}
    }

    // MARK: Names

    @Test func `the triggers of an index whose name continues that of another one are its own`() throws {
        let archive = SearchIndex("noteTexts_archive", in: "archive") { Field("title") }
        let changed = SearchIndex("noteTexts", in: "notes") {
            Field("title")
            Field("url")
        }
        try queue.write { try $0.execute(sql: "CREATE TABLE archive(id INTEGER PRIMARY KEY, title TEXT)") }
        try queue.install(index)
        try queue.install(archive)
        func triggers() throws -> [String] {
            try queue.read {
                try String.fetchAll(
                    $0, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'archive' ORDER BY 1"
                )
            }
        }
        let before = try triggers()
        #expect(!before.isEmpty)
        // A table that is built anew loses its triggers, and the index is kept until its new definition is built.
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE anew(id INTEGER PRIMARY KEY, title TEXT, url TEXT, details TEXT);
                    INSERT INTO anew SELECT * FROM notes; DROP TABLE notes; ALTER TABLE anew RENAME TO notes;
                    """)
        }
        try queue.install(changed)
        #expect(try triggers() == before)
        #expect(try queue.indexState(of: archive) == .ready)
        try queue.uninstall(changed)
        #expect(try triggers() == before)
    }

    // MARK: Installation in steps

    /// Between the last row and the swap, there may be many transactions that merge segments.
    @Test func `a table that loses its triggers before the swap is compared again`() throws {
        try queue.install(index)
        let changed = SearchIndex("noteTexts", in: "notes") {
            Field("title")
            Field("url")
        }
        var installer = IndexInstaller(changed.definition)
        var isAltered = false
        while let _ = try queue.write({ try installer.advance(in: $0, until: nil) }) {
            let state = try queue.read { try IndexRecord.fetch("noteTexts_next", in: $0)?.state }
            guard state == .ready, !isAltered else { continue }
            isAltered = true
            try queue.write { db in
                let triggers = try String.fetchAll(
                    db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'noteTexts_next%'")
                #expect(!triggers.isEmpty)
                for trigger in triggers { try db.execute("DROP TRIGGER \(identifier: trigger)") }
                try db.execute(sql: "UPDATE notes SET title = 'unseen' WHERE id = 1")
            }
        }
        #expect(isAltered)
        #expect(try queue.indexState(of: changed) == .ready)
        #expect(try ids("unseen", changed) == [1])
        #expect(try queue.verify(changed).isClean)
    }

    // MARK: A connection's own triggers

    @Test func `a transaction that is rolled back does not take the following of changes with it`() throws {
        let folder = try TemporaryFolder()
        let path = folder["notes.sqlite"]
        let first = try DatabaseQueue(path: path)
        try first.write { try $0.execute(sql: "CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT)") }
        try first.install(index)
        try first.close()
        let second = try DatabaseQueue(path: path)
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try second.write { db in
                try SearchSupport.enable(on: db)
                throw Failure()
            }
        }
        try second.write { db in
            try SearchSupport.enable(on: db)
            try db.execute(sql: "INSERT INTO notes VALUES (1, 'found at once')")
            #expect(try index.query("once").fetch(db).map(\.id) == [1])
        }
    }
}
