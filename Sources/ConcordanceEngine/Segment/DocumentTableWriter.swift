/// Writes the pages of the document table (`DocumentTable`).
struct DocumentTableWriter {
    private let columnCount: Int
    private let columnPageBits: Int
    private(set) var documentCount = 0
    private(set) var minimumRowID: Int64 = 0
    private(set) var maximumRowID: Int64 = 0

    // The current pages.
    private var rowIDs: [Int64] = []
    private var lengths: [UInt32] = []
    private var fingerprints = ByteWriter()
    /// Of all columns but the last, document by document.
    private var columnLengths: [UInt32] = []

    /// Goes on behind `documentCount` documents, if any.
    init(columnCount: Int, documentCount: Int = 0, minimumRowID: Int64 = 0, maximumRowID: Int64 = 0) {
        self.columnCount = columnCount
        self.documentCount = documentCount
        self.minimumRowID = minimumRowID
        self.maximumRowID = maximumRowID
        columnPageBits = SegmentLayout.columnPageBits(columnCount)
    }

    /// Adds a document. Returns its length.
    mutating func append(
        rowID: Int64, columnLengths lengthsOfColumns: UnsafeBufferPointer<UInt32>, fingerprint: UInt32,
        to pages: inout SegmentPages
    ) throws -> UInt32 {
        guard documentCount == 0 || rowID > maximumRowID, lengthsOfColumns.count == columnCount else {
            throw corrupt("the documents of a segment are in no order")
        }
        guard documentCount < SegmentInfo.maximumDocumentCount else {
            throw corrupt("a segment has too many documents")
        }
        var length: UInt64 = 0
        for column in lengthsOfColumns { length += UInt64(column) }
        guard length <= UInt64(UInt32.max) else { throw corrupt("a document has more than 32 bits of tokens") }
        if documentCount == 0 { minimumRowID = rowID }
        maximumRowID = rowID
        documentCount += 1
        rowIDs.append(rowID)
        lengths.append(UInt32(length))
        fingerprints.append(fixed: fingerprint)
        columnLengths.append(contentsOf: lengthsOfColumns.dropLast())
        if rowIDs.count == SegmentLayout.documentsPerPage { try flushDocuments(to: &pages) }
        if documentCount & (1 << columnPageBits - 1) == 0 { try flushColumns(to: &pages) }
        return UInt32(length)
    }

    /// Ends the current pages.
    mutating func flush(to pages: inout SegmentPages) throws {
        if !rowIDs.isEmpty { try flushDocuments(to: &pages) }
        try flushColumns(to: &pages)
    }

    private mutating func flushDocuments(to pages: inout SegmentPages) throws {
        try pages.append(encodedRowIDs(), to: .rowIDs)
        var page = ByteWriter()
        Self.append(lengths.max() ?? 0 < 1 << 16 ? 2 : 4, lengths, into: &page)
        try pages.append(page.bytes, to: .lengths)
        try pages.append(fingerprints.bytes, to: .fingerprints)
        rowIDs.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        fingerprints.removeAll()
    }

    private func encodedRowIDs() -> [UInt8] {
        var heads = ByteWriter()
        var packed = ByteWriter()
        let blocks = (rowIDs.count + RowIDBlock.capacity - 1) / RowIDBlock.capacity
        for start in stride(from: 0, to: rowIDs.count, by: RowIDBlock.capacity) {
            let block = rowIDs[start..<min(start + RowIDBlock.capacity, rowIDs.count)]
            let offset = blocks * RowIDBlock.headSize + packed.count
            RowIDBlock.encode(block, offset: UInt32(offset), heads: &heads, packed: &packed)
        }
        heads.append(packed.bytes)
        return heads.bytes
    }

    /// A width of 0, 1, 2 or 4 bytes, then numbers of that width.
    private static func append(_ width: Int, _ values: some Sequence<UInt32>, into page: inout ByteWriter) {
        page.append(byte: UInt8(width))
        guard width > 0 else { return }
        for value in values {
            switch width {
            case 1: page.append(fixed: UInt8(truncatingIfNeeded: value))
            case 2: page.append(fixed: UInt16(truncatingIfNeeded: value))
            default: page.append(fixed: value)
            }
        }
    }

    private mutating func flushColumns(to pages: inout SegmentPages) throws {
        guard !columnLengths.isEmpty else { return }
        var page = ByteWriter()
        for column in 0..<columnCount - 1 {
            let values = stride(from: column, to: columnLengths.count, by: columnCount - 1).map { columnLengths[$0] }
            let highest = values.max() ?? 0
            Self.append(highest == 0 ? 0 : highest < 1 << 8 ? 1 : highest < 1 << 16 ? 2 : 4, values, into: &page)
        }
        try pages.append(page.bytes, to: .columnLengths)
        columnLengths.removeAll(keepingCapacity: true)
    }
}
