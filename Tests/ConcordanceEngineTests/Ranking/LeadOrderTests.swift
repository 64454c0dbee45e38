import ConcordanceSQLite
import Testing

@testable import ConcordanceEngine

/// What people type: the last word may be complete or not.
@Suite("Rows with the whole word lead, if they are few")
struct LeadOrderTests {
    private let db: Database
    private let work: QueryWork

    /// All 60,000 rows have `some`, one of 3 a word with `fa`, one of 300 the word `fa` itself; one of 40 has `rest` and `fab`.
    init() throws {
        db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a, content='', prefix='2');
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
                INSERT INTO t(rowid, a)
                SELECT i, iif(i % 2, 'some ', 'some other ') || iif(i % 3, '', 'fa' || char(97 + i % 26))
                    || iif(i % 300, '', ' fa') || iif(i % 40, '', ' rest fab') || iif(i % 7, '', ' half') FROM n;
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

    /// The 1,500 rows with `rest` have 12 blocks; `fab` has nearly as many, and does not come first.
    @Test func `not if they are many`() throws {
        #expect(try (1...14).contains(units("rest AND (fab OR fab*)", rank: "bm25(1.0)")))
    }

    /// All rows with `fa` have a word of `fa*`, which alone leads, though the two together have more postings than `half`.
    @Test(arguments: [
        "half AND fa*", "half AND (fa* OR fa)", "some AND (fa OR fa*) AND half", "fa OR fa*", "fa* OR half",
        "(half OR half*) AND (fa OR fa*)",
    ])
    func `rows are those of the function`(query: String) throws {
        #expect(try units(query, rank: "bm25(1.0)") > 0)
        #expect(try units(query, rank: Self.score) > 0)
    }
}
