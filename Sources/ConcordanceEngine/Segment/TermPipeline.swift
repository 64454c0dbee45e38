/// Takes terms in batches, and writes each to a segment on a thread of its own while the next one is collected.
///
/// The thread calls nothing of SQLite: the pages stay in memory until the next batch is full.
final class TermPipeline: TermSink {
    private let writer: SegmentWriter
    private let batch = TermBatch()
    private let writing: Writing
    /// Writes the last full batch; nil if there is none.
    private var thread: BackgroundThread?
    @exclusivity(unchecked) private(set) var postingCount: Int

    /// Sendable because the other thread alone uses it, the batch and the writer, from its start to its end.
    private final class Writing: @unchecked Sendable {
        let batch = TermBatch()
        private let writer: SegmentWriter
        private(set) var result: Result<Void, any Error> = .success(())

        init(_ writer: SegmentWriter) { self.writer = writer }

        func run() { result = Result { try batch.write(to: writer) } }
    }

    /// Goes on with the terms of a writer, which may be within one.
    init(_ writer: SegmentWriter) {
        self.writer = writer
        writing = Writing(writer)
        postingCount = writer.postingCount
    }

    /// Writes what has been collected.
    func finish() throws {
        try finishWriting()
        try batch.write(to: writer)
    }

    private func writeBatch() throws {
        try finishWriting()
        writing.batch.exchange(with: batch)
        writer.collectsPages = true
        thread = BackgroundThread { [writing] in writing.run() }
    }

    /// Waits for the thread, and writes the pages.
    private func finishWriting() throws {
        guard let running = thread else { return }
        running.wait()
        thread = nil
        writer.collectsPages = false
        try writing.result.get()
        try writer.writePages()
    }

    // MARK: - Terms

    @inline(__always)
    func beginTerm(_ key: UnsafeBufferPointer<UInt8>) {
        postingCount = 0
        batch.begin(key)
    }

    @inline(__always)
    func addPostings(_ append: (PostingBuffer) throws -> Void) throws {
        if batch.isFull { try writeBatch() }
        postingCount &+= try batch.add(append)
    }

    /// A batch takes any number; a block at most keeps it near its limits.
    var room: Int { PostingsCursor.blockSize }

    func endTerm(adjustment: Int) throws {
        batch.end(adjustment: adjustment)
        if batch.isFull { try writeBatch() }
    }

    func addTerm(
        _ key: UnsafeBufferPointer<UInt8>, adjustment: Int, posting: SinglePosting, rest: UnsafeRawBufferPointer
    ) throws {
        beginTerm(key)
        try addPosting(document: posting.document) {
            try posting.copy(
                rest, hasPositions: writer.hasPositions(ofTerm: key), columnCount: writer.shape.columnCount,
                columns: $0,
                differences: $1)
        }
        try endTerm(adjustment: adjustment)
    }

    var canSuspendWithinTerm: Bool { false }
}
