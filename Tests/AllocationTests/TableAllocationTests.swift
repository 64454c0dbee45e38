import ConcordanceEngine
import ConcordanceSQLite
import Testing

@Suite("Rows of a full-text table are read without allocating")
struct TableAllocationTests {
    @Test(arguments: [
        "SELECT rowid FROM t WHERE t MATCH 'one'", "SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rowid DESC",
    ])
    func `however it is asked`(sql: String) throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a);
                WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
                INSERT INTO t SELECT 'one of the texts that are too long for a small string, number ' || i FROM n
                """)
        let statement = try db.makeStatement(sql: sql)
        var rows = 0
        func read() throws {
            rows = 0
            try statement.forEachRow { _ in rows += 1 }
        }
        try read()
        let count = try Allocations.count { try read() }
        #expect(rows == 4000)
        // For beginning and ending a query, and for blocks of postings, but not for rows. SQLite itself copies a text
        // that is asked for.
        #expect(count == nil || count ?? 0 < 800, "\(count ?? 0) allocations for \(rows) rows")
    }
}
