/// Checks that each list of prefixes of one length, in one segment, is the union of the postings of its terms.
///
/// It adds up the frequencies of the terms in windows of documents.
final class PrefixCheck {
    private let segment: Segment
    private let list: Int
    private let characters: Int
    private let columnCount: Int
    /// Frequencies of the documents of a window, by column; all zero before and after each prefix.
    private let sums: FixedBuffer<UInt32>
    private let windowSize: Int
    /// The cursor of the last list, for the next.
    private var opened: PostingsCursor?

    /// 4 MB of frequencies.
    static let windowLimit = 1 << 20

    /// - Parameter limit: How many frequencies are kept at a time.
    init(_ segment: Segment, list: Int, limit: Int = windowLimit) {
        self.segment = segment
        self.list = list
        characters = segment.shape.prefixes[list]
        columnCount = max(1, segment.shape.columnCount)
        windowSize = max(1, min(segment.documentCount, limit / columnCount))
        sums = FixedBuffer(repeating: 0, count: windowSize * columnCount)
    }

    func run() throws {
        // Each term is in one list, so none is missing if there are as many in the lists.
        var expected = 0
        let terms = try segment.makeTermCursor(from: [0])
        while try terms.next(), terms.withKey({ $0.first }) == 0 {
            if terms.entry.count > 0, terms.prefixLength(characters) != nil { expected += 1 }
        }
        for first in stride(from: 0, to: segment.documentCount, by: windowSize) {
            let end = min(first + windowSize, segment.documentCount)
            let termCount = try check(UInt32(first)..<UInt32(end))
            guard termCount == expected else {
                throw corrupt(
                    "the prefix lists of \(characters) characters have \(termCount) terms, not \(expected)")
            }
        }
    }

    /// Checks all lists in a window; returns how many terms they have.
    private func check(_ window: Range<UInt32>) throws -> Int {
        var termCount = 0
        let lists = try segment.makeTermCursor(from: [UInt8(truncatingIfNeeded: list + 1)])
        var terms = try PrefixTerms(segment, characters: characters)
        while try lists.next(), Int(lists.withKey { $0.first } ?? 0) == list + 1 {
            termCount += try check(lists.entry, Array(lists.key.dropFirst()), &terms, window)
        }
        return termCount
    }

    /// Checks the list of a prefix in a window; returns how many terms have that prefix.
    private func check(
        _ entry: TermEntry, _ prefix: [UInt8], _ terms: inout PrefixTerms, _ window: Range<UInt32>
    ) throws -> Int {
        let columnCount = columnCount
        /// How many sums are not zero.
        var open = 0
        func slot(_ document: UInt32, _ column: UInt32) -> Int {
            Int(document - window.lowerBound) * columnCount + Int(column)
        }
        var termCount = 0
        try terms.forEach(of: prefix) { term in
            termCount += 1
            try forEachPosting(of: term.entry, in: window) { document, postings in
                try postings.forEachColumn { column, count in
                    guard Int(column) < columnCount else {
                        throw corrupt("a posting is in a column that does not exist")
                    }
                    if sums[slot(document, column)] == 0, count > 0 { open += 1 }
                    sums[slot(document, column)] &+= count
                }
            }
        }
        try forEachPosting(of: entry, in: window) { document, postings in
            try postings.forEachColumn { column, count in
                guard Int(column) < columnCount, count > 0, count == sums[slot(document, column)] else {
                    throw wrong(prefix)
                }
                sums[slot(document, column)] = 0
                open -= 1
            }
        }
        guard open == 0 else { throw wrong(prefix) }
        return termCount
    }

    private func forEachPosting(
        of entry: TermEntry, in window: Range<UInt32>, _ body: (UInt32, inout PostingsCursor) throws -> Void
    ) throws {
        guard entry.count > 0 else { return }
        var postings = try segment.postings(entry, reusing: opened)
        var document = try postings.advance(to: window.lowerBound)
        while document < window.upperBound {
            try body(document, &postings)
            document = try postings.next()
        }
        opened = postings
    }

    private func wrong(_ prefix: [UInt8]) -> any Error {
        corrupt("the list of prefix \"\(String(decoding: prefix, as: UTF8.self))\" is not the union of its terms")
    }
}
