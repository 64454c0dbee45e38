import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// A phrase with a common word and a prefix of hundreds of terms: its candidates are many, and their positions are read
/// together, for ever more of them.
@Suite("Rows with a phrase that ends in a common prefix are ranked as the function scores them")
struct GatheredCandidatesTests {
    private let db: Database

    private static let rowCount = 9_000

    init() throws {
        db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
    }

    /// Rows of very different lengths, in which `to` is followed by one of 700 words with `s`, or not.
    private func create(_ options: String, inserts: Int) throws {
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a, b\(options))")
        var random = SeededGenerator(seed: 11)
        func word() -> String {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: "to"
            case 2, 3: "s\(Int.random(in: 0..<700, using: &random))"
            case 4: "so"
            case 5: "the"
            default: "x\(Int.random(in: 0..<90, using: &random))"
            }
        }
        let insert = try db.makeStatement(sql: "INSERT INTO t(rowid, a, b) VALUES (?, ?, ?)")
        for part in 0..<inserts {
            try db.inTransaction {
                for row in stride(from: part, to: Self.rowCount, by: inserts) {
                    let texts = [
                        Int.random(in: 0...3, using: &random),
                        Int.random(in: 1...(row % 9 == 0 ? 60 : 12), using: &random),
                    ]
                    .map { (0..<$0).map { _ in word() }.joined(separator: " ") }
                    try insert.execute(arguments: [row + 1, texts[0], texts[1]])
                }
                return .commit
            }
        }
        try db.execute(sql: "DELETE FROM t WHERE rowid % 13 = 4")
    }

    @Test(arguments: [
        ("", 1), (", prefix='1 2'", 1), ("", 4), (", prefix='1', content='', contentless_delete=1", 3),
        (", tokenize=\"concordance words fold synonyms 's1, s2, so'\"", 2),
    ])
    func ranked(_ options: String, inserts: Int) throws {
        try create(options, inserts: inserts)
        for query in [
            "\"to s\" *", "b : \"to s\" *", "\"the s\" *", "\"to the s\" *", "\"so s\" *", "NEAR(to s*, 2)",
            "NEAR(\"to s\" * the, 3)",
            "^to + s*", "\"to s1\" *", "\"to s\" * OR \"the s\" *", "the AND \"to s\" *",
        ] {
            for limit in [5, 24, 700] { try db.checkRank(query, by: "bm25", "1.0, 1.0", limit: limit) }
            try db.checkRank(query, by: "bm25", "10.0, 1.0", limit: 10)
        }
        try db.checkRank("\"to s\" *", by: "bm25", "1.0, 1.0", limit: Self.rowCount)
    }

    @Test("However far the rows are read, they are those of one transaction's query without LIMIT")
    func readOn() throws {
        try create("", inserts: 2)
        let query = "\"to s\" *"
        let all = try Int.fetchAll(
            db, sql: "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t), rowid", arguments: [query])
        let cursor = try Int.fetchCursor(
            db, sql: "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank", arguments: [query])
        var read: [Int] = []
        while let row = try cursor.next() { read.append(row) }
        #expect(read == all)
    }
}
