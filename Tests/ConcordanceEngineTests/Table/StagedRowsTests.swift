import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// Queries that see the rows of their transaction.
@Suite("A query in a transaction")
struct StagedRowsTests {
    private static let two = "SELECT rowid, rank FROM t('two') ORDER BY rowid"

    /// A table of two rows, the first of which a transaction has changed, so that rows, removed rows and values are pending.
    private static func makeTable() throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(x, y VALUE, prefix = 1);
                INSERT INTO t VALUES ('one', 1), ('one two', 2), ('three', 3);
                BEGIN; UPDATE t SET x = 'two' WHERE rowid = 1; UPDATE t SET y = 4 WHERE rowid = 3
                """)
        return db
    }

    private static func rows(_ sql: String, in db: Database) throws -> [[DatabaseValue]] {
        try Row.fetchAll(db, sql: sql).map(\.databaseValues)
    }

    @Test func `writes nothing, and SQLite counts no change`() throws {
        let db = try Self.makeTable()
        let state = "SELECT changes(), total_changes(), (SELECT group_concat(id || hex(block)) FROM t_data)"
        let before = try Self.rows(state, in: db)
        try db.execute(sql: "PRAGMA query_only = 1")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('two') ORDER BY rowid") == [1, 2])
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('one') ORDER BY rowid") == [2])
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('t*') WHERE y > 2") == [3])
        #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
        try db.execute(sql: "PRAGMA query_only = 0")
        #expect(try Self.rows(state, in: db) == before)
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        let staged = try Self.rows(Self.two, in: db)
        try db.execute(sql: "COMMIT; INSERT INTO t(t) VALUES ('integrity-check')")
        #expect(try Self.rows(Self.two, in: db) == staged)
        #expect(try Self.rows(state, in: db) != before)
    }

    /// No segment is staged then, but pages of values.
    @Test func `finds stored values that have changed alone, and the commit stores them`() throws {
        let folder = try TemporaryFolder()
        let db = try Database(path: folder["t.db"])
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(x, y VALUE); INSERT INTO t VALUES ('one', 1), ('one', 2);
                BEGIN; UPDATE t SET y = 'a longer text' WHERE rowid = 1
                """)
        let sql = "SELECT rowid FROM t('one') WHERE y = 'a longer text'"
        #expect(try Int.fetchAll(db, sql: sql) == [1])
        try db.execute(sql: "COMMIT")
        let other = try Database(path: folder["t.db"])
        try ConcordanceModule.register(on: other)
        #expect(try Int.fetchAll(other, sql: sql) == [1])
        try other.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
    }

    /// What is staged is gone with the transaction; what was staged before a savepoint is there after going back to it.
    @Test(arguments: [
        ("ROLLBACK", [2]),
        ("SAVEPOINT a; DELETE FROM t WHERE rowid = 2; SELECT * FROM t('two'); ROLLBACK TO a", [1, 2]),
        ("DELETE FROM t WHERE rowid = 2; SELECT * FROM t('two')", [1]),
        ("INSERT INTO t(t) VALUES ('optimize')", [1, 2]),
        ("INSERT INTO t(t) VALUES ('rebuild')", [1, 2]), ("INSERT INTO t(t, rank) VALUES ('merge', -9)", [1, 2]),
        ("ALTER TABLE t RENAME TO u; ALTER TABLE u RENAME TO t", [1, 2]), ("PRAGMA writable_schema = RESET", [1, 2]),
        ("SAVEPOINT a; DROP TABLE t; ROLLBACK TO a", [1, 2]), ("DELETE FROM t", []),
        ("UPDATE t SET x = x || ' two', y = 7 WHERE y = 4; SELECT * FROM t('two')", [1, 2, 3]),
    ])
    func `is followed by any statement`(sql: String, expected: [Int]) throws {
        let db = try Self.makeTable()
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('two') ORDER BY rowid") == [1, 2])
        try db.execute(sql: sql)
        let rows = "SELECT rowid FROM t('two') ORDER BY rowid"
        #expect(try Int.fetchAll(db, sql: rows) == expected)
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        if db.isInsideTransaction { try db.execute(sql: "COMMIT") }
        #expect(try Int.fetchAll(db, sql: rows) == expected)
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
    }

    /// What is staged is larger than the file.
    @Test func `finds rows of a table that is opened again`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(x, content='');
                BEGIN;
                WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
                INSERT INTO t SELECT 'word' || i || ' and' || (i * 7) || ' or' || (i * 31) FROM n
                """)
        let count = "SELECT count(*) FROM t('w*')"
        #expect(try Int.fetchOne(db, sql: count) == 60_000)
        let used = try Int.fetchOne(db, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        try db.execute(sql: "PRAGMA writable_schema = RESET")
        #expect(try Int.fetchOne(db, sql: count) == 60_000)
        try db.execute(sql: "COMMIT")
        let written = try Int.fetchOne(db, sql: "SELECT sum(length(block)) FROM t_data")
        #expect(try #require(used) + 1 << 20 < #require(written))
        #expect(try Int.fetchOne(db, sql: count) == 60_000)
    }

    /// Each query makes a segment, which the next statement that writes also merges with others.
    @Test func `leaves no more segments than commits do`() throws {
        let db = try Self.makeTable()
        for number in 0..<200 {
            try db.execute(sql: "INSERT INTO t VALUES ('four', \(number))")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t('four')") == number + 1)
        }
        try db.execute(sql: "COMMIT")
        let segments = "SELECT count(DISTINCT id >> 32) FROM t_data WHERE id >> 32 > 0"
        #expect(try #require(try Int.fetchOne(db, sql: segments)) <= MergePolicy.smallFactor)
    }

    /// The interruption lasts as long as a statement is running.
    @Test func `that has been interrupted does the rows no harm`() throws {
        let db = try Self.makeTable()
        let handle = db.interruptHandle
        let function = DatabaseFunction("interrupted", argumentCount: 0) { _ in
            handle.interrupt()
            return "two"
        }
        try db.add(function: function)
        #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: "SELECT * FROM t(interrupted())") }
        #expect(db.isInsideTransaction)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('two')") == [1, 2])
        try db.execute(sql: "COMMIT; INSERT INTO t(t) VALUES ('integrity-check')")
    }
}
