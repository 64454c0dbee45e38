import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// Most rows of a prefix have its most frequent term: what people have typed to the end.
@Suite("Of the rows of a prefix, those of its most frequent term alone are read as they are needed")
struct DividedPrefixTests {
    private let db: Database
    private let work: QueryWork

    private static let rowCount = 12_000
    /// Rows with a term of `value*` other than `value`, in any column.
    private static let otherCount = rowCount / 30 + rowCount / 49

    init() throws {
        db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        work = QueryWork.of(db)
    }

    /// Two of three rows have `value`, some of them several times, and in either column; a few have `values` or `valued`.
    private func create(_ options: String = "", inserts: Int = 1) throws {
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a, b\(options))")
        for part in 0..<inserts {
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rowCount))
                    INSERT INTO t(rowid, a, b)
                    SELECT i,
                        'row ' || iif(i % 3, 'value ', '') || iif(i % 30, '', 'values ') || iif(i % 90, '', ' value values valu ')
                            || iif(i % 4, '', 'x ') || substr('y y y y y y y', 1, 2 * (i % 7)),
                        iif(i % 49, '', 'valued ') || iif(i % 5, '', 'value other ') || iif(i % 700, '', 'value value valu')
                    FROM n WHERE i % \(inserts) = \(part);
                    """)
        }
        try db.execute(sql: "DELETE FROM t WHERE rowid % 11 = 3")
    }

    private static let rankings = [
        ("bm25", "1.0, 1.0"), ("bm25", "10.0, 1.0"), ("bm25", "0.7, 0.1"), ("bm25", "1.0, 0.0"), ("bm25", "1.0, -0.5"),
        ("concordance_rank", "1.2, 0.75, 8.0, 0.0, 0.3"), ("concordance_rank", "1.2, 0.75, NULL, 0.2, 0.3, 3.0, 1.0"),
        ("concordance_rank", "1.2, 0.75, 8.0, 0.2, 0.3, 3.0, 0.7, 0.5, 0.9"),
    ]

    @Test(arguments: [
        "value*", "value OR value*", "value* OR value", "valu OR valu*", "valu* OR values OR value", "a : value*",
        "a : (value OR value*)", "value OR b : value*", "a : value OR b : valu*", "x OR value*",
        "valu* OR value* OR v*", "value* OR other*", "x AND (value OR value*)", "row AND (value OR value*)",
        "(valu OR valu*) AND row AND y",
        "row AND value*", "(row OR row*) AND (value OR value*)", "other* AND value*", "(x OR value*) AND row",
    ])
    func `rows are those of the function`(query: String) throws {
        try create()
        for (function, arguments) in Self.rankings {
            for limit in [20, 3000] { try db.checkRank(query, by: function, arguments, limit: limit) }
        }
        try db.checkRank(query, by: "bm25", "1.0, 1.0", limit: Self.rowCount)
    }

    @Test(arguments: [
        ", prefix='1', content=''", ", detail='column'", ", detail='none'",
        ", tokenize=\"concordance words fold synonyms 'valued, valuables, valuers'\"",
    ])
    func `rows are those of the function in other tables`(options: String) throws {
        try create(options.replacing("content=''", with: "content='', contentless_delete=1"), inserts: 3)
        for query in ["value*", "value OR value*", "valu OR valu* OR v*"] {
            for (function, arguments) in Self.rankings { try db.checkRank(query, by: function, arguments, limit: 20) }
        }
    }

    /// Where `valued` is, the index has `valuers` at the same position, which counts once for `value*`.
    @Test(arguments: ["value*", "value OR value*", "row AND (value OR value*)"])
    func `a divided prefix may have several terms at a position`(query: String) throws {
        try create(", tokenize=\"concordance words fold synonyms 'valued, valuables, valuers'\"")
        try db.execute(sql: "INSERT INTO t(t) VALUES ('optimize')")
        for rank in ["bm25(10.0, 1.0)", "concordance_rank(1.2, 0.75, 8.0, 0.0, 0.3)"] {
            let found = try Int64.fetchAll(
                db, sql: "SELECT rowid FROM t WHERE t MATCH ? AND rank MATCH ? ORDER BY rank LIMIT 20",
                arguments: [query, rank])
            #expect(found.count == 20)
        }
        #expect((1...Self.otherCount).contains(work.mostHeldDocuments), "\(work.mostHeldDocuments)")
        for (function, arguments) in Self.rankings { try db.checkRank(query, by: function, arguments, limit: 20) }
    }

    @Test func `later batches, conditions and filters find the same rows`() throws {
        try create()
        let query = "FROM t WHERE t MATCH 'value OR value*'"
        let all = try Int64.fetchAll(db, sql: "SELECT rowid \(query) ORDER BY rank")
        let ranks = try Double.fetchAll(db, sql: "SELECT rank \(query) ORDER BY rank")
        let few = try Int64.fetchAll(db, sql: "SELECT rowid \(query) AND rowid < 2000 ORDER BY rank")
        #expect(few == all.filter { $0 < 2000 } && few.count > 1000)
        let wanted = Array(Int64(1)...200)
        let among = try Int64.fetchAll(
            db, sql: "SELECT rowid \(query) AND rowid IN (SELECT value FROM json_each('\(wanted)')) ORDER BY rank")
        #expect(among == all.filter { wanted.contains($0) } && among.count > 100)
        let after = try Int64.fetchAll(
            db, sql: "SELECT rowid \(query) AND rank > ? ORDER BY rank LIMIT 30", arguments: [ranks[40]])
        #expect(after == zip(all, ranks).filter { $0.1 > ranks[40] }.prefix(30).map(\.0) && after.count == 30)
    }

    @Test(arguments: ["value*", "value OR value*", "valu OR valu*"], ["bm25(1.0, 1.0)", "bm25(10.0, 1.0)"])
    func `few rows are held, and few blocks are ranked`(query: String, rank: String) throws {
        try create()
        try db.execute(
            sql: """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
                INSERT INTO t(a) SELECT 'value value value value value valu' FROM n;
                INSERT INTO t(t) VALUES ('optimize');
                """)
        let before = work.rankedUnits
        let found = try Int64.fetchAll(
            db, sql: "SELECT rowid FROM t WHERE t MATCH ? AND rank MATCH ? ORDER BY rank LIMIT 10",
            arguments: [query, rank])
        #expect(found.count == 10)
        #expect((1...Self.otherCount + 30).contains(work.mostHeldDocuments), "\(work.mostHeldDocuments)")
        let units = work.rankedUnits - before
        #expect((1...Self.otherCount / 128 + 8).contains(units), "\(units)")
    }

    /// The blocks of `value` are those of its prefix, too, and lead once in each of two batches.
    @Test func `a word and its prefix are not gone through twice`() throws {
        try create()
        try db.execute(sql: "INSERT INTO t(t) VALUES ('optimize')")
        let count = try Int64.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'value'").count
        let before = work.rankedUnits
        let all = try Int64.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'value OR value*' ORDER BY rank")
        #expect(all.count > count)
        let units = work.rankedUnits - before
        let blockCount = count / 128 + Self.otherCount / 128 + 2
        #expect((blockCount...blockCount * 2).contains(units), "\(units) of \(blockCount)")
    }
}
