import ConcordanceEngine
import ConcordanceSQLite
import Testing

@Suite("Converting an FTS5 table")
struct TableConversionTests {
    private func makeDatabase() throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        return db
    }

    private static let schema =
        "SELECT type, name, tbl_name, replace(sql, ' USING fts5concordance', ' USING fts5') FROM sqlite_schema "
        + "WHERE name NOT LIKE '%\\_data' ESCAPE '\\' AND name NOT LIKE '%\\_idx' ESCAPE '\\' AND name NOT LIKE '%\\_docsize' ESCAPE '\\' "
        + "AND name NOT LIKE '%\\_config' ESCAPE '\\' AND name NOT LIKE '%\\_content' ESCAPE '\\' ORDER BY name"

    @Test(arguments: [
        "", ", prefix='1 2', tokenize='porter ascii'", ", detail=column", ", detail=none, columnsize=0",
        ", content=c, content_rowid=id",
        ", content='c', content_rowid = 'id', columnsize=0",
    ])
    func `keeps its name, options, rows, settings, triggers and views`(options: String) throws {
        let db = try makeDatabase()
        try db.execute(
            sql: """
                CREATE TABLE c(id INTEGER PRIMARY KEY, "the title", b);
                INSERT INTO c VALUES (3, 'one', 'two'), (7, 'two', 'one one'), (9, NULL, x'6f6e65');
                CREATE VIRTUAL TABLE "my docs" USING fts5("the title", b UNINDEXED\(options));
                INSERT INTO "my docs"(rowid, "the title", b) SELECT * FROM c;
                INSERT INTO "my docs"("my docs", rank) VALUES ('rank', 'bm25(3.0)'), ('automerge', 7);
                CREATE TRIGGER tr AFTER INSERT ON c BEGIN INSERT INTO "my docs"(rowid, "the title") VALUES (new.id, new."the title"); END;
                CREATE VIEW v AS SELECT rowid AS id, "the title" AS t FROM "my docs" WHERE "my docs" MATCH 'one OR two';
                INSERT INTO c VALUES (20, 'x', 'y')
                """)
        let queries = [
            "SELECT rowid, * FROM \"my docs\"", "SELECT * FROM v",
            "SELECT rowid FROM \"my docs\"('one OR two') ORDER BY rank",
            "SELECT * FROM \"my docs_config\" WHERE k IN ('rank', 'automerge')", Self.schema,
            "SELECT last_insert_rowid()",
        ]
        let before = queries.map { SideBySide.outcome(of: $0, on: db) }
        #expect(try db.convertToConcordance(table: "MY DOCS"))
        for (query, before) in zip(queries, before) {
            #expect(SideBySide.outcome(of: query, on: db) == before, "\(query)")
        }
        let sql = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'my docs'")
        #expect(sql == "CREATE VIRTUAL TABLE \"my docs\" USING fts5concordance(\"the title\", b UNINDEXED\(options))")
        try db.execute(
            sql: "INSERT INTO c VALUES (30, 'one', ''); INSERT INTO \"my docs\"(\"my docs\") VALUES ('integrity-check')"
        )
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM \"my docs\" WHERE \"my docs\" MATCH 'one'") == [3, 30])
        #expect(try !db.convertToConcordance(table: "my docs"))
    }

    @Test func `indexes the rows of the content that FTS5 knew`() throws {
        let db = try makeDatabase()
        try db.execute(
            sql: """
                CREATE TABLE c(a); INSERT INTO c VALUES ('one'), ('one'), ('one'); CREATE VIRTUAL TABLE t USING fts5(a, content=c);
                INSERT INTO t(rowid, a) SELECT rowid, a FROM c WHERE rowid <> 2
                """)
        try db.convertToConcordance(table: "t")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'one'") == [1, 3])
    }

    @Test func `is undone with its transaction, and when it fails`() throws {
        let db = try makeDatabase()
        try db.execute(
            sql:
                "CREATE VIRTUAL TABLE t USING fts5(a); INSERT INTO t VALUES ('one'); BEGIN; INSERT INTO t VALUES ('two')"
        )
        try db.convertToConcordance(table: "t")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH 'two'") == 1)
        try db.execute(sql: "ROLLBACK")
        let sql = "SELECT sql FROM sqlite_schema WHERE name = 't'"
        #expect(try String.fetchOne(db, sql: sql) == "CREATE VIRTUAL TABLE t USING fts5(a)")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH 'one OR two'") == 1)
        try db.execute(sql: "CREATE TABLE t_converted(x)")
        #expect(throws: DatabaseError.self) { try db.convertToConcordance(table: "t") }
        #expect(try String.fetchOne(db, sql: sql) == "CREATE VIRTUAL TABLE t USING fts5(a)")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH 'one OR two'") == 1)
        #expect(!db.isInsideTransaction)
    }

    @Test func `of an attached database`() throws {
        let db = try makeDatabase()
        try db.execute(
            sql:
                "ATTACH ':memory:' AS o; CREATE VIRTUAL TABLE o.t USING fts5(a); INSERT INTO o.t VALUES ('one'); CREATE VIRTUAL TABLE t USING fts5(b)"
        )
        #expect(try db.convertToConcordance(table: "t", schema: "o"))
        #expect(
            try String.fetchOne(db, sql: "SELECT sql FROM o.sqlite_schema WHERE name = 't'")
                == "CREATE VIRTUAL TABLE t USING fts5concordance(a)")
        #expect(
            try String.fetchOne(db, sql: "SELECT sql FROM main.sqlite_schema WHERE name = 't'")
                == "CREATE VIRTUAL TABLE t USING fts5(b)")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM o.t WHERE t MATCH 'one'") == 1)
    }

    @Test func `refuses a table without texts, and what is not a full-text table`() throws {
        let db = try makeDatabase()
        try db.execute(
            sql:
                "CREATE VIRTUAL TABLE t USING fts5(a, content=''); CREATE TABLE p(a); CREATE VIEW v AS SELECT concordance_convert('t')"
        )
        #expect(throws: ConversionError.contentless("t")) { try db.convertToConcordance(table: "t") }
        #expect(throws: ConversionError.notFullText("p")) { try db.convertToConcordance(table: "p") }
        #expect(throws: ConversionError.noSuchTable("q")) { try db.convertToConcordance(table: "q") }
        #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: "SELECT * FROM v") }
        #expect(throws: ConversionError.contentless("t")) {
            try Row.fetchAll(db, sql: "SELECT concordance_convert('t')")
        }
    }
}
