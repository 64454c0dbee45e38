/// The documents of all terms that begin with a prefix, where no list of them is stored and the terms share no places, or
/// places are not known.
///
/// Many postings are added up in an array with an element for each document of the segment: linear, whatever the number of
/// terms. Few are collected and sorted, so that the array is worth its memory.
struct TermUnion {
    private let segment: Segment
    private let phrase: Int
    private let columns: ColumnSet?
    private let weights: ColumnWeights

    init(_ segment: Segment, phrase: Int, columns: ColumnSet?, weights: ColumnWeights) {
        self.segment = segment
        self.phrase = phrase
        self.columns = columns
        self.weights = weights
    }

    /// - Parameter key: The key of the dictionary that all the terms' keys begin with.
    func matches(withKeyPrefix key: [UInt8]) throws -> ListLeafPostings.Matches {
        var entries: [TermEntry] = []
        var count = 0
        let cursor = try segment.makeTermCursor(from: key)
        while try cursor.next(), cursor.withKey({ $0.starts(with: key) }) {
            guard cursor.entry.count > 0 else { continue }
            entries.append(cursor.entry)
            count += cursor.entry.count
        }
        return count < segment.documentCount / 16 ? try sorted(entries, count) : try summed(entries)
    }

    private func forEachPosting(
        _ entries: [TermEntry], _ body: (_ document: UInt32, _ frequency: Double) throws -> Void
    ) throws {
        guard let first = entries.first else { return }
        let postings = WeightedPostings(segment, first, columns: columns, weights: weights)
        for entry in entries {
            postings.open(entry)
            try postings.forEachMatch(body)
        }
    }

    private func sorted(_ entries: [TermEntry], _ count: Int) throws -> ListLeafPostings.Matches {
        var postings: [(document: UInt32, frequency: Double)] = []
        postings.reserveCapacity(count)
        try forEachPosting(entries) { postings.append(($0, $1)) }
        if entries.count > 1 { postings.sort { $0.document < $1.document } }
        var matches = ListLeafPostings.Matches(phrases: [phrase])
        var next = 0
        while next < postings.count {
            let document = postings[next].document
            var frequency = 0.0
            while next < postings.count, postings[next].document == document {
                frequency += postings[next].frequency
                next += 1
            }
            matches.append(document, frequency: frequency)
        }
        return matches
    }

    private func summed(_ entries: [TermEntry]) throws -> ListLeafPostings.Matches {
        let count = segment.documentCount
        let sums = UnsafeMutablePointer<Double>.allocate(capacity: max(count, 1))
        sums.initialize(repeating: 0, count: count)
        defer { sums.deallocate() }
        // Weights may be 0 or below, so that a sum does not tell whether there was a hit.
        var found = BitSet(count: count)
        try forEachPosting(entries) { document, frequency in
            guard document < count else { throw corrupt("a posting of no document") }
            sums[Int(document)] += frequency
            found.insert(Int(document))
        }
        var matches = ListLeafPostings.Matches(phrases: [phrase])
        matches.reserveCapacity(found.count)
        found.forEach { matches.append(UInt32(truncatingIfNeeded: $0), frequency: sums[$0]) }
        return matches
    }
}

/// A set of small numbers.
private struct BitSet {
    private var words: [UInt64]

    init(count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    @inline(__always)
    mutating func insert(_ number: Int) { words[number >> 6] |= 1 << UInt64(number & 63) }

    func forEach(_ body: (Int) -> Void) {
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                body(index * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}
