import TestSupport
import Testing

@testable import ConcordanceEngine

/// Compares with Swift's sets.
@Suite struct `Rows that a query is restricted to` {
    private static let shape = IndexShape(columnCount: 1, hasPositions: true, prefixes: [])

    /// An index of these rows, each with the word of its last digit, written at once.
    private static func makeSegment(_ rowIDs: [Int64]) throws -> (harness: IndexHarness, segment: Segment) {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: shape)
        try harness.begin()
        for rowID in rowIDs {
            try harness.insert(rowID, [[ModelToken(text: "all"), ModelToken(text: "w\(rowID.magnitude % 10)")]])
        }
        try harness.commit()
        return (harness, try #require(try harness.index.snapshot().segments.first).segment)
    }

    /// Rowids with runs, gaps and the ends of the range.
    private static func rowIDs(_ random: inout SeededGenerator) -> [Int64] {
        var rowIDs: Set<Int64> = []
        if Bool.random(using: &random) { rowIDs.formUnion([.min, .min + 1, .max, .max - 1]) }
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let start = Int64.random(in: -3_000...3_000, using: &random)
            let step: Int64 = [1, 1, 1, 2, 40].randomElement(using: &random) ?? 1
            for number in 0..<Int64.random(in: 1...150, using: &random) { rowIDs.insert(start + number * step) }
        }
        return rowIDs.shuffled(using: &random)
    }

    /// Many or few of them, others, and repetitions, in no order.
    private static func choice(of rowIDs: [Int64], _ random: inout SeededGenerator) -> [Int64] {
        let share: Double = [0.002, 0.02, 0.3, 0.9, 1].randomElement(using: &random) ?? 1
        var chosen = rowIDs.filter { _ in Double.random(in: 0..<1, using: &random) < share }
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            chosen.append(Int64.random(in: -4_000...4_000, using: &random))
            if let again = chosen.randomElement(using: &random) { chosen.append(again) }
        }
        return Bool.random(using: &random) ? chosen.shuffled(using: &random) : chosen.sorted()
    }

    private static func documents(of segment: Segment, where isIncluded: (Int64) -> Bool) throws -> [UInt32] {
        var documents: [UInt32] = []
        for document in 0..<segment.documentCount where isIncluded(try segment.rowID(at: document)) {
            documents.append(UInt32(document))
        }
        return documents
    }

    @Test(arguments: UInt64(0)..<20)
    func `are the documents with these rowids`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rowIDs = Self.rowIDs(&random)
        let (harness, segment) = try Self.makeSegment(rowIDs)
        try withExtendedLifetime(harness) {
            for _ in 0..<12 {
                let chosen = Self.choice(of: rowIDs, &random)
                let set = RowSet(chosen)
                let model = Set(chosen)
                #expect(set.count == model.count)
                let expected = try Self.documents(of: segment, where: model.contains)
                let documents = try set.documents(of: segment)
                #expect(documents.elements == expected, "\(chosen)")
                #expect(documents.count == expected.count)
                #expect(try set.documents(of: segment) === documents, "those that are kept")
            }
            #expect(try RowSet([]).documents(of: segment).elements == [])
        }
    }

    @Test func `of many segments are those of each`() throws {
        var segments: [(harness: IndexHarness, segment: Segment)] = []
        let chosen: [Int64] = [0, 3, 7, 40, 41, 99]
        let set = RowSet(chosen)
        for number in Int64(0)..<40 { segments.append(try Self.makeSegment((0..<50).map { $0 + number })) }
        for _ in 0..<2 {
            for (_, segment) in segments {
                let expected = try Self.documents(of: segment, where: chosen.contains)
                #expect(try set.documents(of: segment).elements == expected)
            }
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func `of both sets are the intersection`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rowIDs = Self.rowIDs(&random)
        let (harness, segment) = try Self.makeSegment(rowIDs)
        try withExtendedLifetime(harness) {
            for _ in 0..<12 {
                let left = Self.choice(of: rowIDs, &random)
                let right = Self.choice(of: rowIDs, &random)
                let model = Set(left).intersection(right)
                let expected = try Self.documents(of: segment, where: model.contains)
                for common in [RowSet(left).intersection(RowSet(right)), RowSet(right).intersection(RowSet(left))] {
                    #expect(common.count == model.count, "\(left), \(right)")
                    #expect(try common.documents(of: segment).elements == expected, "\(left), \(right)")
                }
                #expect(RowSet(left).intersection(RowSet([])).count == 0)
                #expect(RowSet(left).intersection(RowSet(left)).count == Set(left).count)
            }
        }
    }

    /// The postings of a term, and the oracle's.
    private static func matches(
        _ text: String, _ segment: Segment
    ) throws -> (iterator: DocumentIterator, documents: [UInt32]) {
        let entry = try #require(try Array("\0\(text)".utf8).withUnsafeBufferPointer { try segment.find($0) })
        let documents = try documents(of: segment) { text == "all" || text == "w\($0.magnitude % 10)" }
        return (TermPostings(try segment.postings(entry), columns: nil), documents)
    }

    @Test(arguments: UInt64(0)..<20)
    func `are sought, read and marked among the matches of an iterator`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rowIDs = Self.rowIDs(&random)
        let (harness, segment) = try Self.makeSegment(rowIDs)
        try withExtendedLifetime(harness) {
            let end = UInt32(segment.documentCount)
            for text in ["all", "all", "w\(rowIDs[0].magnitude % 10)"] {
                let chosen = Self.choice(of: rowIDs, &random)
                let set = try RowSet(chosen).documents(of: segment)
                let (matches, all) = try Self.matches(text, segment)
                let iterator = RestrictedIterator(matches, to: set)
                let passing = Set(set.elements)
                let expected = all.filter(passing.contains)
                try Self.checkSeeking(iterator, expected, end, &random)
                for size in [1, 3, 64, 1_000] {
                    let limit = UInt32.random(in: 0...end, using: &random)
                    try Self.checkReading(iterator, expected, limit, size)
                }
                try Self.checkMarking(iterator, expected, end, &random)
            }
        }
    }

    private static func checkSeeking(
        _ iterator: DocumentIterator, _ expected: [UInt32], _ end: UInt32, _ random: inout SeededGenerator
    ) throws {
        for _ in 0..<4 {
            iterator.reset()
            var target: UInt32 = 0
            while target <= end {
                let found = expected.first { $0 >= target } ?? DocumentIterator.exhausted
                #expect(try iterator.seek(target) == found)
                #expect(iterator.document == found)
                if found == DocumentIterator.exhausted { break }
                target = max(target, found) + UInt32.random(in: 0...9, using: &random)
                if Int.random(in: 0..<8, using: &random) == 0 { target += 200 }
            }
        }
    }

    private static func checkReading(
        _ iterator: DocumentIterator, _ expected: [UInt32], _ limit: UInt32, _ size: Int
    ) throws {
        iterator.reset()
        let buffer = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: size)
        defer { buffer.deallocate() }
        var found: [UInt32] = []
        var count = size
        while count == size {
            count = try iterator.read(from: found.last.map { $0 + 1 } ?? 0, below: limit, into: buffer)
            found += buffer[..<count]
        }
        #expect(found == expected.filter { $0 < limit }, "\(size) at a time")
    }

    private static func checkMarking(
        _ iterator: DocumentIterator, _ expected: [UInt32], _ end: UInt32, _ random: inout SeededGenerator
    ) throws {
        iterator.reset()
        let words = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: Int(end) / 64 + 1)
        defer { words.deallocate() }
        let base = try #require(words.baseAddress)
        var first: UInt32 = 0
        while first < end {
            words.initialize(repeating: 0)
            let limit = min(end, first + UInt32.random(in: 1...500, using: &random))
            try iterator.mark(from: first, below: limit, in: base)
            let marked = (first..<end).filter { words[Int(($0 - first) >> 6)] >> UInt64(($0 - first) & 63) & 1 != 0 }
            #expect(marked == expected.filter { $0 >= first && $0 < limit })
            first = limit
        }
    }
}
