import Concordance
import Foundation
import TestSupport
import Testing

@Suite("Rows that an attacker wrote are decoded, or give an error")
struct HostileRowTests {
    private enum Shelf: String, Codable { case open, closed }

    private struct Tree: Codable {
        var children: [Tree]
    }

    private struct Everything: Codable, FetchableRecord {
        var small: Int8
        var large: UInt64
        var float: Float
        var date: Date
        var id: UUID
        var data: Data
        var url: URL
        var price: Decimal
        var shelf: Shelf
        var list: [Int]
        var tree: Tree?
    }

    private static let columns = [
        "small", "large", "float", "date", "id", "data", "url", "price", "shelf", "list", "tree",
    ]

    /// Values at the edges of every type, and damaged spellings of what the columns expect.
    private static let values: [DatabaseValue] =
        [.null, .blob([]), .blob([0xFF, 0x00]), .blob(Array(repeating: 7, count: 16))]
        + [0, 1, -1, 127, 128, -129, Int64.max, Int64.min].map { .int64($0) }
        + [0.5, -0.0, 1e300, -1e300, 9.3e18, .infinity, -.infinity, .leastNonzeroMagnitude].map { .double($0) }
        + [
            "", "x", "\0", "open", "2024-01-01", "9999-12-31 23:59:60.999999999", "-1-1-1", "24:61", "[1,2]", "[1e999]",
            "[", "{\"children\":[]}", "1e400", "http://[", "68753A44-4D6F-1226-9C60-0050E4C00067", "\u{FEFF}[]",
        ].map { .text($0) }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func anyValueInAnyColumn(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let db = try Database(path: ":memory:")
        let sql = "SELECT " + Self.columns.map { "? AS \($0.quotedDatabaseIdentifier)" }.joined(separator: ", ")
        let statement = try db.makeStatement(sql: sql)
        var errors = 0
        for _ in 0..<2_000 {
            let row = Self.columns.map { _ in Self.values.randomElement(using: &generator) ?? .null }
            do {
                _ = try Everything.fetchOne(statement, arguments: StatementArguments(row))
            } catch let error as RowDecodingError {
                errors += 1
                #expect(error.description.utf8.count < 2_000, "\(row)")
            }
        }
        #expect(errors > 0)
    }

    @Test(arguments: [100_000, 1_000_000])
    func deepJSONIsAnError(depth: Int) throws {
        let db = try Database(path: ":memory:")
        let deep = String(repeating: "{\"children\":[", count: depth)
        for text in [deep, deep + String(repeating: "]}", count: depth), String(repeating: "[", count: depth)] {
            #expect(throws: RowDecodingError.self) {
                try Leaf.fetchOne(db, sql: "SELECT ? AS tree", arguments: [text])
            }
        }
    }

    private struct Leaf: Codable, FetchableRecord {
        var tree: Tree
    }
}
