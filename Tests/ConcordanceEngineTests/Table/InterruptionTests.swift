import CConcordanceSQLite
import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("A statement that is interrupted")
struct InterruptionTests {
    private static func makeTable(_ folder: TemporaryFolder) throws -> Database {
        let db = try Database(path: folder["t.db"])
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                PRAGMA synchronous = OFF;
                CREATE VIRTUAL TABLE t USING concordance(x, prefix = '1');
                INSERT INTO t(t, rank) VALUES ('automerge', 0), ('crisismerge', 1000)
                """)
        for part in 0..<4 {
            try db.execute(
                sql: """
                    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
                    INSERT INTO t SELECT 'common word' || (i * 31 % 97) || ' only' || (i + 30 * \(part)) FROM n
                    """)
        }
        try db.execute(sql: "DELETE FROM t WHERE rowid % 5 = 0")
        return db
    }

    /// Interrupts after this many of SQLite's instructions.
    private final class Countdown {
        private var left: Int
        private let connection: OpaquePointer
        private(set) var isOver = false

        init(_ count: Int, _ db: Database) throws {
            left = count
            connection = try db.sqliteConnection
            let context = Unmanaged.passUnretained(self).toOpaque()
            csqlite_progress_handler(
                connection, 1,
                { context in
                    guard let context else { return 0 }
                    let countdown = Unmanaged<Countdown>.fromOpaque(context).takeUnretainedValue()
                    countdown.left -= 1
                    countdown.isOver = countdown.left <= 0
                    return countdown.isOver ? 1 : 0
                }, context)
        }

        func end() { csqlite_progress_handler(connection, 0, nil, nil) }
    }

    @Test func `and another one that fails do no harm together`() throws {
        let folder = try TemporaryFolder()
        for count in 0..<140 {
            let db = try Database(path: folder["\(count).db"])
            try ConcordanceModule.register(on: db)
            try db.execute(
                sql: """
                    PRAGMA synchronous = OFF;
                    CREATE VIRTUAL TABLE t USING concordance(x);
                    CREATE TABLE rows(id INTEGER PRIMARY KEY, x);
                    CREATE TRIGGER a AFTER INSERT ON rows BEGIN INSERT INTO t(rowid, x) VALUES (new.id, new.x); END;
                    CREATE TRIGGER b AFTER DELETE ON rows BEGIN DELETE FROM t WHERE rowid = old.id; END;
                    PRAGMA recursive_triggers = 1;
                    INSERT INTO rows VALUES (10, 'x'), (21, 'x');
                    BEGIN;
                    INSERT OR REPLACE INTO rows VALUES (21, 'x y');
                    """)
            let countdown = try Countdown(count, db)
            _ = try? Int.fetchAll(db, sql: "SELECT count(*) FROM t('x')")
            countdown.end()
            #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO rows VALUES (10, 'again')") }
            try db.execute(sql: "COMMIT")
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('x') ORDER BY rowid") == [10, 21], "\(count)")
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t('y')") == [21], "\(count)")
            try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        }
    }

    /// To make a segment of pending rows, others are read: here, where the rows are whose values have changed, and which terms
    /// those have that were removed.
    @Test func `leaves its transaction as it was if it is a query`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(x, y VALUE, content='', contentless_delete = 1);
                INSERT INTO t(t, rank) VALUES ('cachesize', 0);
                WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
                INSERT INTO t(rowid, x, y) SELECT i, 'all two' || (i % 2) || ' five' || (i % 5), i FROM n;
                BEGIN;
                INSERT INTO t(t, rowid, y) VALUES ('values', 5000, 0);
                DELETE FROM t WHERE rowid IN (10, 8000);
                INSERT INTO t(rowid, x, y) VALUES (10000, 'five0', 0)
                """)
        let sql = "SELECT rowid FROM t('five0') WHERE y < 15 ORDER BY rowid"
        var (count, found) = (0, [Int]())
        while true {
            let countdown = try Countdown(count, db)
            do { found = try Int.fetchAll(db, sql: sql) } catch let error as DatabaseError {
                #expect(error.resultCode == .SQLITE_INTERRUPT)
            }
            countdown.end()
            if !countdown.isOver { break }
            count += 1
        }
        #expect(count > 20)
        #expect(db.isInsideTransaction)
        #expect(found == [5, 5000, 10_000])
        try db.execute(sql: "COMMIT; INSERT INTO t(t) VALUES ('integrity-check')")
        #expect(try Int.fetchAll(db, sql: sql) == found)
    }

    @Test(arguments: [
        "INSERT INTO t(t) VALUES ('optimize')", "INSERT INTO t(t, rank) VALUES ('merge', -5)",
        "INSERT INTO t(t) VALUES ('rebuild')", "INSERT INTO t(t) VALUES ('integrity-check')",
        "UPDATE t SET x = x || ' more'", "DELETE FROM t", "SELECT count(*) FROM t('c* OR w*')",
        "SELECT rowid FROM t('word3 OR common') ORDER BY rank LIMIT 3",
        "INSERT INTO t VALUES ('common word1'), ('more'); SELECT count(*) FROM t('common'); COMMIT",
    ])
    func `fails with SQLITE_INTERRUPT, and the table is as before or after it`(sql: String) throws {
        let folder = try TemporaryFolder()
        let db = try Self.makeTable(folder)
        let all = "SELECT rowid, x, rank FROM t('common OR word3') ORDER BY rowid"
        func rows() throws -> [[DatabaseValue]] { try Row.fetchAll(db, sql: all).map(\.databaseValues) }
        let before = try rows()
        var (count, interruptions) = (1, 0)
        while true {
            try db.execute(sql: "BEGIN")
            let countdown = try Countdown(count, db)
            let code: ResultCode?
            do {
                try db.execute(sql: sql)
                code = nil
            } catch let error as DatabaseError {
                code = error.resultCode
            }
            countdown.end()
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
            if !countdown.isOver { break }
            #expect(code == .SQLITE_INTERRUPT, "after \(count) instructions")
            #expect(try rows() == before, "after \(count) instructions")
            try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
            interruptions += 1
            count += 1 + count / 2
        }
        #expect(interruptions > 5)
    }

    /// The terms of a prefix without a list are added up in memory, and ranked there.
    @Test func `is noticed while what was found is ranked`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: IndexHarness.prepare)
        let store = try BlockStore(database: db, schema: "main", table: "t")
        let shape = IndexShape(columnCount: 1, hasPositions: true, prefixes: [])
        try InvertedIndex.create(store: store, shape: shape)
        let index = InvertedIndex(store: store, shape: shape)
        let rowCount = 40_000
        for row in 1...rowCount {
            try index.insert(Int64(row)) { builder in
                Array("w\(row % 9)".utf8).withUnsafeBufferPointer { builder.add($0, column: 0, isColocated: false) }
            }
        }
        let expression = QueryExpression(
            root: .near(NearGroup(phrases: [0], distance: 0)),
            phrases: [QueryPhrase(terms: [QueryTerm(bytes: Array("w".utf8), isPrefix: true)])])
        let bound = try BoundQuery(expression, snapshot: try index.snapshot())
        var isInterrupted = false
        func readAll() throws -> Int {
            let cursor = try RankedCursor(bound: bound, ranking: Ranking(weights: []), limit: rowCount)
            // SQLite forgets an interruption where no statement runs.
            let running = try KeptStatement(store.connection, "SELECT 1 UNION ALL SELECT 2")
            #expect(try running.step())
            defer { running.reset() }
            if isInterrupted { db.interrupt() }
            var count = 0
            while try cursor.next() { count += 1 }
            return count
        }
        #expect(try readAll() == rowCount)
        isInterrupted = true
        let error = #expect(throws: DatabaseError.self) { try readAll() }
        #expect(error?.resultCode == .SQLITE_INTERRUPT)
    }

    /// Of one row, all of whose blocks are decoded.
    @Test func `is noticed while the positions of many phrases are compared`() throws {
        let harness = try IndexHarness(
            in: TemporaryFolder(), shape: IndexShape(columnCount: 1, hasPositions: true, prefixes: []))
        let words = (0..<300).map { "w\($0)" }
        let text = Array(repeating: words, count: 60).joined().map { ModelToken(text: $0) }
        try harness.insert(1, [text])
        let segment = try #require(try harness.index.snapshot().segments.first).segment
        let group = NearGroup(phrases: Array(words.indices), distance: 1000)
        let expression = QueryExpression(
            root: .near(group),
            phrases: words.map { QueryPhrase(terms: [QueryTerm(bytes: Array($0.utf8))]) })
        let leaf = try SegmentSearch(expression, segment: segment).leaf(group)
        #expect(try leaf.move(to: 0))
        // SQLite forgets an interruption where no statement runs.
        let running = try KeptStatement(harness.index.store.connection, "SELECT 1 UNION ALL SELECT 2")
        #expect(try running.step())
        defer { running.reset() }
        harness.db.interrupt()
        let error = #expect(throws: DatabaseError.self) { try leaf.move(to: 0) }
        #expect(error?.resultCode == .SQLITE_INTERRUPT)
    }

    @Test func `is noticed where all blocks are in the cache`() throws {
        let harness = try IndexHarness(
            in: TemporaryFolder(), shape: IndexShape(columnCount: 1, hasPositions: true, prefixes: []))
        try harness.insert(1, [[ModelToken(text: "one")]])
        let segment = try #require(try harness.index.snapshot().segments.first)
        let id = BlockStore.id(segment: segment.entry.info.id, stream: 0, page: 0)
        let store = harness.index.store
        // SQLite forgets an interruption if no statement runs.
        let running = try KeptStatement(store.connection, "SELECT 1 UNION ALL SELECT 2")
        #expect(try running.step())
        try store.checkInterruption()
        harness.db.interrupt()
        var reads = 0
        let error = #expect(throws: DatabaseError.self) {
            while reads < 1000 {
                reads += 1
                _ = try store.block(id)
            }
        }
        #expect(error?.resultCode == .SQLITE_INTERRUPT)
        #expect(reads <= 64)
        running.reset()
        try store.checkInterruption()
    }
}
