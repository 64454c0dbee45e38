import CConcordanceSQLite
import ConcordanceEngine
import ConcordanceSQLite
import TestSupport
import Testing

@Suite("A full-text table in transactions and savepoints")
struct TransactionTests {
    private static let matches = "SELECT rowid, *, rank FROM t WHERE t MATCH 'one OR two' ORDER BY rowid"

    /// SQLite does not tell the table about a savepoint older than its first change, only about going back to it.
    @Test(arguments: [
        [
            "SAVEPOINT a", "INSERT INTO t VALUES ('one')", "SAVEPOINT b", "ROLLBACK TO a", matches,
            "INSERT INTO t VALUES ('two')", "RELEASE a",
        ],
        [
            "BEGIN", "SAVEPOINT a", "INSERT OR REPLACE INTO t(rowid, x) SELECT 7, 'one' UNION SELECT 8, 'two'",
            "SAVEPOINT b", "INSERT INTO t VALUES ('one')", "ROLLBACK TO a", matches, "ROLLBACK TO a",
            "INSERT INTO t VALUES ('two')", "COMMIT",
        ],
        [
            "SAVEPOINT a", "INSERT INTO t VALUES ('one')", matches, "SAVEPOINT b", "DELETE FROM t",
            "INSERT INTO t VALUES ('two')", "ROLLBACK TO a", matches, "SAVEPOINT c", "INSERT INTO t VALUES ('two')",
            "ROLLBACK TO c", "COMMIT",
        ],
        // What SQLite passes over before a statement does not hide it.
        [
            "BEGIN", "INSERT INTO t VALUES ('one')", "; ;\u{FEFF}/* a */ SAVEPOINT a", "DROP TABLE t", "ROLLBACK TO a",
            matches, "COMMIT",
        ],
    ])
    func `goes back to savepoints from before its first change`(script: [String]) throws {
        let both = try SideBySide()
        both.check(script: ["CREATE VIRTUAL TABLE t USING MODULE(x)", "INSERT INTO t VALUES ('one two')"])
        both.check(script: script + [Self.matches, "INSERT INTO t(t) VALUES ('integrity-check')"])
    }

    /// SQLite tells all tables of a savepoint, one after another; in between, triggers have begun many.
    @Test(arguments: [
        ["INSERT INTO d VALUES ('one')", "SAVEPOINT s", "DROP TABLE t", "ROLLBACK TO s"],
        [
            "INSERT INTO u VALUES ('one')", "INSERT INTO d VALUES ('two')", "SAVEPOINT s", "DROP TABLE t",
            "DROP TABLE u", "ROLLBACK TO s", "INSERT INTO d VALUES ('one')", "SAVEPOINT r", "DROP TABLE u",
            "ROLLBACK TO r",
        ],
        [
            "INSERT INTO t VALUES ('one')", "SAVEPOINT s", "INSERT INTO d SELECT 'two one' FROM d", "SAVEPOINT r",
            "INSERT INTO u VALUES ('one')", "ROLLBACK TO r", "DROP TABLE t", "ROLLBACK TO s",
        ],
        // A change of the schema that is undone gives the table a second object.
        [
            "SAVEPOINT a", "CREATE TABLE z(x)", "INSERT INTO t VALUES ('zero')", "ROLLBACK TO a",
            "INSERT INTO t VALUES ('one')", "INSERT INTO t SELECT x FROM d", "SAVEPOINT b",
            "INSERT INTO t VALUES ('two')", "ROLLBACK TO b",
        ],
        [
            "INSERT INTO u VALUES ('two')", "SAVEPOINT a", "CREATE TABLE z(x)", "INSERT INTO d VALUES ('one')",
            "ROLLBACK TO a", "INSERT INTO t SELECT x FROM d", "INSERT INTO d VALUES ('two')", "SAVEPOINT b",
            "DROP TABLE u", "INSERT INTO t VALUES ('two')", "ROLLBACK TO b",
        ],
    ])
    func `of several tables go back to savepoints`(script: [String]) throws {
        let both = try SideBySide()
        both.check(
            script: [
                "CREATE TABLE d(x)", "CREATE VIRTUAL TABLE t USING MODULE(x)", "CREATE VIRTUAL TABLE u USING MODULE(x)",
                """
                CREATE TRIGGER ai AFTER INSERT ON d
                BEGIN INSERT INTO t VALUES (NEW.x); INSERT INTO u VALUES (NEW.x); END
                """,
                "INSERT INTO d VALUES ('one two'), ('two')", "BEGIN",
            ] + script + ["COMMIT"])
        for table in ["t", "u"] {
            both.check("SELECT rowid, *, rank FROM \(table) WHERE \(table) MATCH 'one OR two' ORDER BY rowid")
            both.check("INSERT INTO \(table)(\(table)) VALUES ('integrity-check')")
        }
    }

    @Test(arguments: UInt64(0)..<24)
    func `follows any nesting of savepoints`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let both = try SideBySide()
        var history = ["CREATE VIRTUAL TABLE t USING MODULE(x\(seed % 3 == 0 ? ", prefix = 1" : ""))"]
        both.check(history[0])
        for _ in 0..<120 {
            let sql = Self.statement(&random)
            both.check(sql, after: history)
            history.append(sql)
        }
        for sql in ["COMMIT", Self.matches, "INSERT INTO t(t) VALUES ('integrity-check')"] {
            both.check(sql, after: history)
        }
    }

    private static func statement(_ random: inout SeededGenerator) -> String {
        func rowID() -> Int { Int.random(in: 1...12, using: &random) }
        func text() -> String {
            (0..<3).map { _ in ["one", "two", "three", "once", "zero"].randomElement(using: &random) ?? "" }
                .joined(separator: " ")
        }
        let savepoint = ["a", "b", "c"].randomElement(using: &random) ?? "a"
        switch Int.random(in: 0..<18, using: &random) {
        case 0: return "BEGIN"
        case 1, 2: return "SAVEPOINT \(savepoint)"
        case 3, 4: return "ROLLBACK TO \(savepoint)"
        case 5: return "RELEASE \(savepoint)"
        case 6: return rowID() == 1 ? "ROLLBACK" : "COMMIT"
        case 7...9: return "INSERT OR REPLACE INTO t(rowid, x) VALUES (\(rowID()), '\(text())')"
        case 10: return "INSERT INTO t(rowid, x) VALUES (\(rowID()), '\(text())'), (\(rowID()), '\(text())')"
        case 11: return "UPDATE t SET x = '\(text())', rowid = \(rowID()) WHERE rowid = \(rowID())"
        case 12: return "UPDATE t SET x = x || ' two' WHERE rowid < \(rowID())"
        case 13: return "DELETE FROM t WHERE rowid = \(rowID())"
        case 14: return "INSERT INTO t(t) VALUES ('\(rowID() < 4 ? "rebuild" : "optimize")')"
        default: return matches
        }
    }

    /// Gives the connection an authorizer that refuses to write to `t_data`.
    private static func refuseWritingIndex(_ connection: OpaquePointer) {
        _ = csqlite_set_authorizer(
            connection,
            { _, action, name, _, _, _ in
                action == SQLITE_INSERT && name.map { String(cString: $0) } == "t_data" ? SQLITE_DENY : SQLITE_OK
            }, nil)
    }

    @Test func `goes on where an authorizer has refused to write what is pending`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(x); BEGIN; INSERT INTO t VALUES ('one')")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('one')") == [1])
        let connection = try db.sqliteConnection
        Self.refuseWritingIndex(connection)
        #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO t VALUES ('one')") }
        _ = csqlite_set_authorizer(connection, nil, nil)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('one')") == [1])
        try db.execute(sql: "INSERT INTO t VALUES ('one'); COMMIT; INSERT INTO t(t) VALUES ('integrity-check')")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('one')") == [1, 2])
    }

    /// SQLite goes back to the savepoint of a statement even if it has not opened it.
    @Test(arguments: [false, true])
    func `keeps what is pending where the savepoint of a statement fails`(isSearched: Bool) throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE TABLE other(x NOT NULL); CREATE VIRTUAL TABLE t USING concordance(x); BEGIN; INSERT INTO t VALUES ('one')
                """)
        if isSearched { #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('one')") == [1]) }
        let connection = try db.sqliteConnection
        Self.refuseWritingIndex(connection)
        let insertion = "INSERT INTO other SELECT 1 UNION ALL SELECT 2"
        if isSearched {
            for _ in 0..<2 { #expect(throws: DatabaseError.self) { try db.execute(sql: insertion) } }
        } else {
            try db.execute(sql: insertion)
            #expect(throws: DatabaseError.self) { try db.execute(sql: "SAVEPOINT s") }
        }
        _ = csqlite_set_authorizer(connection, nil, nil)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('one')") == [1])
        try db.execute(
            sql: """
                SAVEPOINT s; INSERT INTO t VALUES ('one'); ROLLBACK TO s; INSERT INTO t VALUES ('one two'); COMMIT;
                INSERT INTO t(t) VALUES ('integrity-check')
                """)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('one')") == [1, 2])
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('two')") == [2])
    }

    /// SQLite takes the message of a commit from the table, and none from a savepoint.
    @Test func `does not give the message of a savepoint that failed as that of a later error`() throws {
        let folder = try TemporaryFolder()
        let (db, reader) = (try Database(path: folder["t.db"]), try Database(path: folder["t.db"]))
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(x); BEGIN; INSERT INTO t VALUES ('one');
                PRAGMA busy_timeout = 0; PRAGMA query_only = 1
                """)
        let first = #expect(throws: DatabaseError.self) { try db.execute(sql: "SAVEPOINT a") }
        #expect(first?.resultCode == .SQLITE_READONLY)
        try db.execute(sql: "PRAGMA query_only = 0")
        try reader.execute(sql: "BEGIN; SELECT * FROM sqlite_schema")
        let second = #expect(throws: DatabaseError.self) { try db.execute(sql: "COMMIT") }
        #expect(second?.resultCode == .SQLITE_BUSY)
        #expect(second?.message == "database is locked")
        try reader.execute(sql: "COMMIT")
        try db.execute(sql: "COMMIT")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('one')") == [1])
    }

    /// If a row is written again and again in one transaction, its previous versions must not be searched for.
    @Test func `updates one row many times in one transaction at the same cost each`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(x); INSERT INTO t VALUES ('one')")
        func seconds(_ count: Int) throws -> Double {
            try ProcessorTime.seconds {
                try db.execute(
                    sql: """
                        BEGIN;
                        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                        INSERT OR REPLACE INTO t(rowid, x) SELECT 1, 'two ' || i FROM n;
                        COMMIT
                        """)
            }
        }
        let few = try seconds(1000)
        let many = try seconds(16_000)
        #expect(many < 16 * 4 * few)
        #expect(try Row.fetchAll(db, sql: "SELECT x FROM t('two')").count == 1)
    }

    /// Each insertion used to look at all removed rows at the end of the index.
    @Test func `numbers rows in the same time, however many of the last are removed`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        let seconds = try ProcessorTime.seconds {
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE t USING concordance(x, content = '', contentless_delete = 1);
                    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO t SELECT 'a' FROM n;
                    BEGIN;
                    DELETE FROM t WHERE rowid > 10;
                    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) INSERT INTO t SELECT 'b' FROM n
                    """)
        }
        #expect(seconds < 60)
        #expect(try Int.fetchOne(db, sql: "SELECT max(rowid) FROM t('b')") == 10_010)
        try db.execute(sql: "ROLLBACK; INSERT INTO t VALUES ('b')")
        #expect(try Int.fetchOne(db, sql: "SELECT max(rowid) FROM t('b')") == 20_001)
        try db.execute(
            sql: """
                BEGIN; DELETE FROM t WHERE rowid > 19000; INSERT INTO t VALUES ('c');
                SAVEPOINT s; DELETE FROM t WHERE rowid > 15000; INSERT INTO t VALUES ('c'); ROLLBACK TO s;
                INSERT INTO t VALUES ('d'); COMMIT;
                """)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('c OR d')") == [19_001, 19_002])
    }

    @Test func `numbers the rows of a contentless table as SQLite does`() throws {
        let both = try SideBySide()
        both.check(script: [
            "CREATE VIRTUAL TABLE t USING MODULE(x, content = '')", "BEGIN", "INSERT INTO t VALUES ('one'), ('two')",
            "SAVEPOINT a", "INSERT INTO t(rowid, x) VALUES (90, 'one')", "INSERT INTO t VALUES ('two')",
            Self.matches, "ROLLBACK TO a", "INSERT INTO t VALUES ('one')", Self.matches,
            "INSERT INTO t(rowid, x) VALUES (9223372036854775807, 'one')",
            "INSERT INTO t VALUES ('two'), ('two')", "COMMIT", "SELECT count(*) FROM t('two')",
        ])
    }

    /// With merges off, every commit of a row leaves a segment, which is a row of `t_data`.
    @Test func `settings hold for what is written next, and those of another connection, too`() throws {
        let folder = try TemporaryFolder()
        let first = try Database(path: folder["t.db"])
        let second = try Database(path: folder["t.db"])
        try ConcordanceModule.register(on: first)
        try ConcordanceModule.register(on: second)
        func segments(after count: Int) throws -> Int? {
            for _ in 0..<count { try first.execute(sql: "INSERT INTO t VALUES ('one')") }
            return try Int.fetchOne(first, sql: "SELECT count(*) - 1 FROM t_data")
        }
        try first.execute(
            sql: """
                PRAGMA synchronous = OFF;
                CREATE VIRTUAL TABLE t USING concordance(x);
                INSERT INTO t(t, rank) VALUES ('automerge', 0), ('crisismerge', 1000)
                """)
        #expect(try segments(after: 70) == 70)
        try second.execute(
            sql: "INSERT INTO t(t) VALUES ('optimize'); INSERT INTO t(t, rank) VALUES ('crisismerge', 10)")
        #expect(try segments(after: 70) ?? 0 < 20)
        try first.execute(
            sql:
                "BEGIN; INSERT INTO t(t, rank) VALUES ('crisismerge', 1000); ROLLBACK; INSERT INTO t(t) VALUES ('optimize')"
        )
        #expect(try segments(after: 70) ?? 0 < 20)
    }
}
