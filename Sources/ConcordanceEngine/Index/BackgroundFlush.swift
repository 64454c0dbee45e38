import CConcordanceThread

/// Encodes pending rows as a segment on a thread of its own, while the next rows are collected.
///
/// Nothing of SQLite is called there: the segment stays in memory until `InvertedIndex` writes it.
final class BackgroundFlush {
    /// The rows, all of them added ones. They can be read at any time, and changed after `wait`.
    let buffer: PendingBuffer
    /// The largest of their rowids.
    let maximumRowID: Int64?
    private let encoding: Encoding
    /// The thread, until it has been waited for.
    private var thread: OpaquePointer?

    /// Sendable because the other thread alone uses it from its start to its end, but for `buffer`, which both only read.
    private final class Encoding: @unchecked Sendable {
        private let buffer: PendingBuffer
        private let shape: IndexShape
        private(set) var result: Result<EncodedSegment, any Error>?

        init(_ buffer: PendingBuffer, _ shape: IndexShape) {
            self.buffer = buffer
            self.shape = shape
        }

        func run() { result = Result { try EncodedSegment(buffer, shape: shape) } }
    }

    /// Begins; where there can be no thread, the segment is encoded at once.
    init(_ buffer: PendingBuffer, shape: IndexShape) {
        assert(buffer.hasOnlyInsertions, "removals, of which the terms are looked up in segments")
        self.buffer = buffer
        maximumRowID = buffer.maximumRowID
        encoding = Encoding(buffer, shape)
        thread = concordance_thread_start(
            { context in
                guard let context else { return }
                Unmanaged<Encoding>.fromOpaque(context).takeUnretainedValue().run()
            }, Unmanaged.passUnretained(encoding).toOpaque())
        if thread == nil { encoding.run() }
    }

    deinit { wait() }

    /// Waits until the rows are encoded.
    func wait() {
        guard let running = thread else { return }
        concordance_thread_join(running)
        thread = nil
    }

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

    init(_ buffer: PendingBuffer, shape: IndexShape) throws {
        let pages = SegmentPages(id: 0, store: nil, hasValues: !shape.valueColumns.isEmpty)
        info = try PendingFlush(buffer, shape: shape, writer: SegmentWriter(shape, pages)).write()
        self.pages = pages.collected
    }

    /// Writes it as the segment with that number.
    func write(to store: BlockStore, id: UInt32) throws -> SegmentInfo {
        for page in pages {
            let row = BlockStore.id(segment: id, stream: page.stream, page: page.number)
            try page.bytes.withUnsafeBytes { try store.write(row, $0) }
        }
        var info = info
        info.id = id
        return info
    }
}
