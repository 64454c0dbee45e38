import ConcordanceEngine
import ConcordanceSQLite
import TestSupport
import Testing

/// Rows of which each takes more memory than 'hashsize' allows, so that each is written as a segment of its own (a run), and so
/// large that these are merged at the end of the transaction.
@Suite("A transaction with more rows than fit into memory")
struct LargeTransactionTests {
    private static let create = """
        CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t(t, rank) VALUES ('hashsize', 1);
        """

    private func open() throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: Self.create)
        return db
    }

    /// Inserts rows with many words of their own, and one common word.
    private static func insert(_ rowIDs: ClosedRange<Int>, into table: String = "t") -> String {
        """
        INSERT INTO \(table)(rowid, a)
        WITH RECURSIVE rows(id) AS (VALUES (\(rowIDs.lowerBound)) UNION ALL SELECT id + 1 FROM rows WHERE id < \(rowIDs.upperBound)),
            words(number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM words WHERE number < 40000)
        SELECT id, 'common ' || (SELECT group_concat('w' || id || 'x' || number, ' ') FROM words) FROM rows;
        """
    }

    private func segmentCount(_ db: Database, _ table: String = "t") throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(DISTINCT id >> 32) FROM \(table)_data WHERE id >> 32 > 0") ?? 0
    }

    private func check(_ rowIDs: [Int], _ db: Database, _ table: String = "t") throws {
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM \(table)('common') ORDER BY rowid") == rowIDs)
        for id in rowIDs {
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM \(table)('w\(id)x40000')") == [id])
        }
        try db.execute(sql: "INSERT INTO \(table)(\(table)) VALUES ('integrity-check')")
    }

    @Test func `becomes one segment`() throws {
        let db = try open()
        try db.execute(sql: "BEGIN; \(Self.insert(1...5))")
        // The fifth is being encoded.
        #expect(try segmentCount(db) == 4)
        try check(Array(1...5), db)
        try db.execute(sql: "COMMIT")
        #expect(try segmentCount(db) == 1)
        try check(Array(1...5), db)
    }

    /// The runs from the fourth on have no prefix lists until they are merged.
    @Test(arguments: ["rank", "bm25(t, 3.0)", "bm25(t) DESC", "rowid"])
    func `finds prefixes the same before and after its end`(order: String) throws {
        let db = try open()
        try db.execute(sql: "DROP TABLE t; CREATE VIRTUAL TABLE t USING concordance(a, prefix='1 2 4')")
        try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('hashsize', 1)")
        try db.execute(sql: "CREATE VIRTUAL TABLE plain USING concordance(a); BEGIN")
        for table in ["plain", "t"] {
            try db.execute(
                sql: """
                    \(Self.insert(1...8, into: table))
                    INSERT INTO \(table)(rowid, a) VALUES (9, 'w8x1 w8x2 comma'), (10, 'c w');
                    """)
        }
        let queries = [
            "c*", "co*", "comm*", "w8*", "w8x1*", "w* NOT comm*", "c* AND w3*", "w1x3* OR comm*", "^c*",
            "\"w8x1 w8x2\"*",
        ]
        func results(_ table: String) throws -> [String] {
            try queries.map { query in
                let order = order.replacing("(t", with: "(\(table)")
                let sql = """
                    SELECT rowid || ' ' || round(bm25(\(table)), 9) FROM \(table)('\(query)') ORDER BY \(order), rowid LIMIT 5
                    """
                return try String.fetchAll(db, sql: sql).joined(separator: "; ")
            }
        }
        let expected = try results("plain")
        #expect(try segmentCount(db) > 3)
        #expect(try results("t") == expected)
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check'); COMMIT")
        #expect(try segmentCount(db) == 1)
        #expect(try results("t") == expected)
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
    }

    /// Rows of runs without prefix lists.
    @Test func `removes rows of its runs from prefix lists`() throws {
        let db = try open()
        try db.execute(sql: "DROP TABLE t; CREATE VIRTUAL TABLE t USING concordance(a, prefix='2 3')")
        try db.execute(
            sql: "INSERT INTO t(t, rank) VALUES ('hashsize', 1); INSERT INTO t(rowid, a) VALUES (20, 'common')")
        try db.execute(sql: "BEGIN; \(Self.insert(1...7)) DELETE FROM t WHERE rowid IN (2, 6, 20)")
        func check() throws {
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('com*') ORDER BY rowid") == [1, 3, 4, 5, 7])
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('w6* OR w7*')") == [7])
            try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        }
        try check()
        try db.execute(sql: "SAVEPOINT s; \(Self.insert(8...12)) UPDATE t SET a = 'w6' WHERE rowid = 11")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('w6*')") == [11])
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check'); ROLLBACK TO s")
        try check()
        try db.execute(sql: "COMMIT")
        try check()
    }

    /// The object of the table that goes on then knows nothing of the runs.
    @Test(arguments: ["", "DELETE FROM t WHERE rowid = 6", "INSERT INTO t(rowid, a) VALUES (21, 'x')"])
    func `makes prefix lists although its table was dropped in between`(change: String) throws {
        let db = try open()
        try db.execute(sql: "DROP TABLE t; CREATE VIRTUAL TABLE t USING concordance(a, prefix='2 3')")
        try db.execute(
            sql: "INSERT INTO t(t, rank) VALUES ('hashsize', 1); INSERT INTO t(rowid, a) VALUES (20, 'common')")
        try db.execute(sql: "BEGIN; \(Self.insert(1...7)) SAVEPOINT s; DROP TABLE t; ROLLBACK TO s; \(change)")
        let rows = [1, 2, 3, 4, 5, 6, 7, 20].filter { $0 != 6 || !change.hasPrefix("DELETE") }
        func check() throws {
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('com*') ORDER BY rowid") == rows)
            try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        }
        try check()
        try db.execute(sql: "COMMIT")
        try check()
        // The next change at the latest merges the four runs without lists to one segment. Others are row 20, the three runs with
        // lists, and what was inserted since.
        try db.execute(sql: "INSERT INTO t(rowid, a) VALUES (22, 'x')")
        #expect(try segmentCount(db) <= 7)
        try check()
        try db.execute(sql: "DELETE FROM t WHERE rowid = 7; INSERT INTO t(t) VALUES ('integrity-check')")
    }

    @Test func `leaves a few runs to later merges`() throws {
        let db = try open()
        for first in [1, 4, 7, 10] {
            try db.execute(sql: "BEGIN; \(Self.insert(first...first + 2)) COMMIT")
            if first == 1 { #expect(try segmentCount(db) == 3) }
        }
        // Their bytes count: later commits have merged at least four of them.
        #expect(try segmentCount(db) <= 9)
        try check(Array(1...12), db)
    }

    @Test func `keeps what rows became while they were in runs`() throws {
        let db = try open()
        try db.execute(
            sql: """
                BEGIN; \(Self.insert(1...5)) DELETE FROM t WHERE rowid = 2; UPDATE t SET a = 'changed' WHERE rowid = 3;
                SAVEPOINT s; DELETE FROM t WHERE rowid = 4; \(Self.insert(6...9)) ROLLBACK TO s; \(Self.insert(10...10))
                """)
        try check([1, 4, 5, 10], db)
        try db.execute(sql: "COMMIT")
        try check([1, 4, 5, 10], db)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('changed OR w2x1 OR w3x1 OR w6x1')") == [3])
        #expect(try segmentCount(db) == 1)
    }

    @Test(arguments: ["", "ALTER TABLE t2 RENAME TO t;", "CREATE VIRTUAL TABLE t USING concordance(a);"])
    func `survives a renaming`(next: String) throws {
        let db = try open()
        try db.execute(sql: "BEGIN; \(Self.insert(1...5)) ALTER TABLE t RENAME TO t2; \(next) COMMIT")
        try check(Array(1...5), db, next.hasPrefix("ALTER") ? "t" : "t2")
        if next.hasPrefix("CREATE") { try check([], db) }
    }

    @Test func `survives renamings between its rows, and one that is undone`() throws {
        let db = try open()
        try db.execute(
            sql: """
                BEGIN; \(Self.insert(1...5)) SAVEPOINT s; ALTER TABLE t RENAME TO t2; \(Self.insert(6...10, into: "t2"))
                ALTER TABLE t2 RENAME TO t; \(Self.insert(11...12)) SAVEPOINT r; ALTER TABLE t RENAME TO t2;
                \(Self.insert(13...17, into: "t2")) ROLLBACK TO r; COMMIT
                """)
        try check(Array(1...12), db)
    }

    @Test func `survives that its table was created, undone and created again`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                BEGIN; SAVEPOINT s; \(Self.create) \(Self.insert(1...5)) ROLLBACK TO s; \(Self.create) \(Self.insert(1...6))
                COMMIT
                """)
        try check(Array(1...6), db)
    }
}
