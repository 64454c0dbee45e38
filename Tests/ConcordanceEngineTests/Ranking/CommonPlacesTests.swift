import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite
import TestSupport
import Testing

@Suite("Places of common phrases")
struct CommonPlacesTests {
    private let db: Database

    /// As many rows as it takes: more than half have a word that begins with `the`, and more than half have `of`.
    init() throws {
        db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try ConcordanceRanking.register(on: db)
        try fill(RowScorer.commonCount * 2 + 1)
    }

    private func fill(_ count: Int) throws {
        for module in ["concordance", "fts5"] {
            let name = module == "fts5" ? "f" : "t"
            try db.execute(
                sql: """
                    DROP TABLE IF EXISTS \(name);
                    CREATE VIRTUAL TABLE \(name) USING \(module)(a, content='', prefix='1');
                    INSERT INTO \(name)(rowid, a) VALUES (1, 'alpha the beta then'), (2, 'alpha other beta the'),
                        (3, 'the then the'), (4, 'alpha x theme'), (5, 'the of'), (6, 'of x the'), (7, 'alpha beta');
                    WITH RECURSIVE n(i) AS (SELECT 8 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                    INSERT INTO \(name)(rowid, a)
                    SELECT i, iif(i % 2, 'of ' || iif(i % 4 = 1, 'then', 'the x theme'), iif(i % 20, 'x y', 'of x')) FROM n;
                    """)
        }
    }

    /// The proximity of each phrase in each row that matches.
    private func proximities(_ match: String, _ row: Int, in table: String = "t") throws -> [Double] {
        try Double.fetchAll(
            db,
            sql: """
                SELECT phrase.value ->> 'proximity' FROM \(table),
                    json_each(concordance_explain(\(table), 1.2, 0.75, NULL, 0, 1), '$.phrases') AS phrase
                WHERE \(table) MATCH ? AND \(table).rowid = ?
                """, arguments: [match, row])
    }

    @Test(arguments: ["t", "f"])
    func `do not count beside a rarer phrase, and hide no neighbour of it`(table: String) throws {
        let alone = try proximities("alpha beta", 2, in: table)
        #expect(alone.count == 2 && alone.allSatisfy { $0 > 0 })
        // "alpha the beta" as "alpha other beta"
        let beside = try proximities("alpha AND beta AND the*", 1, in: table)
        #expect(beside.count == 3 && Array(beside.prefix(2)) == alone && beside[2] == 0)
        #expect(try proximities("the* alpha", 4, in: table) == [0, 0])
        #expect(try proximities("alpha the*", 4, in: table) == [0, 0])
    }

    @Test func `count in a row that has no rarer phrase`() throws {
        for row in [5, 6] {
            let found = try proximities("the* OR of OR alpha", row)
            #expect(found.count == 3 && found[0] > 0 && found[1] > 0, "\(row)")
        }
    }

    /// Rows 1 and 2 have `alpha`, `beta` and a word that begins with `the`.
    @Test func `are not read beside a rarer phrase`() throws {
        let work = QueryWork.of(db)
        func placedHits(_ match: String) throws -> Int {
            let before = work.placedHits
            let rowIDs = try Int64.fetchAll(
                db, sql: "SELECT rowid FROM t WHERE t MATCH ? AND rank MATCH ? ORDER BY rank",
                arguments: [match, "concordance_rank(1.2, 0.75, 8.0, 0.0, 0.3)"])
            #expect(rowIDs.count > 1)
            return work.placedHits - before
        }
        #expect(try placedHits("alpha AND beta AND the*") == 4)
        // Nothing can be near `alpha`.
        #expect(try placedHits("alpha AND the*") == 0)
        #expect(try placedHits("of AND the*") > 1000)
    }

    @Test func `count in a small table`() throws {
        try fill(RowScorer.commonCount)
        let found = try proximities("alpha AND beta AND the*", 1)
        #expect(found.count == 3 && found.allSatisfy { $0 > 0 })
    }

    @Test(arguments: [
        "alpha OR the* OR beta", "(alpha OR alpha*) AND (the OR the*)", "of the*", "the* OR of", "x AND the*",
        "NEAR(of the*) OR x", "(of NOT alpha) AND t*", "then OR theme OR of",
    ])
    func `ranked rows are those of the function, also of FTS5`(match: String) throws {
        for arguments in ["1.2, 0.75, 8.0, 0.0, 0.3", "1.2, 0.75, NULL, 2.0, 0.0", "1.2, 0.75, NULL, 1.0, 1.0"] {
            func rows(_ sql: String, _ values: StatementArguments) throws -> [[DatabaseValue]] {
                try Row.fetchAll(db, sql: sql, arguments: values).map(\.databaseValues)
            }
            for limit in [3, 30, 5000] {
                let (t, f) = try (
                    rows(
                        """
                        SELECT rowid, concordance_rank(t, \(arguments)) FROM t WHERE t MATCH ? ORDER BY 2, 1 LIMIT \(limit)
                        """, [match]),
                    rows(
                        """
                        SELECT rowid, concordance_rank(f, \(arguments)) FROM f WHERE f MATCH ? ORDER BY 2, 1 LIMIT \(limit)
                        """, [match])
                )
                let found = try rows(
                    "SELECT rowid, rank FROM t WHERE t MATCH ? AND rank MATCH ? ORDER BY rank LIMIT \(limit)",
                    [match, "concordance_rank(\(arguments))"])
                #expect(found == t && t == f && !found.isEmpty, "\(match), \(arguments), \(limit)")
            }
        }
    }
}
