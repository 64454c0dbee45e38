import Testing

@testable import ConcordanceEngine

@Suite("Sets of columns")
struct ColumnSetTests {
    @Test(arguments: [[], [0], [3], [0, 1, 2], [1, 5, 9, 1999]])
    func `a set contains its columns and no other`(columns: [Int]) {
        let set = ColumnSet(columns: columns)
        for column in 0..<2000 {
            #expect(set.contains(column) == columns.contains(column))
        }
    }
}
