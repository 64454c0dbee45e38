import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import TestSupport
import Testing

/// A table `t` with an index `f` of its columns `a` and `b`.
struct Synchronized {
    let db: Database

    init(_ schema: String, at path: String = ":memory:", _ define: (FTS5TableDefinition) -> Void = { _ in }) throws {
        db = try Database(path: path)
        try db.execute(sql: schema)
        try db.create(virtualTable: "f", using: FTS5()) { t in
            t.synchronize(withTable: "t")
            t.column("a")
            t.column("b")
            define(t)
        }
    }

    func rows(_ query: String) throws -> [Int] {
        try Int.fetchAll(db, sql: "SELECT rowid FROM f WHERE f MATCH ? ORDER BY rowid", arguments: [query])
    }

    /// Checks that the index is that of the table.
    func check(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: Never.self, comment, sourceLocation: sourceLocation) {
            try FTS5Table("f").integrityCheck(db, comparingContent: true)
        }
    }

    var noteCount: Int? { get throws { try Int.fetchOne(db, sql: "SELECT count(*) FROM __f_pending") } }
}

@Suite struct `Synchronized table` {
    private func database() throws -> Database {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE "my notes"("note id" INTEGER PRIMARY KEY, "the title" TEXT COLLATE NOCASE, body, other);
                INSERT INTO "my notes" VALUES (7, 'First note', 'about swift', 1)
                """)
        try db.create(virtualTable: "notes index", using: FTS5()) { t in
            t.synchronize(withTable: "my notes")
            t.column("the title")
            t.column("body")
            t.column("other").notIndexed()
        }
        return db
    }

    private func rows(_ db: Database, _ query: String) throws -> [Int] {
        try Int.fetchAll(
            db, sql: "SELECT rowid FROM \"notes index\" WHERE \"notes index\" MATCH ? ORDER BY rowid",
            arguments: [query])
    }

    @Test func `follows its content`() throws {
        let db = try database()
        let table = FTS5Table("notes index")
        #expect(try rows(db, "swift") == [7])
        try db.execute(sql: "INSERT INTO \"my notes\" VALUES (8, 'Second', 'about sqlite', 1)")
        #expect(try rows(db, "about") == [7, 8])
        try db.execute(sql: "UPDATE \"my notes\" SET body = 'now 1.0', \"note id\" = 9 WHERE \"note id\" = 7")
        #expect(try rows(db, "swift") == [])
        #expect(try rows(db, "first") == [9])
        // The text changes though the values are equal.
        try db.execute(sql: "UPDATE \"my notes\" SET \"the title\" = 'SECOND' WHERE \"note id\" = 8")
        try db.execute(sql: "UPDATE \"my notes\" SET body = 5")
        try db.execute(sql: "UPDATE \"my notes\" SET body = 5.0")
        #expect(try rows(db, "\"5 0\"") == [8, 9])
        try table.integrityCheck(db, comparingContent: true)
        try db.execute(sql: "DELETE FROM \"my notes\" WHERE \"note id\" = 8")
        #expect(try rows(db, "second") == [])
        try table.integrityCheck(db, comparingContent: true)
    }

    @Test func `does not index again what has not changed`() throws {
        let db = try database()
        let before = try Int.fetchOne(db, sql: "SELECT max(rowid) FROM \"notes index_data\"")
        let changes = db.totalChangesCount
        try db.execute(sql: "UPDATE \"my notes\" SET other = 2, body = body")
        #expect(db.totalChangesCount == changes + 1)
        #expect(try Int.fetchOne(db, sql: "SELECT max(rowid) FROM \"notes index_data\"") == before)
        #expect(try Int.fetchOne(db, sql: "SELECT other FROM \"notes index\"") == 2)
    }

    @Test func `tells letters in either case apart, whatever the column's collation`() throws {
        let t = try Synchronized("CREATE TABLE t(a TEXT COLLATE NOCASE, b); INSERT INTO t VALUES ('word', 'x')") {
            $0.tokenizer = .trigram(caseSensitive: true)
        }
        try t.db.execute(sql: "UPDATE t SET a = 'WORD'")
        #expect(try t.rows("WORD") == [1])
        #expect(try t.rows("word") == [])
        t.check()
    }

    @Test func `may have no column that is indexed`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t(k TEXT PRIMARY KEY, a)")
        try db.create(virtualTable: "f", using: FTS5()) { t in
            t.synchronize(withTable: "t")
            t.column("a").notIndexed()
        }
        try db.execute(
            sql: """
                INSERT INTO t VALUES (1, 'x'), (2, 'y'); REPLACE INTO t VALUES (1, 'z'); UPDATE t SET a = 'w', rowid = 7 WHERE k = 2
                """)
        #expect(try String.fetchAll(db, sql: "SELECT a FROM f ORDER BY rowid") == ["z", "w"])
        try FTS5Table("f").integrityCheck(db, comparingContent: true)
    }

    // MARK: Tables

    @Test(arguments: [
        ("CREATE TABLE t(k INTEGER PRIMARY KEY, a, b)", "k"),
        ("CREATE TABLE t(k integer primary key AUTOINCREMENT, a TEXT, b TEXT) STRICT", "k"),
        ("CREATE TABLE t(k TEXT PRIMARY KEY, a, b)", "rowid"),
        ("CREATE TABLE t(k TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, a TEXT, b ANY) STRICT", "rowid"),
        ("CREATE TABLE t(k INT PRIMARY KEY, a, b)", "rowid"),
        ("CREATE TABLE t(k INTEGER PRIMARY KEY DESC, a, b)", "rowid"),
        ("CREATE TABLE t(k, a, b, PRIMARY KEY (k, b))", "rowid"),
        ("CREATE TABLE t(k UNIQUE, a, b)", "rowid"),
        ("CREATE TABLE t(k, a, b)", "rowid"),
        ("CREATE TABLE t(k, a, b); CREATE UNIQUE INDEX i ON t(k)", "rowid"),
        ("CREATE TABLE t(k TEXT PRIMARY KEY, RowID, a, b)", "_rowid_"),
        ("CREATE TABLE t(k TEXT PRIMARY KEY, rowid, _rowid_, a, b)", "oid"),
        ("CREATE TABLE t(k, rowid INTEGER PRIMARY KEY, a, b)", "rowid"),
        ("CREATE TABLE t(k, oid INTEGER PRIMARY KEY, rowid, _rowid_, a, b)", "oid"),
        ("CREATE TABLE t(k TEXT PRIMARY KEY, a, b AS (a || ' more') STORED)", "rowid"),
    ])
    func `has any key`(schema: String, rowID: String) throws {
        let columns = schema.contains("AS (") ? "k, a" : "k, a, b"
        func row(_ key: Int, _ text: String) -> String {
            "(\(schema.contains("NTEGER PRIMARY") || schema.contains("integer") ? "\(key)" : "'\(key)'"), "
                + (columns == "k, a" ? "'\(text)')" : "'\(text)', '\(text) more')")
        }
        let t = try Synchronized(schema + "; INSERT INTO t(\(columns)) VALUES \(row(1, "one")), \(row(2, "two"))")
        try t.db.execute(
            sql: "INSERT INTO t(\(columns)) VALUES \(row(3, "three")), \(row(4, "four")); DELETE FROM t WHERE a = 'one'"
        )
        try t.db.execute(sql: "UPDATE t SET a = 'other' WHERE a = 'two'; UPDATE t SET \(rowID) = 9 WHERE a = 'three'")
        try t.db.execute(sql: "INSERT OR REPLACE INTO t(\(columns)) VALUES \(row(4, "five"))")
        try t.db.execute(sql: "DELETE FROM t WHERE a = 'four'")
        t.check("before VACUUM")
        for query in ["one", "two", "other", "three", "four", "five", "more"] {
            let expected = try Int.fetchAll(
                t.db, sql: "SELECT \(rowID) FROM t WHERE ' ' || a || ' ' || b || ' ' LIKE ? ORDER BY 1",
                arguments: ["% \(query) %"])
            #expect(try t.rows(query) == expected)
        }
        try t.db.execute(sql: "VACUUM")
        t.check("after VACUUM")
        let sql = try String.fetchOne(t.db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'f'")
        #expect(sql?.contains("content_rowid='\(rowID)'") == (rowID != "rowid"))
    }

    @Test func `VACUUM leaves the rowids of a table without key or index as they are`() throws {
        let t = try Synchronized("CREATE TABLE t(a, b)")
        try t.db.execute(
            sql: "INSERT INTO t(a) VALUES ('one'), ('two'), ('three'); DELETE FROM t WHERE a = 'one'; VACUUM")
        #expect(try t.rows("two OR three") == [2, 3])
        #expect(try Int.fetchAll(t.db, sql: "SELECT rowid FROM t") == [2, 3])
        try t.db.execute(sql: "ALTER TABLE t ADD COLUMN c; ALTER TABLE t DROP COLUMN c; REINDEX; ANALYZE")
        t.check()
    }

    @Test(arguments: [
        ("t", "does not exist"),
        ("a view", "use the table its rows come from"),
        ("keyed", "create it as an ordinary table"),
        ("virtual", "use the table that its rows come from"),
        ("virtual_content", "use the table that its rows come from"),
        ("sqlite_sequence", "SQLite's own"),
        ("taken", "rename one"),
        ("New", "rename the table"),
        ("a\0", "NUL"),
    ])
    func `says which tables it cannot follow`(table: String, advice: String) throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE "new"(x, y); CREATE TABLE keyed(x TEXT PRIMARY KEY) WITHOUT ROWID;
                CREATE VIEW "a view" AS SELECT x FROM keyed; CREATE VIRTUAL TABLE virtual USING fts5(x);
                CREATE TABLE numbered(x INTEGER PRIMARY KEY AUTOINCREMENT);
                CREATE TABLE taken(x TEXT PRIMARY KEY, rowid, _rowid_, oid);
                """)
        let before = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema")
        let error = #expect(throws: FTS5Error.self) {
            try db.create(virtualTable: "f", using: FTS5()) { t in
                t.synchronize(withTable: table)
                t.column("x")
            }
        }
        #expect(error?.description.contains(advice) == true, "\(String(describing: error))")
        #expect(try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema") == before)
    }

    @Test func `can be temporary or in another schema`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "ATTACH ':memory:' AS \"other one\"")
        for (schema, word) in [("main", "first"), ("temp", "second"), ("other one", "third")] {
            let table = QualifiedName("t", in: schema).sql
            try db.execute(sql: "CREATE TABLE \(table)(k TEXT UNIQUE, a); INSERT INTO \(table) VALUES (1, '\(word)')")
            try db.create(virtualTable: "f", in: schema, using: FTS5()) { t in
                t.synchronize(withTable: "t")
                t.column("a")
            }
            try db.execute(sql: "REPLACE INTO \(table) VALUES (1, 'new \(word)'), (2, 'more')")
        }
        for (schema, word) in [("main", "first"), ("temp", "second"), ("other one", "third")] {
            try FTS5Table("f", in: schema).integrityCheck(db, comparingContent: true)
            let name = QualifiedName("f", in: schema).sql
            #expect(try String.fetchAll(db, sql: "SELECT a FROM \(name) WHERE f MATCH 'new'") == ["new \(word)"])
            try db.dropFTS5SynchronizationTriggers(forTable: "f", in: schema)
            let names = try String.fetchAll(
                db,
                sql:
                    "SELECT name FROM \(QualifiedName("sqlite_schema", in: schema).sql) WHERE name LIKE '\\_\\_%' ESCAPE '\\'"
            )
            #expect(names == [])
        }
    }

    @Test(arguments: [
        "CREATE TABLE t(k INTEGER PRIMARY KEY, a, b)", "CREATE TABLE t(k TEXT PRIMARY KEY, a, b)",
        "CREATE TABLE t(a, b)",
    ])
    func `leaves nothing behind`(schema: String) throws {
        let t = try Synchronized(schema)
        try t.db.execute(
            sql: "INSERT INTO t(rowid, a) VALUES (1, 'one'); INSERT OR IGNORE INTO t(rowid, a) VALUES (1, 'two')")
        #expect(try t.noteCount == 1)
        try t.db.dropFTS5SynchronizationTriggers(forTable: "f")
        try t.db.dropFTS5SynchronizationTriggers(forTable: "f")
        try t.db.execute(sql: "DROP TABLE f; DELETE FROM t; REPLACE INTO t(rowid, a) VALUES (1, 'two')")
        let names = try String.fetchAll(
            t.db, sql: "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
        #expect(names == ["t"])
    }

    @Test func `follows programs without this library`() throws {
        let folder = try TemporaryFolder()
        let t = try Synchronized(
            "CREATE TABLE t(k TEXT PRIMARY KEY, a, b); INSERT INTO t VALUES ('x', 'one', 'two')", at: folder["t.sqlite"]
        )
        let program = try ForeignConnection(path: folder["t.sqlite"])
        for sql in ["REPLACE INTO t VALUES ('x', 'three', 'four')", "UPDATE OR REPLACE t SET k = 'y'", "DELETE FROM t"]
        {
            #expect(csqlite_exec(program.pointer, sql, nil, nil, nil) == SQLITE_OK)
            t.check("\(sql)")
        }
        #expect(try t.rows("one OR three") == [])
    }
}
