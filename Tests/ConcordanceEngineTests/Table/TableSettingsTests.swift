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
        for connection in [db, other] { try ConcordanceEngine.register(on: connection) }
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
        try ConcordanceEngine.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a)")
        try set("crisismerge", 1000, db)
        try set("automerge", 0, db)
        try db.execute(sql: "BEGIN")
        try set("crisismerge", 2, db)
        try db.execute(sql: "ROLLBACK")
        try insertRows(10, db)
        #expect(try segmentCount(db) == 10)
    }

    @Test func `'merge' goes by the 'usermerge' before it`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceEngine.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a)")
        try insertRows(3, db)
        try set("usermerge", 2, db)
        try set("merge", 1000, db)
        #expect(try segmentCount(db) == 1)
    }
}
