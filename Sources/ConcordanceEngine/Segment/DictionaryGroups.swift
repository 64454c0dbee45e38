import ConcordanceText

/// Every sixteenth term of a dictionary, and its place in its page: closer bounds than those of pages
/// (`DictionaryIndex`), for walks over the whole dictionary; and the signature of each term. In memory as long as the
/// segment is open, from the first such walk on: about six bytes for each term.
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
    /// Of the terms of each group, with room for `size`.
    private var signatures: [WordSignature] = []

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
                guard shared <= key.count else { throw corrupt("the terms of a segment are not in order") }
                key.truncate(to: shared)
                key.append(suffix)
                // Lists of prefixes come after all terms.
                guard key.values.first == 0 else { break pages }
                if count % Self.size == 0 {
                    bytes.append(contentsOf: key.values.dropFirst().prefix(TypoMatcher.byteCapacity))
                    ends.append(bytes.count)
                    offsets.append(offset)
                    let room = ends.count * Self.size - signatures.count
                    signatures.append(contentsOf: repeatElement(WordSignature.none, count: room))
                }
                signatures[(ends.count - 1) * Self.size + count % Self.size] = WordSignature(
                    UnsafeBufferPointer(rebasing: key.values.dropFirst()))
                count += 1
                try page.skipEntry()
            }
        }
        firstGroups.append(ends.count)
    }

    /// Calls `body` with each group in which a term may match: its page and where in it the group begins, which of the page's
    /// terms may match, and the first term of the group. Groups whose terms all begin in a way that does not match are passed
    /// over at once.
    func forEachGroup(
        of matcher: TypoMatcher,
        _ body: (_ page: Int, _ offset: Int, _ places: Range<Int>, _ first: UnsafeBufferPointer<UInt8>) throws -> Void
    ) rethrows {
        try bytes.withUnsafeBufferPointer { bytes in
            var page = 0
            var group = 0
            while group < ends.count {
                let first = term(group, bytes)
                let next = group + 1 < ends.count ? term(group + 1, bytes) : nil
                if matcher.mayMatch(from: first, below: next) {
                    let count = matchCount(group, matcher)
                    while firstGroups[page + 1] <= group { page += 1 }
                    let place = (group - firstGroups[page]) * Self.size
                    if count > 0 { try body(page, offsets[group], place..<place + count, first) }
                } else if matcher.deadLength > 0 {
                    // Other words may follow in the last group that begins so.
                    let beginning = UnsafeBufferPointer(rebasing: first[..<matcher.deadLength])
                    group = max(group, end(of: beginning, after: group, bytes) - 2)
                }
                group += 1
            }
        }
    }

    /// How many of the first terms of a group hold all that may match by their signatures.
    private func matchCount(_ group: Int, _ matcher: TypoMatcher) -> Int {
        signatures.withUnsafeBufferPointer { signatures in
            let first = group * Self.size
            var count = Self.size
            while count > 0, !matcher.mayMatch(signatures[first + count - 1]) { count -= 1 }
            return count
        }
    }

    /// The first group after `group` whose first term does not begin like that one's.
    private func end(
        of beginning: UnsafeBufferPointer<UInt8>, after group: Int, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Int {
        (group + 1..<ends.count).nearPartitionPoint { term($0, bytes).starts(with: beginning) }
    }

    private func term(_ group: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[(group == 0 ? 0 : ends[group - 1])..<ends[group]])
    }
}
