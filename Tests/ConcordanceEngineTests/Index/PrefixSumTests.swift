import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Sums of terms with a common beginning")
struct PrefixSumTests {
    /// The sums of a few lists after each other, with the greatest number of counts kept at a time.
    @Test(arguments: [1, 3, 64, 200, 1 << 20])
    func `are those of their postings, in windows of any size`(countLimit: Int) throws {
        for seed in UInt64(0)..<6 {
            var random = SeededGenerator(seed: seed)
            let columnCount = Int.random(in: 1...4, using: &random)
            let shape = IndexShape(columnCount: columnCount, hasPositions: true, prefixes: [1])
            // Some events are documents, in any order; others are removed documents, or nothing.
            let eventCount = 150
            var documentCount: Int32 = 0
            var numbers = (0..<eventCount).map { _ -> Int32 in
                let kind = Int.random(in: 0..<6, using: &random)
                if kind < 2 { return kind == 0 ? -1 : PendingFlush.adjustment }
                documentCount += 1
                return documentCount - 1
            }
            numbers.shuffle(using: &random)
            let memory = try MemoryStore()
            let writer = SegmentWriter(id: 7, shape: shape, store: memory.store)
            var model = SegmentModel(shape: shape)
            for document in 0..<Int64(documentCount) {
                let lengths = Array(repeating: UInt32(50), count: columnCount)
                model.documents.append(.init(rowID: document, columnLengths: lengths, fingerprint: 0))
                try lengths.withUnsafeBufferPointer {
                    try writer.addDocument(rowID: document, columnLengths: $0, fingerprint: 0)
                }
            }
            var sum = PrefixSum(
                documentCount: Int(documentCount), columnCount: columnCount, countLimit: countLimit)
            for letter in UInt8(97)..<101 {
                let terms = PendingTerms()
                var counts: [Int32: [UInt32]] = [:]
                var removals: Set<UInt32> = []
                for term in 0..<UInt8.random(in: 0...5, using: &random) {
                    for event in UInt32(0)..<UInt32(eventCount) where Int.random(in: 0..<4, using: &random) == 0 {
                        for column in 0..<columnCount {
                            for offset in 0..<UInt32.random(in: 0...2, using: &random) {
                                [letter, term].withUnsafeBufferPointer {
                                    terms.add(
                                        $0, hash: TokenHash.hash($0), event: event, column: UInt32(column),
                                        offset: offset)
                                }
                                let number = numbers[Int(event)]
                                if number == PendingFlush.adjustment { removals.insert(event) }
                                if number >= 0 {
                                    counts[number, default: Array(repeating: 0, count: columnCount)][column] += 1
                                }
                            }
                        }
                    }
                }
                [1, letter].withUnsafeBufferPointer { writer.beginTerm($0) }
                for window in sum.windows {
                    for term in 0..<terms.count { sum.add(terms.list(term), numbers, in: window) }
                    #expect(sum.removalCount == removals.count)
                    try sum.write(to: writer)
                }
                try writer.endTerm(adjustment: -removals.count)
                let postings = counts.sorted { $0.key < $1.key }.map { document, counts in
                    SegmentModel.Posting(
                        document: UInt32(document),
                        columns: counts.indices.filter { counts[$0] > 0 }.map {
                            ColumnFrequency(column: UInt32($0), count: counts[$0])
                        }, positions: [])
                }
                if postings.isEmpty, removals.isEmpty { continue }
                model.terms.append(.init(key: [1, letter], adjustment: -removals.count, postings: postings))
            }
            let segment = try Segment(writer.finish(), shape: shape, store: memory.store)
            expectSame(try SegmentModel(reading: segment), model, "seed \(seed), \(countLimit) counts")
        }
    }
}
