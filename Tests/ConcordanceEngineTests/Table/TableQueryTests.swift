import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite
import Testing

@Suite("Queries of a full-text table")
struct TableQueryTests {
    private func makeTables(_ options: String = "") throws -> SideBySide {
        let both = try SideBySide()
        both.check(script: ["CREATE VIRTUAL TABLE t USING MODULE(a, b, c UNINDEXED\(options))"])
        let words = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
        func text(_ seed: Int, _ step: Int) -> String {
            (0..<(seed % 7)).map { words[(seed * 31 + $0 * step) % 8] }.joined(separator: " ")
        }
        let rows = (1...60).map { row in
            "(\(row * 3 - 20), '\(text(row, row))', '\(text(row / 2 + 5, row))', 'c\(row)')"
        }
        // In two segments.
        both.check("INSERT INTO t(rowid, a, b, c) VALUES \(rows.prefix(40).joined(separator: ", "))")
        both.check("INSERT INTO t(rowid, a, b, c) VALUES \(rows.dropFirst(40).joined(separator: ", "))")
        return both
    }

    static let queries = [
        "SELECT rowid FROM t WHERE t MATCH 'one'", "SELECT rowid FROM t WHERE t = 'one'", "SELECT rowid FROM t('one')",
        "SELECT rowid, a, b, c FROM t WHERE a MATCH 'one'", "SELECT rowid FROM t WHERE t.b MATCH 'one two'",
        "SELECT rowid FROM t WHERE a MATCH 'one' AND b MATCH 'two'",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND t MATCH 'two' AND t MATCH 'three'",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND a MATCH 'b:two'", "SELECT rowid FROM t WHERE t MATCH ''",
        "SELECT rowid FROM t WHERE t MATCH NULL", "SELECT rowid FROM t WHERE t MATCH '\"\"'",
        "SELECT rowid FROM t WHERE t MATCH '\"\"' AND t MATCH 'one'", "SELECT rowid FROM t WHERE t MATCH 1",
        "SELECT rowid FROM t WHERE t MATCH 'x y z (' ", "SELECT rowid FROM t WHERE t MATCH 'nosuch:one'",
        "SELECT rowid FROM t WHERE c MATCH 'c1'", "SELECT rowid FROM t WHERE rowid MATCH 'x'",
        "SELECT rowid FROM t WHERE a = 'one'", "SELECT rowid FROM t WHERE rank MATCH 'bm25(1,2)'",
        "SELECT rowid, a FROM t WHERE t MATCH '*id'", "SELECT rowid, a FROM t WHERE t MATCH '*  ID x'",
        "SELECT rowid FROM t WHERE t MATCH '*nosuch x'", "SELECT rowid FROM t WHERE t MATCH '*'",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rowid",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rowid DESC",
        "SELECT rowid, rank FROM t WHERE t MATCH 'one' ORDER BY rank",
        "SELECT rowid, rank FROM t WHERE t MATCH 'one' ORDER BY rank DESC",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank LIMIT 3",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank LIMIT 3 OFFSET 4",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank LIMIT -1 OFFSET 4",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank LIMIT 0",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND c LIKE '%1%' ORDER BY rank LIMIT 2",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid IN (1, 4, 7, 10, 13, 16, 19) ORDER BY rank LIMIT 2",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank, rowid DESC",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY bm25(t)",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY a, rowid",
        "SELECT rowid, rank FROM t WHERE t MATCH 'one' AND rank MATCH 'bm25(10.0, 5.0)' ORDER BY rank",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rank = 'bm25(0.0, 5.0)' ORDER BY rank",
        "SELECT rowid, rank FROM t('one', 'bm25(0, 5)') ORDER BY rank",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rank MATCH 'nosuch()'",
        "SELECT rank FROM t WHERE t MATCH 'one' AND rank MATCH 'nosuch()'",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rank MATCH 'nosuch()' ORDER BY rank",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rank MATCH 'bm25'",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rank MATCH 'bm25(a)'",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rank MATCH NULL",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rank MATCH 'bm25(1 2)' ORDER BY rank",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rank MATCH ' bm25 ( 1 , -2.5 ) x' ORDER BY rank",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rank MATCH 'bm25(x''00'', ''a'', null)' ORDER BY rank",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid = 7",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid > 7",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid > 7 AND rowid < 40 ORDER BY rowid DESC",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid BETWEEN 40 AND 7",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid <= 100 AND rowid >= 7 ORDER BY rank",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid = 'x'",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid = 7 ORDER BY rank",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid > 7.5",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid < '30'",
        "SELECT rowid, a FROM t WHERE rowid = 7", "SELECT rowid FROM t WHERE rowid = 8",
        "SELECT rowid FROM t WHERE rowid = NULL",
        "SELECT rowid FROM t WHERE rowid = '7'", "SELECT rowid FROM t WHERE rowid IN (7, 10, 8)",
        "SELECT rowid FROM t WHERE rowid > 100",
        "SELECT rowid FROM t WHERE rowid > 20 AND rowid <= 40 ORDER BY rowid DESC",
        "SELECT rowid FROM t ORDER BY rowid DESC LIMIT 3",
        "SELECT rowid, rank FROM t ORDER BY rank LIMIT 3", "SELECT count(*) FROM t",
        "SELECT count(*) FROM t WHERE t MATCH 'one'",
        "SELECT max(rowid), min(rowid) FROM t", "SELECT a FROM t WHERE t MATCH 'one' GROUP BY a ORDER BY a",
        "SELECT DISTINCT b FROM t WHERE t MATCH 'two' ORDER BY b",
        "SELECT x.rowid, y.rowid FROM t x, t y WHERE x.t MATCH 'one' AND y.t MATCH x.a AND y.rowid > x.rowid",
        "SELECT x.rowid, (SELECT count(*) FROM t WHERE t MATCH 'two' AND rowid < x.rowid) FROM t x WHERE x.t MATCH 'one'",
        "WITH q(m) AS (VALUES ('one'), ('two'), ('three')) SELECT m, rowid FROM q, t(m) ORDER BY m, rowid",
        "SELECT rowid FROM t WHERE t MATCH 'one' OR t MATCH 'two'", "SELECT rowid FROM t WHERE NOT t MATCH 'one'",
        "SELECT rowid FROM t WHERE a LIKE '%one%'", "SELECT rowid FROM t WHERE t MATCH 'on*'",
        "SELECT rowid FROM t WHERE t MATCH '^one'",
        "SELECT rowid FROM t WHERE t MATCH 'NEAR(one two, 2)'", "SELECT rowid FROM t WHERE t MATCH '\"one two\"'",
        "SELECT rowid FROM t WHERE t MATCH '{a b}: one NOT two'", "SELECT rowid FROM t WHERE t MATCH '- a : one'",
        "SELECT rowid FROM (SELECT rowid, rank FROM t WHERE t MATCH 'one') ORDER BY rank, rowid LIMIT 5",
        "SELECT rowid FROM t WHERE t MATCH 'one' UNION SELECT rowid FROM t WHERE t MATCH 'two' ORDER BY 1 LIMIT 5",
        "SELECT (SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank LIMIT 1)",
        "SELECT t.rowid FROM t JOIN (SELECT 7 AS id UNION SELECT 10) ON id = t.rowid WHERE t MATCH 'one' ORDER BY rank LIMIT 1",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank LIMIT 5 OFFSET 1000",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank LIMIT -1 OFFSET 1000",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank LIMIT 0 OFFSET 5",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank LIMIT 2 OFFSET -3",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank LIMIT 9223372036854775807 OFFSET 3",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank LIMIT 3 OFFSET 9223372036854775807",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank LIMIT 9223372036854775807 OFFSET 9223372036854775807",
        // One cursor, with another query, order and limit each time.
        """
        WITH q(m) AS (VALUES ('one'), ('nosuch'), ('two OR three'), ('one')) SELECT m,
            (SELECT group_concat(rowid) FROM (SELECT rowid FROM t WHERE t MATCH m ORDER BY rank LIMIT 3)),
            (SELECT group_concat(rowid) FROM (SELECT rowid FROM t WHERE t MATCH m ORDER BY rank DESC LIMIT 30 OFFSET 2)),
            (SELECT bm25(t) FROM t WHERE t MATCH m ORDER BY rowid DESC LIMIT 1) FROM q
        """,
        // Where a list is empty, SQLite does not ask whether a query is one.
        "SELECT rowid FROM t WHERE t MATCH 'NOT' AND rowid IN (SELECT rowid FROM t WHERE rowid < -100)",
        "SELECT rowid FROM t WHERE t MATCH '' AND rowid IN (SELECT rowid FROM t WHERE t MATCH 'nosuch')",
        "SELECT rowid FROM t WHERE t MATCH 'nosuch : one' AND rowid IN (SELECT NULL) ORDER BY rowid DESC",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rank MATCH 'x(' AND rowid IN (SELECT NULL) ORDER BY rank",
        "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid IN (SELECT NULL UNION SELECT 7) ORDER BY rank",
        "SELECT count(*) FROM t WHERE t MATCH '*nosuch' AND rowid IN (SELECT rowid FROM t WHERE rowid < -100)",
        "SELECT rowid FROM t WHERE t MATCH 'NOT' AND rowid IN (SELECT rowid FROM t WHERE rowid < 10)",
        "SELECT rowid FROM t WHERE t MATCH 'NOT' AND rowid IN (SELECT 'x')",
        "SELECT rowid FROM t WHERE t MATCH 'NOT' AND c IN (SELECT c FROM t WHERE rowid < -100)",
        "SELECT rowid FROM t WHERE rowid IN (SELECT rowid FROM t WHERE rowid < -100)",
        "SELECT rowid FROM t WHERE rowid > 30 AND rowid < 20",
        "SELECT rowid FROM t WHERE t MATCH 'NOT' AND rowid > 30 AND rowid < 20",
        "SELECT bm25(t) FROM t", "SELECT bm25(1000000)", "SELECT bm25(t, 'x') FROM t WHERE t MATCH 'one'",
    ]

    @Test(arguments: queries)
    func `have FTS5's answers and errors`(sql: String) throws {
        for options in ["", ", prefix='1 2'", ", content=''", ", columnsize=0"] {
            try makeTables(options).check(sql)
        }
    }

    @Test(arguments: [
        "rowid > 5 AND rowid < 3", "rowid BETWEEN 4 AND 2 ORDER BY rowid DESC", "rowid > 2", "rowid = 2",
        "rowid = NULL",
        "rowid IN ()", "rowid IN (SELECT 2 WHERE 0)", "rowid IN (NULL, NULL)", "rowid IN ('x')", "rowid IN (1, 2)",
        "rowid IN (1, 2) AND rowid > 5 AND rowid < 3", "rank < 1 AND rank > 5", "1", "0",
    ])
    func `have FTS5's errors where the table cannot be scanned`(condition: String) throws {
        let both = try SideBySide()
        both.check(script: [
            "CREATE VIRTUAL TABLE t USING MODULE(a, content='', columnsize=0)",
            "INSERT INTO t(rowid, a) VALUES (1, 'one'), (2, 'two')", "SELECT rowid FROM t WHERE \(condition)",
        ])
    }

    @Test(arguments: queries)
    func `have FTS5's answers without positions`(sql: String) throws {
        for options in [", detail=column", ", detail=none"] { try makeTables(options).check(sql) }
    }

    @Test(arguments: [
        "LIKE '%bcd%'", "LIKE 'abc%'", "LIKE '%BCD%'", "LIKE 'a_cdef%'", "LIKE 'ab'", "LIKE '%'", "GLOB '*bcd*'",
        "GLOB '*BCD*'",
        "GLOB '*[bc]cde*'", "GLOB 'abc[^x]ef*'", "GLOB '*[]]abc*'", "LIKE '%def ghi%'", "LIKE '%\"quo%'", "LIKE NULL",
        "GLOB '*bcd*xyz*'",
        "LIKE '%bcd%xyz%'", "GLOB '*abc[*'", "NOT LIKE '%bcd%'", "LIKE '%grü%'", "LIKE '%bcd%' AND t MATCH 'xyz'",
    ])
    func `by LIKE and GLOB use trigrams`(condition: String) throws {
        for options in ["trigram", "trigram case_sensitive 1"] {
            for detail in ["full", "column", "none"] {
                let both = try SideBySide()
                both.check(script: [
                    "CREATE VIRTUAL TABLE t USING MODULE(a, b, tokenize='\(options)', detail=\(detail))",
                    "INSERT INTO t VALUES ('abcdef', 'xyz'), ('ABCDEF', 'bcd'), ('abxdef ghi', 'say \"quote\" here'), ('xyz', 'abcdefghi')",
                    "INSERT INTO t VALUES ('grüner', ''), ('GRÜN', 'x]abc'), (NULL, 'bcd'), ('bcd xyz', 'bcdxyz')",
                    "SELECT rowid FROM t WHERE a \(condition)",
                    "SELECT rowid FROM t WHERE a \(condition) ORDER BY rowid DESC",
                    "SELECT rowid FROM t WHERE b \(condition) AND a LIKE '%x%'",
                ])
            }
        }
    }

    /// What is kept for a row must not be mistaken for the next one's, wherever SQLite goes over rows by itself.
    @Test func `can look at some of the rows only`() throws {
        let both = try SideBySide()
        both.check(script: ["CREATE VIRTUAL TABLE t USING MODULE(a, b)"])
        // In three segments whose rowids alternate.
        for first in [0, 600, 1000] {
            both.check(
                """
                WITH RECURSIVE n(i) AS (VALUES (\(first)) UNION ALL SELECT i + 1 FROM n WHERE i < \(first) + \(first == 0 ? 599 : 399))
                INSERT INTO t(rowid, a, b)
                SELECT i * 7 % 1601, 'one ' || i, CASE i % 4 WHEN 0 THEN 'one one' WHEN 1 THEN 'two' END FROM n
                """)
        }
        let values = [
            "a", "rank", "bm25(t, 2.0)", "highlight(t, 1, '[', ']')", "highlight(t, 0, '[', ']') || a || rank",
            "snippet(t, -1, '[', ']', '', 4)",
        ]
        for value in values {
            for condition in ["rowid % 3 = 0", "rowid % 2", "b IS NULL", "rowid > 1200"] {
                for order in ["", " ORDER BY rowid DESC"] {
                    both.check(
                        "SELECT rowid, CASE WHEN \(condition) THEN \(value) END FROM t WHERE t MATCH 'one'\(order)")
                }
            }
            both.check("SELECT rowid, \(value) FROM t WHERE t MATCH 'one NOT two' AND rowid BETWEEN 100 AND 420")
            both.check("SELECT x.rowid, \(value.replacing("t,", with: "x,")) FROM t('two') y, t('one') x LIMIT 2000")
        }
    }

    @Test func `by rank follow the setting`() throws {
        let both = try makeTables()
        let query = "SELECT rowid, rank FROM t WHERE t MATCH 'one two' ORDER BY rank"
        both.check(script: [
            "INSERT INTO t(t, rank) VALUES ('rank', 'bm25(10.0, 0.0)')", query,
            "INSERT INTO t(t, rank) VALUES ('rank', 'nonsense')", query,
            "INSERT INTO t(t, rank) VALUES ('rank', 'nosuch()')", query,
            "INSERT INTO t(t, rank) VALUES ('rank', 'bm25(0.5)')", query, "SELECT rowid FROM t WHERE t MATCH 'one'",
        ])
        // FTS5 has trouble with its setting after a rollback.
        let before = SideBySide.outcome(of: query, on: both.engine)
        try both.engine.execute(sql: "BEGIN; INSERT INTO t(t, rank) VALUES ('rank', 'bm25(0.0, 1.0)')")
        #expect(SideBySide.outcome(of: query, on: both.engine) != before)
        try both.engine.execute(sql: "ROLLBACK")
        #expect(SideBySide.outcome(of: query, on: both.engine) == before)
    }

    @Test func `by rank follow any auxiliary function`() throws {
        let both = try makeTables()
        let function = FTS5AuxiliaryFunction("places") { context, arguments in
            try context.instanceCount * (Int.fromDatabaseValue(arguments.first ?? .int64(1)) ?? 1)
        }
        for db in [both.fts5, both.engine] { try db.add(auxiliaryFunction: function) }
        for order in ["", " DESC", " LIMIT 3", " DESC LIMIT 3 OFFSET 2"] {
            both.check("SELECT rowid, rank FROM t WHERE t MATCH 'one' AND rank MATCH 'places()' ORDER BY rank\(order)")
            both.check("SELECT rowid, rank FROM t('one two', 'places(-2)') ORDER BY rank\(order)")
        }
        both.check(script: [
            "INSERT INTO t(t, rank) VALUES ('rank', 'PLACES(-1)')",
            "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank",
            "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid > 10 AND rowid < 100 ORDER BY rank DESC",
        ])
        // A function of the app's in place of FTS5's.
        let bm25 = FTS5AuxiliaryFunction("bm25") { context, _ in try -context.instanceCount }
        for db in [both.fts5, both.engine] { try db.add(auxiliaryFunction: bm25) }
        both.check("SELECT rowid, rank FROM t WHERE t MATCH 'two' AND rank MATCH 'bm25()' ORDER BY rank")
    }
}
