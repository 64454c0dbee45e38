import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("A page of the dictionary")
struct DictionaryPageTests {
    private let shape = IndexShape(columnCount: 2, hasPositions: true, prefixes: [])

    @Test(arguments: 0..<30)
    func `has the same entries for whoever passes over those before`(seed: UInt64) throws {
        var random = SegmentModelGenerator(seed: 3000 + seed)
        let memory = try MemoryStore()
        let segment = try memory.open(random.model())
        for number in 0..<segment.reader.count(.dictionary) {
            var (read, owner) = try segment.dictionaryPage(number)
            defer { withExtendedLifetime(owner) {} }
            var passed = read
            while !read.isAtEnd {
                _ = try read.readKey()
                let entry = try read.readEntry()
                _ = try passed.readKey()
                var other = passed
                let same = try other.readEntry()
                #expect(same == entry, "seed \(seed), page \(number)")
                try passed.skipEntry()
                #expect(passed.offset == read.offset, "seed \(seed), page \(number)")
            }
        }
    }

    @Test func `a term of a segment without documents has no posting`() throws {
        // Key [0], tag 0: one posting, of document 0, at place 0.
        let bytes: [UInt8] = [0x01, 0, 0, 0, 0]
        try withPage(bytes, documentCount: 0) { page in
            #expect(throws: (any Error).self) { try page.readEntry() }
        }
        try withPage(bytes) { page in
            let entry = try page.readEntry()
            #expect(entry.count == 1)
        }
    }

    /// Each with room for more behind it, as `skipEntry` looks ahead.
    @Test(
        arguments: [
            // One posting, of document 0, once, in a column that there is not.
            [3, 0, 0, 2, 0],
            [3, 0, 0, 0x80, 1, 0],
            // Two postings, at a place behind the last page that there can be.
            [5, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40],
            [5, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1],
        ] as [[UInt8]])
    func `does not pass over what readers refuse`(entry: [UInt8]) throws {
        try withPage([0x01, 0] + entry + Array(repeating: 0, count: 20)) { page in
            var other = page
            #expect(throws: (any Error).self) { try other.readEntry() }
            #expect(throws: (any Error).self) { try page.skipEntry() }
        }
    }

    /// The page with that first key and entry, before the entry.
    private func withPage(
        _ bytes: [UInt8], documentCount: Int = 1000, _ body: (inout DictionaryPage) throws -> Void
    ) throws {
        try bytes.withUnsafeBytes { bytes in
            var page = DictionaryPage(bytes, number: 0, shape: shape, documentCount: documentCount)
            _ = try page.readKey()
            try body(&page)
        }
    }
}
