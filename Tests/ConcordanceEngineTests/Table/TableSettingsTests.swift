import CConcordanceSQLite
import ConcordanceEngine
import ConcordanceSQLite
import TestSupport
import Testing

@Suite("Settings of a full-text table hold from the next statement on")
struct TableSettingsTests {
    private func insertRows(_ count: Int, _ db: Database) throws {
        for number in 0..<count { try db.execute(sql: "INSERT INTO t VALUES ('text \(number)')") }
    }

    private func segmentCount(_ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "SELECT count(DISTINCT id >> 32) FROM t_data WHERE id > 1")
    }

    private func set(_ name: String, _ value: Int, _ db: Database) throws {
        try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('\(name)', \(value))")
    }

    @Test(arguments: [true, false])
    func `in the connection that sets them, and in others`(isOther: Bool) throws {
        let folder = try TemporaryFolder()
        let db = try Database(path: folder["settings.db"])
        let other = try Database(path: folder["settings.db"])
        for connection in [db, other] { try ConcordanceModule.register(on: connection) }
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a)")
        let setting = isOther ? other : db
        try set("crisismerge", 1000, setting)
        try set("automerge", 0, setting)
        try insertRows(70, db)
        #expect(try segmentCount(db) == 70)
        try set("crisismerge", 2, setting)
        try insertRows(1, db)
        #expect(try (segmentCount(db) ?? 0) < 70)
    }

    @Test func `and those of a transaction that is undone do not`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a)")
        try set("crisismerge", 1000, db)
        try set("automerge", 0, db)
        try db.execute(sql: "BEGIN")
        try set("crisismerge", 2, db)
        try db.execute(sql: "ROLLBACK")
        try insertRows(10, db)
        #expect(try segmentCount(db) == 10)
    }

    @Test func `and are read again after a transaction in which SQL has changed them directly`() throws {
        let db = try Database.undefended()
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a)")
        try db.execute(
            sql: """
                BEGIN;
                INSERT INTO t VALUES ('text');
                INSERT INTO t_config VALUES ('automerge', 0), ('crisismerge', 1000);
                COMMIT
                """)
        try insertRows(69, db)
        #expect(try segmentCount(db) == 70)
    }

    @Test func `'cachesize' is kept, bounds what is cached, and is refused if it is not a size`() throws {
        let folder = try TemporaryFolder()
        let db = try Database(path: folder["cache.db"])
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a)")
        try db.execute(
            sql: """
                WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
                INSERT INTO t SELECT 'word' || (i * 7919 % 12000) || ' common' FROM n
                """)
        for value in ["-1", "1099511627777", "'x'", "1.5", "NULL", "9223372036854775807"] {
            let error = #expect(throws: DatabaseError.self, "\(value)") {
                try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('cachesize', \(value))")
            }
            #expect(error?.resultCode == .SQLITE_ERROR, "\(value)")
        }
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t_config WHERE k = 'cachesize'") == 0)

        /// Pages of the database that a query of all words reads, when it is asked for the second time.
        func readPages(_ db: Database) throws -> Int {
            let sql = "SELECT count(*) FROM t('word*')"
            #expect(try Int.fetchOne(db, sql: sql) == 12000)
            let before = try pagesRead(db)
            #expect(try Int.fetchOne(db, sql: sql) == 12000)
            return try pagesRead(db) - before
        }
        let cached = try readPages(db)
        try set("cachesize", 0, db)
        let uncached = try readPages(db)
        #expect(uncached > cached + 20, "\(cached) with the default, \(uncached) without a cache")
        let other = try Database(path: folder["cache.db"])
        try ConcordanceModule.register(on: other)
        #expect(try readPages(other) >= uncached, "a new connection keeps to it")
        try set("cachesize", 1 << 20, other)
        #expect(try readPages(db) == cached, "as set by another connection")
    }

    /// How often a page was asked of the pager.
    private func pagesRead(_ db: Database) throws -> Int {
        var (hits, misses, highest) = (Int32(0), Int32(0), Int32(0))
        _ = csqlite_db_status(try db.sqliteConnection, SQLITE_DBSTATUS_CACHE_HIT, &hits, &highest, 0)
        _ = csqlite_db_status(try db.sqliteConnection, SQLITE_DBSTATUS_CACHE_MISS, &misses, &highest, 0)
        return Int(hits + misses)
    }

    @Test func `'merge' goes by the 'usermerge' before it`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a)")
        try insertRows(3, db)
        try set("usermerge", 2, db)
        try set("merge", 1000, db)
        #expect(try segmentCount(db) == 1)
    }
}
