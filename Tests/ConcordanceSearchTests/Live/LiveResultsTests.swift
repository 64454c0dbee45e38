import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("Live results")
struct LiveResultsTests {
    /// Not Equatable, on purpose.
    struct Reminder: Codable, Sendable {
        var id: Int64
        var title: String
        var isCompleted: Bool
    }

    static let index = SearchIndex("reminderTexts", of: Reminder.self, in: "reminders") {
        Field(\.title, weight: 10)
        Field("tags").joined("tags", \.title, through: "reminderTags", separator: ",")
    }

    private let folder: TemporaryFolder
    private let pool: DatabasePool

    init() throws {
        folder = try TemporaryFolder()
        pool = try DatabasePool(path: folder["reminders.sqlite"])
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE lists (id INTEGER PRIMARY KEY, isHidden INTEGER NOT NULL DEFAULT 0);
                    CREATE TABLE reminders (
                      id INTEGER PRIMARY KEY, title TEXT NOT NULL, isCompleted INTEGER NOT NULL DEFAULT 0,
                      listID INTEGER REFERENCES lists(id));
                    CREATE TABLE tags (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
                    CREATE TABLE reminderTags (
                      reminderID INTEGER NOT NULL REFERENCES reminders(id) ON DELETE CASCADE,
                      tagID INTEGER NOT NULL REFERENCES tags(id) ON DELETE CASCADE);
                    INSERT INTO lists VALUES (1, 0);
                    INSERT INTO reminders VALUES (1, 'Groceries', 0, 1), (2, 'Weekly review', 0, 1), (3, 'Haircut', 0, 1);
                    INSERT INTO tags VALUES (1, 'weekend');
                    INSERT INTO reminderTags VALUES (1, 1);
                    """)
            try db.install(Self.index)
        }
    }

    private func write(_ sql: String) async throws { try await pool.write { try $0.execute(sql: sql) } }

    private func pages(_ request: SearchRequest<Reminder>) -> LiveResults<Reminder>.Iterator {
        pool.results(of: request, pollingEvery: .milliseconds(10)).makeAsyncIterator()
    }

    @Test func `follow the indexed table, related tables and those of a filter`() async throws {
        var pages = pages(
            Self.index.query("week").filter("listID NOT IN (SELECT id FROM lists WHERE isHidden)"))
        func ids() async throws -> Set<Int64>? { try await pages.next().map { Set($0.hits.map(\.id)) } }
        #expect(try await ids() == [1, 2])
        try await write("UPDATE reminders SET title = 'Week off' WHERE id = 3")
        #expect(try await ids() == [1, 2, 3])
        try await write("UPDATE tags SET title = 'soon' WHERE id = 1")
        #expect(try await ids() == [2, 3])
        try await write("INSERT INTO tags VALUES (2, 'week'); INSERT INTO reminderTags VALUES (1, 2)")
        #expect(try await ids() == [1, 2, 3])
        try await write("UPDATE lists SET isHidden = 1")
        #expect(try await ids() == [])
        try await write("UPDATE lists SET isHidden = 0; DELETE FROM reminders WHERE id = 2")
        #expect(try await ids() == [1, 3])
    }

    @Test func `columns that are not indexed are part of the page`() async throws {
        var pages = pages(Self.index.query("groceries"))
        #expect(try await pages.next()?.hits.first?.record.isCompleted == false)
        try await write("UPDATE reminders SET isCompleted = 1 WHERE id = 1")
        #expect(try await pages.next()?.hits.first?.record.isCompleted == true)
    }

    @Test func `totals and facets are part of the page`() async throws {
        var pages = pages(Self.index.query("week").counting(.exact).facet("isCompleted").limit(1))
        #expect(try await pages.next()?.total?.count == 2)
        try await write("INSERT INTO reminders VALUES (4, 'A long title that ends with a week', 0, 1)")
        #expect(try await pages.next()?.total?.count == 3)
        try await write("UPDATE reminders SET isCompleted = 1 WHERE id = 4")
        #expect(try await pages.next()?.facets.first?.buckets.count == 2)
    }

    @Test func `a page that stays the same is not yielded again`() async throws {
        var pages = pages(Self.index.query("week"))
        let before = try await pages.next()
        #expect(before?.hits.count == 2)
        for id in 10..<15 { try await write("INSERT INTO reminders VALUES (\(id), 'Haircut', 0, 1)") }
        try await write("UPDATE reminders SET isCompleted = 1 WHERE id = 3")
        try await write("UPDATE reminders SET title = 'Weekly' WHERE id = 2")
        #expect(try await pages.next()?.hits.map(\.record.title).contains("Weekly") == true)
    }

    @Test func `follow another process`() async throws {
        guard Python.isThere() else { return }
        let plain = SearchIndex("plainTexts", of: Reminder.self, in: "reminders", engine: .fts5) {
            Field(\.title)
            Analysis(.unicode61)
        }
        let fresh = try TemporaryFolder()
        let pool = try DatabasePool(path: fresh["reminders.sqlite"])
        try await pool.write { db in
            try db.execute(
                sql:
                    "CREATE TABLE reminders (id INTEGER PRIMARY KEY, title TEXT NOT NULL, isCompleted INTEGER NOT NULL)"
            )
            try db.install(plain)
        }
        var pages = pool.results(of: plain.query("week")).makeAsyncIterator()
        #expect(try await pages.next()?.hits.isEmpty == true)
        let child = try Python.start(
            """
            db = sqlite3.connect(sys.argv[1], timeout=3600)
            db.execute("INSERT INTO reminders VALUES (1, 'Next week', 0)")
            db.commit()
            """, fresh["reminders.sqlite"])
        #expect(try await pages.next()?.hits.map(\.record.title) == ["Next week"])
        child.waitUntilExit()
        #expect(child.terminationStatus == 0)
    }

    @Test func `an index that is not there is an error, and ends them`() async throws {
        let other = SearchIndex("otherTexts", of: Reminder.self, in: "reminders") { Field(\.title) }
        var pages = pages(other.query("week"))
        await #expect(throws: SearchIndexError.notInstalled("otherTexts")) { _ = try await pages.next() }
        #expect(try await pages.next()?.hits.count == nil)
    }

    @Test func `an object index has them too`() async throws {
        let index = try TemporaryIndex().index
        var pages = index.results(of: index.query("shel")).makeAsyncIterator()
        #expect(try await pages.next()?.hits.count == 0)
        try await index.upsert(id: "doc1", texts: ["body": "She sells sea shells by the sea shore."])
        let page = try #require(try await pages.next())
        #expect(page.hits.map(\.record.id) == ["doc1"])
        #expect(try page.hits.first?.highlights("body").marked(open: "[", close: "]").contains("[shells]") == true)
        try await index.deleteAll()
        #expect(try await pages.next()?.hits.count == 0)
    }
}
