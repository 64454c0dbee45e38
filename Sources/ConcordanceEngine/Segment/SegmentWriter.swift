/// Writes a segment, front to back: all documents, then all terms with their postings.
///
/// Pages are written as they fill up; in memory there is a byte a document, and the current page of each stream.
final class SegmentWriter {
    let id: UInt32
    let shape: IndexShape
    @exclusivity(unchecked) private var pages: SegmentPages
    @exclusivity(unchecked) private var documents: DocumentTableWriter
    @exclusivity(unchecked) private var dictionary: DictionaryWriter
    @exclusivity(unchecked) private var postings: PostingsWriter
    @exclusivity(unchecked) private var key: [UInt8] = []
    @exclusivity(unchecked) private var adjustment = 0

    init(id: UInt32, shape: IndexShape, store: BlockStore) {
        self.id = id
        self.shape = shape
        pages = SegmentPages(id: id, store: store)
        documents = DocumentTableWriter(columnCount: shape.columnCount)
        dictionary = DictionaryWriter(shape: shape)
        postings = PostingsWriter(shape: shape)
    }

    /// Adds the next document. All documents come before the first term, rowids ascending.
    func addDocument(rowID: Int64, columnLengths: UnsafeBufferPointer<UInt32>, fingerprint: UInt32) throws {
        let length = try documents.append(
            rowID: rowID, columnLengths: columnLengths, fingerprint: fingerprint, to: &pages)
        postings.addDocument(length: length)
    }

    /// Begins a term; keys ascend by bytes.
    func beginTerm(_ key: UnsafeBufferPointer<UInt8>, adjustment: Int) throws {
        self.key.removeAll(keepingCapacity: true)
        self.key.append(contentsOf: key)
        self.adjustment = adjustment
        postings.beginList(hasPositions: shape.hasPositions && key.first == 0)
    }

    /// Adds a document of the term, ascending, with the positions, ascending, where the term stands.
    func addPosting(document: UInt32, positions: UnsafeBufferPointer<Position>) throws {
        try postings.add(document, positions, to: &pages)
    }

    /// Adds a document of a term without positions, with how often the term stands in which columns, ascending.
    func addPosting(document: UInt32, columns: UnsafeBufferPointer<ColumnFrequency>) throws {
        try postings.add(document, columns, to: &pages)
    }

    /// Ends the term. One without postings and without an adjustment is left out.
    func endTerm() throws {
        let count = postings.count
        guard count > 0 || adjustment != 0 else { return }
        let isInDictionary: Void? = try postings.withSingle { document, pairs, deltas in
            try dictionary.append(
                key, adjustment: adjustment, document: document, pairs: pairs, deltas: deltas, to: &pages)
        }
        if isInDictionary != nil { return postings.dropList() }
        let place = try postings.endList(to: &pages)
        try dictionary.append(key, count: count, adjustment: adjustment, place: place, to: &pages)
    }

    /// Writes what is left. The segment can then be opened.
    func finish() throws -> SegmentInfo {
        try documents.flush(to: &pages)
        try postings.flush(to: &pages)
        try dictionary.flush(to: &pages)
        try pages.finish(documentCount: documents.documentCount)
        return SegmentInfo(
            id: id, documentCount: documents.documentCount, minimumRowID: documents.minimumRowID,
            maximumRowID: documents.maximumRowID, byteCount: pages.byteCount, level: 0)
    }
}
