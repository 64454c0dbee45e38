import CConcordanceSQLite
import ConcordanceEngine
import ConcordanceSQLite
import TestSupport
import Testing

@Suite("Writing to a full-text table")
struct TableWritingTests {
    /// What can be seen of a table: its rows, and those that match.
    private static let looks = [
        "SELECT rowid, * FROM t ORDER BY rowid",
        "SELECT rowid FROM t WHERE t MATCH 'one OR two OR three' ORDER BY rowid",
        "SELECT rowid FROM t WHERE t MATCH 'four' ORDER BY rank",
        "SELECT rowid, rank FROM t WHERE t MATCH 'one four' ORDER BY rank DESC",
        "INSERT INTO t(t) VALUES ('integrity-check')",
    ]

    private func check(
        _ options: String, _ statements: [String], before: [String] = [], looks: [String] = Self.looks,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let both = try SideBySide()
        var history = before + ["CREATE VIRTUAL TABLE t USING MODULE(a, b\(options))"]
        both.check(script: history, sourceLocation: sourceLocation)
        for statement in statements {
            both.check(statement, after: history, sourceLocation: sourceLocation)
            history.append(statement)
            for look in looks { both.check(look, after: history, sourceLocation: sourceLocation) }
        }
    }

    @Test func `inserts, updates and deletes as FTS5 does`() throws {
        try check(
            "",
            [
                "INSERT INTO t VALUES ('one', 'two')", "INSERT INTO t(rowid, b) VALUES (10, 'three four')",
                "INSERT INTO t(a) VALUES ('four')",
                "INSERT INTO t(rowid, a) VALUES (NULL, 'one one one')", "INSERT INTO t(rowid, a) VALUES (2.0, 'four')",
                "INSERT INTO t(rowid, a) VALUES ('7', 'four')", "INSERT INTO t(rowid, a) VALUES ('x', 'four')",
                "INSERT INTO t(rowid, a) VALUES (1.5, 'x')",
                "INSERT INTO t(rowid, a) VALUES (-5, 'one')",
                "INSERT INTO t(rowid, a) VALUES (9223372036854775807, 'three')",
                "DELETE FROM t WHERE rowid = 9223372036854775807",
                "INSERT INTO t VALUES (1, 2.5), (NULL, x'6f6e65'), ('', 'one')",
                "UPDATE t SET a = 'two' WHERE rowid = 10", "UPDATE t SET a = a || ' four' WHERE t MATCH 'one'",
                "UPDATE t SET rowid = rowid + 100 WHERE t MATCH 'two'",
                "UPDATE t SET rowid = 1 WHERE rowid = 7", "UPDATE t SET rowid = NULL WHERE rowid = 7",
                "UPDATE t SET rowid = 'x' WHERE rowid = 7",
                "UPDATE t SET b = 'four' WHERE t MATCH 'nosuch'", "DELETE FROM t WHERE t MATCH 'four'",
                "DELETE FROM t WHERE rowid = 12345",
                "UPDATE t SET t = 'optimize' WHERE rowid = 1", "UPDATE t SET rank = 'x'", "DELETE FROM t",
                "INSERT INTO t SELECT 'one', 'two' UNION ALL SELECT 'four', ''",
            ])
    }

    /// Somebody may create an index on the shadow table; a row takes no place there but its own.
    @Test(arguments: ["", ", date VALUE"], [true, false])
    func `a conflict in an index on the content changes nothing`(column: String, isInTransaction: Bool) throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(url UNINDEXED, body\(column));
                CREATE UNIQUE INDEX t_url ON t_content(c0);
                INSERT INTO t(url, body) VALUES ('u1', 'one'), ('u2', 'two'), ('u3', 'three');
                """)
        if isInTransaction { try db.execute(sql: "BEGIN; INSERT INTO t(url, body) VALUES ('u4', 'four')") }
        for sql in [
            "UPDATE t SET url = 'u1' WHERE rowid = 2", "UPDATE t SET url = 'u1', body = 'new' WHERE rowid = 2",
            "REPLACE INTO t(rowid, url, body) VALUES (3, 'u1', 'new')", "INSERT INTO t(url, body) VALUES ('u1', 'new')",
            "UPDATE OR REPLACE t SET rowid = 3, url = 'u1' WHERE rowid = 2",
        ] {
            #expect(throws: DatabaseError.self, "\(sql)") { try db.execute(sql: sql) }
            #expect(try String.fetchAll(db, sql: "SELECT url FROM t WHERE rowid < 4") == ["u1", "u2", "u3"], "\(sql)")
            let found = try Int.fetchAll(db, sql: "SELECT rowid FROM t('one OR two OR three OR new')")
            #expect(found == [1, 2, 3], "\(sql)")
            try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        }
        try db.execute(sql: "UPDATE t SET url = 'u5', body = 'five' WHERE rowid = 2")
        try db.execute(sql: "REPLACE INTO t(rowid, url, body) VALUES (3, 'u3', 'six'), (9, 'u9', 'nine')")
        if isInTransaction { try db.execute(sql: "COMMIT") }
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('five OR six OR nine')") == [2, 3, 9])
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
    }

    @Test func `chooses rowids if there is no content, and finds them as other numbers`() throws {
        try check(
            ", content=''",
            [
                "INSERT INTO t(rowid, a) VALUES (-5, 'one')", "INSERT INTO t(a) VALUES ('two')",
                "INSERT INTO t(a) VALUES ('three'), ('one')", "INSERT INTO t(rowid, a) VALUES (7, 'one')",
                "BEGIN", "INSERT INTO t(rowid, a) VALUES (100, 'one')", "SAVEPOINT s",
                "INSERT INTO t(rowid, a) VALUES (200, 'one')", "ROLLBACK TO s", "INSERT INTO t(a) VALUES ('two')",
                "COMMIT", "INSERT INTO t(a) VALUES ('two')",
            ],
            looks: Self.looks.dropLast() + [
                "SELECT rowid FROM t WHERE rowid = -5.0", "SELECT rowid FROM t WHERE rowid = '-5.0'",
                "SELECT rowid FROM t WHERE rowid = 7.5", "SELECT rowid FROM t WHERE t MATCH 'one' AND rowid = 7.0",
                "SELECT rowid FROM t WHERE rowid = NULL", "SELECT rowid FROM t WHERE rowid = 'x'",
            ])
    }

    @Test func `follows conflict modes`() throws {
        for mode in ["REPLACE", "ABORT"] {
            try check(
                "",
                [
                    "INSERT INTO t(rowid, a) VALUES (1, 'one'), (2, 'two'), (3, 'three four')",
                    "INSERT OR \(mode) INTO t(rowid, a) VALUES (5, 'four'), (2, 'four'), (6, 'one')",
                    "UPDATE OR \(mode) t SET rowid = 3 WHERE rowid = 1",
                    "UPDATE OR \(mode) t SET rowid = rowid + 1", "UPDATE OR \(mode) t SET a = 'four' WHERE rowid > 1",
                    "BEGIN",
                    "INSERT INTO t(a) VALUES ('four')",
                    "INSERT OR \(mode) INTO t(rowid, a) VALUES (7, 'four'), (2, 'one')", "COMMIT",
                ])
        }
    }

    @Test func `tells the rowid of the last row inserted, and how many were changed`() throws {
        let both = try SideBySide()
        both.check(script: [
            "CREATE VIRTUAL TABLE t USING MODULE(a)", "INSERT INTO t VALUES ('one')",
            "SELECT last_insert_rowid(), changes()", "INSERT INTO t(rowid, a) VALUES (40, 'x'), (20, 'y')",
            "SELECT last_insert_rowid(), changes()", "DELETE FROM t WHERE rowid = 1",
            "SELECT last_insert_rowid(), changes()", "BEGIN", "INSERT INTO t(rowid, a) VALUES (7, 'x')",
            "SAVEPOINT s", "SELECT last_insert_rowid(), changes()", "COMMIT", "SELECT last_insert_rowid()",
            "INSERT INTO t(t) VALUES ('optimize')", "SELECT last_insert_rowid()",
        ])
        // As with any other table, and unlike FTS5, an UPDATE inserts nothing.
        try both.engine.execute(
            sql: "INSERT INTO t(rowid, a) VALUES (50, 'z'); UPDATE t SET a = 'changed' WHERE rowid = 7")
        #expect(try Int.fetchOne(both.engine, sql: "SELECT last_insert_rowid()") == 50)
    }

    @Test func `removes a row by its rowid, whatever text is passed`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        for options in ["content=''", "content=c"] {
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS c(a); CREATE VIRTUAL TABLE t USING concordance(a, \(options));
                    INSERT INTO t(rowid, a) VALUES (1, 'one two'), (2, 'two three'), (3, 'three one');
                    INSERT INTO t(t, rowid, a) VALUES ('delete', 2, 'something else one'), ('delete', 9, 'one'), ('delete', 2, 'two three')
                    """)
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'one OR two OR three'") == [1, 3])
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'two'") == [1])
            try db.execute(
                sql: "INSERT INTO t(rowid, a) VALUES (1, 'four'); INSERT INTO t(t) VALUES ('integrity-check')")
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'one OR four'") == [1, 3])
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'one'") == [3])
            try db.execute(sql: "DROP TABLE t")
        }
    }

    @Test func `is mended by a rebuild`() throws {
        let db = try Database.undefended()
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t VALUES ('one'), ('two')")
        for damage in [
            "DELETE FROM t_data", "UPDATE t_data SET block = x'00'", "UPDATE t_data SET block = zeroblob(500)",
            "DELETE FROM t_data WHERE id > 1", "UPDATE t_data SET block = NULL",
        ] {
            try db.execute(sql: damage)
            let error = #expect(throws: DatabaseError.self, "\(damage)") {
                try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
            }
            #expect(error?.resultCode == .SQLITE_CORRUPT, "\(damage): \(String(describing: error))")
            try db.execute(sql: "INSERT INTO t(t) VALUES ('rebuild'); INSERT INTO t(t) VALUES ('integrity-check')")
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'two'") == [2])
        }
    }

    /// Connections keep pages by the number of their segment, so a rebuild must give numbers that none has had.
    @Test(arguments: [
        "UPDATE t_data SET block = x'00' WHERE id = 1", "DELETE FROM t_data WHERE id = 1",
        // The greatest number that a segment can have.
        "DELETE FROM t_data WHERE id = 1; INSERT INTO t_data VALUES (2147483646 << 32, x'00')",
    ])
    func `is mended by a rebuild for connections that know what it was`(damage: String) throws {
        let folder = try TemporaryFolder()
        func connect() throws -> Database { try .undefended(path: folder["t.sqlite"]) }
        let (first, second, third) = try (connect(), connect(), connect())
        func found(_ word: String, _ db: Database) throws -> [Int] {
            try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH ?", arguments: [word])
        }
        try first.execute(
            sql: "CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t(rowid, a) VALUES (1, 'alpha one')")
        #expect(try found("alpha", second) == [1])
        try first.execute(sql: "UPDATE t SET a = 'gamma two' WHERE rowid = 1; INSERT INTO t(t) VALUES ('optimize')")
        #expect(try found("gamma", second) == [1])
        try third.execute(sql: damage)
        try third.execute(sql: "INSERT INTO t(t) VALUES ('rebuild')")
        for db in [first, second, third] {
            #expect(try found("alpha", db).isEmpty)
            #expect(try found("gamma", db) == [1])
        }
        try second.execute(sql: "INSERT INTO t VALUES ('delta'); INSERT INTO t(t) VALUES ('optimize')")
        for db in [first, second, third] {
            #expect(try found("alpha", db).isEmpty)
            try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        }
    }

    @Test func `follows the other conflict modes as any table does, and FTS5 does not`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: "CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t(rowid, a) VALUES (1, 'one'), (2, 'two')")
        try db.execute(sql: "INSERT OR IGNORE INTO t(rowid, a) VALUES (2, 'four'), (3, 'three')")
        try db.execute(sql: "UPDATE OR IGNORE t SET rowid = 1 WHERE rowid > 1")
        #expect(try String.fetchAll(db, sql: "SELECT rowid || a FROM t") == ["1one", "2two", "3three"])
        #expect(throws: DatabaseError.self) {
            try db.execute(sql: "INSERT OR FAIL INTO t(rowid, a) VALUES (4, 'four'), (1, 'x'), (5, 'five')")
        }
        #expect(try String.fetchAll(db, sql: "SELECT rowid || a FROM t WHERE t MATCH 'four OR five'") == ["4four"])
        try db.execute(sql: "BEGIN; DELETE FROM t")
        #expect(throws: DatabaseError.self) {
            try db.execute(sql: "INSERT OR ROLLBACK INTO t(rowid, a) VALUES (1, 'x'), (1, 'y')")
        }
        #expect(try String.fetchAll(db, sql: "SELECT rowid || a FROM t WHERE t MATCH 'one OR x OR y'") == ["1one"])
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
    }

    @Test func `undoes transactions and savepoints`() throws {
        try check(
            "",
            [
                "INSERT INTO t(rowid, a) VALUES (1, 'one')", "BEGIN", "INSERT INTO t(rowid, a) VALUES (2, 'two')",
                "SAVEPOINT s", "UPDATE t SET a = 'four'",
                "SAVEPOINT s2", "DELETE FROM t WHERE rowid = 1", "ROLLBACK TO s2",
                "INSERT INTO t(rowid, a) VALUES (9, 'one four')", "RELEASE s2", "ROLLBACK TO s",
                "INSERT INTO t(rowid, a) VALUES (3, 'three')", "INSERT INTO t(rowid, a) VALUES (4, 'four'), (3, 'x')",
                "COMMIT", "SAVEPOINT o",
                "INSERT INTO t(rowid, a) VALUES (5, 'four')", "ROLLBACK TO o",
                "INSERT INTO t(rowid, a) VALUES (6, 'four')", "RELEASE o", "BEGIN",
                "DELETE FROM t", "INSERT INTO t VALUES ('four', 'four')", "ROLLBACK",
                "INSERT INTO t VALUES ('one', 'four')",
            ])
        // Nothing is asked in between, so that nothing is written before the commit.
        try check(
            "",
            [
                "BEGIN", "INSERT INTO t(rowid, a) VALUES (1, 'one'), (2, 'two four')", "SAVEPOINT s",
                "DELETE FROM t WHERE rowid = 1", "SAVEPOINT s2",
                "UPDATE t SET a = 'four' WHERE rowid = 2", "ROLLBACK TO s2",
                "INSERT INTO t(rowid, a) VALUES (1, 'four')", "RELEASE s", "COMMIT",
            ], looks: [])
    }

    @Test func `of external content indexes what it is told`() throws {
        try check(
            ", content=c, content_rowid=id",
            [
                "INSERT INTO t(rowid, a, b) SELECT id, a, b FROM c", "INSERT INTO c VALUES (4, 'four', 'one', 0)",
                "INSERT INTO t(rowid, a, b) VALUES (4, 'four', 'one')",
                "INSERT INTO t(t, rowid, a, b) VALUES ('delete', 1, 'one', 'two')", "DELETE FROM c WHERE id = 1",
                "DELETE FROM t WHERE rowid = 2",
                "INSERT INTO t(t) VALUES ('rebuild')", "UPDATE t SET a = 'one two' WHERE rowid = 3",
                "INSERT INTO t(t) VALUES ('delete-all')",
                "INSERT INTO t(t) VALUES ('rebuild')", "INSERT INTO t(t, rank) VALUES ('integrity-check', 1)",
                "INSERT INTO t(t) VALUES ('optimize')",
                "INSERT INTO t(t, a) VALUES ('delete', 'one')",
                "INSERT INTO t(t, rowid, a) VALUES ('delete', 'x', 'x')", "UPDATE c SET a = 'changed' WHERE id = 3",
                "INSERT INTO t(t) VALUES ('integrity-check')", "INSERT INTO t(t, rank) VALUES ('integrity-check', 1)",
                "DELETE FROM c", "SELECT rowid, a FROM t WHERE t MATCH 'one'",
                "SELECT rowid FROM t WHERE t MATCH 'one'", "DROP TABLE c", "SELECT * FROM t",
            ],
            before: [
                "CREATE TABLE c(id INTEGER PRIMARY KEY, a, b, x)",
                "INSERT INTO c VALUES (1, 'one', 'two', 0), (2, 'two', 'four', 0), (3, 'three', '', 1)",
            ],
            looks: [
                "SELECT rowid, * FROM t ORDER BY rowid", "SELECT rowid FROM t WHERE t MATCH 'four' ORDER BY rowid",
                "SELECT count(*) FROM t WHERE t MATCH 'one'",
            ])
    }

    @Test func `of external content follows triggers`() throws {
        let both = try SideBySide()
        both.check(script: [
            "CREATE TABLE c(id INTEGER PRIMARY KEY, a, b)",
            "CREATE VIRTUAL TABLE t USING MODULE(a, b, content=c, content_rowid=id)",
            "CREATE TRIGGER c_ai AFTER INSERT ON c BEGIN INSERT INTO t(rowid, a, b) VALUES (new.id, new.a, new.b); END",
            "CREATE TRIGGER c_ad AFTER DELETE ON c BEGIN INSERT INTO t(t, rowid, a, b) VALUES ('delete', old.id, old.a, old.b); END",
            "CREATE TRIGGER c_au AFTER UPDATE ON c BEGIN INSERT INTO t(t, rowid, a, b) VALUES ('delete', old.id, old.a, old.b);\n"
                + "INSERT INTO t(rowid, a, b) VALUES (new.id, new.a, new.b); END",
            "INSERT INTO c(a, b) VALUES ('one', 'two'), ('two', 'three'), ('three', 'four')",
            "UPDATE c SET a = 'four ' || a", "SELECT rowid, rank FROM t WHERE t MATCH 'four' ORDER BY rank",
            "DELETE FROM c WHERE id = 2",
            "UPDATE c SET id = id + 10", "SELECT rowid, * FROM t WHERE t MATCH 'four'",
            "INSERT INTO t(t, rank) VALUES ('integrity-check', 1)",
            "UPDATE c SET a = 'five' WHERE id = 11", "BEGIN", "DELETE FROM c",
            "SELECT count(*) FROM t WHERE t MATCH 'four'", "ROLLBACK",
            "SELECT last_insert_rowid()", "SELECT rowid, a FROM t WHERE t MATCH 'four OR five'", "DROP TABLE c",
            "SELECT a FROM t WHERE t MATCH 'four'",
        ])
    }

    @Test func `without content knows the rows only`() throws {
        try check(
            ", content=''",
            [
                "INSERT INTO t(rowid, a, b) VALUES (1, 'one', 'two'), (5, 'four', 'four')",
                "INSERT INTO t VALUES ('one', 'four')", "DELETE FROM t WHERE rowid = 1",
                "UPDATE t SET a = 'x'", "INSERT INTO t(t, rowid, a, b) VALUES ('delete', 1, 'one', 'two')",
                "INSERT INTO t(t) VALUES ('rebuild')",
                "INSERT INTO t(t) VALUES ('delete-all')", "INSERT INTO t(rowid, a) VALUES (1, 'four')",
                "INSERT INTO t VALUES ('one', '')",
                "SELECT rowid, a FROM t WHERE rowid = 1", "SELECT rowid FROM t WHERE rowid > 1 ORDER BY rowid DESC",
                "INSERT OR REPLACE INTO t VALUES ('x', 'y')",
            ])
        try check(
            ", content='', columnsize=0",
            [
                "INSERT INTO t VALUES ('one', 'two')", "INSERT INTO t(rowid, a) VALUES (3, 'one four')",
                "SELECT * FROM t", "SELECT rowid FROM t WHERE t MATCH 'four'",
            ],
            looks: [])
    }

    @Test func `without content can delete where it is told so at creation`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a, b, content='', contentless_delete=1)")
        try db.execute(
            sql: "INSERT INTO t(rowid, a, b) VALUES (1, 'one', 'two'), (2, 'two', 'three'), (3, 'one', 'three')")
        func rows(_ query: String) throws -> [Int] {
            try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid", arguments: [query])
        }
        try db.execute(sql: "DELETE FROM t WHERE rowid = 1")
        #expect(try rows("one") == [3])
        try db.execute(sql: "INSERT OR REPLACE INTO t(rowid, a) VALUES (2, 'one')")
        #expect(try rows("one OR two") == [2, 3])
        try db.execute(sql: "UPDATE t SET a = 'four', b = 'five' WHERE rowid = 3")
        #expect(try rows("one OR five") == [2, 3])
        let partial = #expect(throws: DatabaseError.self) {
            try db.execute(sql: "UPDATE t SET a = 'x' WHERE rowid = 3")
        }
        #expect(partial?.message == "cannot UPDATE a subset of columns on fts5 contentless-delete table: t")
        let command = #expect(throws: DatabaseError.self) {
            try db.execute(sql: "INSERT INTO t(t, rowid) VALUES ('delete', 3)")
        }
        #expect(command?.message == "'delete' may not be used with a contentless_delete=1 table")
        for (declaration, message) in [
            ("a, contentless_delete=1", "contentless_delete=1 requires a contentless table"),
            ("a, content='', contentless_delete=2", "malformed contentless_delete=... directive"),
            (
                "a, content='', contentless_delete=1, columnsize=0",
                "contentless_delete=1 is incompatible with columnsize=0"
            ),
        ] {
            let error = #expect(throws: DatabaseError.self) {
                try db.execute(sql: "CREATE VIRTUAL TABLE u USING concordance(\(declaration))")
            }
            #expect(error?.message == message)
        }
    }

    @Test(arguments: [
        "'automerge', 8", "'automerge', 0", "'automerge', 1", "'automerge', 65", "'automerge', -1", "'automerge', '4'",
        "'automerge', 'x'", "'automerge', NULL",
        "'AUTOMERGE', 4", "'usermerge', 4", "'usermerge', 1", "'usermerge', 17", "'crisismerge', 0",
        "'crisismerge', -1", "'crisismerge', 5000", "'pgsz', 64",
        "'pgsz', 31", "'pgsz', 65537", "'pgsz', 4000.0", "'hashsize', 100", "'hashsize', 0", "'hashsize', 4294967297",
        "'rank', 'bm25(1.0)'", "'rank', ''", "'rank', NULL",
        "'rank', 5", "'nosuch', 5", "'', 5", "'merge', 5", "'merge', -5", "'merge', 0", "'optimize', 0", "'rebuild', 0",
        "'integrity-check', 0", "'delete-all', 0", "'delete', 0",
        "1, 2", "x'00', 1", "'version', 4",
    ])
    func `takes FTS5's commands and refuses others with its messages`(command: String) throws {
        for options in ["", ", content=''", ", content=c"] {
            try check(
                options,
                [
                    "INSERT INTO t(rowid, a, b) VALUES (1, 'one', 'two'), (2, 'two', 'four')",
                    "INSERT INTO t(t, rank) VALUES (\(command))", "SELECT last_insert_rowid()",
                ],
                before: ["CREATE TABLE c(a, b)", "INSERT INTO c VALUES ('one', 'four')"],
                looks: ["SELECT count(*) FROM t WHERE t MATCH 'one OR four'"])
        }
    }

    @Test func `is the same in attached, temporary and file databases`() throws {
        let folder = try TemporaryFolder()
        let both = try SideBySide(in: folder)
        both.check(script: [
            "ATTACH ':memory:' AS other", "CREATE VIRTUAL TABLE t USING MODULE(a)",
            "CREATE VIRTUAL TABLE other.t USING MODULE(a)", "CREATE VIRTUAL TABLE temp.u USING MODULE(a)",
            "INSERT INTO t VALUES ('one')", "INSERT INTO other.t VALUES ('two')", "INSERT INTO u VALUES ('three')",
            "SELECT * FROM t", "SELECT * FROM other.t", "SELECT * FROM u",
            "SELECT count(*) FROM other.t WHERE t MATCH 'two'",
            "SELECT rowid FROM other.t WHERE other.t MATCH 'two' ORDER BY rank",
            "SELECT rowid FROM other.t('two') ORDER BY rank DESC",
            "BEGIN", "INSERT INTO other.t SELECT a FROM t", "INSERT INTO t SELECT a FROM other.t", "ROLLBACK",
            "SELECT * FROM other.t", "SELECT * FROM t", "VACUUM",
            "SELECT rowid FROM t WHERE t MATCH 'one'", "DETACH other", "SELECT * FROM t",
        ])
    }

    @Test func `is seen by another connection when it is committed`() throws {
        let folder = try TemporaryFolder()
        let writer = try Database(path: folder["file.db"])
        let reader = try Database(path: folder["file.db"])
        for db in [writer, reader] { try ConcordanceModule.register(on: db) }
        try writer.execute(
            sql: "PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t VALUES ('one')")
        func count(_ db: Database) throws -> Int? {
            try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH 'one'")
        }
        #expect(try count(reader) == 1)
        try reader.execute(sql: "BEGIN")
        #expect(try count(reader) == 1)
        try writer.execute(sql: "INSERT INTO t VALUES ('one'); INSERT INTO t(t) VALUES ('optimize')")
        #expect(try count(writer) == 2)
        #expect(try count(reader) == 1)
        try reader.execute(sql: "COMMIT")
        #expect(try count(reader) == 2)
        try writer.execute(sql: "INSERT INTO t(t, rank) VALUES ('rank', 'nosuch()')")
        #expect(throws: DatabaseError.self) { try Row.fetchAll(reader, sql: "SELECT rank FROM t WHERE t MATCH 'one'") }
    }

    /// Steps through a query of 20 rows, and lets the table be written to at each.
    private func step(
        _ options: String, _ sql: String, _ write: (Database, Int64) throws -> Void
    ) throws -> (seen: [Int64], left: Int?) {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a\(options))")
        for number in 1...20 {
            try db.execute(sql: "INSERT INTO t(rowid, a) VALUES (?, ?)", arguments: [number, "one \(number)"])
        }
        var seen: [Int64] = []
        let statement = try db.makeStatement(sql: sql)
        try statement.forEachRow { row in
            seen.append(row.int64(at: 0))
            try write(db, row.int64(at: 0))
        }
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        return (seen, try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH 'one'"))
    }

    private static let scans = [
        "SELECT rowid, a FROM t WHERE t MATCH 'one'", "SELECT rowid FROM t WHERE t MATCH 'one'",
        "SELECT rowid, rank FROM t WHERE t MATCH 'one'", "SELECT rowid, a FROM t WHERE t MATCH 'one' ORDER BY rank",
        "SELECT rowid, rank FROM t WHERE t MATCH 'one' ORDER BY rank",
        "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank", "SELECT rowid, a FROM t",
    ]

    @Test(arguments: scans)
    func `skips rows that are deleted before an open cursor reaches them`(sql: String) throws {
        let (seen, left) = try step("", sql) { db, rowID in
            try db.execute(sql: "DELETE FROM t WHERE rowid = ?", arguments: [21 - rowID])
            if rowID == 5 { try db.execute(sql: "INSERT INTO t(t) VALUES ('optimize')") }
        }
        #expect(seen == Array(1...10))
        #expect(left == 10)
    }

    @Test(arguments: scans)
    func `does not show an open cursor rows that are inserted meanwhile, unless the content does`(sql: String) throws {
        let (seen, left) = try step("", sql) { db, rowID in
            if rowID < 15 {
                try db.execute(sql: "INSERT INTO t(rowid, a) VALUES (?, 'one more')", arguments: [rowID + 100])
            }
        }
        #expect(Array(seen.prefix(20)) == Array(1...20))
        #expect(seen.count == (sql.contains("MATCH") ? 20 : 34))
        #expect(left == 34)
    }

    @Test(arguments: ["ROLLBACK", "ROLLBACK TO s"])
    func `can be rolled back under an open cursor`(rollback: String) throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t VALUES ('one'), ('two')")
        try db.execute(sql: "BEGIN; SAVEPOINT s; INSERT INTO t VALUES ('one'), ('one'), ('two')")
        var seen: [Int64] = []
        let statement = try db.makeStatement(sql: "SELECT rowid FROM t WHERE t MATCH 'one'")
        do {
            try statement.forEachRow { row in
                seen.append(row.int64(at: 0))
                if seen == [1] { try db.execute(sql: rollback) }
            }
            #expect(seen == [1])
        } catch let error as DatabaseError {
            #expect(error.resultCode == .SQLITE_ABORT)
        }
        statement.reset()
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'one'") == [1])
        if db.isInsideTransaction { try db.execute(sql: "COMMIT") }
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
    }

    /// Nobody takes the Swift error of a statement that another library executes.
    @Test func `reports each failure with its own message if another library executes the statements`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        let connection = try db.sqliteConnection
        func message(_ sql: String) -> String? {
            guard csqlite_exec(connection, sql, nil, nil, nil) != SQLITE_OK else { return nil }
            return csqlite_errmsg(connection).map { String(cString: $0) }
        }
        #expect(
            message(
                """
                CREATE TABLE c(a); CREATE VIRTUAL TABLE t USING concordance(a, content=c);
                INSERT INTO c VALUES ('one'); INSERT INTO t(t) VALUES ('rebuild'); SELECT * FROM t('one');
                INSERT INTO c VALUES ('two')
                """) == nil)
        #expect(message("INSERT INTO t(t, rank) VALUES ('integrity-check', 1)") == "row 2 is not in the index")
        #expect(message("DROP TABLE c") == nil)
        for sql in ["SELECT * FROM t('one')", "INSERT INTO t(t) VALUES ('rebuild')"] {
            #expect(message(sql)?.hasSuffix("no such table: main.c") == true, "\(sql): \(message(sql) ?? "")")
        }
    }

    @Test func `whose content reads the table itself says so`() throws {
        let both = try SideBySide()
        both.check(script: [
            "CREATE VIRTUAL TABLE t USING MODULE(a, content=v)", "CREATE VIEW v AS SELECT rowid, a FROM t",
            "SELECT * FROM t", "SELECT a FROM t WHERE rowid = 1",
            "INSERT INTO t(rowid, a) VALUES (1, 'one')", "SELECT a FROM t WHERE t MATCH 'one'",
        ])
    }

    /// In a transaction SQLite does not undo what a statement of one row has done before it failed.
    @Test(arguments: [
        "INSERT INTO t VALUES ('x', $v)", "INSERT INTO t(rowid, a, v) VALUES (9, 'x', $v)",
        "REPLACE INTO t(rowid, a, v) VALUES (1, 'x', $v)", "REPLACE INTO t(rowid, a, v) VALUES (3, 'x', $v)",
        "UPDATE t SET a = 'x', v = $v WHERE rowid = 1", "UPDATE t SET v = $v WHERE rowid = 3",
        "UPDATE t SET v = $v, rowid = 9 WHERE rowid = 1", "UPDATE OR REPLACE t SET v = $v, rowid = 2 WHERE rowid = 1",
        "UPDATE t SET a = 'x', rowid = 2 WHERE rowid = 1", "UPDATE t SET a = 'x', rowid = 2 WHERE rowid = 3",
        "UPDATE t SET a = 'x', rowid = 3 WHERE rowid = 2", "INSERT INTO t(rowid, a) VALUES (2, 'x')",
        // The content refuses these.
        "INSERT INTO t VALUES ('bad', 1)", "REPLACE INTO t(rowid, a, v) VALUES (1, 'bad', 1)",
        "UPDATE t SET a = 'bad' WHERE rowid = 1", "UPDATE t SET a = 'bad', rowid = 9 WHERE rowid = 1",
        "UPDATE OR REPLACE t SET a = 'bad', rowid = 2 WHERE rowid = 1",
    ])
    func `a row that is refused changes neither the content nor the index`(sql: String) throws {
        for isQueried in [false, true] {
            let db = try Database.undefended()
            try ConcordanceModule.register(on: db)
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE t USING concordance(a, v VALUE); INSERT INTO t VALUES ('one', 1), ('two', 2);
                    CREATE TRIGGER g BEFORE INSERT ON t_content WHEN new.c0 = 'bad' BEGIN SELECT RAISE(ABORT, 'bad'); END;
                    BEGIN; INSERT INTO t VALUES ('three', 3)
                    """)
            let all = "SELECT rowid, a, v FROM t ORDER BY rowid"
            let matches = "SELECT rowid FROM t('one OR two OR three OR x') WHERE v > 0 ORDER BY rowid"
            let before = try Row.fetchAll(db, sql: all).map(\.databaseValues)
            if isQueried { #expect(try Int.fetchAll(db, sql: matches) == [1, 2, 3]) }
            let tooLong = String(repeating: "v", count: 5000)
            #expect(throws: DatabaseError.self) {
                try db.execute(sql: sql.replacing("$v", with: "'\(tooLong)'"))
            }
            #expect(try Row.fetchAll(db, sql: all).map(\.databaseValues) == before)
            #expect(try Int.fetchAll(db, sql: matches) == [1, 2, 3])
            try db.execute(sql: "COMMIT; INSERT INTO t(t) VALUES ('integrity-check')")
            #expect(try Row.fetchAll(db, sql: all).map(\.databaseValues) == before)
        }
    }
}
