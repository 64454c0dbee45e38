/// Deletes the pages of an input of a merge once they have been read, so that those of the result take their places in the file.
/// Otherwise, a merge of the whole index would double the file.
///
/// They are those of terms, postings and positions, which nearly all pages are: a segment has them in the order of its keys, in
/// which a merge reads them.
struct ReadPages {
    private let reader: SegmentReader
    /// Of each stream, the first page that is not deleted.
    private var kept = Array(repeating: 0, count: SegmentStream.allCases.count)

    /// So many are deleted at once, which costs little more than one.
    private static let leastCount = 4

    init(_ segment: Segment) { reader = segment.reader }

    /// Deletes the pages of a stream before the one that is being read, if they are enough.
    ///
    ///     DELETE FROM t_data WHERE id BETWEEN ? AND ?
    @inline(__always)
    mutating func delete(_ stream: SegmentStream, before current: Int, in store: BlockStore) throws {
        let first = kept[Int(stream.rawValue)]
        if current - first >= Self.leastCount { try delete(stream, from: first, before: current, in: store) }
    }

    @inline(never)
    private mutating func delete(
        _ stream: SegmentStream, from first: Int, before current: Int, in store: BlockStore
    ) throws {
        // Damage can make a page out of any number.
        let end = min(current, reader.count(stream))
        guard first < end else { return }
        func id(_ page: Int) -> Int64 {
            BlockStore.id(segment: reader.id, stream: stream.rawValue, page: UInt32(truncatingIfNeeded: page))
        }
        try store.delete(id(first)...id(end - 1))
        kept[Int(stream.rawValue)] = end
    }
}
