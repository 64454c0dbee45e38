/// Writes a segment, front to back: all documents, then all terms with their postings.
final class SegmentWriter {
    let id: UInt32
    let shape: IndexShape
    private let store: BlockStore
    private var documents = ByteWriter()
    private var terms = ByteWriter()
    private var postings = ByteWriter()
    private var documentCount = 0
    private var minimumRowID: Int64 = 0
    private var maximumRowID: Int64 = 0
    private var termCount = 0
    private var key: [UInt8] = []
    private var adjustment = 0
    private var count = 0
    private var lastDocument: UInt32 = 0

    init(id: UInt32, shape: IndexShape, store: BlockStore) {
        self.id = id
        self.shape = shape
        self.store = store
    }

    /// Adds document number `documentCount`. All documents come before the first term, rowids ascending.
    func addDocument(rowID: Int64, columnLengths: UnsafeBufferPointer<UInt32>, fingerprint: UInt32) throws {
        if documentCount == 0 { minimumRowID = rowID }
        maximumRowID = rowID
        documentCount += 1
        documents.append(fixed: rowID)
        documents.append(fixed: fingerprint)
        for length in columnLengths { documents.append(fixed: length) }
    }

    /// Begins a term; keys ascend by bytes.
    func beginTerm(_ key: UnsafeBufferPointer<UInt8>, adjustment: Int) throws {
        self.key = Array(key)
        self.adjustment = adjustment
        count = 0
        postings.removeAll()
    }

    /// Adds a document of the term, ascending, with the positions, ascending, where the term stands.
    func addPosting(document: UInt32, positions: UnsafeBufferPointer<Position>) throws {
        count += 1
        postings.append(varint: Int(document))
        postings.append(varint: positions.count)
        for position in positions { postings.append(varint: position.rawValue) }
    }

    /// Adds a document of a term without positions, with how often the term stands in which columns, ascending.
    func addPosting(document: UInt32, columns: UnsafeBufferPointer<ColumnFrequency>) throws {
        count += 1
        postings.append(varint: Int(document))
        postings.append(varint: columns.count)
        for column in columns {
            postings.append(varint: Int(column.column))
            postings.append(varint: Int(column.count))
        }
    }

    func endTerm() throws {
        guard count > 0 || adjustment != 0 else { return }
        termCount += 1
        terms.append(varint: key.count)
        terms.append(key)
        terms.append(varint: count)
        terms.append(signed: Int64(adjustment))
        terms.append(varint: postings.count)
        terms.append(postings.bytes)
    }

    /// Writes what is left. The segment can then be opened.
    func finish() throws -> SegmentInfo {
        var all = ByteWriter()
        all.append(varint: termCount)
        all.append(documents.bytes)
        all.append(terms.bytes)
        try all.bytes.withUnsafeBytes { try store.write(BlockStore.id(segment: id, stream: 0, page: 0), $0) }
        return SegmentInfo(
            id: id, documentCount: documentCount, minimumRowID: minimumRowID, maximumRowID: maximumRowID,
            byteCount: all.count, level: 0)
    }
}
