import ConcordanceEngine
import ConcordanceSQLite
import Testing

@Suite("The declaration of a full-text table")
struct TableDeclarationTests {
    static let declarations = [
        "t USING MODULE(a)", "t USING MODULE(a, b UNINDEXED)", "t USING MODULE(a, b unindexed, \"c d\")",
        "t USING MODULE(a, b UNINDEXED x)", "t USING MODULE(a indexed)", "t USING MODULE(rank)",
        "t USING MODULE(ROWID)", "rank USING MODULE(a)", "t USING MODULE(a, a)", "t USING MODULE(a, A)",
        "t USING MODULE(t)", "t USING MODULE", "t USING MODULE()", "t USING MODULE(a, prefix='2 3')",
        "t USING MODULE(a, prefix='2,3')", "t USING MODULE(a, prefix='2,,3')", "t USING MODULE(a, prefix='x')",
        "t USING MODULE(a, prefix='2,')", "t USING MODULE(a, prefix=0)", "t USING MODULE(a, prefix=999)",
        "t USING MODULE(a, prefix=1000)", "t USING MODULE(a, prefix='')", "t USING MODULE(a, prefix=)",
        "t USING MODULE(a, prefix='1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31')",
        "t USING MODULE(a, prefix='1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32')",
        "t USING MODULE(a, pre=2)", "t USING MODULE(a, p = 2)", "t USING MODULE(a, prefix = '2' '3')",
        "t USING MODULE(a, tokenize=porter)", "t USING MODULE(a, tokenize='porter ascii')",
        "t USING MODULE(a, tokenize=\"unicode61 remove_diacritics 2\")", "t USING MODULE(a, tokenize=nosuch)",
        "t USING MODULE(a, tokenize='unicode61 nosuch 1')",
        "t USING MODULE(a, tokenize='unicode61 remove_diacritics 3')",
        "t USING MODULE(a, tokenize='ascii' , tokenize=porter)", "t USING MODULE(a, tokenize='')",
        "t USING MODULE(a, tokenize='a,b')", "t USING MODULE(a, tokenize=\"unicode61 tokenchars '-.'\")",
        "t USING MODULE(a, tokenize=\"unicode61 tokenchars '-.\")", "t USING MODULE(a, tokenize=trigram)",
        "t USING MODULE(a, content='')", "t USING MODULE(a, content=x)", "t USING MODULE(a, content=x, content=y)",
        "t USING MODULE(a, content='', content='')", "t USING MODULE(a, content_rowid=id)",
        "t USING MODULE(a, content_rowid=id, content_rowid=id)", "t USING MODULE(a, con=x)",
        "t USING MODULE(a, content_=x)", "t USING MODULE(a, c=x)", "t USING MODULE(a, columnsize=0)",
        "t USING MODULE(a, columnsize=1)", "t USING MODULE(a, columnsize=2)", "t USING MODULE(a, columnsize=)",
        "t USING MODULE(a, col=0)", "t USING MODULE(a, detail=full)", "t USING MODULE(a, detail=column)",
        "t USING MODULE(a, detail=col)", "t USING MODULE(a, detail=none)", "t USING MODULE(a, detail=)",
        "t USING MODULE(a, detail=x)", "t USING MODULE(a, DETAIL=NONE)", "t USING MODULE(a, nosuch=1)",
        "t USING MODULE(a, \"prefix\"=2)", "t USING MODULE(a, a.b)", "t USING MODULE(a, 'x y' 'unindexed')",
        "t USING MODULE(a, [b c], `d`)", "t USING MODULE(a b c)", "t USING MODULE(a, =2)", "t USING MODULE(a, ,b)",
        "t USING MODULE(a, x=y=z)", "t USING MODULE(\"a\"\"b\")", "t USING MODULE(ä, 名)", "t USING MODULE(a-b)",
        "\"a b\" USING MODULE(c)", "\"it's\" USING MODULE('o''clock')", "temp.t USING MODULE(a)",
        "nosuch.t USING MODULE(a)", "IF NOT EXISTS t USING MODULE(a)",
    ]

    @Test(arguments: declarations)
    func `is accepted and refused as by FTS5, with its messages`(declaration: String) throws {
        let both = try SideBySide()
        both.check(script: [
            "CREATE VIRTUAL TABLE \(declaration)",
            "SELECT name, hidden FROM pragma_table_xinfo('t')",
            "SELECT name, hidden FROM pragma_table_xinfo('a b')",
            "SELECT name, hidden FROM pragma_table_xinfo('it''s')",
            "SELECT count(*) FROM sqlite_schema WHERE name IN ('t_config', 't_content', 't_data') AND sql NOT LIKE '%_data%'",
        ])
    }

    @Test func `makes shadow tables, which go with the table and are renamed with it`() throws {
        let both = try SideBySide()
        let tables = "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%_content'"
        both.check(script: [
            "CREATE VIRTUAL TABLE t USING MODULE(a)", "INSERT INTO t VALUES ('one')", tables,
            "ALTER TABLE t RENAME TO \"new name\"", "INSERT INTO \"new name\" VALUES ('two')",
            "SELECT rowid, a FROM \"new name\" WHERE \"new name\" MATCH 'one OR two'", "SELECT * FROM t", tables,
            "BEGIN", "INSERT INTO \"new name\" VALUES ('three')", "ALTER TABLE \"new name\" RENAME TO u",
            "INSERT INTO u VALUES ('four')", "SELECT rowid FROM u WHERE u MATCH 'three OR four'", "ROLLBACK",
            "SELECT rowid FROM \"new name\" WHERE \"new name\" MATCH 'three OR four OR one'",
            "DROP TABLE \"new name\"", tables, "CREATE VIRTUAL TABLE t USING MODULE(a)", "SELECT * FROM t",
        ])
        let left = try String.fetchAll(both.engine, sql: "SELECT name FROM sqlite_schema WHERE name NOT LIKE 't%'")
        #expect(left.isEmpty)
    }

    @Test func `reports a shadow table that is in the way`() throws {
        let both = try SideBySide()
        both.check(script: [
            "CREATE TABLE t_config(x)", "CREATE VIRTUAL TABLE t USING MODULE(a)", "SELECT count(*) FROM sqlite_schema",
        ])
    }

    @Test func `keeps shadow tables from being written to in a defensive connection`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t VALUES ('x')")
        for table in ["t_data", "t_config", "t_content"] {
            #expect(throws: DatabaseError.self) { try db.execute(sql: "DELETE FROM \(table)") }
        }
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH 'x'") == 1)
    }

    @Test func `of another format can only be dropped`() throws {
        let db = try Database.undefended()
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a); UPDATE t_config SET v = 99")
        // Connects again.
        try db.execute(sql: "ALTER TABLE t RENAME TO u")
        let error = #expect(throws: DatabaseError.self) { try Int.fetchOne(db, sql: "SELECT count(*) FROM u") }
        #expect(error?.message == "invalid concordance file format (found 99, expected 1)")
        #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO u VALUES ('x')") }
        try db.execute(sql: "DROP TABLE u")
    }

    @Test func `without its configuration can still be dropped`() throws {
        let db = try Database.undefended()
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a); DROP TABLE t_config; DROP TABLE t_data")
        #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO t VALUES ('x')") }
        try db.execute(sql: "DROP TABLE t")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0)
    }
}
