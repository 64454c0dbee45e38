import ConcordanceEngine
import ConcordanceSQLite
import Testing

/// A sum of fractional weights depends on its order in the last bit, and the order of rows with equal scores on that bit.
@Suite("Scores by fractional weights")
struct SumOrderTests {
    private static let words = ["app", "apple", "apples", "apply", "aple", "ample", "maple"]

    /// Each row has some of the words up to nine times, in one column or in both.
    private func makeTable(_ options: String) throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a, b\(options)); BEGIN")
        for row in 1...240 {
            var texts = ["x", row % 3 == 0 ? "x y" : ""]
            for (number, word) in Self.words.enumerated() where (row >> number) & 1 == 1 {
                let text = String(repeating: " \(word)", count: (row * (number + 3)) % 9 + 1)
                texts[row % 5 == 0 ? number % 2 : 0] += text
            }
            try db.execute(sql: "INSERT INTO t(rowid, a, b) VALUES (?, ?, ?)", arguments: [row, texts[0], texts[1]])
            // In several segments.
            if row % 100 == 0 { try db.execute(sql: "COMMIT; BEGIN") }
        }
        try db.execute(sql: "COMMIT")
        return db
    }

    private struct Score: Equatable {
        var row: Int
        var score: Double
    }

    private func scores(_ db: Database, _ sql: String, _ query: String) throws -> [Score] {
        try Row.fetchAll(db, sql: sql, arguments: [query]).map { row in
            let (id, score): (Int, Double) = (try row.decode(at: 0), try row.decode(at: 1))
            return Score(row: id, score: score)
        }
    }

    private static let queries = [
        "app*", "a*", "appl* OR maple", "app* AND x", "a : app*", "apple~1", "apple~2", "app~1*", "apple~2 OR maple~1",
        "apple~1 + apply~1", "\"app\"~2 OR x", "(apple~ OR y) NOT ample", "appl* NOT y",
    ]

    private static let options = [
        "", ", prefix='2'", ", detail=column", ", detail=none", ", tokenize=\"concordance words edge_ngrams 3 4\"",
    ]

    @Test(arguments: options, ["0.1, 0.7", "0.3", "0.5, 2.25", "0.001, 7"])
    func `are the same row by row and in their order`(options: String, weights: String) throws {
        let db = try makeTable(options)
        let rankings = [
            ("bm25(t, \(weights))", "bm25(\(weights))"),
            (
                "concordance_rank(t, 0.9, 0.4, NULL, 0, 0, \(weights))",
                "concordance_rank(0.9, 0.4, NULL, 0, 0, \(weights))"
            ),
            (
                "concordance_rank(t, 1.2, 0.75, NULL, 0, 0, 1, 2, 0.5, 0.9)",
                "concordance_rank(1.2, 0.75, NULL, 0, 0, 1, 2, 0.5, 0.9)"
            ),
        ]
        for query in Self.queries where !options.contains("detail") || !query.contains("+") && !query.contains("a :") {
            for (call, rank) in rankings {
                let one = try scores(db, "SELECT rowid, \(call) FROM t(?) ORDER BY rowid", query)
                let sorted = one.sorted { ($0.score, $0.row) < ($1.score, $1.row) }
                let ranked = "FROM t(?, '\(rank)') ORDER BY rank"
                #expect(try scores(db, "SELECT rowid, rank \(ranked)", query) == sorted, "\(query) \(rank)")
                #expect(
                    try scores(db, "SELECT rowid, rank \(ranked) LIMIT 7", query) == Array(sorted.prefix(7)),
                    "\(query) \(rank)")
            }
        }
    }
}
