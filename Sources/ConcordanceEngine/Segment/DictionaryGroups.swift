import ConcordanceText

/// Where in their pages every sixteenth term of a dictionary stands, and what it is: closer bounds than those of pages
/// (`DictionaryIndex`), for walks over the whole dictionary. In memory as long as the segment is open, from the first such
/// walk on: one to two bytes for each term of usual length.
struct DictionaryGroups {
    /// Terms in a group; the last one of a page may have fewer.
    static let size = 16

    /// The first terms of the groups, without what their keys begin with (`PrefixKey`) and as far as they count
    /// (`TypoMatcher.byteCapacity`), and where in `bytes` each ends.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// Where in its page each group begins.
    private var offsets: [Int] = []
    /// For each page with terms its first group, and then the number of all groups.
    private var firstGroups: [Int] = []

    init(_ segment: Segment) throws {
        let key = ByteWriter()
        pages: for number in 0..<segment.reader.count(.dictionary) {
            firstGroups.append(ends.count)
            var (page, owner) = try segment.dictionaryPage(number)
            defer { withExtendedLifetime(owner) {} }
            key.truncate(to: 0)
            var count = 0
            while !page.isAtEnd {
                let offset = page.offset
                let (shared, suffix) = try page.readKey()
                guard shared <= key.count else { throw corrupt("the terms of a segment are in no order") }
                key.truncate(to: shared)
                key.append(suffix)
                // Lists of prefixes come behind all terms.
                guard key.values.first == 0 else { break pages }
                if count % Self.size == 0 {
                    bytes.append(contentsOf: key.values.dropFirst().prefix(TypoMatcher.byteCapacity))
                    ends.append(bytes.count)
                    offsets.append(offset)
                }
                count += 1
                try page.skipEntry()
            }
        }
        firstGroups.append(ends.count)
    }

    /// How many pages may have terms.
    var pageCount: Int { firstGroups.count - 1 }

    /// Calls `body` with each group of a page: where in the page it begins, its first term, and the first term of the next
    /// group, nil for the last one of the dictionary.
    func forEachGroup(
        inPage page: Int,
        _ body: (
            _ offset: Int, _ first: UnsafeBufferPointer<UInt8>, _ next: UnsafeBufferPointer<UInt8>?
        ) throws -> Void
    ) rethrows {
        try bytes.withUnsafeBufferPointer { bytes in
            func term(_ group: Int) -> UnsafeBufferPointer<UInt8> {
                UnsafeBufferPointer(rebasing: bytes[(group == 0 ? 0 : ends[group - 1])..<ends[group]])
            }
            for group in firstGroups[page]..<firstGroups[page + 1] {
                try body(offsets[group], term(group), group + 1 < ends.count ? term(group + 1) : nil)
            }
        }
    }
}
