import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("The column lengths of documents")
struct ColumnLengthsTests {
    /// Three pages of documents, in each of which a column has lengths up to one of the limits.
    private static func model(
        columnCount: Int, limits: [UInt32], _ random: inout SeededGenerator
    ) -> SegmentModel {
        let widths = (0..<3).map { _ in
            (0..<columnCount).map { _ in limits.randomElement(using: &random) ?? 0 }
        }
        var model = SegmentModel(shape: IndexShape(columnCount: columnCount, hasPositions: false, prefixes: []))
        model.documents = (0..<9000).map { number in
            let lengths = widths[number >> 12].map { UInt32.random(in: 0...$0, using: &random) }
            return SegmentModel.Document(rowID: Int64(number), columnLengths: lengths, fingerprint: 0)
        }
        return model
    }

    @Test(arguments: 1...4, UInt64(0)..<3)
    func `are those that were written, in any order`(columnCount: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // In numbers of 0, 1, 2 and 4 bytes.
        let model = Self.model(columnCount: columnCount, limits: [0, 200, 60_000, 100_000], &random)
        let memory = try MemoryStore()
        let segment = try memory.open(model)
        defer { withExtendedLifetime(memory) {} }
        for _ in 0..<2000 {
            let document = Int.random(in: 0..<9000, using: &random)
            let expected = model.documents[document].columnLengths
            if Bool.random(using: &random) {
                let column = Int.random(in: 0..<columnCount, using: &random)
                #expect(try segment.columnLength(at: document, column: column) == expected[column])
            } else {
                let found = try segment.withColumnLengths {
                    try segment.columnLengths(at: document, into: $0)
                    return Array($0)
                }
                #expect(found == expected)
            }
        }
        for (document, column) in [(-1, 0), (9000, 0), (0, -1), (0, columnCount)] {
            #expect(throws: DatabaseError.self) { try segment.columnLength(at: document, column: column) }
        }
    }

    /// What was found in the page before is not taken for what is in the damaged one.
    @Test func `of a damaged page are an error each time, and of the others they are not`() throws {
        var random = SeededGenerator(seed: 1)
        let memory = try MemoryStore()
        let model = Self.model(columnCount: 3, limits: [200], &random)
        let segment = try memory.open(model)
        let id = BlockStore.id(segment: segment.info.id, stream: SegmentStream.columnLengths.rawValue, page: 1)
        // The first column has a width, the second has none.
        let short: [UInt8] = [0]
        try short.withUnsafeBytes { try memory.store.write(id, $0) }
        for _ in 0..<3 {
            for _ in 0..<2 {
                #expect(throws: DatabaseError.self) { try segment.columnLength(at: 5000, column: 0) }
                #expect(try segment.columnLength(at: 5, column: 0) == model.documents[5].columnLengths[0])
            }
            #expect(try segment.columnLength(at: 8999, column: 2) == model.documents[8999].columnLengths[2])
        }
    }
}
