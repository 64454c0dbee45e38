import Concordance
import ConcordanceEngine
import ConcordanceSearch
import TestSupport
import Testing

/// What searches ask of SQLite and the engine: the plans of their statements, and how many matches they visit.
@Suite("Plans of searches")
struct SearchPlanTests {
    struct Note: Codable, Sendable, Equatable {
        var id: Int64
        var title: String
        var body: String
        /// One of two, of fifty, and of a thousand.
        var half: Int
        var few: Int
        var rare: Int
    }

    static let index = SearchIndex("noteTexts", of: Note.self, in: "notes", engine: .concordance) {
        Field(\.title, weight: 4)
        Field(\.body)
        Ranking.bm25
    }

    let db: Database
    let work: QueryWork
    static let noteCount = 6000

    init() throws {
        db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL,
                  half INTEGER NOT NULL, few INTEGER NOT NULL, rare INTEGER NOT NULL);
                CREATE INDEX notesByFew ON notes(few);
                CREATE INDEX notesByRare ON notes(rare);
                CREATE INDEX notesByHalf ON notes(half);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.noteCount))
                INSERT INTO notes SELECT i, iif(i % 239 = 0, 'cat', 'elk'),
                  'cat ' || replace(hex(zeroblob(3 + i % 7)), '00', 'dog '), i % 2, i % 50, i % 1000 FROM n
                """)
        try db.install(Self.index)
        try db.execute(sql: "INSERT INTO noteTexts(noteTexts) VALUES ('optimize')")
        work = QueryWork.of(db)
    }

    private struct Cost {
        var statements: [String] = []
        var rankedRows = 0
        var rankedUnits = 0
        var unrankedRows = 0
    }

    /// Runs a search, and returns what it cost.
    private func cost<Result>(_ search: (Database) throws -> Result) throws -> (Result, Cost) {
        let before = (work.rankedRows, work.rankedUnits, work.unrankedRows)
        var cost = Cost()
        let statements = Statements()
        db.trace { event in
            if event.kind == .begin { statements.texts.append(event.sql) }
        }
        defer { db.trace(nil) }
        let result = try search(db)
        db.trace(nil)
        cost.statements = statements.texts.filter { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") }
        cost.rankedRows = work.rankedRows - before.0
        cost.rankedUnits = work.rankedUnits - before.1
        cost.unrankedRows = work.unrankedRows - before.2
        return (result, cost)
    }

    private final class Statements {
        var texts: [String] = []
    }

    /// The plan of the one statement that ranks.
    private func plan(of cost: Cost) throws -> [String] {
        let ranked = cost.statements.filter { $0.contains(".rank") }
        let sql = try #require(ranked.last)
        let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
        try statement.setArguments(
            StatementArguments(Array(repeating: DatabaseValue.null, count: statement.parameterCount)))
        var details: [String] = []
        try statement.forEachRow { details.append($0.string(at: 3) ?? "") }
        return details
    }

    @Test func `a page by relevance comes sorted out of the engine`() throws {
        let request = Self.index.query("cat").counting(.none)
        let (page, cost) = try cost { try request.fetch($0) }
        #expect(page.hits.count == 20)
        #expect(try plan(of: cost) == ["SCAN noteTexts VIRTUAL TABLE INDEX 32:M2"])
        #expect(cost.rankedRows <= 24)
        #expect(cost.unrankedRows == 0)
        #expect(cost.rankedUnits < Self.noteCount / 128 * 2 / 3)
    }

    @Test func `the next page begins after the last one`() throws {
        let request = Self.index.query("cat").counting(.none)
        let first = try request.limit(200).fetch(db)
        let start = try request.limit(100).fetch(db)
        let (next, cost) = try cost { try request.after(start.next).fetch($0) }
        #expect(next.hits.map(\.id) == first.hits[100..<120].map(\.id))
        #expect(try plan(of: cost) == ["SCAN noteTexts VIRTUAL TABLE INDEX 32:M2["])
        // The rows of the page, and those with the score of the last row of the page before.
        let edge = start.hits.last?.score
        let equals = first.hits.prefix(100).count { $0.score == edge }
        #expect(cost.rankedRows <= 24 + 96 + equals)
    }

    @Test(
        arguments: [
            // Filter, matches that are ranked at most, whether the rows that pass are found first.
            ("half = 1", 24 + 96, false), ("half + 0 = 1", 24 + 96, false), ("few = 3", 24 + 96 + 24, true),
            ("rare = 3", 24 + 96 + 24, true), ("rare = -1", 24 + 96, true), ("rare >= 0", 24, false),
        ])
    func `a filter is looked up where it passes often, and a set where it is rare`(
        filter: String, visits: Int, isSet: Bool
    ) throws {
        let request = Self.index.query("cat").filter(SQL(raw: filter)).counting(.none)
        let (page, cost) = try cost { try request.fetch($0) }
        let all = try Self.index.query("cat").limit(Self.noteCount).fetch(db)
        let passing = try Set(Int64.fetchAll(db, sql: "SELECT id FROM notes WHERE \(filter)"))
        #expect(page.hits.map(\.id) == Array(all.hits.map(\.id).filter(passing.contains).prefix(20)))
        let plan = try plan(of: cost)
        // A set comes with the query; a look-up is a loop of its own.
        #expect(plan.allSatisfy { $0.contains("VIRTUAL TABLE") } == isSet, "\(plan)")
        #expect(!plan.contains { $0.contains("ORDER BY") }, "\(plan)")
        #expect(cost.rankedRows <= visits)
        #expect(cost.unrankedRows == 0)
    }

    @Test func `totals are counted no further than asked, and not at all if the page knows them`() throws {
        let (page, cost) = try cost { try Self.index.query("cat").fetch($0) }
        #expect(page.total?.description == "1000+")
        #expect(cost.unrankedRows < 3000)
        let (whole, wholeCost) = try self.cost { try Self.index.query("cat").filter("rare = 3").fetch($0) }
        #expect(whole.total?.description == "6")
        #expect(wholeCost.unrankedRows == 0)
        #expect(!wholeCost.statements.contains { $0.contains("count(*) FROM (SELECT \"noteTexts\"") })
        let (exact, exactCost) = try self.cost { try Self.index.query("cat").counting(.exact).fetch($0) }
        #expect(exact.total?.description == "\(Self.noteCount)")
        #expect(exactCost.unrankedRows == Self.noteCount)
        // With a filter that is a set, only its rows are visited, after all matches were counted by their postings.
        let (few, fewCost) = try self.cost { try Self.index.query("cat").filter("few = 3").counting(.exact).fetch($0) }
        #expect(few.total?.description == "\(Self.noteCount / 50)")
        #expect(fewCost.unrankedRows <= Self.noteCount + Self.noteCount / 50)
    }

    @Test func `a search without a rank goes by rowid, and stops`() throws {
        let (page, cost) = try cost { try Self.index.query("NOT dog").fetch($0) }
        #expect(page.hits.isEmpty)
        #expect(cost.rankedRows == 0)
    }

    /// Random queries, filters, limits and cursors, against the whole list.
    @Test(arguments: 1...4)
    func `pages, totals and cursors are those of the whole list`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let filters = [
            "half = 1", "few = 3", "rare = 3", "rare = -1", "few IN (1, 2, 3) AND half = 1", "+few = 3", "few < 40",
            "id > 5900", "id < 100 OR rare = 5",
            "EXISTS (SELECT 1 FROM notes AS other WHERE other.id = notes.id + 5999)",
        ]
        for text in ["cat", "elk", "cat OR elk", "cat elk", "\"cat dog\"", "d", "dog -elk", "zebra"] {
            let query = Self.index.query(text)
            let all = try query.limit(Self.noteCount * 2).fetch(db).hits
            for _ in 0..<6 {
                let filter = filters.randomElement(using: &random) ?? "1"
                let passing = try Set(Int64.fetchAll(db, sql: "SELECT id FROM notes WHERE \(filter)"))
                let expected = all.filter { passing.contains($0.id) }
                let limit = [1, 20, 333].randomElement(using: &random) ?? 1
                let counting =
                    [SearchCounting.exact, .upTo(50), .upTo(7000)].randomElement(using: &random) ?? .none
                let least: Int = if case .upTo(let least) = counting { least } else { .max }
                var found: [Int64] = []
                var cursor: SearchCursor?
                for _ in 0..<4 {
                    let page = try query.filter(SQL(raw: filter)).limit(limit).counting(counting).after(cursor)
                        .fetch(db)
                    found += page.hits.map(\.id)
                    let total =
                        expected.count <= least || page.next == nil && found.count == page.hits.count
                        ? "\(expected.count)" : "\(least)+"
                    #expect(page.total?.description == total, "\(text), \(filter), \(counting)")
                    cursor = page.next
                    if cursor == nil { break }
                }
                #expect(found == expected.prefix(found.count).map(\.id), "\(text), \(filter), \(limit)")
                #expect(cursor != nil || found.count == expected.count, "\(text), \(filter), \(limit)")
            }
        }
    }
}
