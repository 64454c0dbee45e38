import ConcordanceEngine
import ConcordanceSQLite
import TestSupport
import Testing

/// SQLite reads the schema again when a part of it is renamed or undone, and then connects a table a second time within
/// one transaction.
@Suite("The schema changes in a transaction that has written to a full-text table")
struct SchemaChangeTests {
    private static let looks = [
        "SELECT rowid, * FROM t", "SELECT rowid FROM t('one')", "SELECT rowid FROM t('two') ORDER BY rank",
        "INSERT INTO t(t) VALUES ('integrity-check')",
    ]

    @Test(arguments: [
        ["INSERT INTO t(rowid, a) VALUES (2, 'two')", "SAVEPOINT s", "ROLLBACK TO s"],
        ["INSERT INTO t(rowid, a) VALUES (2, 'two')", "ALTER TABLE other RENAME TO another"],
        [
            "INSERT INTO t(rowid, a) VALUES (2, 'two')", "ALTER TABLE other RENAME TO another",
            "UPDATE t SET a = 'two two' WHERE rowid IN (1, 2)", "INSERT INTO t(rowid, a) VALUES (3, 'one two')",
        ],
        [
            "SAVEPOINT s", "INSERT INTO t(rowid, a) VALUES (2, 'two')", "ALTER TABLE other RENAME TO another",
            "INSERT INTO t(rowid, a) VALUES (3, 'one two')", "DELETE FROM t WHERE rowid = 2", "ROLLBACK TO s",
        ],
        [
            "INSERT INTO t(rowid, a) VALUES (2, 'two')", "SAVEPOINT s", "ALTER TABLE t RENAME TO t2",
            "ALTER TABLE t2 RENAME TO t", "INSERT INTO t(rowid, a) VALUES (3, 'two')", "ROLLBACK TO s",
        ],
        [
            "INSERT INTO t(rowid, a) VALUES (2, 'two')", "SAVEPOINT s", "ALTER TABLE t RENAME TO t2",
            "ALTER TABLE t2 RENAME TO t", "ROLLBACK TO s", "INSERT INTO t(rowid, a) VALUES (3, 'two')",
            "UPDATE t SET b = 'one'",
        ],
        [
            "INSERT INTO t(rowid, a) VALUES (2, 'two')", "SAVEPOINT s", "ALTER TABLE t RENAME TO t2",
            "INSERT INTO t2(rowid, a) VALUES (3, 'two')", "ROLLBACK TO s", "INSERT INTO t(rowid, a) VALUES (4, 'two')",
        ],
        [
            "INSERT INTO t(rowid, a) VALUES (2, 'two')", "SAVEPOINT s", "INSERT INTO t(rowid, a) VALUES (3, 'two')",
            "DROP TABLE t", "ROLLBACK TO s",
        ],
        [
            "INSERT INTO t(rowid, a) VALUES (2, 'two')", "DROP TABLE t", "CREATE VIRTUAL TABLE t USING MODULE(a, b)",
            "INSERT INTO t(rowid, a) VALUES (7, 'one')",
        ],
        [
            "INSERT INTO t(rowid, a) VALUES (2, 'two')", "ALTER TABLE t RENAME TO t2",
            "INSERT INTO t2(rowid, a) VALUES (3, 'two')", "CREATE VIRTUAL TABLE t USING MODULE(a, b)",
            "INSERT INTO t(rowid, a) VALUES (9, 'one')", "SELECT rowid FROM t2('two')",
        ],
    ])
    func `rows are those that SQL says`(statements: [String]) throws {
        for end in ["COMMIT", "ROLLBACK"] {
            let both = try SideBySide()
            let before = [
                "CREATE VIRTUAL TABLE t USING MODULE(a, b)", "INSERT INTO t(rowid, a) VALUES (1, 'one')", "BEGIN",
                "CREATE TABLE other(x)",
            ]
            both.check(script: before + statements + Self.looks + [end] + Self.looks)
        }
    }

    /// A savepoint of a statement writes nothing: its rows are one segment.
    @Test func `a statement's savepoints write nothing`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a);
                CREATE TABLE texts(a);
                CREATE TRIGGER insertion AFTER INSERT ON texts BEGIN INSERT INTO t(rowid, a) VALUES (new.rowid, new.a); END;
                BEGIN;
                INSERT INTO texts VALUES ('one');
                INSERT INTO texts VALUES ('two'), ('three');
                COMMIT
                """)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t_data") == 2)
    }
}
