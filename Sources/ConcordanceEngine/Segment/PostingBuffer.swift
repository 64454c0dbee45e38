/// Postings in memory, on their way to a segment.
final class PostingBuffer {
    /// Ascending in each term.
    let documents: GrowingBuffer<UInt32>
    /// For each document, the number of columns in which it has the term.
    let columnCounts: GrowingBuffer<UInt32>
    /// These columns, ascending for each document, and how often they have the term.
    let columns: GrowingBuffer<ColumnFrequency>
    /// Of a term with positions: in each column of each document the first offset, then the numbers of tokens between two.
    let differences: GrowingBuffer<UInt32>

    /// A place between two postings.
    struct Place {
        var posting = 0
        var column = 0
        var difference = 0
    }

    init(capacity: Int) {
        documents = GrowingBuffer(capacity: capacity)
        columnCounts = GrowingBuffer(capacity: capacity)
        columns = GrowingBuffer(capacity: capacity)
        differences = GrowingBuffer(capacity: capacity)
    }

    /// The number of values, without `columnCounts`.
    @inline(__always)
    var size: Int { documents.count &+ columns.count &+ differences.count }

    /// The place behind the last posting.
    @inline(__always)
    var end: Place { Place(posting: documents.count, column: columns.count, difference: differences.count) }

    /// Adds a document, whose columns and differences `copy` appends.
    @inline(__always)
    func append(
        _ document: UInt32, _ copy: (GrowingBuffer<ColumnFrequency>, GrowingBuffer<UInt32>) throws -> Void
    ) rethrows {
        let before = columns.count
        try copy(columns, differences)
        documents.append(document)
        columnCounts.append(UInt32(truncatingIfNeeded: columns.count &- before))
    }

    /// Adds the next `count` postings of another buffer, from a place on, and moves the place behind them.
    func append(_ count: Int, of other: PostingBuffer, from place: inout Place, hasPositions: Bool) {
        let postings = place.posting..<place.posting &+ count
        let counts = UnsafeBufferPointer(rebasing: other.columnCounts.values[postings])
        var columnCount: UInt32 = 0
        for count in counts { columnCount &+= count }
        let pairs = UnsafeBufferPointer(
            rebasing: other.columns.values[place.column..<place.column &+ Int(columnCount)])
        documents.append(contentsOf: UnsafeBufferPointer(rebasing: other.documents.values[postings]))
        columnCounts.append(contentsOf: counts)
        columns.append(contentsOf: pairs)
        place.posting &+= count
        place.column &+= pairs.count
        guard hasPositions else { return }
        var frequency: UInt64 = 0
        for pair in pairs { frequency &+= UInt64(pair.count) }
        let end = min(place.difference &+ Int(frequency), other.differences.count)
        assert(end == place.difference &+ Int(frequency), "fewer differences than frequencies")
        differences.append(contentsOf: UnsafeBufferPointer(rebasing: other.differences.values[place.difference..<end]))
        place.difference = end
    }

    func removeAll() {
        documents.removeAll()
        columnCounts.removeAll()
        columns.removeAll()
        differences.removeAll()
    }

    /// Exchanges the postings, and their memory, with those of another buffer.
    func exchange(with other: PostingBuffer) {
        documents.exchange(with: other.documents)
        columnCounts.exchange(with: other.columnCounts)
        columns.exchange(with: other.columns)
        differences.exchange(with: other.differences)
    }
}
