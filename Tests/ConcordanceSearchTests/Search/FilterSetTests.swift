import Concordance
import ConcordanceSQLite
import ConcordanceSearch
import Foundation
import TestSupport
import Testing

/// Searches with one filter after another, between changes of every kind to the rows that pass it.
@Suite("Sets of rows that pass a filter")
struct FilterSetTests {
    struct Note: Codable, Sendable, Equatable {
        var id: Int64
        var body: String
        var half: Int
        var few: Int
    }

    static let index = SearchIndex("noteTexts", of: Note.self, in: "notes", engine: .concordance) {
        Field(\.body)
        Ranking.bm25
    }

    static let noteCount = 500

    static func makeDatabase(_ path: String = ":memory:") throws -> Database {
        let db = try Database(path: path)
        try db.execute(
            sql: """
                CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT NOT NULL, half INTEGER NOT NULL,
                  few INTEGER NOT NULL);
                CREATE INDEX notesByHalf ON notes(half);
                CREATE INDEX notesByFew ON notes(few);
                CREATE TABLE chosen(few INTEGER PRIMARY KEY);
                INSERT INTO chosen VALUES (3), (7);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(noteCount))
                INSERT INTO notes SELECT i, 'cat ' || replace(hex(zeroblob(3 + i % 7)), '00', 'dog '), i % 2, i % 50
                FROM n
                """)
        try db.install(index)
        return db
    }

    /// The statements that a search begins.
    private static func statements(_ db: Database, _ body: () throws -> Void) throws -> [String] {
        final class Texts { var all: [String] = [] }
        let texts = Texts()
        db.trace { if $0.kind == .begin { texts.all.append($0.expandedSQL) } }
        defer { db.trace(nil) }
        try body()
        return texts.all
    }

    /// Whether a search looked its matches up, and whether it read rows that pass.
    private static func ways(_ db: Database, _ body: () throws -> Void) throws -> (looksUp: Bool, reads: Bool) {
        let statements = try statements(db, body)
        return (
            statements.contains { $0.contains("JOIN (SELECT \"notes\"") },
            statements.contains { $0.hasPrefix("SELECT \"notes\".\"rowid\" AS") && !$0.hasSuffix("LIMIT 0") }
        )
    }

    /// The rows that a search must find, from all matches and the rows that pass now.
    private static func check(
        _ filter: String, _ text: String, _ db: Database, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let page = try index.query(text).filter(SQL(raw: filter)).limit(50).counting(.exact).facet("half").fetch(db)
        let all = try index.query(text).limit(noteCount * 2).counting(.none).fetch(db)
        let passing = try Set(Int64.fetchAll(db, sql: "SELECT id FROM notes WHERE \(filter)"))
        let expected = all.hits.map(\.record).filter { passing.contains($0.id) }
        #expect(page.hits.map(\.record) == Array(expected.prefix(50)), "\(filter)", sourceLocation: sourceLocation)
        #expect(page.total?.count == expected.count, "\(filter)", sourceLocation: sourceLocation)
        let counts = Dictionary(grouping: expected, by: \.half).mapValues(\.count)
        #expect(
            page.facets[0].buckets.map(\.count) == counts.values.sorted(by: >), "\(filter)",
            sourceLocation: sourceLocation)
    }

    private static func search(_ filter: SQL, _ db: Database) throws -> [Int64] {
        try index.query("cat").filter(filter).fetch(db).hits.map(\.id)
    }

    @Test func `searches with one filter end with one set, however many rows pass`() throws {
        let db = try Self.makeDatabase()
        let expected = try Self.search("half + 0 = 1", db)
        var ways: [(looksUp: Bool, reads: Bool)] = []
        for _ in 0..<8 {
            var found: [Int64] = []
            ways.append(try Self.ways(db) { found = try Self.search("half = 1", db) })
            #expect(found == expected)
        }
        #expect(ways.first?.looksUp == true)
        #expect(ways.last.map { !$0.looksUp && !$0.reads } == true, "\(ways)")
        // With another argument it is another filter.
        let other = try Self.ways(db) { _ = try Self.search("half = \(0)", db) }
        #expect(other.looksUp)
        // After a commit everything starts over.
        try db.execute(sql: "UPDATE notes SET half = 0 WHERE id = 1")
        let next = try Self.ways(db) { _ = try Self.search("half = 1", db) }
        #expect(next.looksUp)
    }

    @Test(arguments: [
        "half = 1 AND random() IS NOT NULL", "half = 1 AND date('now') IS NOT NULL", "half = 1 AND one() = 1",
        "half = 1 AND CURRENT_DATE > '2000'", "half = (SELECT count(*) FROM temp.flags)",
        "half = (SELECT count(*) FROM noteTexts WHERE rowid = 1)",
    ])
    func `what a filter may find differently next time is not kept`(filter: String) throws {
        let db = try Self.makeDatabase()
        try db.execute(sql: "CREATE TEMP TABLE flags(x); INSERT INTO flags VALUES (1)")
        try db.add(function: DatabaseFunction("one", argumentCount: 0, pure: true) { _ in 1 })
        for _ in 0..<12 { _ = try Self.search(SQL(raw: filter), db) }
        let ways = try Self.ways(db) { _ = try Self.search(SQL(raw: filter), db) }
        #expect(ways.looksUp || ways.reads)
    }

    @Test func `a transaction that is undone leaves no set behind`() throws {
        let db = try Self.makeDatabase()
        for _ in 0..<8 { try Self.check("half = 1", "cat", db) }
        try db.execute(sql: "BEGIN; UPDATE notes SET half = 1 - half WHERE id % 3 = 0")
        for _ in 0..<8 { try Self.check("half = 1", "cat", db) }
        try db.execute(sql: "SAVEPOINT inner; UPDATE notes SET half = 1 WHERE id < 250")
        for _ in 0..<8 { try Self.check("half = 1", "cat", db) }
        try db.execute(sql: "ROLLBACK TO inner")
        for _ in 0..<2 { try Self.check("half = 1", "cat", db) }
        try db.execute(sql: "ROLLBACK")
        for _ in 0..<2 { try Self.check("half = 1", "cat", db) }
    }

    @Test func `a table that hides the indexed one is read`() throws {
        let db = try Self.makeDatabase()
        let filter = "few IN (SELECT few FROM chosen)"
        for _ in 0..<8 { try Self.check(filter, "cat", db) }
        try db.execute(sql: "CREATE TEMP TABLE chosen(few INTEGER PRIMARY KEY); INSERT INTO temp.chosen VALUES (11)")
        for _ in 0..<3 { try Self.check(filter, "cat", db) }
        try db.execute(sql: "INSERT INTO temp.chosen VALUES (12)")
        try Self.check(filter, "cat", db)
        try db.execute(sql: "DROP TABLE temp.chosen")
        try Self.check(filter, "cat", db)
        try db.execute(sql: "PRAGMA case_sensitive_like = ON")
        try Self.check("body LIKE 'CAT%'", "cat", db)
    }

    @Test func `a function that is replaced is called`() throws {
        let db = try Self.makeDatabase()
        let filter = "body LIKE 'CAT dog%' AND half = 1"
        for _ in 0..<8 { try Self.check(filter, "cat", db) }
        let before = try Self.search(SQL(raw: filter), db)
        #expect(!before.isEmpty)
        try db.execute(sql: "PRAGMA case_sensitive_like = ON")
        let after = try Self.search(SQL(raw: filter), db)
        #expect(after.isEmpty)
    }

    /// Random filters between writes by this connection and another.
    @Test(arguments: 1...4)
    func `what is kept is never stale`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("filter-sets-\(UUID()).db").path
        defer {
            for end in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + end) }
        }
        let db = try Self.makeDatabase(path)
        if seed % 2 == 0 { try db.execute(sql: "PRAGMA journal_mode = wal") }
        let other = try Database(path: path)
        try SearchSupport.enable(on: other)
        let filters = ["half = 1", "few = 3", "few IN (SELECT few FROM chosen)", "half = 1 AND few < 20", "id > 490"]
        var isOpen = false
        for _ in 0..<60 {
            let writer = isOpen || Bool.random(using: &random) ? db : other
            let id = Int.random(in: 1...Self.noteCount, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: try writer.execute("UPDATE notes SET half = 1 - half, few = few + 1 WHERE id = \(id)")
            case 1: try writer.execute("UPDATE notes SET half = 1 - half WHERE id % 7 = \(id % 7)")
            case 2: try writer.execute("DELETE FROM notes WHERE id = \(id)")
            case 3: try writer.execute("INSERT OR REPLACE INTO notes VALUES (\(id), 'cat dog', 1, 3)")
            case 4: try writer.execute("INSERT OR REPLACE INTO chosen VALUES (\(id % 50))")
            case 5: try writer.execute(sql: "DELETE FROM chosen")
            case 6 where !isOpen:
                try db.execute(sql: "BEGIN")
                isOpen = true
            case 7 where isOpen:
                try db.execute(sql: Bool.random(using: &random) ? "COMMIT" : "ROLLBACK")
                isOpen = false
            default: break
            }
            guard let filter = filters.randomElement(using: &random) else { return }
            let text = ["cat", "dog", "cat dog", "d", "elk OR dog"].randomElement(using: &random) ?? "cat"
            for _ in 0..<Int.random(in: 1...4, using: &random) { try Self.check(filter, text, db) }
        }
    }
}
