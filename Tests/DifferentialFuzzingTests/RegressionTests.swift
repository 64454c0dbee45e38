import DifferentialFuzzing
import Testing

/// Scripts whose results once differed from FTS5's, as the fuzzer shortened them.
@Suite("Differences that the fuzzer found")
struct RegressionTests {
    static let scripts: [[String]] = [
        // An error of one statement was reported for the next one's conflict.
        [
            "CREATE VIRTUAL TABLE t USING fts5(a)", "INSERT INTO t(rowid, a) VALUES (14, 'ab')",
            "INSERT INTO t(t, rank) VALUES ('usermerge', 1)", "INSERT INTO t(rowid, a) VALUES (14, 'ab')",
        ],
        // A rank function was parsed before the query, and for scans.
        [
            "CREATE VIRTUAL TABLE t USING fts5(a)", "INSERT INTO t VALUES ('apple')",
            "SELECT rowid FROM t WHERE a = 'apple' AND rank MATCH 'bm25' ORDER BY rank",
            "SELECT rowid FROM t WHERE t MATCH '' AND rank MATCH 'x(' ORDER BY rank",
            "SELECT rowid FROM t WHERE t MATCH 'apple' AND rank MATCH 'x(' ORDER BY rank",
        ],
        // A rank function that does not exist was not an error if one rowid was asked for, or none.
        [
            "CREATE VIRTUAL TABLE t USING fts5(a)",
            "SELECT rowid FROM t WHERE t MATCH 'apple' AND rowid IN (3, 8) AND rank MATCH 'nosuch()' ORDER BY rank",
            "SELECT rowid FROM t WHERE t MATCH 'apple' AND rowid BETWEEN 9 AND 7 AND rank MATCH 'nosuch()' ORDER BY rank",
        ],
        // A snippet without a query is the whole text.
        [
            "CREATE VIRTUAL TABLE t USING fts5(a)", "INSERT INTO t VALUES ('naive b a d')",
            "SELECT snippet(t, -1, '<b>', '</b>', '', 3), snippet(t, 0, '', '', '...', 0) FROM t",
        ],
        // The phrases of a second MATCH come first.
        [
            "CREATE VIRTUAL TABLE t USING fts5(a, tokenize='trigram')", "INSERT INTO t VALUES ('the apples')",
            "SELECT snippet(t, -1, '', '', '', 3) FROM t WHERE t MATCH 'appl' AND t MATCH '(app)'",
        ],
        // Rows written before a savepoint were lost with a rollback that undid a change of the schema.
        [
            "CREATE VIRTUAL TABLE t USING fts5(a)", "BEGIN", "CREATE TABLE x(y)", "INSERT INTO t VALUES ('one')",
            "SAVEPOINT s", "ROLLBACK TO s", "SELECT rowid FROM t('one')", "INSERT INTO t VALUES ('one')",
            "SELECT rowid FROM t('one')", "COMMIT", "SELECT rowid FROM t('one')",
            "INSERT INTO t(t) VALUES ('integrity-check')",
        ],
        [
            "CREATE VIRTUAL TABLE t USING fts5(a)", "BEGIN", "INSERT INTO t VALUES ('one')", "SAVEPOINT s",
            "ALTER TABLE t RENAME TO t2", "ROLLBACK TO s", "SELECT rowid FROM t('one')", "COMMIT",
            "SELECT rowid FROM t('one')",
        ],
        // Rows of the same score were missing if a weight allows no bounds and a later segment has lower rowids.
        [
            "CREATE VIRTUAL TABLE t USING fts5(a)", "INSERT INTO t(t, rank) VALUES ('rank', 'bm25(-1)')",
            """
            WITH RECURSIVE s(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM s WHERE n < 300)
            INSERT INTO t(rowid, a) SELECT n, 'running' FROM s WHERE n NOT BETWEEN 30 AND 90
            """,
            "INSERT INTO t(rowid, a) SELECT rowid + 30, a FROM t WHERE rowid < 30",
            "SELECT rowid, rank FROM t WHERE t MATCH 'running*' ORDER BY rank LIMIT -1",
            "SELECT rowid FROM t WHERE t MATCH 'running' ORDER BY rank LIMIT 20 OFFSET 25",
        ],
    ]

    @Test(arguments: scripts)
    func `scripts that differed give the same`(statements: [String]) throws {
        let script = FuzzScript(steps: statements.map { FuzzStep($0) }, isFile: false)
        let difference = try FuzzRun(.engine).difference(in: script)
        #expect(difference == nil, "\(statements[difference?.step ?? 0])\n\(String(describing: difference))")
    }
}
