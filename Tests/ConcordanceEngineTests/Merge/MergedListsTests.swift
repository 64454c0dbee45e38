import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Prefix lists made from the terms of a segment")
struct MergedListsTests {
    /// A segment of terms of few different bytes, among them beginnings of characters without the rest, and the reverse.
    private static func model(_ random: inout SeededGenerator, columnCount: Int) -> SegmentModel {
        var model = SegmentModel(shape: IndexShape(columnCount: columnCount, hasPositions: true, prefixes: []))
        for document in 0..<Int64.random(in: 1...300, using: &random) {
            let lengths = Array(repeating: UInt32(50), count: columnCount)
            model.documents.append(.init(rowID: document, columnLengths: lengths, fingerprint: 0))
        }
        let bytes: [UInt8] = [97, 98, 0xC3, 0xA9, 0xE4, 0xB8, 0x80, 0xFF]
        var keys: Set<[UInt8]> = []
        for _ in 0..<60 {
            keys.insert(
                [0] + (0..<Int.random(in: 1...5, using: &random)).map { _ in bytes.randomElement(using: &random) ?? 0 })
        }
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let share = Int.random(in: 1...80, using: &random)
            var postings: [SegmentModel.Posting] = []
            for document in model.documents.indices where Int.random(in: 0..<share, using: &random) == 0 {
                var columns: [ColumnFrequency] = []
                var positions: [Position] = []
                for column in 0..<UInt32(columnCount) {
                    let count = UInt32.random(in: 0...2, using: &random)
                    if count > 0 { columns.append(ColumnFrequency(column: column, count: count)) }
                    positions += (0..<count).map { Position(column: column, offset: 3 * $0) }
                }
                if columns.isEmpty { continue }
                postings.append(.init(document: UInt32(document), columns: columns, positions: positions))
            }
            if !postings.isEmpty { model.terms.append(.init(key: key, adjustment: 0, postings: postings)) }
        }
        return model
    }

    /// The list of each prefix, added up one posting at a time.
    private static func lists(_ model: SegmentModel, list: UInt8, characters: Int) -> [SegmentModel.Term] {
        var sums: [[UInt8]: [UInt32: [UInt32: UInt32]]] = [:]
        for term in model.terms {
            let token = Array(term.key.dropFirst())
            guard let length = token.withUnsafeBufferPointer({ PrefixKey.byteCount(of: $0, characters: characters) })
            else {
                continue
            }
            for posting in term.postings {
                for pair in posting.columns {
                    sums[[list] + token.prefix(length), default: [:]][posting.document, default: [:]][
                        pair.column, default: 0] += pair.count
                }
            }
        }
        return sums.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, documents in
            SegmentModel.Term(
                key: key, adjustment: Int(key.last ?? 0),
                postings: documents.sorted { $0.key < $1.key }.map { document, columns in
                    SegmentModel.Posting(
                        document: document,
                        columns: columns.sorted { $0.key < $1.key }.map {
                            ColumnFrequency(column: $0.key, count: $0.value)
                        }, positions: [])
                })
        }
    }

    /// The fewer counts there are at a time, the more often terms are read again.
    @Test(arguments: [1, 50, 128, 1 << 20])
    func `are the sums of the postings, whatever bytes the terms have`(countLimit: Int) throws {
        for seed in UInt64(0)..<12 {
            var random = SeededGenerator(seed: seed)
            let columnCount = Int.random(in: 1...3, using: &random)
            let model = Self.model(&random, columnCount: columnCount)
            var expected = model
            expected.shape.prefixes = [1, 2]
            let memory = try MemoryStore()
            let writer = SegmentWriter(id: 7, shape: expected.shape, store: memory.store)
            try model.writeDocuments(to: writer)
            try writer.endDocuments()
            try model.writeTerms(to: writer)
            let lists = MergedLists(
                try writer.writtenTerms(in: memory.store), shape: expected.shape, countLimit: countLimit)
            for list in UInt8(1)...2 {
                // Any number that depends on the key.
                try lists.write(to: writer, list: list, characters: Int(list)) { Int($0.last ?? 0) }
                expected.terms += Self.lists(model, list: list, characters: Int(list))
            }
            let segment = try Segment(writer.finish(), shape: expected.shape, store: memory.store)
            expectSame(try SegmentModel(reading: segment), expected, "seed \(seed), \(countLimit) counts")
        }
    }
}
