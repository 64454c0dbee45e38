import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// What people type: the last word may be complete or not.
@Suite("Rows with the whole word lead, if they are few")
struct LeadOrderTests {
    private let db: Database
    private let work: QueryWork

    /// All 60,000 rows have `some`, one in 3 a word with `fa`, one in 300 the word `fa` itself; one in 7 has `half`.
    init() throws {
        db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a, content='', prefix='2');
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
                INSERT INTO t(rowid, a)
                SELECT i, iif(i % 2, 'some ', 'some other ') || iif(i % 3, '', 'fa' || char(97 + i % 26))
                    || iif(i % 300, '', ' fa') || iif(i % 7, '', ' half') FROM n;
                INSERT INTO t(t) VALUES ('optimize');
                """)
        work = QueryWork.of(db)
    }

    private static let score = "concordance_rank(1.2, 0.75, 8.0, 0.0, 0.3)"

    /// The rows of a query by rank are those by the function, called for each. Returns how many units were ranked.
    private func units(_ query: String, rank: String) throws -> Int {
        let call = rank.replacing("(", with: "(t, ", maxReplacements: 1)
        let expected = try Row.fetchAll(
            db, sql: "SELECT rowid, \(call) FROM t WHERE t MATCH ? ORDER BY 2, 1 LIMIT 20", arguments: [query])
        let before = work.rankedUnits
        let found = try Row.fetchAll(
            db, sql: "SELECT rowid, rank FROM t WHERE t MATCH ? AND rank MATCH ? ORDER BY rank LIMIT 20",
            arguments: [query, rank])
        #expect(found.map(\.databaseValues) == expected.map(\.databaseValues), "\(query)")
        #expect(found.count == 20)
        return work.rankedUnits - before
    }

    /// The 200 rows with `fa` have two blocks, those with `half` 67.
    @Test(arguments: ["half AND (fa OR fa*)", "(fa OR fa*) AND half"])
    func `of two words`(query: String) throws {
        let count = try units(query, rank: "bm25(1.0)")
        #expect((1...4).contains(count), "\(count)")
        let countWithBonus = try units(query, rank: Self.score)
        #expect((1...4).contains(countWithBonus), "\(countWithBonus)")
    }

    @Test(arguments: [
        "half AND fa*", "half AND (fa* OR fa)", "some AND (fa OR fa*) AND half", "fa OR fa*", "fa* OR half",
        "(half OR half*) AND (fa OR fa*)",
    ])
    func `rows are those of the function`(query: String) throws {
        #expect(try units(query, rank: "bm25(1.0)") > 0)
        #expect(try units(query, rank: Self.score) > 0)
    }

    /// A stored list does not have terms that go on with a byte of its last character, as no UTF-8 does.
    @Test(arguments: ["", ", prefix='1'"])
    func `no row is lost where tokens are no UTF-8`(options: String) throws {
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE bytes USING concordance(a, tokenize='ascii'\(options));
                INSERT INTO bytes(rowid, a) VALUES (1, CAST(x'C3A9' AS TEXT)), (2, CAST(x'C3A9A9' AS TEXT)),
                    (3, CAST(x'C3A9A9' AS TEXT)), (4, CAST(x'C3A961' AS TEXT));
                """)
        // "é" * OR "é©", whose last byte stands alone
        let match = "CAST(x'22C3A922202A204F522022C3A9A922' AS TEXT)"
        let expected = try Int64.fetchAll(db, sql: "SELECT rowid FROM bytes WHERE bytes MATCH \(match) ORDER BY rowid")
        let found = try Int64.fetchAll(db, sql: "SELECT rowid FROM bytes WHERE bytes MATCH \(match) ORDER BY rank")
        #expect(expected.count == 4 && found.sorted() == expected)
    }
}

@Suite("Leading lists")
struct LeadingListsTests {
    @Test(arguments: UInt64(0)..<30)
    func `are few, and cover what matches`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model = RankingModel(documentCount: 800, maximumLength: 30, using: &random)
        let memory = try MemoryStore()
        defer { withExtendedLifetime(memory) {} }
        let segment = try #require(try model.write(to: memory).first).segment
        let statistics = model.statistics(RankingModelQuery(.init(term: 0)), [], .ascending)
        for _ in 0..<40 {
            let slotCount = Int.random(in: 1...4, using: &random)
            var lists: [ScoredList] = []
            for slot in 0..<slotCount {
                let listCount = Int.random(in: 1...3, using: &random)
                for number in 0..<listCount {
                    let key = RankingModel.key(Int.random(in: 0..<model.termCount, using: &random))
                    guard let entry = try key.withUnsafeBufferPointer({ try segment.find($0) }) else { continue }
                    let weight = Double.random(in: 0.1...5, using: &random)
                    let blocks = TermBlocks(segment, entry, columns: nil, weight: weight, statistics)
                    let covers = number == 0 && Bool.random(using: &random)
                    lists.append(try ScoredList(blocks, phrase: lists.count, slot: slot, coversSlot: covers))
                }
            }
            guard Set(lists.map(\.slot)).count == slotCount else { continue }
            check(LeadOrder(lists, slotCount: slotCount), lists, slotCount)
        }
    }

    private func check(_ order: LeadOrder, _ lists: [ScoredList], _ slotCount: Int) {
        #expect(order.lists.map(\.phrase).sorted() == lists.map(\.phrase))
        let covering = (0..<slotCount).map { slot in
            let members = lists.filter { $0.slot == slot }
            return members.filter(\.coversSlot).isEmpty ? members : members.filter(\.coversSlot)
        }
        let counts = covering.map { $0.reduce(0) { $0 + $1.count } }
        let fewest = counts.min() ?? 0
        #expect(order.matchLimit == fewest)
        let leads = order.lists.prefix(order.leadCount)
        let main = leads.last?.slot ?? 0
        #expect(counts[main] == fewest)
        let phrases = Set(covering[main].map(\.phrase))
        #expect(leads.suffix(phrases.count).allSatisfy { phrases.contains($0.phrase) })
        let early = leads.dropLast(phrases.count)
        #expect(Set(early.map(\.slot)).count <= 1)
        let limit = early.first?.slot == main ? fewest : fewest / LeadOrder.earlyShare
        #expect(early.reduce(0) { $0 + $1.count } <= limit)
        // Another slot's lists come early only if what is left of it contributes less.
        if let first = early.first, first.slot != main {
            let left = lists.filter { list in
                list.slot == first.slot && !early.contains { $0.phrase == list.phrase }
            }
            #expect(left.allSatisfy { $0.bound < first.bound } && !left.isEmpty)
        }
        // The rest is together by slot, those with fewer postings first.
        var slots: [Int] = []
        for list in order.lists.dropFirst(order.leadCount) where slots.last != list.slot { slots.append(list.slot) }
        #expect(Set(slots).count == slots.count)
        let others = slots.filter { $0 != main }.map { counts[$0] }
        #expect(others == others.sorted() && slots.dropFirst().allSatisfy { $0 != main })
    }
}
