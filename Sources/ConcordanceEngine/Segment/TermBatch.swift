/// Terms with their postings, in memory on their way to a segment. The first may have begun, and the last may end, in another
/// batch.
final class TermBatch {
    private let keys = ByteWriter()
    private let terms = GrowingBuffer<Term>()
    private let postings = GrowingBuffer<Posting>()
    private let columns = GrowingBuffer<ColumnFrequency>()
    private let differences = GrowingBuffer<UInt32>()

    private struct Term {
        /// Of its key; none where the term has begun before.
        var keySize: Int
        /// The postings up to this one are its own.
        var postingEnd: Int
        /// Nil where the term goes on in the next batch.
        var adjustment: Int?
    }

    private struct Posting {
        var document: UInt32
        var columnCount: UInt32
        var differenceCount: UInt32
    }

    /// Three megabytes, at two columns and four positions a posting.
    private static let postingLimit = 1 << 16
    /// Of each of the other parts: postings may have many columns or positions, and terms few postings.
    private static let byteLimit = 1 << 20

    @inline(__always)
    var isFull: Bool {
        postings.count >= Self.postingLimit || columns.count >= Self.byteLimit / 8
            || differences.count >= Self.byteLimit / 4 || keys.count >= Self.byteLimit
    }

    @inline(__always)
    func begin(_ key: UnsafeBufferPointer<UInt8>) {
        keys.append(contentsOf: key)
        terms.append(Term(keySize: key.count, postingEnd: postings.count, adjustment: nil))
    }

    @inline(__always)
    func add(
        _ document: UInt32, _ copy: (GrowingBuffer<ColumnFrequency>, GrowingBuffer<UInt32>) throws -> Void
    ) rethrows {
        let (columnStart, differenceStart) = (columns.count, differences.count)
        try copy(columns, differences)
        postings.append(
            Posting(
                document: document, columnCount: UInt32(truncatingIfNeeded: columns.count &- columnStart),
                differenceCount: UInt32(truncatingIfNeeded: differences.count &- differenceStart)))
    }

    /// Ends the last term, or the one that has begun in another batch.
    func end(adjustment: Int) {
        var term = openTerm ?? Term(keySize: 0, postingEnd: 0, adjustment: nil)
        if openTerm != nil { terms.truncate(to: terms.count - 1) }
        term.postingEnd = postings.count
        term.adjustment = adjustment
        terms.append(term)
    }

    /// The term that has not ended.
    private var openTerm: Term? { terms.values.last.flatMap { $0.adjustment == nil ? $0 : nil } }

    /// Writes everything to a segment, and starts over.
    func write(to writer: SegmentWriter) throws {
        defer { removeAll() }
        var (key, posting, column, difference) = (0, 0, 0, 0)
        func writePostings(to end: Int) throws {
            let (postings, columns, differences) = (postings.values, columns.values, differences.values)
            while posting < end {
                let head = postings[posting]
                let columnEnd = column &+ Int(head.columnCount)
                let differenceEnd = difference &+ Int(head.differenceCount)
                try writer.addPosting(document: head.document) { newColumns, newDifferences in
                    for index in column..<columnEnd { newColumns.append(columns[index]) }
                    for index in difference..<differenceEnd { newDifferences.append(differences[index]) }
                }
                (posting, column, difference) = (posting &+ 1, columnEnd, differenceEnd)
            }
        }
        for term in terms.values {
            if term.keySize > 0 {
                writer.beginTerm(UnsafeBufferPointer(rebasing: keys.values[key..<key + term.keySize]))
                key += term.keySize
            }
            guard let adjustment = term.adjustment else { break }
            try writePostings(to: term.postingEnd)
            try writer.endTerm(adjustment: adjustment)
        }
        try writePostings(to: postings.count)
    }

    /// Exchanges the contents with those of another batch.
    func exchange(with other: TermBatch) {
        keys.exchange(with: other.keys)
        terms.exchange(with: other.terms)
        postings.exchange(with: other.postings)
        columns.exchange(with: other.columns)
        differences.exchange(with: other.differences)
    }

    private func removeAll() {
        keys.removeAll()
        terms.removeAll()
        postings.removeAll()
        columns.removeAll()
        differences.removeAll()
    }
}
