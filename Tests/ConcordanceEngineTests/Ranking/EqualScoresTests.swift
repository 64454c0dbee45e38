import ConcordanceEngine
import ConcordanceSQLite
import Testing

@Suite("Rows of equal scores")
struct EqualScoresTests {
    private struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var declaration: String
        /// What each transaction inserts: rowids, and the text of each column.
        var transactions: [[(rowIDs: ClosedRange<Int64>, texts: [String])]]
        var match: String
        var rank: String

        var testDescription: String { name }
    }

    private static let cases = [
        Case(
            name: "negative weights, over the lists of an OR", declaration: "a",
            transactions: [[(1...30, ["b"]), (31...60, ["a"])]], match: "a OR b", rank: "bm25(-1.0)"),
        Case(
            name: "negative weights, the terms in another order", declaration: "a",
            transactions: [[(1...30, ["a"]), (31...60, ["b"])]], match: "a OR b", rank: "bm25(-1.0)"),
        Case(
            name: "negative weights, smaller rowids in a later segment", declaration: "a",
            transactions: [[(101...130, ["a"])], [(1...30, ["a"])]], match: "a", rank: "bm25(-1.0)"),
        Case(
            name: "no lengths", declaration: "a, content='', columnsize=0",
            transactions: [[(101...130, ["a"]), (131...160, [""])], [(1...30, ["a"]), (31...50, [""])]], match: "a",
            rank: "bm25()"),
        Case(
            name: "small scores under large bounds", declaration: "a, b",
            transactions: [
                [(1...30, ["y", "c"]), (31...55, ["x", "c"]), (56...95, ["z", "c"]), (96...120, ["", "c d"])]
            ], match: "x OR y OR z OR c", rank: "bm25(0.0, 1.0)"),
    ]

    @Test(arguments: cases.indices)
    func `all come, by rowid, as from FTS5`(number: Int) throws {
        let test = Self.cases[number]
        var answers: [[[Int64]]] = []
        for module in ["fts5", "concordance"] {
            let db = try Database(path: ":memory:")
            try ConcordanceModule.register(on: db)
            try db.execute(sql: "CREATE VIRTUAL TABLE t USING \(module)(\(test.declaration))")
            for rows in test.transactions {
                try db.inTransaction {
                    for (rowIDs, texts) in rows {
                        let places = texts.map { _ in ", ?" }.joined()
                        let columns = texts.indices.map { ", " + ["a", "b"][$0] }.joined()
                        let insert = try db.makeStatement(sql: "INSERT INTO t(rowid\(columns)) VALUES (?\(places))")
                        for rowID in rowIDs {
                            try insert.execute(
                                arguments: StatementArguments([rowID] + texts as [(any DatabaseValueConvertible)?]))
                        }
                    }
                    return .commit
                }
            }
            answers.append(
                try ["", " DESC", " LIMIT 7"].map { tail in
                    try Int64.fetchAll(
                        db, sql: "SELECT rowid FROM t WHERE t MATCH ? AND rank MATCH ? ORDER BY rank\(tail)",
                        arguments: [test.match, test.rank])
                })
        }
        #expect(answers[0][0].count > 40)
        #expect(answers[0] == answers[1], "\(test.name)")
    }

    /// Finite scores have bounds, which infinite ones exceed.
    @Test func `rows of infinite scores come first`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a, content='');
                WITH RECURSIVE s(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM s WHERE n < 512)
                    INSERT INTO t(rowid, a) SELECT n, iif(n <= 256, 'x', 'x x a b c d e f g h') FROM s;
                """)
        let k1 = "1" + String(repeating: "0", count: 308) + ".0"
        for limit in [3, 1000] {
            let best = try Int64.fetchAll(
                db,
                sql: """
                    SELECT rowid FROM t WHERE t MATCH 'x' AND rank MATCH 'concordance_rank(\(k1))' ORDER BY rank
                        LIMIT \(limit)
                    """)
            #expect(best.prefix(3) == [257, 258, 259])
            let rows = "SELECT rowid FROM t WHERE t MATCH 'x' ORDER BY concordance_rank(t, 1e308), rowid LIMIT \(limit)"
            #expect(try best == Int64.fetchAll(db, sql: rows))
        }
    }
}
