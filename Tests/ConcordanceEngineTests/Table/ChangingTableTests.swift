import ConcordanceEngine
import ConcordanceSQLite
import Testing

@Suite("Rows of a query while its connection writes")
struct ChangingTableTests {
    private static let rowCount = 1000

    /// In several segments, with equal scores and others.
    private func makeTable() throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a, v VALUE, prefix='1'); BEGIN")
        for row in 1...Self.rowCount {
            let text = "common " + String(repeating: "word ", count: row % 7) + "w\(row % 31)"
            try db.execute(
                sql: "INSERT INTO t(rowid, a, v) VALUES (?, ?, ?)", arguments: [row, text, row % 13])
            if row % 300 == 0 { try db.execute(sql: "COMMIT; BEGIN") }
        }
        try db.execute(sql: "COMMIT")
        return db
    }

    /// Queries that SQLite steps over by itself, in runs, and others.
    private static let queries = [
        "SELECT rowid FROM t('common') ORDER BY rank", "SELECT rowid, rank FROM t('common') ORDER BY rank",
        "SELECT rowid, a FROM t('common OR w3') ORDER BY rank", "SELECT rowid FROM t('common') ORDER BY rank DESC",
        "SELECT rowid, highlight(t, 0, '[', ']') FROM t('w* AND common') ORDER BY rank",
        "SELECT rowid FROM t('common') ORDER BY rank LIMIT 1000", "SELECT rowid FROM t('common')",
        "SELECT rowid FROM t('common OR word') ORDER BY rowid DESC", "SELECT rowid, bm25(t) FROM t('common')",
        "SELECT rowid, bm25(t, 0.3) FROM t('w*') ORDER BY rowid DESC", "SELECT rowid FROM t('commn~')",
        "SELECT rowid FROM t('common') WHERE v > 3 ORDER BY rank",
        "SELECT rowid, v FROM t('common') WHERE v IN (1, 2, 3)",
        "SELECT rowid FROM t('common') WHERE rank > -1e-5 ORDER BY rank",
        "SELECT rowid FROM t('common + word') ORDER BY rank",
        // The rows of the phrase are counted at the second row.
        "SELECT rowid, iif(rowid = 1, 0, rank) FROM t('common + word') ORDER BY rank",
    ]

    /// What happens in between, and which of the rows it removes.
    private static let changes: [(sql: String, isRemoved: @Sendable (Int) -> Bool)] = [
        ("DELETE FROM t WHERE rowid % 3 = 0", { $0 % 3 == 0 }),
        ("DELETE FROM t", { _ in true }),
        ("INSERT INTO t(a, v) SELECT 'common word', 5 FROM t LIMIT 200", { _ in false }),
        ("INSERT INTO t(t) VALUES ('optimize')", { _ in false }),
        ("INSERT INTO t(t) VALUES ('rebuild')", { _ in false }),
        ("DELETE FROM t WHERE rowid > 500; INSERT INTO t(t) VALUES ('optimize')", { $0 > 500 }),
        ("SAVEPOINT s; DELETE FROM t WHERE rowid % 2; ROLLBACK TO s; RELEASE s", { _ in false }),
        ("SAVEPOINT s; INSERT INTO t(t) VALUES ('optimize'); DELETE FROM t; ROLLBACK TO s; RELEASE s", { _ in false }),
        ("UPDATE t SET v = 3 - v, a = a || ' more' WHERE rowid % 5 = 0", { _ in false }),
        ("UPDATE t SET rowid = rowid + 10000 WHERE rowid % 4 = 1", { $0 % 4 == 1 }),
    ]

    @Test(arguments: queries, changes.indices)
    func `are those of its beginning that are still there`(query: String, change: Int) throws {
        let (sql, isRemoved) = Self.changes[change]
        for count in [1, 128] {
            let db = try makeTable()
            let all = try Int.fetchAll(db, sql: query)
            let cursor = try Int.fetchCursor(db, sql: query)
            var rows: [Int] = []
            while rows.count < count, let row = try cursor.next() { rows.append(row) }
            try db.execute(sql: sql)
            while let row = try cursor.next() { rows.append(row) }
            let expected = all.prefix(count) + all.dropFirst(count).filter { !isRemoved($0) }
            #expect(rows == Array(expected), "after \(count) rows")
            try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        }
    }

    /// Rows that the transaction has added go with it: the query ends, or goes on with those that stay.
    @Test(arguments: queries)
    func `end or go on where the transaction that they are of is undone`(query: String) throws {
        for count in [1, 130] {
            let db = try makeTable()
            try db.execute(
                sql: "BEGIN; INSERT INTO t(a, v) SELECT a, v FROM t WHERE rowid < 400; UPDATE t SET v = v + 1")
            let cursor = try Int.fetchCursor(db, sql: query)
            for _ in 0..<count { _ = try cursor.next() }
            try db.execute(sql: "ROLLBACK; INSERT INTO t(a, v) SELECT 'common others', 4 FROM t LIMIT 20")
            var rows: [Int] = []
            do {
                while let row = try cursor.next() { rows.append(row) }
            } catch let error as DatabaseError {
                #expect(error.resultCode == .SQLITE_ABORT || error.resultCode == .SQLITE_ABORT_ROLLBACK)
            }
            // Rows that were added since have the rowids of some that are gone.
            #expect(rows.allSatisfy { $0 <= Self.rowCount + 20 })
            #expect(Set(rows).count == rows.count)
            try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        }
    }

    /// The rows of a phrase are counted when a rank is first read, here in a segment that is gone.
    @Test func `end with an error that names the rollback if it is too late to count the rows of a phrase`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO t(rowid, a)
                SELECT i, 'one two' || iif(i = 1, '', replace(hex(zeroblob(3 + i % 40)), '00', ' x')) FROM n;
                INSERT INTO t(a) VALUES ('x');
                BEGIN;
                INSERT INTO t(t) VALUES ('optimize');
                """)
        let cursor = try Int.fetchCursor(
            db, sql: "SELECT rowid, iif(rowid = 1, 0, rank) FROM t('one + two') ORDER BY rank")
        #expect(try cursor.next() == 1)
        try db.execute(sql: "ROLLBACK")
        let error = #expect(throws: DatabaseError.self) { try cursor.next() }
        #expect(error?.extendedResultCode == .SQLITE_ABORT_ROLLBACK)
    }
}
