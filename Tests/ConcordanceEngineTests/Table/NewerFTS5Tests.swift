import CConcordanceSQLite
import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite
import TestSupport
import Testing

@Suite("What newer versions of FTS5 have, in every SQLite")
struct NewerFTS5Tests {
    private func makeDatabase(_ path: String = ":memory:") throws -> Database {
        let db = try Database(path: path)
        try ConcordanceModule.register(on: db)
        return db
    }

    private func message(_ sql: String, on db: Database) -> String? {
        do {
            try db.execute(sql: sql)
            return nil
        } catch {
            return (error as? DatabaseError)?.message ?? "\(error)"
        }
    }

    @Test(
        arguments: [
            ("locale=1", nil), ("locale=0", nil), ("locale=2", "malformed locale=... directive"), ("l=1", nil),
            ("tokendata=1", nil), ("tokendata=", "malformed tokendata=... directive"), ("toke=porter", nil),
            ("contentless_unindexed=0", nil), ("content='', contentless_unindexed=0", nil),
            ("contentless_unindexed=x", "malformed contentless_unindexed=... directive"),
            (
                "content='', contentless_unindexed=1",
                "contentless_unindexed=1 is an option of FTS5 alone: declare the columns VALUE instead of UNINDEXED, and a "
                    + "contentless concordance table keeps their values"
            ),
        ])
    func `options work, or an error explains them`(option: String, expected: String?) throws {
        let db = try makeDatabase()
        #expect(message("CREATE VIRTUAL TABLE t USING concordance(a, b UNINDEXED, \(option))", on: db) == expected)
        guard expected == nil else { return }
        try db.execute(
            sql: "INSERT INTO t(a, b) VALUES ('one two', 'three'); INSERT INTO t(t) VALUES ('integrity-check')")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('two')") == [1])
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('three')") == [])
    }

    /// The function is that of a newer SQLite, or the test's.
    @Test func `with locale=1 texts and queries may have a locale`() throws {
        let db = try Database(path: ":memory:")
        let header = Array(UInt8(0x80)..<0x90)
        try db.add(
            function: DatabaseFunction("fts5_locale", argumentCount: 2) { values in
                let texts = values.map { Array((String.fromDatabaseValue($0) ?? "").utf8) }
                return DatabaseValue.blob(header + texts[0] + [0] + texts[1])
            })
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a, locale=1);
                INSERT INTO t VALUES (fts5_locale('en_US', 'one two')), ('two three')
                """)
        for query in ["'two'", "fts5_locale('en_US', 'two')", "fts5_locale('', 'one OR three')"] {
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t(\(query)) ORDER BY rowid") == [1, 2], "\(query)")
        }
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE a MATCH fts5_locale('de', 'three')") == [2])
        #expect(message("SELECT rowid FROM t(fts5_locale('de', 'AND'))", on: db)?.contains("syntax error") == true)
    }

    @Test(
        arguments: [
            ("'secure-delete', 1", nil), ("'deletemerge', 15", nil), ("'deletemerge', -1", nil),
            ("'insttoken', 1", nil), ("'flush', NULL", nil), ("'FLUSH', 3", nil),
            ("'secure-delete', 2", "SQL logic error: 'secure-delete' takes 0 or 1"),
            ("'insttoken', 'x'", "SQL logic error: 'insttoken' takes 0 or 1"),
            ("'deletemerge', 'x'", "SQL logic error: 'deletemerge' takes an integer"),
            ("'automerge', 65", "SQL logic error: 'automerge' takes an integer from 0 to 64"),
            ("'rank', 'bm25('", "SQL logic error: 'rank' takes a call of a function, as 'bm25(10.0, 5.0)'"),
            (
                "'delete', 1",
                "SQL logic error: 'delete' may only be used with a contentless or external content fts5 table; "
                    + "use DELETE FROM"
            ),
            ("'nosuch', 1", "SQL logic error: the table t has no command or setting 'nosuch'"),
            ("x'ff', 1", "SQL logic error: the table t has no command or setting '\u{FFFD}'"),
        ])
    func `commands work, or an error explains them`(values: String, expected: String?) throws {
        let db = try makeDatabase()
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t VALUES ('one'), ('two')")
        #expect(message("INSERT INTO t(t, rank) VALUES (\(values))", on: db) == expected)
        try db.execute(sql: "DELETE FROM t WHERE rowid = 1; INSERT INTO t(t) VALUES ('integrity-check')")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('one OR two')") == [2])
    }

    @Test func `'flush' writes what is pending, and a rollback undoes it`() throws {
        let db = try makeDatabase()
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a); BEGIN; INSERT INTO t VALUES ('one')")
        let count = "SELECT count(*) FROM t_data WHERE id > 1"
        #expect(try Int.fetchOne(db, sql: count) == 0)
        try db.execute(sql: "INSERT INTO t(t) VALUES ('flush')")
        #expect(try Int.fetchOne(db, sql: count) ?? 0 > 0)
        try db.execute(sql: "ROLLBACK; INSERT INTO t(t) VALUES ('integrity-check')")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t('one')") == 0)
    }

    /// Each token is followed by a NUL and by its number.
    private final class DataTokenizer: FTS5CustomTokenizer {
        static let name = "data"

        init(db: Database, arguments: [String]) throws {}

        func tokenize(
            context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization, pText: UnsafePointer<CChar>?,
            nText: CInt, tokenCallback: FTS5TokenCallback?
        ) -> CInt {
            guard let pText, let tokenCallback else { return 0 }
            let text = UnsafeRawBufferPointer(start: pText, count: Int(nText))
            for (number, word) in text.split(separator: UInt8(ascii: " ")).enumerated() {
                var token = Array(word)
                if !tokenization.contains(.query) { token += [0, UInt8(truncatingIfNeeded: 65 + number)] }
                let code = token.withUnsafeBytes { bytes in
                    tokenCallback(
                        context, 0, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(bytes.count),
                        CInt(word.startIndex), CInt(word.endIndex))
                }
                if code != 0 { return code }
            }
            return 0
        }
    }

    @Test func `with tokendata=1 the data of tokens does not count`() throws {
        let db = try makeDatabase()
        db.add(tokenizer: DataTokenizer.self)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a, tokenize=data, tokendata=1);
                CREATE VIRTUAL TABLE u USING concordance(a, tokenize=data);
                INSERT INTO t VALUES ('one two one'), ('two');
                INSERT INTO u SELECT a FROM t
                """)
        let sql = "SELECT highlight(t, 0, '[', ']') FROM t('one AND two')"
        #expect(try String.fetchAll(db, sql: sql) == ["[one] [two] [one]"])
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM u('one')") == 0)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM u('one*')") == 1)
    }

    @Test func `a tokenizer that is missing stops neither reading nor dropping`() throws {
        let folder = try TemporaryFolder()
        let db = try makeDatabase(folder["tokenizer.db"])
        db.add(tokenizer: DataTokenizer.self)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a, tokenize=data); INSERT INTO t VALUES ('one')")
        let other = try makeDatabase(folder["tokenizer.db"])
        #expect(try String.fetchAll(other, sql: "SELECT a FROM t WHERE rowid = 1") == ["one"])
        #expect(try Int.fetchOne(other, sql: "SELECT count(*) FROM t") == 1)
        for sql in ["SELECT * FROM t('one')", "INSERT INTO t VALUES ('two')", "INSERT INTO t(t) VALUES ('rebuild')"] {
            #expect(message(sql, on: other) == "no such tokenizer: data", "\(sql)")
        }
        other.add(tokenizer: DataTokenizer.self)
        #expect(try Int.fetchOne(other, sql: "SELECT count(*) FROM t('one*')") == 1)
        let third = try makeDatabase(folder["tokenizer.db"])
        try third.execute(sql: "DROP TABLE t")
        #expect(try Int.fetchOne(third, sql: "SELECT count(*) FROM sqlite_schema") == 0)
    }

    @Test func `what is added to FTS5 reaches tables of the engine`() throws {
        let db = try makeDatabase()
        let connection = try db.sqliteConnection
        func api(_ name: String) -> UnsafeMutablePointer<fts5_api>? {
            var statement: OpaquePointer?
            defer { _ = csqlite_finalize(statement) }
            var api: UnsafeMutablePointer<fts5_api>?
            guard csqlite_prepare_v3(connection, "SELECT \(name)(?1)", -1, 0, &statement, nil) == SQLITE_OK else {
                return nil
            }
            withUnsafeMutablePointer(to: &api) { pointer in
                "fts5_api_ptr".withCString { type in
                    _ = csqlite_bind_pointer(statement, 1, pointer, type, nil)
                    _ = csqlite_step(statement)
                }
            }
            return api
        }
        let fts5 = try #require(api("fts5"))
        #expect(fts5 == api("concordance"))
        let code = fts5.pointee.xCreateFunction?(
            fts5, "described", nil,
            { api, context, result, _, _ in
                var token: UnsafePointer<CChar>?
                var count: Int32 = 0
                guard let api, api.pointee.iVersion == 4 else { return csqlite_result_int64(result, -1) }
                _ = csqlite_fts5_extension_inst_token(api, context, 0, 0, &token, &count)
                csqlite_result_text_copy(result, token, UInt64(count))
            }, nil)
        #expect(code == SQLITE_OK)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t VALUES ('One twofold three')")
        for (query, token) in [("one", "one"), ("tw*", "twofold"), ("\"thr\" *", "three")] {
            #expect(try String.fetchOne(db, sql: "SELECT described(t) FROM t(?)", arguments: [query]) == token)
        }
        try db.execute(sql: "CREATE VIRTUAL TABLE f USING fts5(a); INSERT INTO f VALUES ('one')")
        #expect(try Row.fetchAll(db, sql: "SELECT described(f) FROM f('one')").count == 1, "and FTS5's own tables")
    }

    @Test func `tools that look for full-text tables find the second name`() throws {
        let db = try makeDatabase()
        try db.execute(
            sql:
                "CREATE VIRTUAL TABLE t USING fts5concordance(a, content=''); CREATE VIRTUAL TABLE u USING FTS5Concordance(a)"
        )
        try db.execute(sql: "INSERT INTO t VALUES ('one'); INSERT INTO u VALUES ('one')")
        for pattern in ["%VIRTUAL TABLE%USING FTS%", "%USING fts5%"] {
            let sql = "SELECT name FROM sqlite_schema WHERE rootpage = 0 AND sql LIKE ?"
            #expect(try String.fetchAll(db, sql: sql, arguments: [pattern]) == ["t", "u"])
        }
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t('one') JOIN u('one')") == 1)
        #expect(try !db.convertToConcordance(table: "u"))
        #expect(throws: DatabaseError.self) { try db.execute(sql: "DELETE FROM u_data") }
    }
}

@Suite("Converting several FTS5 tables")
struct SeveralConversionsTests {
    private func makeDatabase() throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE a USING fts5(x); INSERT INTO a VALUES ('one');
                CREATE TABLE "fts5"(x); CREATE VIRTUAL TABLE v USING fts5vocab(a, row);
                CREATE VIRTUAL TABLE c USING fts5(x, content='');
                CREATE VIRTUAL TABLE "b b" USING FTS5 (x, content="fts5"); INSERT INTO "b b"("b b") VALUES ('rebuild');
                CREATE VIRTUAL TABLE d USING concordance(x)
                """)
        return db
    }

    private let modules =
        "SELECT name || ': ' || sql FROM sqlite_schema WHERE rootpage = 0 AND name <> 'v' ORDER BY name"

    @Test func `converts all that have texts, and counts them`() throws {
        let db = try makeDatabase()
        #expect(try Int.fetchOne(db, sql: "SELECT concordance_convert()") == 2)
        #expect(
            try String.fetchAll(db, sql: modules) == [
                "a: CREATE VIRTUAL TABLE a USING fts5concordance(x)",
                "b b: CREATE VIRTUAL TABLE \"b b\" USING fts5concordance (x, content=\"fts5\")",
                "c: CREATE VIRTUAL TABLE c USING fts5(x, content='')",
                "d: CREATE VIRTUAL TABLE d USING concordance(x)",
            ])
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM a('one')") == 1)
        #expect(try Int.fetchOne(db, sql: "SELECT concordance_convert()") == 0)
    }

    @Test func `converts all or none`() throws {
        let db = try makeDatabase()
        try db.execute(sql: "CREATE TABLE \"b b_converted\"(x)")
        let before = try String.fetchAll(db, sql: modules)
        #expect(throws: DatabaseError.self) { try Int.fetchOne(db, sql: "SELECT concordance_convert()") }
        #expect(try String.fetchAll(db, sql: modules) == before)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM a('one')") == 1)
    }

    @Test func `says how, if a statement reads at the same time`() throws {
        let db = try makeDatabase()
        let before = try String.fetchAll(db, sql: modules)
        let sql = "SELECT concordance_convert(name) FROM sqlite_schema WHERE sql LIKE '%USING FTS5%'"
        let error = #expect(throws: ConversionError.self) { try Int.fetchAll(db, sql: sql) }
        #expect(error == .connectionIsReading("a"))
        #expect(error?.description.contains("SELECT concordance_convert()") == true)
        #expect(try String.fetchAll(db, sql: modules) == before)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM a('one')") == 1)
    }

    @Test func `keeps settings, including those that only later versions know`() throws {
        let db = try Database.undefended()
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING fts5(x); INSERT INTO t VALUES ('one');
                INSERT INTO t_config VALUES ('secure-delete', 1), ('deletemerge', 20), ('from-the-future', x'00')
                """)
        let settings = "SELECT k, v FROM t_config WHERE k <> 'version' ORDER BY k"
        let before = try Row.fetchAll(db, sql: settings)
        #expect(before.count == 3)
        try db.convertToConcordance(table: "t")
        #expect(try Row.fetchAll(db, sql: settings) == before)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t('one')") == 1)
    }
}
