import ConcordanceEngine
import ConcordanceSQLite
import TestSupport
import Testing

@Suite("The file of an index")
struct FileSizeTests {
    /// With rows a little bigger it would be 6 % (`SegmentLayout.pageSize`).
    @Test func `is at most 4 % larger than the index`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                PRAGMA page_size = 4096; CREATE VIRTUAL TABLE t USING concordance(a, b, content='', prefix='1 2'); BEGIN
                """)
        var random = SeededGenerator(seed: 5)
        for row in 1...20_000 {
            let words = (0..<24).map { _ in
                let share = Double.random(in: 0..<1, using: &random)
                return String(Int(share * share * share * 4_000), radix: 36)
            }
            try db.execute(
                sql: "INSERT INTO t(rowid, a, b) VALUES (?, ?, ?)",
                arguments: [row, words.prefix(4).joined(separator: " "), words.joined(separator: " ")])
        }
        try db.execute(sql: "COMMIT; INSERT INTO t(t) VALUES ('optimize'); VACUUM")
        let pages = try #require(try Int.fetchOne(db, sql: "PRAGMA page_count"))
        let bytes = try #require(try Int.fetchOne(db, sql: "SELECT sum(length(block)) FROM t_data"))
        #expect(bytes > 2_000_000)
        #expect(Double(pages) * 4096 <= Double(bytes) * 1.04, "\(pages) pages, \(bytes) bytes")
    }
}
