import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("The sources of a merged term")
struct SourceQueueTests {
    private static let shape = IndexShape(columnCount: 1, hasPositions: true, prefixes: [])

    /// Sources of the documents of as many segments, all with the word "x", numbered as `numbers` says.
    private func makeSources(_ numbers: [[UInt32]]) throws -> [MergeSource] {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: Self.shape)
        (harness.index.settings.automerge, harness.index.settings.crisismerge) = (0, 1)
        var rowID: Int64 = 0
        for segment in numbers {
            try harness.begin()
            for _ in segment {
                rowID += 1
                try harness.insert(rowID, [[ModelToken(text: "x")]])
            }
            try harness.commit()
        }
        let segments = try harness.index.snapshot().segments.map(\.segment)
        #expect(segments.map(\.documentCount) == numbers.map(\.count))
        return try zip(segments, numbers).map { segment, numbers in
            var map = DocumentMap(capacity: numbers.count)
            for number in numbers { map.append(number) }
            let source = MergeSource(segment, map: map)
            let terms = try segment.makeTermCursor(from: [])
            #expect(try terms.next())
            try source.open(terms.entry, rest: terms.rest)
            return source
        }
    }

    /// The documents written, of a segment with so many.
    private func write(_ sources: [MergeSource], documentCount: Int) throws -> Int {
        let writer = SegmentWriter(Self.shape, SegmentPages(id: 1, store: nil, hasValues: false))
        let length: [UInt32] = [1]
        for rowID in 0..<documentCount {
            try length.withUnsafeBufferPointer {
                try writer.addDocument(rowID: Int64(rowID), columnLengths: $0, fingerprint: 0)
            }
        }
        [UInt8](arrayLiteral: 0, 120).withUnsafeBufferPointer { writer.beginTerm($0) }
        let queue = SourceQueue()
        for source in sources { queue.append(source) }
        var budget = Int.max
        // Out of order, a posting is an error.
        #expect(try queue.write(to: writer, budget: &budget))
        return writer.postingCount
    }

    /// More sources than the queue has room for at first.
    @Test(arguments: [1, 2, 5, 80])
    func `come in the order of documents`(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let owners = (0..<count * 7).map { $0 < count ? $0 : Int.random(in: 0..<count, using: &random) }.shuffled(
            using: &random)
        let numbers = (0..<count).map { source in
            owners.indices.filter { owners[$0] == source }.map { UInt32($0) }
        }
        #expect(try write(makeSources(numbers), documentCount: owners.count) == owners.count)
    }

    /// As a damaged segment may claim.
    @Test func `are read once where one has the term twice`() throws {
        let sources = try makeSources([[0, 2, 4], [1, 3]])
        #expect(try write([sources[0], sources[1], sources[0]], documentCount: 5) == 5)
    }
}
