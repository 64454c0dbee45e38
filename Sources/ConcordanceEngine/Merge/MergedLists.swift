/// Writes the prefix lists of a segment whose terms are written, from the postings of these.
final class MergedLists {
    private let terms: Segment
    private let keys = KeyBuffer()
    @exclusivity(unchecked) private var sum: PrefixSum
    /// The cursor of the last term, for the next.
    @exclusivity(unchecked) private var opened: PostingsCursor?

    /// 16 MB of counts: those of two million documents with two columns, whose terms are then read once for each list. The
    /// pending rows, which took more memory, are written by then.
    private static let countLimit = 1 << 22

    init(_ terms: Segment, shape: IndexShape, countLimit: Int = countLimit) {
        self.terms = terms
        sum = PrefixSum(documentCount: terms.documentCount, columnCount: shape.columnCount, countLimit: countLimit)
    }

    /// Writes the lists of prefixes of so many characters.
    ///
    /// - Parameter adjustment: Of the list with that key. Called in the order of keys, before the list is begun.
    func write(
        to sink: some TermSink, list: UInt8, characters: Int,
        adjustment: (UnsafeBufferPointer<UInt8>) throws -> Int
    ) throws {
        var members = try PrefixTerms(terms, characters: characters)
        try PrefixTerms(terms, characters: characters).forEachPrefix { prefix in
            let key = prefix.withUnsafeBufferPointer { keys.set(list, $0) }
            let adjustment = try adjustment(key)
            sink.beginTerm(key)
            for window in sum.windows {
                try members.forEach(of: prefix) { try add($0, in: window) }
                try sum.write(to: sink)
            }
            try sink.endTerm(adjustment: adjustment)
        }
    }

    private func add(_ term: TermCursor, in window: Range<Int>) throws {
        if case .dictionary(let posting, _, _) = term.entry.place {
            return try sum.add(posting, rest: term.rest, in: window)
        }
        var postings = try terms.postings(term.entry, reusing: opened)
        opened = nil
        try sum.add(&postings, in: window)
        opened = postings
    }
}
