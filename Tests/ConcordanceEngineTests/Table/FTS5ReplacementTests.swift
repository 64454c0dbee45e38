import CConcordanceSQLite
import ConcordanceEngine
import ConcordanceSQLite
import TestSupport
import Testing

@Suite("The engine under the name fts5")
struct FTS5ReplacementTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(asFTS5: Bool = true) throws -> Database {
        let db = try Database(path: folder["replacement.db"])
        if asFTS5 { try ConcordanceModule.registerAsFTS5(on: try db.sqliteConnection) }
        return db
    }

    private func shadowTables(of table: String, _ db: Database) throws -> [String] {
        let sql = "SELECT substr(name, ?) FROM sqlite_schema WHERE name LIKE ? || '\\_%' ESCAPE '\\' ORDER BY name"
        return try String.fetchAll(db, sql: sql, arguments: [table.count + 2, table])
    }

    @Test func `makes tables of the engine, and leaves FTS5's to FTS5`() throws {
        try open(asFTS5: false).execute(
            sql: "CREATE VIRTUAL TABLE old USING fts5(a); INSERT INTO old VALUES ('one'), ('one two'), ('two two')")
        let db = try open()
        try db.execute(sql: "CREATE VIRTUAL TABLE new USING fts5(a); INSERT INTO new SELECT a FROM old")
        #expect(try shadowTables(of: "old", db) == ["config", "content", "data", "docsize", "idx"])
        #expect(try shadowTables(of: "new", db) == ["config", "content", "data"])
        for table in ["old", "new"] {
            let sql = "SELECT rowid, highlight(\(table), 0, '[', ']') FROM \(table)('two') ORDER BY bm25(\(table))"
            let rows = try Row.fetchAll(db, sql: sql).map(\.databaseValues)
            #expect(rows.map(\.last) == ["[two] [two]".databaseValue, "one [two]".databaseValue], "\(table)")
            try db.execute(
                sql: "DELETE FROM \(table) WHERE rowid = 1; INSERT INTO \(table)(\(table)) VALUES ('integrity-check')")
        }
        #expect(
            try Int.fetchOne(db, sql: "SELECT count(*) FROM old('two') AS o JOIN new('one') AS n ON o.rowid = n.rowid")
                == 1)
        // What was written through the engine's module is FTS5's own.
        let plain = try open(asFTS5: false)
        try plain.execute(sql: "INSERT INTO old(old) VALUES ('integrity-check')")
        #expect(try Int.fetchAll(plain, sql: "SELECT rowid FROM old('one OR two') ORDER BY rowid") == [2, 3])
        #expect(throws: DatabaseError.self) { try Int.fetchAll(plain, sql: "SELECT rowid FROM new('one')") }
    }

    @Test func `leaves nothing behind, and can be asked for twice`() throws {
        let db = try open()
        try ConcordanceModule.registerAsFTS5(on: try db.sqliteConnection)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_temp_schema") == 0)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0)
        #expect(db.lastInsertedRowID == 0)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(a); INSERT INTO t VALUES ('one')")
        #expect(try shadowTables(of: "t", db) == ["config", "content", "data"])
    }

    @Test func `serves tables that FTS5 had open, and statements that run`() throws {
        let db = try open(asFTS5: false)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(a); INSERT INTO t VALUES ('one'), ('one')")
        let rows = try Int.fetchCursor(db, sql: "SELECT rowid FROM t('one')")
        #expect(try rows.next() != nil)
        try ConcordanceModule.registerAsFTS5(on: try db.sqliteConnection)
        #expect(try rows.next() != nil)
        #expect(try rows.next() == nil)
        try db.execute(
            sql: "INSERT INTO t VALUES ('one'); CREATE TABLE other(x); INSERT INTO t(t) VALUES ('integrity-check')")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t('one')") == 3)
    }

    @Test(arguments: [true, false])
    func `goes with the connection of another library`(hasTables: Bool) throws {
        if hasTables {
            try open(asFTS5: false).execute(sql: "CREATE VIRTUAL TABLE t USING fts5(a); INSERT INTO t VALUES ('one')")
        }
        for _ in 0..<20 {
            var connection: OpaquePointer?
            let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            try #require(csqlite_open_v2(folder["replacement.db"], &connection, flags, nil) == SQLITE_OK)
            let handle = try #require(connection)
            try ConcordanceModule.registerAsFTS5(on: handle)
            if hasTables {
                #expect(
                    csqlite_exec(handle, "INSERT INTO t VALUES ('two'); SELECT * FROM t('one')", nil, nil, nil)
                        == SQLITE_OK)
            }
            #expect(csqlite_next_stmt(handle, nil) != nil)
            #expect(csqlite_close_v2(handle) == SQLITE_OK)
        }
    }

    /// `sqlite3_close` disconnects all tables before it finds that a statement is left.
    @Test func `stays where a connection cannot be closed yet`() throws {
        try open(asFTS5: false).execute(sql: "CREATE VIRTUAL TABLE old USING fts5(a); INSERT INTO old VALUES ('one')")
        var connection: OpaquePointer?
        try #require(csqlite_open_v2(folder["replacement.db"], &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        let handle = try #require(connection)
        try ConcordanceModule.registerAsFTS5(on: handle)
        func code(_ sql: String) -> Int32 { csqlite_exec(handle, sql, nil, nil, nil) }
        let setUp = """
            CREATE VIRTUAL TABLE new USING fts5(a, tokenize = 'porter unicode61'); INSERT INTO new VALUES ('one');
            CREATE VIRTUAL TABLE words USING concordancevocab(new, row); CREATE VIRTUAL TABLE others USING fts5vocab(new, row)
            """
        #expect(code(setUp) == SQLITE_OK)
        #expect(code("SELECT * FROM old('one'); SELECT * FROM new('one')") == SQLITE_OK)
        var left: OpaquePointer?
        try #require(csqlite_prepare_v3(handle, "SELECT 1", -1, 0, &left, nil) == SQLITE_OK)
        #expect(csqlite_close(handle) == SQLITE_BUSY)
        #expect(code("INSERT INTO new VALUES ('two'); SELECT * FROM new('two'); SELECT * FROM words") == SQLITE_OK)
        #expect(code("SELECT concordance_explain(new) FROM new('ones')") == SQLITE_OK)
        #expect(code("SELECT * FROM old('one')") == SQLITE_MISUSE)
        #expect(code("SELECT * FROM others") == SQLITE_ERROR)
        #expect(csqlite_close(handle) == SQLITE_BUSY)
        csqlite_finalize(left)
        #expect(csqlite_close(handle) == SQLITE_OK)
    }

    @Test func `errors of both have their sentences`() throws {
        try open(asFTS5: false).execute(sql: "CREATE VIRTUAL TABLE old USING fts5(a)")
        let db = try open()
        try db.execute(sql: "CREATE VIRTUAL TABLE new USING fts5(a)")
        for (query, message) in [("\"", "unterminated string"), ("b: c", "no such column: b")] {
            for table in ["old", "new"] {
                let error = #expect(throws: DatabaseError.self) {
                    _ = try Row.fetchAll(db, sql: "SELECT * FROM \(table)(?)", arguments: [query])
                }
                #expect(error?.message == message, "\(table)")
            }
        }
    }
}
