import Concordance
import Foundation
import TestSupport
import Testing

@Suite("Records and requests cross between tasks")
struct RecordConcurrencyTests {
    @Test func manyReadersWhileRecordsAreWritten() async throws {
        let folder = try TemporaryFolder()
        let pool = try DatabasePool(path: folder["books.sqlite"])
        try await pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE books (id INTEGER PRIMARY KEY, authorId INTEGER, title TEXT NOT NULL, year INTEGER,
                    price REAL, isRare BOOLEAN, shelf TEXT)
                    """)
        }
        // One request, made once, serves all tasks.
        let request = Book.filter { $0.isRare == true }.order { $0.year.asc }
        try await withThrowingTaskGroup(of: [Book].self) { group in
            group.addTask {
                var written: [Book] = []
                for year in 0..<40 {
                    let book = Book(title: "book \(year)", year: year, isRare: true)
                    written.append(try await pool.write { db in try book.inserted(db) })
                }
                return written
            }
            for _ in 0..<40 {
                group.addTask { try await pool.read { db in try request.fetchAll(db) } }
            }
            // Whatever a reader sees is a beginning of what was written.
            for try await books in group {
                #expect(books.map(\.year) == Array((0..<40).prefix(books.count)))
            }
        }
        #expect(try await pool.read { db in try request.fetchCount(db) } == 40)
        try pool.close()
    }

    @Test func errorsOfRecordsComeThroughUnchanged() async throws {
        let queue = try DatabaseQueue()
        try await queue.write { db in try db.execute(sql: "CREATE TABLE authors (id INTEGER PRIMARY KEY, name, born)") }
        await #expect(throws: RecordError.recordNotFound(table: "authors", key: ["id": .int64(7)])) {
            try await queue.write { db in try Author(id: 7, name: "x").update(db) }
        }
        await #expect(throws: RowDecodingError.self) {
            try await queue.read { db in try Author.fetchAll(db, sql: "SELECT 'x' AS id") }
        }
    }
}
