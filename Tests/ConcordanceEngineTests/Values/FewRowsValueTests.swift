import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// Where a query leaves few rows, their values are tested one by one, and otherwise page by page.
@Suite("Conditions on the values of few rows")
struct FewRowsValueTests {
    /// In two segments, of three pages and of one. `rare` is in 24 rows, `some` in half of them.
    private static func table() throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE TABLE p(id INTEGER PRIMARY KEY, body, n, path);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
                INSERT INTO p SELECT i, iif(i / 500 % 2, 'some ', '') || iif(i % 500 = 7, 'rare word ', 'word ') || hex(i),
                    iif(i % 7, i % 100, NULL), 'path ' || (i % 13) FROM n;
                CREATE VIRTUAL TABLE t USING concordance(body, n VALUE, path VALUE);
                INSERT INTO t(t, rank) VALUES ('automerge', 0);
                INSERT INTO t(rowid, body, n, path) SELECT * FROM p WHERE id <= 9000;
                INSERT INTO t(rowid, body, n, path) SELECT * FROM p WHERE id > 9000;
                DELETE FROM t WHERE rowid IN (507, 508, 11007);
                """)
        return db
    }

    private static let conditions = [
        "n = 7", "n > 50", "n BETWEEN 3 AND 60", "n IS NULL", "n IS NOT NULL", "n IN (7, 57, 'x')", "path = 'path 3'",
        "path >= 'path 5' AND n < 80", "path IN ('path 1', 'path 7') AND n > 0", "n > 1000", "n = 7 AND n = 8",
    ]

    @Test(arguments: [
        "rare", "rare AND some", "rare + word", "NEAR(rare word, 3)", "rare NOT some", "some", "rar*", "^rare",
    ])
    func `are those of all rows, in any order`(query: String) throws {
        let db = try Self.table()
        let all = try Int.fetchAll(db, sql: "SELECT rowid FROM t(?) ORDER BY rowid", arguments: [query])
        let ranked = try Int.fetchAll(db, sql: "SELECT rowid FROM t(?) ORDER BY rank, rowid", arguments: [query])
        #expect((all.count > 10 && all.count < 40) || query == "some")
        for condition in Self.conditions {
            let passing = Set(try Int.fetchAll(db, sql: "SELECT id FROM p WHERE \(condition)"))
            for limit in [
                "", " AND rowid BETWEEN 5000 AND 11000", " AND rowid IN (7, 1007, 9507, 4)", " AND rowid = 1507",
            ] {
                let allowed = Set(try Int.fetchAll(db, sql: "SELECT rowid AS rowid FROM p WHERE 1\(limit)"))
                let sql = "SELECT rowid FROM t WHERE t MATCH ? AND \(condition)\(limit) ORDER BY "
                func rows(_ order: String) throws -> [Int] {
                    try Int.fetchAll(db, sql: sql + order, arguments: [query])
                }
                func kept(_ rows: [Int]) -> [Int] { rows.filter { passing.contains($0) && allowed.contains($0) } }
                #expect(try rows("rowid") == kept(all), "\(condition)\(limit)")
                #expect(try rows("rank, rowid") == kept(ranked), "\(condition)\(limit)")
                #expect(try rows("n, rowid").sorted() == kept(all), "\(condition)\(limit)")
            }
        }
    }

    /// The first segment has 9,000 documents and the second 3,000; `rare` is in 18 and 6 of them, some of which are removed.
    @Test(arguments: [
        ("rare", "", 24), ("rar*", "", 12_000), ("rare AND wor*", "", 24), ("wor* NOT some", "", 12_000),
        ("rare NOT wor*", "", 24), ("rare OR wor*", "", 12_000), ("some", "", 12_000),
        ("some", " AND rowid IN (650, 651, 9650)", 3), ("word", " AND rowid = 750", 1),
    ])
    func `are tested for these rows only`(query: String, limit: String, count: Int) throws {
        let db = try Self.table()
        let work = QueryWork.of(db)
        for order in ["rowid", "rank"] {
            let before = work.testedDocuments
            let sql =
                "SELECT rowid FROM t WHERE t MATCH ? AND n <> 'x' AND n > \(order == "rank" ? 2 : 3)\(limit) ORDER BY \(order)"
            #expect(try Int.fetchAll(db, sql: sql, arguments: [query]).isEmpty == (query == "rare NOT wor*"))
            #expect(work.testedDocuments - before == count)
        }
    }

    /// `one two` is in 20 rows of 6,400, and its words in all; of the two synonyms, 13 rows have one, and 10 the other.
    @Test(arguments: [("\"rare|scarce\"", 23), ("\"one two\"", 20)])
    func `are few for synonyms, and for a phrase whose rows are known`(query: String, count: Int) throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        db.add(tokenizer: SynonymTokenizer.self)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(body, n VALUE, tokenize='synonyms');
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6400)
                INSERT INTO t(rowid, body, n) SELECT i, CASE WHEN i % 500 = 7 THEN 'rare ' WHEN i % 640 = 9 THEN 'scarce '
                    ELSE '' END || iif(i % 320 = 3, 'one two', 'two one'), i FROM n;
                """)
        // Counts the rows of the phrase.
        _ = try Int.fetchAll(db, sql: "SELECT rowid FROM t(?) ORDER BY rank LIMIT 1", arguments: [query])
        _ = try Int.fetchAll(db, sql: "SELECT rowid FROM t(?) ORDER BY rank", arguments: [query])
        let work = QueryWork.of(db)
        let before = work.testedDocuments
        let sql = "SELECT rowid FROM t WHERE t MATCH ? AND n > 0"
        #expect(try Int.fetchAll(db, sql: sql, arguments: [query]).count == count)
        #expect(work.testedDocuments - before == count)
    }

    /// Documents of a condition are kept for the next query, unless they were only looked for in few.
    @Test func `are not taken for those of all rows`() throws {
        let db = try Self.table()
        func count(_ query: String) throws -> Int? {
            try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH ? AND n = 7", arguments: [query])
        }
        let few = try count("rare")
        let many = try count("some")
        #expect(try count("rare") == few && count("some") == many)
        #expect(try #require(many) > 40 && #require(few) < 24)
    }
}
