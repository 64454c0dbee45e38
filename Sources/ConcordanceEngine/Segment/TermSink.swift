/// What takes the terms of a segment, in the order of their keys' bytes.
protocol TermSink: AnyObject {
    func beginTerm(_ key: UnsafeBufferPointer<UInt8>)

    /// Adds postings of the term, documents ascending, which `append` appends: `room` at most.
    func addPostings(_ append: (PostingBuffer) throws -> Void) throws

    /// How many postings can be added at once, at least one.
    var room: Int { get }

    /// Ends the term. One without postings and without an adjustment is left out.
    func endTerm(adjustment: Int) throws

    /// Adds a whole term, with its only posting as another segment's dictionary has it: `rest` is what follows the
    /// posting's head there.
    func addTerm(
        _ key: UnsafeBufferPointer<UInt8>, adjustment: Int, posting: SinglePosting, rest: UnsafeRawBufferPointer
    ) throws

    /// Postings of the current term so far.
    var postingCount: Int { get }

    /// Whether the writer can stop after the last posting, if another follows.
    var canSuspendWithinTerm: Bool { get }
}

extension TermSink {
    /// Adds a document of the term; `copy` appends its columns and differences (`PostingBuffer`).
    @inline(__always)
    func addPosting(
        document: UInt32, _ copy: (GrowingBuffer<ColumnFrequency>, GrowingBuffer<UInt32>) throws -> Void
    ) throws {
        try addPostings { try $0.append(document, copy) }
    }
}
