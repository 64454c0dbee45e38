/// Encodes pending rows as a segment on a thread of its own, while the next rows are collected.
///
/// Nothing of SQLite is called there: the segment stays in memory until `InvertedIndex` writes it.
final class BackgroundFlush {
    /// The rows, all of them added ones. They can be read at any time, and changed after `wait`.
    let buffer: PendingBuffer
    /// The largest of their rowids.
    let maximumRowID: Int64?
    private let encoding: Encoding
    private let thread: BackgroundThread

    /// Sendable because the other thread alone uses it from its start to its end, but for `buffer`, which both only read.
    private final class Encoding: @unchecked Sendable {
        private let buffer: PendingBuffer
        private let shape: IndexShape
        private let hasLists: Bool
        private(set) var result: Result<EncodedSegment, any Error>?

        init(_ buffer: PendingBuffer, _ shape: IndexShape, hasLists: Bool) {
            self.buffer = buffer
            self.shape = shape
            self.hasLists = hasLists
        }

        func run() { result = Result { try EncodedSegment(buffer, shape: shape, hasLists: hasLists) } }
    }

    /// Begins; where there can be no thread, the segment is encoded at once.
    init(_ buffer: PendingBuffer, shape: IndexShape, hasLists: Bool) {
        assert(buffer.hasOnlyInsertions, "removals, of which the terms are looked up in segments")
        self.buffer = buffer
        maximumRowID = buffer.maximumRowID
        let encoding = Encoding(buffer, shape, hasLists: hasLists)
        self.encoding = encoding
        thread = BackgroundThread { encoding.run() }
    }

    /// Waits until the rows are encoded.
    func wait() { thread.wait() }

    /// Waits for the segment; throws SQLITE_FULL if there is too much for one.
    func segment() throws -> EncodedSegment {
        wait()
        guard let result = encoding.result else { throw failure("rows that were not encoded") }
        return try result.get()
    }
}

/// A segment in memory, that has no number yet.
struct EncodedSegment {
    private let info: SegmentInfo
    private let pages: [SegmentPages.Page]

    init(_ buffer: PendingBuffer, shape: IndexShape, hasLists: Bool) throws {
        let pages = SegmentPages(id: 0, store: nil, hasValues: !shape.valueColumns.isEmpty)
        info = try PendingFlush(buffer, shape: shape, writer: SegmentWriter(shape, pages)).write(hasLists: hasLists)
        self.pages = pages.collected
    }

    /// Writes it as the segment with that number.
    func write(to store: BlockStore, id: UInt32) throws -> SegmentInfo {
        for page in pages { try page.write(to: store, segment: id) }
        var info = info
        info.id = id
        return info
    }
}
