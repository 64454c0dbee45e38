/// Writes a segment, front to back: all documents, then all terms with their postings.
///
/// Pages are written as they fill up, or collected in memory (`SegmentPages`). Besides, there are two bytes a document in memory,
/// and the current page of each stream.
final class SegmentWriter: TermSink {
    let id: UInt32
    let shape: IndexShape
    private let pages: SegmentPages
    private let documents: DocumentTableWriter
    private let values: ValueTableWriter?
    private let dictionary: DictionaryWriter
    private let postings: PostingsWriter
    private let currentKey = ByteWriter()
    @exclusivity(unchecked) private var hasTerms = false
    /// Whether tokens share places (`SegmentLayout.colocatedFlag`); to be set before `finish`.
    var hasColocatedTokens = false

    convenience init(id: UInt32, shape: IndexShape, store: BlockStore) {
        self.init(shape, SegmentPages(id: id, store: store, hasValues: !shape.valueColumns.isEmpty))
    }

    init(_ shape: IndexShape, _ pages: SegmentPages) {
        id = pages.id
        self.shape = shape
        self.pages = pages
        values = Self.valueWriter(shape, pages)
        documents = DocumentTableWriter(columnCount: shape.columnCount, pages: pages)
        dictionary = DictionaryWriter(shape: shape, pages: pages)
        postings = PostingsWriter(shape: shape, pages: pages)
    }

    private static func valueWriter(_ shape: IndexShape, _ pages: SegmentPages) -> ValueTableWriter? {
        let count = shape.valueColumns.count
        return count == 0 ? nil : ValueTableWriter(columnCount: count, pages: pages)
    }

    /// Adds the stored values of the next document of a table with VALUE columns, in the form of a pending row.
    func addValues(_ row: UnsafeRawBufferPointer) throws { try values?.append(row) }

    /// Adds the stored values of the next document of a table with VALUE columns, in the form of another segment.
    func addValues(ofDocument document: Int, of table: ValueTable) throws {
        try values?.append(documentAt: document, of: table)
    }

    /// Writes the stored values of all documents again, after the last document: by document, the number of a table and
    /// a document of it.
    func replaceValues(with origins: [UInt64], of tables: [ValueTable]) throws {
        try endDocuments()
        try values?.replaceAll(with: origins, of: tables)
    }

    /// Adds the next document. All documents come before the first term, rowids ascending; the values of each before it.
    func addDocument(rowID: Int64, columnLengths: UnsafeBufferPointer<UInt32>, fingerprint: UInt32) throws {
        let length = try documents.append(rowID: rowID, columnLengths: columnLengths, fingerprint: fingerprint)
        postings.addDocument(length: length)
    }

    // MARK: - Terms

    @inline(__always)
    func beginTerm(_ key: UnsafeBufferPointer<UInt8>) {
        currentKey.removeAll()
        currentKey.append(contentsOf: key)
        postings.beginList(hasPositions: hasPositions(ofTerm: key))
    }

    /// Whether the postings of a key have positions: not those of prefix lists.
    @inline(__always)
    func hasPositions(ofTerm key: UnsafeBufferPointer<UInt8>) -> Bool { shape.hasPositions && key.first == 0 }

    @inline(__always)
    func addPostings(_ append: (PostingBuffer) throws -> Void) throws { try postings.add(append) }

    @inline(__always) var room: Int { postings.room }

    /// Whether the postings of the current term have positions.
    var hasPositions: Bool { postings.hasPositions }

    func endTerm(adjustment: Int) throws {
        let count = postings.count
        guard count > 0 || adjustment != 0 else { return }
        hasTerms = true
        if postings.isSingle { return try postings.endSingle(currentKey, adjustment: adjustment, in: dictionary) }
        let place = try postings.endList()
        try dictionary.append(currentKey, count: count, adjustment: adjustment, place: place)
    }

    func addTerm(
        _ key: UnsafeBufferPointer<UInt8>, adjustment: Int, posting: SinglePosting, rest: UnsafeRawBufferPointer
    ) throws {
        guard posting.document < documentCount else { throw corrupt("a term has a posting of no document") }
        currentKey.removeAll()
        currentKey.append(contentsOf: key)
        hasTerms = true
        try dictionary.append(currentKey, adjustment: adjustment, posting, rest: rest)
    }

    /// Ends the documents; optional before the first term.
    func endDocuments() throws {
        try documents.flush()
        try values?.flush()
    }

    /// Writes what is left. The segment can then be opened.
    func finish() throws -> SegmentInfo {
        try endDocuments()
        try postings.flush()
        try dictionary.flush()
        try pages.finish(
            documentCount: documentCount, averageLength: postings.averageLength,
            flags: hasColocatedTokens ? SegmentLayout.colocatedFlag : 0)
        return info
    }

    private var info: SegmentInfo {
        SegmentInfo(
            id: id, documentCount: documentCount, minimumRowID: documents.minimumRowID,
            maximumRowID: documents.maximumRowID, byteCount: pages.byteCount, level: 0)
    }

    // MARK: - In steps

    /// Of the current term, or the last one.
    var key: [UInt8] { currentKey.array }

    /// Whether nothing has been written.
    var isEmpty: Bool { documentCount == 0 && !hasTerms }

    var documentCount: Int { documents.documentCount }
    var maximumRowID: Int64 { documents.maximumRowID }

    /// Whether the writer can stop after the last document: it is the last of its page.
    var isAtDocumentPage: Bool { documentCount % SegmentLayout.documentsPerPage == 0 }

    var postingCount: Int { postings.count }

    /// The last document of the current term.
    var lastPosting: UInt32? { postings.count > 0 ? postings.lastDocument : nil }

    var canSuspendWithinTerm: Bool { postings.isBlockFull }

    /// Writes all pages so far, and appends the state from which to continue: after a document if `isAtDocumentPage`,
    /// after `endDocuments`, after a term, or within one if `canSuspendWithinTerm`. This writer can continue as well.
    ///
    ///     pages           of each stream from `dictionary` on varint; bytes varint
    ///     documents       varint; least rowid and greatest, signed varints
    ///     key             length varint, bytes: of the current term, or the last one
    ///     last key        the same, of the last term in the dictionary
    ///     has terms u8
    ///     `PostingsWriter.suspend`
    func suspend(into state: ByteWriter) throws {
        try pages.writeHeld()
        try dictionary.flush()
        let list = ByteWriter()
        try postings.suspend(into: list)
        for stream in SegmentStream.paged(hasValues: values != nil, hasGroups: true) {
            state.append(varint: pages.counts[Int(stream)])
        }
        state.append(varint: pages.byteCount)
        state.append(varint: documentCount)
        state.append(signed: documents.minimumRowID)
        state.append(signed: documents.maximumRowID)
        state.append(varint: currentKey.count)
        state.append(currentKey.bytes)
        state.append(varint: dictionary.lastKey.count)
        state.append(dictionary.lastKey.bytes)
        state.append(byte: hasTerms ? 1 : 0)
        withExtendedLifetime(list) { state.append(list.bytes) }
    }

    /// Goes on with a segment that `suspend` has left; throws `corrupt` for what it cannot have written.
    init(resuming state: inout ByteReader, id: UInt32, shape: IndexShape, store: BlockStore) throws {
        self.id = id
        self.shape = shape
        var counts = Array(repeating: 0, count: SegmentStream.allCases.count)
        let hasValues = !shape.valueColumns.isEmpty
        for stream in SegmentStream.paged(hasValues: hasValues, hasGroups: true) {
            counts[Int(stream)] = try state.varint(atMost: SegmentLayout.maximumPageCount)
        }
        let byteCount = try state.varint(atMost: Int(clamping: Int64(1) << 48))
        pages = SegmentPages(id: id, store: store, hasValues: hasValues, counts: counts, byteCount: byteCount)
        values = Self.valueWriter(shape, pages)
        let documentCount = try state.varint(atMost: SegmentInfo.maximumDocumentCount)
        documents = DocumentTableWriter(
            columnCount: shape.columnCount, pages: pages, documentCount: documentCount,
            minimumRowID: try state.signedVarint(), maximumRowID: try state.signedVarint())
        currentKey.append(try state.bytes(state.varint(atMost: state.remaining)))
        dictionary = DictionaryWriter(shape: shape, pages: pages)
        dictionary.lastKey.append(try state.bytes(state.varint(atMost: state.remaining)))
        hasTerms = try state.byte() != 0
        postings = PostingsWriter(shape: shape, pages: pages)
        let written = try writtenDocuments(in: store)
        try written.forEachLength(postings.addDocument)
        try postings.resume(&state, hasPositions: hasPositions(ofTerm: currentKey.values))
    }

    // MARK: - In the background

    /// Whether pages are collected in memory, for `writePages`, since nothing of SQLite may be called.
    var collectsPages: Bool {
        get { pages.isCollecting }
        set { pages.isCollecting = newValue }
    }

    /// Writes the pages that have been collected.
    func writePages() throws { try pages.writeCollected() }

    // MARK: - What is written

    /// The terms so far, after one of them. The writer goes on, with pages of their own for the next.
    func writtenTerms(in store: BlockStore) throws -> Segment {
        try pages.writeHeld()
        try dictionary.flush()
        let lastSkips = try postings.flushForReading()
        let reader = try SegmentReader(
            unfinished: id, documentCount: documentCount, counts: pages.counts, lastSkips: lastSkips, shape: shape,
            store: store)
        return Segment(reader, info: info, shape: shape)
    }

    /// The documents so far, where the writer can be suspended.
    func writtenDocuments(in store: BlockStore) throws -> DocumentTable {
        let reader = try SegmentReader(
            unfinished: id, documentCount: documentCount, counts: pages.counts, shape: shape, store: store)
        return DocumentTable(reader, columnCount: shape.columnCount)
    }
}
