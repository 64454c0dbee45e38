import ConcordanceSQLite
import Testing

@Suite("Rows are read without allocating")
struct StatementAllocationTests {
    @Test func steppingAndTypedReads() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE t (a INTEGER PRIMARY KEY, b REAL, c TEXT);
                WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                INSERT INTO t SELECT i, i / 2.0, 'a text that is too long to be kept inside of a Swift string' FROM n
                """)
        let statement = try db.makeStatement(sql: "SELECT a, b, c FROM t")
        var sum = 0.0
        func read() throws {
            sum = 0
            try statement.forEachRow { row in
                sum += Double(row.int64(at: 0)) + row.double(at: 1) + Double(row.withBytes(at: 2) { $0.count })
                if let integer = Int.fromStatement(row, at: 0) { sum += Double(integer) }
            }
        }
        try read()
        let count = try Allocations.count { try read() }
        #expect(sum == 2000.0 * 2001 / 2 * 2.5 + 2000 * 59)
        // The few that remain are SQLite's, to begin and end a statement.
        #expect(count == nil || count ?? 0 < 20, "\(count ?? 0) allocations for 2000 rows")
    }
}
