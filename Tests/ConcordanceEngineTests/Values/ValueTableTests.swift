import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite
import TestSupport
import Testing

@Suite("VALUE columns of a table")
struct ValueTableTests {
    private static func database(_ options: String = "") throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(body, date VALUE, tags VALUE\(options));
                INSERT INTO t(rowid, body, date, tags) VALUES
                    (1, 'one two', 2001, '["red","green"]'), (2, 'one', 2003, '["blue"]'),
                    (3, 'two two', 2001, 'red'), (4, 'one two three', NULL, '[]'), (5, 'one', 1999.5, '["green","amber"]');
                """)
        return db
    }

    private static func plan(_ sql: String, in db: Database) throws -> [String] {
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String? ?? "" }
    }

    // MARK: - Plans

    @Test(
        arguments: [
            ("date = 1", "e1"), ("date < 1 AND date >= 0", "a1d1"), ("date BETWEEN 1 AND 2", "d1b1"),
            ("date IN (1, 2)", "i1"), ("date IS NULL", "n1"), ("date IS NOT NULL AND tags > 'a'", "c2N1"),
            ("date <> 1", ""), ("tags = 'a' COLLATE NOCASE", ""), ("date + 0 = 1", ""), ("body = 'one'", ""),
        ])
    func `answer conditions beside MATCH`(condition: String, letters: String) throws {
        let plan = try Self.plan("SELECT rowid FROM t WHERE t MATCH 'one' AND \(condition)", in: Self.database())
        #expect(plan.first?.hasSuffix("M3\(letters)") == true, "\(plan)")
    }

    @Test(
        arguments: [
            ("date", true), ("date DESC", true), ("date, rowid", true), ("date, rank", true),
            ("date DESC, rank, rowid", true), ("tags DESC, rank", true), ("date, rowid DESC", true),
            ("date DESC, rowid DESC", true), ("date, rank, rowid DESC", false), ("date, rank DESC", false),
            ("date, tags", false), ("rank, date", false), ("date COLLATE NOCASE", false),
            ("date NULLS LAST", false), ("body", false),
        ])
    func `give the order beside MATCH`(order: String, isOrdered: Bool) throws {
        let sql = "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY \(order) LIMIT 3"
        let plan = try Self.plan(sql, in: Self.database())
        #expect(plan.contains("USE TEMP B-TREE FOR ORDER BY") != isOrdered, "\(plan)")
    }

    @Test func `are columns like others without MATCH`() throws {
        let db = try Self.database()
        #expect(
            try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE date >= 2001 ORDER BY date DESC, rowid") == [2, 1, 3])
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'blue OR 2001'").isEmpty)
    }

    // MARK: - Several values

    @Test(
        arguments: [
            ("tags = 'green'", [1, 5]), ("tags = 'red'", [1, 3]), ("tags IN ('blue', 'amber')", [2, 5]),
            ("tags IS NULL", [4]), ("tags IS NOT NULL", [1, 2, 3, 5]), ("tags < 'b'", [5]), ("tags > 'h'", [1, 3]),
        ])
    func `of a row fulfil a condition if one does`(condition: String, rows: [Int]) throws {
        for options in ["", ", content='', contentless_delete=1"] {
            let db = try Self.database(options)
            let sql = "SELECT rowid FROM t WHERE t MATCH 'one OR two' AND \(condition) ORDER BY rowid"
            #expect(try Int.fetchAll(db, sql: sql) == rows)
        }
    }

    @Test func `of a row are within a range if one is`() throws {
        let db = try Self.database()
        try db.execute(sql: "INSERT INTO t(rowid, body, date) VALUES (6, 'six', '[1, 20]'), (7, 'six', 7)")
        for condition in ["date BETWEEN 5 AND 10", "date <= 10 AND date > 5"] {
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'six' AND \(condition)") == [7])
        }
        let sql = "SELECT rowid FROM t WHERE t MATCH 'six' AND date = 20"
        #expect(try Int.fetchAll(db, sql: sql) == [6])
        #expect(try Int.fetchAll(db, sql: "\(sql) AND rowid = 6") == [6])
        #expect(try Int.fetchAll(db, sql: "\(sql) AND rowid = 7").isEmpty)
    }

    @Test func `of a row are no groups`() throws {
        let db = try Self.database()
        try db.execute(
            sql: "INSERT INTO t(rowid, body, tags) VALUES (6, 'six', 'a'), (7, 'six', '[\"a\",\"b\"]'), (8, 'six', 'a')"
        )
        let sql = "SELECT count(*) FROM t WHERE t MATCH 'six' GROUP BY tags ORDER BY 1"
        #expect(try Int.fetchAll(db, sql: sql) == [1, 2])
        #expect(try Int.fetchAll(db, sql: "SELECT count(DISTINCT tags) FROM t WHERE t MATCH 'six'") == [2])
    }

    @Test func `of a row place it by the least, or by the greatest`() throws {
        let db = try Self.database()
        let sql = "SELECT rowid FROM t WHERE t MATCH 'one OR two' ORDER BY tags"
        #expect(try Int.fetchAll(db, sql: sql) == [4, 5, 2, 1, 3])
        #expect(try Int.fetchAll(db, sql: sql + " DESC") == [1, 3, 5, 2, 4])
        // Of the two rows whose greatest is red, the one with more matches ranks first.
        #expect(try Int.fetchAll(db, sql: sql + " DESC, rank").suffix(3) == [5, 2, 4])
        let best = "SELECT rowid FROM t WHERE t MATCH 'one OR two' AND rowid IN (1, 3) ORDER BY rank"
        #expect(try Int.fetchAll(db, sql: sql + " DESC, rank LIMIT 2") == Int.fetchAll(db, sql: best))
    }

    /// The engine ranks by functions of its own; others are called for all rows.
    @Test func `are followed by rowids in either direction`() throws {
        let db = try Self.database()
        try db.execute(sql: "CREATE VIRTUAL TABLE r USING concordance(body, date VALUE)")
        let rowIDs = [Int64.min, -1, 0, 1, .max] + (10..<300)
        for rowID in rowIDs {
            try db.execute(sql: "INSERT INTO r(rowid, body, date) VALUES (?, 'one', ?)", arguments: [rowID, rowID & 1])
        }
        for (direction, evenFirst) in [("", true), (" DESC", false)] {
            let groups = [
                rowIDs.filter { $0 & 1 == (evenFirst ? 0 : 1) }, rowIDs.filter { $0 & 1 == (evenFirst ? 1 : 0) },
            ]
            let sql = "SELECT rowid FROM r WHERE r MATCH 'one' ORDER BY date\(direction), rowid"
            #expect(try Int64.fetchAll(db, sql: sql) == groups.flatMap { $0.sorted() })
            #expect(try Int64.fetchAll(db, sql: sql + " DESC") == groups.flatMap { $0.sorted().reversed() })
        }
    }

    @Test func `give the order before a rank that a program computes`() throws {
        let db = try Self.database()
        try db.add(auxiliaryFunction: FTS5AuxiliaryFunction("backwards") { context, _ in -Double(try context.rowID) })
        let sql = "SELECT rowid FROM t WHERE t MATCH 'one OR two' AND rank MATCH 'backwards()' ORDER BY date"
        #expect(try Int.fetchAll(db, sql: "\(sql), rank") == [4, 5, 3, 1, 2])
        #expect(try Int.fetchAll(db, sql: "\(sql) DESC, rank") == [2, 3, 1, 5, 4])
    }

    @Test func `are returned by a table without texts`() throws {
        let db = try Self.database(", content='', contentless_delete=1")
        let rows = try Row.fetchAll(db, sql: "SELECT date, tags FROM t WHERE t MATCH 'one' ORDER BY rowid")
        #expect(
            rows.map(\.databaseValues) == [
                [2001.databaseValue, "[\"green\",\"red\"]".databaseValue], [2003.databaseValue, "blue".databaseValue],
                [.null, .null], [(1999.5).databaseValue, "[\"amber\",\"green\"]".databaseValue],
            ])
    }

    // MARK: - Facets

    private static func facets(_ arguments: String, in db: Database) throws -> [String] {
        try Row.fetchAll(db, sql: "SELECT value, count FROM concordance_facets(\(arguments))").map {
            $0.databaseValues.map(\.description).joined(separator: " ")
        }
    }

    @Test(
        arguments: [
            ("'t', 'one', 'tags'", ["'green' 2", "NULL 1", "'amber' 1", "'blue' 1", "'red' 1"]),
            ("'t', NULL, 'date'", ["2001 2", "NULL 1", "1999.5 1", "2003 1"]),
            ("'t', 'absent', 'date'", []),
            ("'t', NULL, 'DATE', '[1990, 2000, 2002]'", ["1990 1", "2000 2", "2002 1"]),
            ("'t', NULL, 'date', '[null, 2000, 2010]'", ["NULL 1", "2000 3", "2010 0"]),
            ("'t', 'one', 'tags', '[\"a\", \"h\"]'", ["'a' 3", "'h' 1"]), ("'t', NULL, 'date', '[]'", []),
        ])
    func `count rows by value and by range`(arguments: String, facets: [String]) throws {
        let db = try Self.database()
        #expect(try Self.facets(arguments, in: db) == facets)
    }

    @Test func `count rows of an attached database`() throws {
        let db = try Self.database()
        try db.execute(
            sql: """
                ATTACH ':memory:' AS "a b";
                CREATE VIRTUAL TABLE "a b".t USING concordance(body, date VALUE);
                INSERT INTO "a b".t VALUES ('one', 7);
                """)
        #expect(try Self.facets("'t', 'one', 'date', NULL, 'a b'", in: db) == ["7 1"])
        #expect(try Self.facets("'t', 'one', 'date', '[0, 10]', 'a b'", in: db) == ["0 1", "10 0"])
        #expect(
            try Self.facets("'t', NULL, 'date', NULL, 'main'", in: db) == Self.facets("'t', NULL, 'date'", in: db))
        #expect(throws: DatabaseError.self) { try Self.facets("'t', NULL, 'date', NULL, 'absent'", in: db) }
    }

    @Test func `count 1 and 1.0 of a row once`() throws {
        let db = try Self.database()
        try db.execute(
            sql:
                "INSERT INTO t(body, date) VALUES ('six', '[1, 1.0, 2]'), ('six', 1.0), ('six', 1), ('six', NULL), ('six', '[]')"
        )
        #expect(try Self.facets("'t', 'six', 'date'", in: db).map { $0.suffix(2) } == [" 3", " 2", " 1"])
    }

    @Test(
        arguments: [
            ("'t', 'one'", "takes the name of a table"), ("'t', 'one', 'body'", "no VALUE column body"),
            ("'t', 'one', 'absent'", "no VALUE column absent"), ("'absent', 'one', 'date'", "no such table: absent"),
            ("'plain', 'one', 'date'", "plain is not a table of the module concordance"),
            ("'named', 'one', 'date'", "named is not a table of the module concordance"),
            ("'v', 'one', 'date'", "v is not a table of the module concordance"),
            ("'t', '\"', 'date'", "unterminated string"), ("'t', 'one', 'date', '[2, 1]'", "ascending"),
            ("'t', 'one', 'date', '[[1]]'", "JSON array"), ("'t', 'one', 'date', 'x'", "JSON array"),
        ])
    func `say what is wrong`(arguments: String, message: String) throws {
        let db = try Self.database()
        try db.execute(sql: "CREATE TABLE plain(a); CREATE TABLE named(named); CREATE VIEW v AS SELECT 1 AS a")
        let error = #expect(throws: DatabaseError.self) { try Self.facets(arguments, in: db) }
        #expect(error?.message?.contains(message) == true, "\(String(describing: error))")
    }

    // MARK: - Writing

    @Test func `change without reading the text`() throws {
        for options in ["", ", content='', contentless_delete=1"] { try changeValues(options) }
    }

    private func changeValues(_ options: String) throws {
        let start = CountingTokenizer.documents.withLock { $0 }
        let db = try Self.database(", tokenize='counting'\(options)") { $0.add(tokenizer: CountingTokenizer.self) }
        let before = CountingTokenizer.documents.withLock { $0 }
        #expect(before == start + 2)
        try db.execute(
            sql: "UPDATE t SET date = 5, tags = '[1,2]' WHERE rowid IN (1, 2); UPDATE t SET date = 6 WHERE rowid = 2")
        #expect(CountingTokenizer.documents.withLock { $0 } == before)
        let sql = "SELECT rowid FROM t WHERE t MATCH 'one' AND date IN (5, 6) AND tags = 2 ORDER BY date DESC"
        #expect(try Int.fetchAll(db, sql: sql) == [2, 1])
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'one' AND date = 2001").isEmpty)
        guard options.isEmpty else { return }
        try db.execute(sql: "UPDATE t SET body = 'one more', date = 7 WHERE rowid = 2")
        #expect(CountingTokenizer.documents.withLock { $0 } > before)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'more' AND date = 7") == [2])
    }

    private static func database(_ options: String, _ prepare: (Database) -> Void) throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        prepare(db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(body, date VALUE, tags VALUE\(options));
                INSERT INTO t(rowid, body, date, tags) VALUES (1, 'one two', 2001, 'a'), (2, 'one', 2003, NULL);
                """)
        return db
    }

    @Test func `leave a blob as it is`() throws {
        let db = try Self.database()
        try db.execute(
            sql: "INSERT INTO t(rowid, body, date) VALUES (90, x'616263', 1); UPDATE t SET date = 2 WHERE rowid = 90")
        #expect(try String.fetchOne(db, sql: "SELECT typeof(body) || date FROM t WHERE rowid = 90") == "blob2")
        try db.execute(sql: "UPDATE t SET body = 'abc' WHERE rowid = 90")
        #expect(try String.fetchOne(db, sql: "SELECT typeof(body) || date FROM t WHERE rowid = 90") == "text2")
        try db.execute(sql: "UPDATE t SET body = x'616263' WHERE rowid = 90")
        #expect(try String.fetchOne(db, sql: "SELECT typeof(body) || date FROM t WHERE rowid = 90") == "blob2")
    }

    /// What a statement does not change is read from the pending rows, so that nothing is written before the commit.
    @Test func `change in part within one write`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(body, a VALUE, b VALUE, content='', contentless_delete=1);
                BEGIN;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                INSERT INTO t(rowid, body, a, b) SELECT i, 'one', i, -i FROM n;
                UPDATE t SET a = 7 WHERE rowid <= 200;
                COMMIT;
                """)
        let rowCount = "SELECT count(*) FROM t_data"
        #expect(try Int.fetchOne(db, sql: rowCount) == 2)
        try db.execute(
            sql: """
                BEGIN; UPDATE t SET b = 8 WHERE rowid <= 100; UPDATE t SET a = 9 WHERE rowid <= 50;
                SAVEPOINT s; UPDATE t SET b = 10 WHERE rowid <= 50; UPDATE t SET b = 11; ROLLBACK TO s;
                UPDATE t SET a = 12 WHERE rowid = 1; COMMIT
                """)
        #expect(try Int.fetchOne(db, sql: rowCount) == 2)
        let sql = "SELECT count(*) FROM t WHERE t MATCH 'one' AND "
        for (condition, count) in [
            ("a = 12 AND b = 8", 1), ("a = 9 AND b = 8", 49), ("a = 7 AND b = 8", 50), ("a = 7 AND b < -100", 100),
            ("a > 200 AND b < -200", 100),
        ] {
            #expect(try Int.fetchOne(db, sql: sql + condition) == count, "\(condition)")
        }
    }

    @Test(arguments: [
        "'\(String(repeating: "x", count: 4097))'", "json_array('\(String(repeating: "x", count: 4097))')",
        "(WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4097) SELECT json_group_array(i) FROM n)",
        "zeroblob(4097)",
    ])
    func `that are too long are an error, and nothing has changed`(value: String) throws {
        let db = try Self.database()
        for statement in [
            "INSERT INTO t(body, date) VALUES ('more', \(value))", "UPDATE t SET date = \(value) WHERE rowid = 1",
            "UPDATE t SET body = 'more', date = \(value) WHERE rowid = 1",
        ] {
            let error = #expect(throws: DatabaseError.self) { try db.execute(sql: statement) }
            #expect(error?.resultCode == .SQLITE_TOOBIG && error?.message?.contains("column date") == true)
        }
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 5)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'more OR one' AND date = 2001") == [1])
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
    }

    /// Without its text, a row cannot get another rowid.
    @Test func `do not let a row lose its text`() throws {
        let db = try Self.database(", content='', contentless_delete=1")
        for change in ["rowid = 17", "rowid = 17, date = 1", "rowid = NULL"] {
            #expect(throws: DatabaseError.self) { try db.execute(sql: "UPDATE t SET \(change) WHERE rowid = 1") }
        }
        try db.execute(sql: "UPDATE t SET date = 5 WHERE rowid = 99")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'two' ORDER BY rowid") == [1, 3, 4])
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 5)
    }

    /// Pages of values are the only ones of a segment that change, so what is cached of them may be undone.
    @Test func `come back with a rollback, whatever was read meanwhile`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(body, v VALUE);
                INSERT INTO t(t, rank) VALUES ('automerge', 0);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
                INSERT INTO t(rowid, body, v) SELECT i, 'one ' || hex(i * 7919), 1 FROM n;
                INSERT INTO t(rowid, body, v) VALUES (7001, 'one', 1);
                """)
        for end in ["ROLLBACK", "ROLLBACK TO s; COMMIT"] {
            try db.execute(sql: "BEGIN; SAVEPOINT s; UPDATE t SET v = 2 WHERE rowid IN (1, 7001)")
            let reader = try db.makeStatement(sql: "SELECT rowid FROM t WHERE t MATCH 'one' AND v = 2")
            #expect(try reader.step())
            try db.execute(sql: "INSERT INTO t(t) VALUES ('optimize')")
            reader.reset()
            try db.execute(sql: end)
            let count = "SELECT count(*) FROM t WHERE t MATCH 'one' AND v = "
            #expect(try Int.fetchOne(db, sql: count + "2") == 0, "\(end)")
            try db.execute(sql: "UPDATE t SET v = 3 WHERE rowid IN (2, 7001)")
            #expect(try Int.fetchOne(db, sql: count + "2") == 0 && Int.fetchOne(db, sql: count + "3") == 2)
            try db.execute(
                sql: "UPDATE t SET v = 1 WHERE rowid IN (2, 7001); INSERT INTO t(t) VALUES ('integrity-check')")
        }
    }

    @Test func `of a source are updated, alone or with the text`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE TABLE p(id INTEGER PRIMARY KEY, body, date);
                INSERT INTO p VALUES (1, 'one', 1), (2, 'two', 2);
                CREATE VIEW t_source(rowid, body, date) AS SELECT id, body, date FROM p;
                CREATE VIRTUAL TABLE t USING concordance(
                    body, date VALUE, content='', contentless_delete=1, source=1);
                INSERT INTO t(rowid, body, date) SELECT id, body, date FROM p;
                UPDATE p SET date = 3;
                """)
        func stale() throws -> [Int] {
            try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE concordance_is_current(t) = 0 ORDER BY rowid")
        }
        #expect(try stale() == [1, 2])
        #expect(throws: DatabaseError.self) {
            try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")
        }
        try db.execute(sql: "INSERT INTO t(t, rowid) VALUES ('values', 1)")
        #expect(try stale() == [2])
        try db.execute(sql: "INSERT INTO t(t, rowid) VALUES ('refresh', 2)")
        #expect(try stale().isEmpty)
        try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'one OR two' AND date = 3") == [1, 2])
    }

    @Test func `of a source change without reading a text`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        db.add(tokenizer: CountingTokenizer.self)
        try db.execute(
            sql: """
                CREATE TABLE p(id INTEGER PRIMARY KEY, body, date, tag);
                INSERT INTO p VALUES (1, 'one', 1, 'a'), (2, 'two', 2, 'b');
                CREATE VIEW t_source(rowid, body, date, tag) AS SELECT id, body, date, tag FROM p;
                CREATE VIRTUAL TABLE t USING concordance(
                    body, date VALUE, tag VALUE, content='', contentless_delete=1, source=1, tokenize='counting');
                INSERT INTO t(rowid, body, date, tag) SELECT * FROM p;
                """)
        let before = CountingTokenizer.documents.withLock { $0 }
        try db.execute(sql: "UPDATE p SET date = 5 WHERE id = 1; UPDATE t SET date = 5 WHERE rowid = 1")
        #expect(CountingTokenizer.documents.withLock { $0 } == before)
        #expect(
            try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'one OR two' AND date > 1 AND tag < 'b'") == [
                1
            ])
        try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")
    }

    @Test func `are refused by FTS5, and need a name`() throws {
        let both = try SideBySide()
        #expect(throws: DatabaseError.self) {
            try both.fts5.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(a, b VALUE)")
        }
        try both.engine.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a, b value)")
        #expect(throws: DatabaseError.self) {
            try both.engine.execute(sql: "CREATE VIRTUAL TABLE u USING concordance(a, b VALUE UNINDEXED)")
        }
    }
}

/// Counts the texts of rows that are tokenized.
private final class CountingTokenizer: FTS5CustomTokenizer {
    static let name = "counting"
    static let documents = Locked(0)
    private let words = SynonymTokenizer()

    init(db: Database, arguments: [String]) {}

    func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization, pText: UnsafePointer<CChar>?, nText: Int32,
        tokenCallback: FTS5TokenCallback?
    ) -> Int32 {
        if !tokenization.contains(.query) { Self.documents.withLock { $0 += 1 } }
        return words.tokenize(
            context: context, tokenization: tokenization, pText: pText, nText: nText, tokenCallback: tokenCallback)
    }
}
