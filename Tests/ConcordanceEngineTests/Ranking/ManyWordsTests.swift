import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// What a person pastes: up to 40 alternatives are ranked by lists, more of them by windows.
@Suite("Queries of many words")
struct ManyWordsTests {
    private let db: Database
    private let work: QueryWork

    private static let rowCount = 5_000
    private static let wordCount = 160

    /// Rows of 5 to 60 words, some of which are in most rows, and most in few.
    init() throws {
        db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        work = QueryWork.of(db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a, b)")
        var random = SeededGenerator(seed: 29)
        func text(_ count: Int) -> String {
            (0..<count).map { _ in
                let share = Double.random(in: 0..<1, using: &random)
                return Self.word(Int(share * share * share * Double(Self.wordCount)))
            }.joined(separator: " ")
        }
        let insert = try db.makeStatement(sql: "INSERT INTO t(rowid, a, b) VALUES (?, ?, ?)")
        for part in 0..<2 {
            try db.inTransaction {
                for row in stride(from: part, to: Self.rowCount, by: 2) {
                    try insert.execute(arguments: [row + 1, text(row % 3), text(5 + row % 50)])
                }
                return .commit
            }
        }
        try db.execute(sql: "DELETE FROM t WHERE rowid % 17 = 3")
    }

    private static func word(_ number: Int) -> String { "w\(number)" }

    /// Words from the rarest on, and some common ones.
    private static func words(_ count: Int) -> [String] {
        let common = (0..<count / 5).map { word($0 * 3) }
        return common + (0..<count - common.count).map { word(wordCount - 1 - $0) }
    }

    private static let rankings = [
        ("bm25", "1.0, 1.0"), ("bm25", "10.0, 1.0"), ("bm25", "0.3, 0.0"), ("bm25", "1.0, -0.5"),
        ("concordance_rank", "1.2, 0.75, NULL, 0.0, 0.3"), ("concordance_rank", "1.2, 0.75, 8.0, 0.2, 0.3, 3.0, 1.0"),
        ("concordance_rank", "0.9, 0.4, NULL, 2.0, 0.0"),
        ("concordance_rank", "1.2, 0.75, 8.0, 0.2, 0.3, 3.0, 0.7, 0.5, 0.9"),
    ]

    @Test(arguments: [13, 24, 40, 41, 60, 120])
    func `are ranked as the function scores them`(count: Int) throws {
        let words = Self.words(count)
        let some = words.joined(separator: " OR ")
        for (function, arguments) in Self.rankings {
            try db.checkRank(some, by: function, arguments, limit: 10)
            try db.checkRank("(\(some)) NOT w1", by: function, arguments, limit: 10)
            try db.checkRank("(\(some)) AND (w2 OR w4*)", by: function, arguments, limit: 10)
        }
        try db.checkRank("b : (\(some))", by: "concordance_rank", "1.2, 0.75, NULL, 0.2, 0.3", limit: 10)
        try db.checkRank(some, by: "concordance_rank", "1.2, 0.75, NULL, 0.2, 0.3", limit: Self.rowCount)
    }

    @Test(arguments: [20, 100])
    func `have the positions of few rows read`(count: Int) throws {
        let query = Self.words(count).joined(separator: " OR ")
        let matching = try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH ?", arguments: [query]) ?? 0
        #expect(matching > Self.rowCount / 2)
        let before = work.placedHits
        try db.checkRank(query, by: "concordance_rank", "1.2, 0.75, NULL, 0.2, 0.3", limit: 10)
        // A row has about ten hits.
        #expect(work.placedHits - before < matching)
    }
}
