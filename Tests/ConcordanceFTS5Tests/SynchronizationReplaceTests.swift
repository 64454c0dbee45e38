import ConcordanceFTS5
import ConcordanceSQLite
import Testing

/// What is done to a table whose rows are (1, 'x', 'one'), (2, 'y', 'two') and (3, 'z', 'three') in `k`, `u` and `a`.
struct Replacement: CustomTestStringConvertible {
    let schema: String
    let sql: String
    /// The texts afterwards.
    let texts: [String]

    var testDescription: String { "\(schema); \(sql)" }

    init(_ schema: String, _ sql: String, _ texts: [String]) {
        self.schema = schema
        self.sql = sql
        self.texts = texts
    }
}

@Suite struct `Rows that REPLACE deletes` {
    private static let integers = "CREATE TABLE t(k INTEGER PRIMARY KEY, u UNIQUE, a, b)"
    private static let texts = "CREATE TABLE t(k TEXT PRIMARY KEY, u UNIQUE, a, b)"

    private func expect(_ replacement: Replacement, recursive: Bool, foreignKeys: Bool = false) throws {
        let t = try Synchronized(
            replacement.schema + "\n; INSERT INTO t(k, u, a) VALUES (1, 'x', 'one'), (2, 'y', 'two'), (3, 'z', 'three')"
        )
        try t.db.execute(sql: "PRAGMA recursive_triggers = \(recursive); PRAGMA foreign_keys = \(foreignKeys)")
        // Some of the statements fail on purpose.
        try? t.db.execute(sql: replacement.sql)
        t.check()
        #expect(try String.fetchAll(t.db, sql: "SELECT a FROM t ORDER BY a") == replacement.texts)
        let found = try String.fetchAll(
            t.db, sql: "SELECT a FROM f WHERE f MATCH 'one OR two OR three OR new' ORDER BY a")
        #expect(found == replacement.texts.filter { $0 != "" })
        // Nothing is left that a later statement would mistake for its own.
        try t.db.execute(sql: "INSERT INTO t(k, u, a) VALUES (77, 'later', 'new'); DELETE FROM t")
        t.check("later")
    }

    @Test(
        arguments: [
            Replacement(integers, "INSERT OR REPLACE INTO t VALUES (2, 'q', 'new', '')", ["new", "one", "three"]),
            Replacement(integers, "REPLACE INTO t(u, a) VALUES ('y', 'new')", ["new", "one", "three"]),
            Replacement(integers, "REPLACE INTO t VALUES (1, 'y', 'new', '')", ["new", "three"]),
            Replacement(integers, "REPLACE INTO t VALUES ('1', 'y', 'new', ''), (3, 'y', 'new', '')", ["new"]),
            Replacement(integers, "UPDATE OR REPLACE t SET k = 2 WHERE k = 1", ["one", "three"]),
            Replacement(integers, "UPDATE OR REPLACE t SET u = 'y' WHERE k = 1", ["one", "three"]),
            Replacement(integers, "UPDATE OR REPLACE t SET k = 3, u = 'y', a = 'new' WHERE k = 1", ["new"]),
            Replacement(integers, "UPDATE OR REPLACE t SET u = 'same', a = 'new ' || a", ["new three"]),
            Replacement(texts, "INSERT OR REPLACE INTO t VALUES (2, 'q', 'new', '')", ["new", "one", "three"]),
            Replacement(texts, "REPLACE INTO t(rowid, k, u, a) VALUES (2, 1, 'z', 'new')", ["new"]),
            Replacement(texts, "UPDATE OR REPLACE t SET rowid = 3 WHERE k = '1'", ["one", "two"]),
            Replacement(texts, "REPLACE INTO t SELECT k, u, 'new', b FROM t WHERE true", ["new", "new", "new"]),
            Replacement(texts, "BEGIN; REPLACE INTO t(k, a) VALUES (1, 'new'); ROLLBACK", ["one", "three", "two"]),
            Replacement(
                texts, "BEGIN; SAVEPOINT s; REPLACE INTO t(k, a) VALUES (1, 'new'); ROLLBACK TO s; COMMIT",
                ["one", "three", "two"]),
        ], [false, true])
    func `leave the index`(replacement: Replacement, recursive: Bool) throws {
        try expect(replacement, recursive: recursive)
    }

    @Test(
        arguments: [
            "INSERT OR IGNORE INTO t VALUES (2, 'q', 'new', '')", "INSERT OR IGNORE INTO t VALUES (7, 'y', 'new', '')",
            "INSERT INTO t VALUES (2, 'x', 'new', '') ON CONFLICT DO NOTHING",
            "INSERT INTO t VALUES (2, 'q', 'new', '')", "INSERT OR FAIL INTO t VALUES (2, 'q', 'new', '')",
            "INSERT OR ABORT INTO t VALUES (9, 'q', 'new', ''), (2, 'w', 'new', '')",
            "BEGIN; INSERT OR ROLLBACK INTO t VALUES (9, 'q', 'new', ''), (2, 'w', 'new', '')",
            "UPDATE OR IGNORE t SET k = 2", "UPDATE OR IGNORE t SET u = 'y', a = 'new' WHERE k = 1",
            "UPDATE t SET k = 2 WHERE k = 1", "UPDATE OR ABORT t SET u = 'y', a = 'new'",
            "INSERT INTO t VALUES (2, 'q', 'new', '') ON CONFLICT DO UPDATE SET b = 5",
            "INSERT INTO t VALUES (2, 'q', 'new', '') ON CONFLICT DO UPDATE SET a = 'new' WHERE false",
            // The note of the first statement must not outlive the row that it is about.
            "INSERT OR IGNORE INTO t(k) VALUES (2); UPDATE t SET a = 'later' WHERE k = 2; UPDATE t SET a = 'two' WHERE k = 2",
            "INSERT OR IGNORE INTO t(k) VALUES (2); DELETE FROM t WHERE k = 2; INSERT INTO t VALUES (2, 'y', 'two', '')",
            "INSERT OR IGNORE INTO t(k) VALUES (2); UPDATE t SET k = 7 WHERE k = 2; UPDATE t SET k = 2 WHERE k = 7",
        ], [integers, texts])
    func `are not those of statements that ignore, update or fail`(sql: String, schema: String) throws {
        for recursive in [false, true] {
            try expect(Replacement(schema, sql, ["one", "three", "two"]), recursive: recursive)
        }
    }

    @Test(
        arguments: [
            Replacement(
                integers, "INSERT OR FAIL INTO t VALUES (9, 'q', 'new', ''), (2, 'w', 'new', '')",
                ["new", "one", "three", "two"]),
            Replacement(integers, "UPDATE OR FAIL t SET k = k + 1 WHERE k > 1 OR k < 0", ["one", "three", "two"]),
            Replacement(
                integers, "INSERT INTO t VALUES (2, 'q', 'new', '') ON CONFLICT DO UPDATE SET a = excluded.a",
                ["new", "one", "three"]),
            Replacement(
                integers,
                "INSERT INTO t VALUES (2, 'q', '', ''), (2, 'q', '', '') ON CONFLICT DO UPDATE SET a = a || ' new'",
                ["one", "three", "two new new"]),
            Replacement(
                integers, "INSERT INTO t VALUES (2, 'q', 'new', '') ON CONFLICT DO UPDATE SET k = 12, a = excluded.a",
                ["new", "one", "three"]),
            Replacement(
                integers, "INSERT OR REPLACE INTO t VALUES (2, 'z', 'new', '') ON CONFLICT(k) DO UPDATE SET u = 'x'",
                ["one", "three", "two"]),
            Replacement(
                integers,
                """
                INSERT OR REPLACE INTO t VALUES (2, 'y', 'two new', ''), (9, 'y', 'new', '')
                ON CONFLICT(k) DO UPDATE SET a = excluded.a
                """, ["new", "one", "three"]),
            Replacement(
                integers, "INSERT OR REPLACE INTO t VALUES (2, 'z', 'new', '') ON CONFLICT(u) DO NOTHING",
                ["one", "three", "two"]),
        ], [false, true])
    func `or do not, as the statement says`(replacement: Replacement, recursive: Bool) throws {
        try expect(replacement, recursive: recursive)
    }

    private static let keyed = "CREATE TABLE t(k TEXT PRIMARY KEY ON CONFLICT REPLACE, u, a, b"

    @Test(
        arguments: [
            Replacement(keyed + ")", "INSERT INTO t(k, a) VALUES (2, 'new')", ["new", "one", "three"]),
            Replacement(keyed + ")", "UPDATE t SET k = 2 WHERE k = '1'", ["one", "three"]),
            Replacement(keyed + ")", "INSERT OR IGNORE INTO t(k, a) VALUES (2, 'new')", ["one", "three", "two"]),
            Replacement(
                keyed + ", UNIQUE (u) ON CONFLICT IGNORE)", "INSERT INTO t VALUES (1, 'y', 'new', '')",
                ["one", "three", "two"]),
            Replacement(
                keyed + ", UNIQUE (u, a) ON CONFLICT REPLACE)", "UPDATE t SET u = 'x', a = 'one' WHERE k = '2'",
                ["one", "three"]),
            // Other collations and affinities than those of the column.
            Replacement(
                keyed + "); CREATE UNIQUE INDEX i ON t(u COLLATE NOCASE)", "REPLACE INTO t VALUES (9, 'Y', 'new', '')",
                ["new", "one", "three"]),
            Replacement(
                keyed + "); CREATE UNIQUE INDEX i ON t(b)",
                "UPDATE t SET b = 5 WHERE k = '2'; REPLACE INTO t(b, a) VALUES (5.0, 'new'), ('5', 'new')",
                ["new", "new", "one", "three"]),
            // Some rows only, and expressions.
            Replacement(
                keyed + "); CREATE UNIQUE INDEX i ON t(b) WHERE u > 'x' -- y and z",
                "UPDATE t SET b = 1 WHERE k <> '2'; REPLACE INTO t VALUES (9, 'z', 'new', 1)", ["new", "one", "two"]),
            Replacement(
                keyed + "); CREATE UNIQUE INDEX i ON t(upper(u) DESC, ifnull(b, 0))",
                "REPLACE INTO t VALUES (9, 'Y', 'new', 0)", ["new", "one", "three"]),
            Replacement(
                keyed + ", n INT); CREATE UNIQUE INDEX i ON t((CASE WHEN n = '1' THEN 'only' END))",
                "UPDATE t SET n = 1 WHERE k = '2'; REPLACE INTO t(k, a, n) VALUES (9, 'new', '1')",
                ["new", "one", "three"]),
            Replacement(
                keyed + ", n TEXT); CREATE UNIQUE INDEX i ON t((CASE WHEN n = 1 THEN 'only' END))",
                "UPDATE t SET n = 1 WHERE k = '2'; UPDATE OR REPLACE t SET n = '1' WHERE k = '3'", ["one", "three"]),
            // Generated columns, also of columns that the statement does not name.
            Replacement(
                keyed + ", g AS (lower(u)) STORED UNIQUE)", "REPLACE INTO t(k, u, a) VALUES (9, 'Y', 'new')",
                ["new", "one", "three"]),
            Replacement(
                keyed + ", g AS (u || b) UNIQUE)", "UPDATE t SET b = 3; UPDATE OR REPLACE t SET u = 'y' WHERE k = '3'",
                ["one", "three"]),
            // NULL that REPLACE turns into the default, however that is written.
            Replacement(
                keyed + ", d NOT NULL DEFAULT 'word', UNIQUE (u, d))",
                "REPLACE INTO t(k, u, a, d) VALUES (9, 'y', 'new', NULL)", ["new", "one", "three"]),
            Replacement(
                keyed + ", d TEXT NOT NULL DEFAULT word, UNIQUE (u, d))",
                "REPLACE INTO t(k, u, a, d) VALUES (9, 'y', 'new', NULL)", ["new", "one", "three"]),
            Replacement(
                keyed + ", d TEXT NOT NULL DEFAULT (1 + 1)); CREATE UNIQUE INDEX i ON t(u, abs(d))",
                "UPDATE OR REPLACE t SET d = NULL, u = 'y' WHERE k = '1'", ["one", "three"]),
        ], [false, true])
    func `conflict by any key`(replacement: Replacement, recursive: Bool) throws {
        // The constraints of some schemas have the three rows in conflict with each other.
        try expect(replacement, recursive: recursive)
    }

    @Test func `conflict by an index whose text ends in a comment`() throws {
        let t = try Synchronized("CREATE TABLE t(k, a, b); CREATE UNIQUE INDEX i ON t(k) WHERE a > '' -- texts only")
        try t.db.execute(sql: "INSERT INTO t(k, a) VALUES (1, 'one'); REPLACE INTO t(k, a) VALUES (1, 'new')")
        #expect(try t.rows("one OR new") == [2])
        t.check()
    }

    @Test(arguments: ["CASCADE", "SET NULL"], [false, true])
    func `take rows along that refer to them`(action: String, recursive: Bool) throws {
        let schema = """
            CREATE TABLE t(k TEXT PRIMARY KEY, u UNIQUE, a, b, p REFERENCES t(k) ON DELETE \(action) ON UPDATE \(action))
            """
        let link = "UPDATE t SET p = '3' WHERE k = '2'; UPDATE t SET p = '2' WHERE k = '1'; "
        let all = ["one", "three", "two"]
        let rest = action == "CASCADE" ? [] : ["one", "two"]
        let cases = [
            ("REPLACE INTO t(k, u, a) VALUES (3, 'z', 'new')", ["new"] + rest),
            // The row that is updated goes with the one that it replaces. SQLite refuses if delete triggers have seen
            // it go.
            ("UPDATE OR REPLACE t SET u = 'z' WHERE k = '2'", recursive ? all : rest),
            ("INSERT INTO t(k) VALUES ('3') ON CONFLICT DO UPDATE SET k = 30, rowid = 30", all),
            ("INSERT OR IGNORE INTO t(k) VALUES ('3'); DELETE FROM t WHERE k = '3'", rest),
        ]
        for (sql, texts) in cases {
            try expect(Replacement(schema, link + sql, texts), recursive: recursive, foreignKeys: true)
        }
    }

    @Test func `leave it inside of triggers`() throws {
        for recursive in [false, true] {
            let t = try Synchronized(
                """
                CREATE TABLE t(k INTEGER PRIMARY KEY, u UNIQUE, a, b); CREATE TABLE log(x);
                CREATE TRIGGER copy AFTER INSERT ON t WHEN NEW.k < 10
                BEGIN INSERT OR REPLACE INTO t VALUES (NEW.k + 10, 'copy', NEW.a || ' copied', ''); END;
                CREATE TRIGGER touch AFTER UPDATE OF u ON t WHEN NEW.k < 10
                BEGIN UPDATE OR REPLACE t SET u = 'copy', b = b || ' touched' WHERE k = 1; END;
                CREATE TRIGGER written AFTER INSERT ON log BEGIN REPLACE INTO t VALUES (NEW.x, 'log', 'logged', ''); END
                """)
            try t.db.execute(sql: "PRAGMA recursive_triggers = \(recursive)")
            for sql in [
                "INSERT INTO t VALUES (1, 'x', 'one', ''), (2, 'y', 'two', '')",
                "REPLACE INTO t VALUES (1, 'y', 'new', '')",
                "UPDATE OR REPLACE t SET u = 'z'", "INSERT INTO log VALUES (3), (4)",
                "INSERT OR IGNORE INTO t VALUES (5, 'log', '', '')", "REPLACE INTO t VALUES (4, 'copy', 'last', '')",
            ] {
                // A chain of replacements may meet its own row.
                try? t.db.execute(sql: sql)
                t.check("\(sql)")
            }
        }
    }

    @Test func `are not forgotten over those of a statement in between`() throws {
        let t = try Synchronized(
            """
            CREATE TABLE t(k INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES (1, 'one', false), (2, 'two', false);
            CREATE TRIGGER early BEFORE INSERT ON t WHEN NEW.b BEGIN INSERT INTO t VALUES (2, 'before', false); END
            """)
        try t.db.execute(sql: "REPLACE INTO t VALUES (1, 'new', true)")
        #expect(try String.fetchAll(t.db, sql: "SELECT a FROM t") == ["new", "before"])
        t.check()
    }

    @Test func `are noted in a table that stays small`() throws {
        let t = try Synchronized("CREATE TABLE t(k TEXT PRIMARY KEY, a, b)")
        let rows = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT i, 'one', i FROM n"
        try t.db.execute(sql: "INSERT INTO t \(rows); INSERT OR IGNORE INTO t \(rows)")
        let count = try #require(try t.noteCount)
        #expect(count <= 9)
        try t.db.execute(sql: "INSERT OR REPLACE INTO t \(rows)")
        t.check()
        #expect(try t.rows("one").count == 100)
        #expect(try #require(try t.noteCount) <= 9)
    }

    @Test func `are not taken from notes of earlier statements`() throws {
        let t = try Synchronized("CREATE TABLE t(k TEXT PRIMARY KEY, a, b); INSERT INTO t VALUES (1, 'one', '')")
        // As if rows had got other numbers and the index had been rebuilt.
        try t.db.execute(sql: "INSERT INTO __f_pending(time, id, c0) VALUES (1.5, 1, 'wrong'), (1.5, 2, 'gone')")
        for sql in [
            "INSERT INTO t VALUES (2, 'two', '')", "UPDATE t SET k = 3 WHERE k = '2'",
            "REPLACE INTO t VALUES (3, 'three', '')",
            "UPDATE t SET rowid = 7", "DELETE FROM t WHERE k = '1'", "INSERT INTO t VALUES (2, 'two', '')",
        ] {
            try? t.db.execute(sql: sql)
            t.check("\(sql)")
        }
    }
}
