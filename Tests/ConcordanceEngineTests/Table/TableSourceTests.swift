import ConcordanceEngine
import ConcordanceSQLite
import TestSupport
import Testing

@Suite("A table that reads its texts from a source")
struct TableSourceTests {
    private static let options = "content='', contentless_delete=1, source=1"

    private static func database() throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE TABLE texts(id INTEGER PRIMARY KEY, a, b);
                INSERT INTO texts VALUES (1, 'one', 'two'), (2, 'two three', 'four'), (3, 'one four', NULL);
                CREATE VIEW t_source(rowid, b, a) AS SELECT id, b, a FROM texts;
                CREATE VIRTUAL TABLE t USING concordance(a, b, \(options));
                INSERT INTO t(rowid, a, b) SELECT id, a, b FROM texts;
                """)
        return db
    }

    private static func look(_ db: Database, _ sql: String) throws -> [[DatabaseValue]] {
        try Row.fetchAll(db, sql: sql).map { Array($0.databaseValues) }
    }

    @Test func `gives them to SELECT, highlight, snippet and LIKE, and stores none`() throws {
        let db = try Self.database()
        #expect(
            try Self.look(db, "SELECT rowid, * FROM t ORDER BY rowid DESC") == [
                [3.databaseValue, "one four".databaseValue, .null],
                [2.databaseValue, "two three".databaseValue, "four".databaseValue],
                [1.databaseValue, "one".databaseValue, "two".databaseValue],
            ])
        let sql = "SELECT highlight(t, 0, '<', '>') || snippet(t, 1, '[', ']', '', 5) FROM t('two') ORDER BY rowid"
        #expect(try String.fetchAll(db, sql: sql) == ["one[two]", "<two> threefour"])
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE a LIKE '%our'") == [3])
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema WHERE name = 't_content'") == 0)
    }

    @Test func `removes a row by its rowid, whatever its text is by then`() throws {
        let db = try Self.database()
        try db.execute(sql: "UPDATE texts SET a = 'five' WHERE id = 1; DELETE FROM t WHERE rowid = 1")
        try db.execute(sql: "INSERT INTO t(rowid, a, b) SELECT * FROM t_source WHERE rowid = 1")
        try db.execute(sql: "DELETE FROM texts WHERE id = 2; DELETE FROM t WHERE rowid = 2")
        let found = "SELECT rowid FROM t('one OR two OR three OR five') ORDER BY rowid"
        #expect(try Int.fetchAll(db, sql: found) == [1, 3])
        // Scores are those of an index that has never had another row.
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE u USING concordance(a, b);
                INSERT INTO u(rowid, a, b) SELECT rowid, * FROM t;
                """)
        let scores = try ["t", "u"].map { try Self.look(db, "SELECT rowid, rank FROM \($0)('one OR five OR two')") }
        #expect(scores[0] == scores[1] && scores[0].count == 2)
    }

    /// Columns that stay are read from the source. If all texts stay, none is.
    @Test(
        arguments: [
            ("a = 'new'", "new AND four"), ("b = 'new'", "two AND new"), ("a = 'new', v = 7", "new AND four"),
            ("v = 5", "two AND four"), ("w = w, v = 5", "two AND four"), ("u = 1", "two AND four"),
            ("rowid = 9", "two AND four"), ("rowid = 9, v = 5", "two AND four"),
        ])
    func `is updated in some columns`(assignments: String, query: String) throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE TABLE texts(id INTEGER PRIMARY KEY, a, b, v, w, u);
                INSERT INTO texts VALUES (1, 'one', 'two', 1, 1, 1), (2, 'two three', 'four', 2, 2, 2);
                CREATE VIEW t_source(rowid, a, b, v, w, u) AS SELECT * FROM texts;
                CREATE VIRTUAL TABLE t USING concordance(a, b, v VALUE, w VALUE, u UNINDEXED, \(Self.options));
                INSERT INTO t(rowid, a, b, v, w, u) SELECT * FROM texts;
                UPDATE t SET \(assignments) WHERE rowid = 2;
                """)
        let rowID = assignments.contains("rowid") ? 9 : 2
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t(?)", arguments: [query]) == [rowID])
        let v = assignments.contains("v = ") ? Int(assignments.suffix(1)) : 2
        let values = "SELECT v || ' ' || w FROM t WHERE t MATCH 'four OR three OR new' AND rowid = \(rowID)"
        #expect(try String.fetchAll(db, sql: values) == ["\(v ?? 0) 2"])
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('two OR four OR new') WHERE w = 2") == [rowID])
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
    }

    @Test func `a row that the source does not have has no texts`() throws {
        let db = try Self.database()
        try db.execute(sql: "DELETE FROM texts WHERE id = 1")
        let texts = "SELECT a, highlight(t, 1, '<', '>') FROM t('one') ORDER BY rowid"
        #expect(try Self.look(db, texts).first == [.null, .null])
        #expect(try Self.look(db, "SELECT a FROM t WHERE rowid = 1") == [[.null]])
        try db.execute(sql: "DROP VIEW t_source")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('one') ORDER BY rank, rowid").count == 2)
        let error = #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: "SELECT a FROM t('one')") }
        #expect(error?.message?.contains("t_source") == true, "\(String(describing: error))")
    }

    @Test func `says which rows have an index that does not match their texts`() throws {
        let db = try Self.database()
        func stale() throws -> [[DatabaseValue]] {
            let rows = try Self.look(db, "SELECT rowid, concordance_is_current(t) FROM t ORDER BY rowid")
            return rows.filter { $0[1] != 1.databaseValue }
        }
        func check() throws { try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('integrity-check', 1)") }
        #expect(try stale().isEmpty)
        try check()
        for change in [
            "UPDATE texts SET a = 'three two' WHERE id = 2",
            "UPDATE texts SET a = 'two', b = 'three four' WHERE id = 2",
            "UPDATE texts SET a = a || ' five' WHERE id = 2",
        ] {
            try db.inSavepoint {
                try db.execute(sql: change)
                #expect(try stale() == [[2.databaseValue, 0.databaseValue]], "\(change)")
                #expect(throws: DatabaseError.self) { try check() }
                return .rollback
            }
        }
        try db.execute(sql: "UPDATE texts SET a = 'TWO, three.' WHERE id = 2; DELETE FROM texts WHERE id = 3")
        #expect(try stale() == [[3.databaseValue, .null]])
        try db.execute(sql: "INSERT INTO t(t) VALUES ('rebuild')")
        try check()
        #expect(try stale().isEmpty)
    }

    @Test func `one row after another is looked up without writing those that are pending`() throws {
        let db = try Self.database()
        try db.inTransaction {
            for id in 4...200 {
                try db.execute(sql: "INSERT INTO texts VALUES (\(id), 'word\(id)', NULL)")
                try db.execute(sql: "DELETE FROM t WHERE rowid = \(id)")
                try db.execute(sql: "INSERT INTO t(rowid, a, b) SELECT rowid, a, b FROM t_source WHERE rowid = \(id)")
                try db.execute(sql: "DELETE FROM t WHERE rowid = \(id - 1)")
            }
            return .commit
        }
        // The manifest, a segment of three rows, a page of its removed rows, and one segment of all others.
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t_data") == 4)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t ORDER BY rowid") == [1, 2, 200])
    }

    @Test func `under another name reads the source of that name`() throws {
        let db = try Self.database()
        try db.execute(sql: "CREATE VIEW v_source(rowid, a, b) AS SELECT id, a || '!', b FROM texts")
        try db.execute(sql: "ALTER TABLE t RENAME TO v")
        #expect(try String.fetchAll(db, sql: "SELECT a FROM v('three')") == ["two three!"])
    }

    @Test(arguments: [
        ("a, source=1", "source=1 requires contentless_delete=1"),
        ("a, content='', source=1", "source=1 requires contentless_delete=1"),
        ("a, content=x, source=1", "source=1 requires contentless_delete=1"),
        ("a, content='', contentless_delete=1, source=2", "malformed source=... directive"),
    ])
    func `refuses what cannot be`(declaration: String, message: String) throws {
        let db = try Self.database()
        let error = #expect(throws: DatabaseError.self) {
            try db.execute(sql: "CREATE VIRTUAL TABLE u USING concordance(\(declaration))")
        }
        #expect(error?.message == message)
    }

    @Test func `'refresh' brings the index of a row up to date with its texts, and writes nothing if it is`() throws {
        let db = try Self.database()
        func refresh(_ ids: Int...) throws {
            for id in ids { try db.execute(sql: "INSERT INTO t(t, rowid) VALUES ('refresh', \(id))") }
        }
        let blocks = "SELECT group_concat(id || hex(block)) FROM t_data"
        let before = try String.fetchOne(db, sql: blocks)
        try refresh(1, 2, 3, 4)
        #expect(try String.fetchOne(db, sql: blocks) == before)
        try db.execute(
            sql: """
                UPDATE texts SET a = 'five' WHERE id = 1;
                DELETE FROM texts WHERE id = 2;
                INSERT INTO texts VALUES (4, 'one', 'six')
                """)
        try refresh(1, 2, 3, 4)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('five OR six') ORDER BY rowid") == [1, 4])
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('two OR three') ORDER BY rowid") == [1])
        try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")
        #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO t(t) VALUES ('refresh')") }
        try db.execute(sql: "CREATE VIRTUAL TABLE plain USING concordance(a)")
        #expect(throws: DatabaseError.self) {
            try db.execute(sql: "INSERT INTO plain(plain, rowid) VALUES ('refresh', 1)")
        }
    }

    @Test(arguments: 0..<20)
    func `'refresh' does what removing and adding does, in transactions and savepoints too`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let db = try Self.database()
        try db.execute(
            sql: "CREATE VIRTUAL TABLE u USING concordance(a, b); INSERT INTO u(rowid, a, b) SELECT * FROM texts")
        let words = ["one", "two", "three", "four"]
        func text() -> String {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined(
                separator: " ")
        }
        for _ in 0..<60 {
            let id = Int.random(in: 1...6, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: try db.execute(sql: db.isInsideTransaction ? "COMMIT" : "BEGIN")
            case 1 where db.isInsideTransaction: try db.execute(sql: "SAVEPOINT s")
            case 2 where db.isInsideTransaction: try? db.execute(sql: "ROLLBACK TO s")
            case 3: try db.execute(sql: "DELETE FROM texts WHERE id = \(id)")
            case 4: break
            default: try db.execute(sql: "REPLACE INTO texts VALUES (\(id), '\(text())', '\(text())')")
            }
            for id in [id, 7 - id] {
                try db.execute(
                    sql: """
                        INSERT INTO t(t, rowid) VALUES ('refresh', \(id));
                        DELETE FROM u WHERE rowid = \(id);
                        INSERT INTO u(rowid, a, b) SELECT * FROM texts WHERE id = \(id)
                        """)
            }
            guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
            let found = try ["t", "u"].map {
                try Self.look(db, "SELECT rowid, rank FROM \($0)('one OR two OR three') ORDER BY rank, rowid")
            }
            #expect(found[0] == found[1])
        }
        if db.isInsideTransaction { try db.execute(sql: "COMMIT") }
        try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")
    }
}
