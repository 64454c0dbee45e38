import ConcordanceEngine
import ConcordanceSQLite
import TestSupport
import Testing

/// SQLite creates the objects of tables again when a rollback to a savepoint undoes a change of the schema.
@Suite("A table that SQLite reopens within a transaction")
struct TableReconnectionTests {
    @Test(arguments: [
        ["BEGIN", "CREATE TABLE x(y)", "INSERT INTO t VALUES ('one')", "SAVEPOINT s", "ROLLBACK TO s"],
        ["BEGIN", "INSERT INTO t VALUES ('one')", "SAVEPOINT s", "CREATE TABLE x(y)", "ROLLBACK TO s"],
        [
            "BEGIN", "INSERT INTO t VALUES ('one')", "/* a */ savepoint s", "CREATE TABLE x(y)",
            "INSERT INTO t VALUES ('two')", "ROLLBACK TO s", "INSERT INTO t VALUES ('three')",
        ],
        [
            "BEGIN", "INSERT INTO t VALUES ('one')", "SAVEPOINT s", "ALTER TABLE t RENAME TO t2",
            "ALTER TABLE t2 RENAME TO t", "ROLLBACK TO s",
        ],
        [
            "BEGIN", "INSERT INTO t VALUES ('one')", "SAVEPOINT s", "ALTER TABLE t RENAME TO t2",
            "INSERT INTO t2 VALUES ('two')", "ROLLBACK TO s", "INSERT INTO t VALUES ('three')",
        ],
        [
            "BEGIN", "INSERT INTO t VALUES ('one')", "ALTER TABLE t RENAME TO t2", "INSERT INTO t2 VALUES ('two')",
            "ALTER TABLE t2 RENAME TO t", "INSERT INTO t VALUES ('three')",
        ],
        ["BEGIN", "INSERT INTO t VALUES ('one')", "SAVEPOINT s", "DROP TABLE t", "ROLLBACK TO s"],
        // The savepoint of the first statement is reported, the one around it only when another object joins.
        [
            "BEGIN", "SAVEPOINT s", "INSERT INTO t VALUES ('one'), ('two')", "PRAGMA writable_schema = RESET",
            "INSERT INTO t VALUES ('three')", "ROLLBACK TO s",
        ],
        [
            "BEGIN", "SAVEPOINT s", "INSERT OR REPLACE INTO t(rowid, a) VALUES (1, 'one'), (2, 'two')",
            "PRAGMA writable_schema = RESET", "INSERT INTO t(t) VALUES ('optimize')", "SAVEPOINT s2", "ROLLBACK TO s",
            "INSERT INTO t VALUES ('three'), ('two')",
        ],
        [
            "BEGIN", "INSERT INTO t VALUES ('one')", "DROP TABLE t", "CREATE VIRTUAL TABLE t USING MODULE(a)",
            "INSERT INTO t VALUES ('two')",
        ],
        [
            "CREATE VIEW v AS SELECT nosuch FROM nowhere", "BEGIN", "INSERT INTO t VALUES ('one')",
            "ALTER TABLE t RENAME TO t2", "INSERT INTO t VALUES ('two')",
        ],
        [
            "SAVEPOINT s", "INSERT INTO t VALUES ('one')", "SAVEPOINT s2", "INSERT INTO t VALUES ('two')",
            "CREATE TABLE x(y)", "SAVEPOINT s3", "DELETE FROM t WHERE rowid = 1", "ROLLBACK TO s3", "ROLLBACK TO s2",
            "INSERT INTO t VALUES ('three')", "RELEASE s",
        ],
    ])
    func `has the rows that were written before`(statements: [String]) throws {
        for ending in [["COMMIT"], ["ROLLBACK"]] {
            let both = try SideBySide()
            var history = ["CREATE VIRTUAL TABLE t USING MODULE(a)", "INSERT INTO t VALUES ('zero')"]
            both.check(script: history)
            for statement in statements + ending {
                both.check(statement, after: history)
                history.append(statement)
            }
            for look in [
                "SELECT rowid, * FROM t", "SELECT rowid FROM t WHERE t MATCH 'zero OR one OR two OR three'",
                "INSERT INTO t(t) VALUES ('integrity-check')",
            ] {
                both.check(look, after: history)
            }
        }
    }

    /// SQLite keeps an object that has changed a table until the transaction ends, and has it write its rows, although the
    /// table may be dropped by then, have another name, or be gone with a rollback. Here FTS5 fails or is damaged.
    @Test(arguments: [
        // Another object drops the table.
        (
            [
                "INSERT INTO t VALUES ('q')", "SAVEPOINT s", "CREATE TABLE x(y)", "ROLLBACK TO s",
                "INSERT INTO t VALUES ('q')", "DROP TABLE t", "COMMIT", "CREATE VIRTUAL TABLE t USING concordance(a)",
            ], []
        ),
        (
            [
                "INSERT INTO t VALUES ('q')", "PRAGMA writable_schema = RESET", "DROP TABLE t", "SAVEPOINT s", "COMMIT",
                "CREATE VIRTUAL TABLE t USING concordance(a)",
            ], []
        ),
        (
            [
                "INSERT INTO t VALUES ('q')", "SAVEPOINT s", "CREATE TABLE x(y)", "ROLLBACK TO s",
                "INSERT INTO t VALUES ('q')", "DROP TABLE t", "CREATE VIRTUAL TABLE t USING concordance(a)", "COMMIT",
            ], []
        ),
        (
            [
                "INSERT INTO t VALUES ('q')", "PRAGMA writable_schema = RESET", "DROP TABLE t",
                "CREATE VIRTUAL TABLE t USING concordance(a, detail = column)", "INSERT INTO t VALUES ('q')", "COMMIT",
            ], [1]
        ),
        // The savepoint of before the table was created is unknown to it.
        (
            [
                "SAVEPOINT s", "CREATE VIRTUAL TABLE u USING concordance(a)", "INSERT INTO u VALUES ('q')",
                "ROLLBACK TO s", "COMMIT",
            ], []
        ),
        (
            [
                "SAVEPOINT s", "DROP TABLE t", "CREATE VIRTUAL TABLE t USING concordance(a)",
                "INSERT INTO t VALUES ('q')", "ROLLBACK TO s", "COMMIT",
            ], []
        ),
        (
            [
                "INSERT INTO t VALUES ('q')", "DELETE FROM t WHERE rowid = 1", "SAVEPOINT s", "DROP TABLE t",
                "CREATE VIRTUAL TABLE t USING concordance(a)", "INSERT INTO t VALUES ('q')", "ROLLBACK TO s",
                "INSERT INTO t VALUES ('q')", "COMMIT",
            ], [2, 3]
        ),
        (
            [
                "INSERT INTO t VALUES ('q')", "SAVEPOINT s", "CREATE TABLE x(y)", "ROLLBACK TO s",
                "INSERT INTO t VALUES ('q')", "DELETE FROM t WHERE rowid = 1", "SAVEPOINT s2", "DROP TABLE t",
                "CREATE VIRTUAL TABLE t USING concordance(a)", "INSERT INTO t VALUES ('q')", "ROLLBACK TO s2",
                "INSERT INTO t VALUES ('q')", "COMMIT",
            ], [2, 3, 4]
        ),
        (
            [
                "INSERT INTO t VALUES ('q')", "SAVEPOINT s", "ALTER TABLE t RENAME TO u",
                "CREATE VIRTUAL TABLE t USING concordance(a)", "INSERT INTO t VALUES ('q')",
                "INSERT INTO u VALUES ('q')",
                "ROLLBACK TO s", "INSERT INTO t VALUES ('q')", "COMMIT",
            ], [2, 3]
        ),
        (
            [
                "INSERT INTO t VALUES ('q')", "ALTER TABLE t RENAME TO u", "ALTER TABLE u RENAME TO t",
                "DELETE FROM t WHERE rowid = 2", "COMMIT",
            ], []
        ),
    ])
    func `does not write into another`(statements: [String], expected: [Int]) throws {
        for isSecure in [0, 1] {
            let db = try Database(path: ":memory:")
            try ConcordanceModule.register(on: db)
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE t USING concordance(a); CREATE TABLE p(x);
                    INSERT INTO t(t, rank) VALUES ('secure-delete', \(isSecure));
                    INSERT INTO t VALUES ('zero'); BEGIN; INSERT INTO p VALUES (1)
                    """)
            for statement in statements { try db.execute(sql: statement) }
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('q') ORDER BY rowid") == expected)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM p") == 1)
            try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        }
    }

    @Test func `shares its index with the object that wrote, although it could not be dropped`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a); CREATE TABLE p(x);
                INSERT INTO t VALUES ('x'), ('x'), ('x'); INSERT INTO p VALUES (1), (2)
                """)
        // SQLite drops no table while another is being read.
        try db.makeStatement(sql: "SELECT x FROM p").forEachRow { _ in
            #expect(throws: DatabaseError.self) { try db.execute(sql: "DROP TABLE t") }
        }
        try db.execute(
            sql: """
                BEGIN; INSERT INTO t VALUES ('q'); PRAGMA writable_schema = RESET; INSERT INTO t VALUES ('q');
                UPDATE t SET a = 'q' WHERE rowid = 1; COMMIT; INSERT INTO t(t) VALUES ('integrity-check')
                """)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('q') ORDER BY rowid") == [1, 4, 5])
    }

    /// A statement keeps the object that it was prepared with, to which SQLite then tells nothing of the drop.
    @Test(arguments: [
        (["SAVEPOINT s", "CREATE TABLE x(y)", "ROLLBACK TO s"], ["DROP TABLE t", "ROLLBACK"], [2]),
        (["PRAGMA writable_schema = RESET"], ["DROP TABLE t", "ROLLBACK"], [2]),
        (
            ["SAVEPOINT s", "CREATE TABLE x(y)", "ROLLBACK TO s"],
            ["SAVEPOINT q", "INSERT INTO t VALUES ('x')", "DROP TABLE t", "ROLLBACK TO q", "COMMIT"], [2, 3]
        ),
    ])
    func `has nothing of a drop that is rolled back`(reopening: [String], dropping: [String], expected: [Int]) throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a); BEGIN")
        let kept = try db.makeStatement(sql: "INSERT INTO t VALUES ('y')")
        try kept.execute()
        for statement in reopening + ["INSERT INTO t VALUES ('x')", "COMMIT", "BEGIN", "INSERT INTO t VALUES ('x')"] {
            try db.execute(sql: statement)
        }
        for statement in dropping { try db.execute(sql: statement) }
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('x') ORDER BY rowid") == expected)
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check'); INSERT INTO t VALUES ('x')")
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('x')").count == expected.count + 1)
        withExtendedLifetime(kept) {}
    }

    /// SQLite does not tell the object of a table whose creation it undoes, which has staged rows, and then asks it for a
    /// savepoint while the next table of that name is half created.
    @Test func `can be created again after its creation is undone`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        let statements = [
            "CREATE VIRTUAL TABLE t USING concordance(a)", "BEGIN", "SAVEPOINT s", "DROP TABLE t",
            "CREATE VIRTUAL TABLE t USING concordance(a)", "INSERT INTO t VALUES ('x')", "SELECT rowid FROM t('x')",
            "ROLLBACK TO s", "DROP TABLE t", "CREATE VIRTUAL TABLE t USING concordance(a)",
            "INSERT INTO t VALUES ('x')",
            "COMMIT", "INSERT INTO t(t) VALUES ('integrity-check')",
        ]
        for statement in statements { try db.execute(sql: statement) }
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('x')") == [1])
    }

    @Test func `is erased with a new name where deleted text must not stay`() throws {
        let folder = try TemporaryFolder()
        let db = try Database(path: folder["t.db"])
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a, content = '', contentless_delete = 1);
                INSERT INTO t(t, rank) VALUES ('secure-delete', 1); INSERT INTO t(rowid, a) VALUES (1, 'x secretword'), (2, 'x');
                PRAGMA secure_delete = 1;
                BEGIN; DELETE FROM t WHERE rowid = 1; ALTER TABLE t RENAME TO u; COMMIT
                """)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM u('x')") == [2])
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM u_data WHERE instr(block, 'secretword')") == 0)
        try db.execute(sql: "INSERT INTO u(u) VALUES ('integrity-check')")
    }
}
