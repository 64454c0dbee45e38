/// Terms with their postings, in memory on their way to a segment. The first may have begun, and the last may end, in another
/// batch.
final class TermBatch {
    private let keys = ByteWriter()
    private let terms = GrowingBuffer<Term>()
    private let postings = PostingBuffer(capacity: 64)

    private struct Term {
        /// Of its key; none where the term has begun before.
        var keySize: Int
        /// The postings up to this one are its own.
        var postingEnd: Int
        /// Nil where the term goes on in the next batch.
        var adjustment: Int?
    }

    /// Two and a half megabytes, at two columns and four positions a posting.
    private static let postingLimit = 1 << 16
    /// Of each of the other parts: postings may have many columns or positions, and terms few postings.
    private static let byteLimit = 1 << 20

    @inline(__always)
    var isFull: Bool {
        postings.documents.count >= Self.postingLimit || postings.columns.count >= Self.byteLimit / 8
            || postings.differences.count >= Self.byteLimit / 4 || keys.count >= Self.byteLimit
    }

    @inline(__always)
    func begin(_ key: UnsafeBufferPointer<UInt8>) {
        keys.append(contentsOf: key)
        terms.append(Term(keySize: key.count, postingEnd: postings.documents.count, adjustment: nil))
    }

    /// Adds the postings that `append` appends; returns how many they are.
    @inline(__always)
    func add(_ append: (PostingBuffer) throws -> Void) rethrows -> Int {
        let before = postings.documents.count
        try append(postings)
        return postings.documents.count &- before
    }

    /// Ends the last term, or the one that has begun in another batch.
    func end(adjustment: Int) {
        var term = openTerm ?? Term(keySize: 0, postingEnd: 0, adjustment: nil)
        if openTerm != nil { terms.truncate(to: terms.count - 1) }
        term.postingEnd = postings.documents.count
        term.adjustment = adjustment
        terms.append(term)
    }

    /// The term that has not ended.
    private var openTerm: Term? { terms.values.last.flatMap { $0.adjustment == nil ? $0 : nil } }

    /// Writes everything to a segment, and starts over.
    func write(to writer: SegmentWriter) throws {
        defer { removeAll() }
        var key = 0
        var place = PostingBuffer.Place()
        func writePostings(to end: Int) throws {
            while place.posting < end {
                let count = min(end &- place.posting, writer.room)
                try writer.addPostings {
                    $0.append(count, of: postings, from: &place, hasPositions: writer.hasPositions)
                }
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
        try writePostings(to: postings.documents.count)
    }

    /// Exchanges the contents with those of another batch.
    func exchange(with other: TermBatch) {
        keys.exchange(with: other.keys)
        terms.exchange(with: other.terms)
        postings.exchange(with: other.postings)
    }

    private func removeAll() {
        keys.removeAll()
        terms.removeAll()
        postings.removeAll()
    }
}
