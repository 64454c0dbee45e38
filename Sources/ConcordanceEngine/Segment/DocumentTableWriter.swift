/// Writes the pages of the document table (`DocumentTable`).
final class DocumentTableWriter {
    private let pages: SegmentPages
    private let columnCount: Int
    private let columnPageBits: Int
    @exclusivity(unchecked) private(set) var documentCount = 0
    @exclusivity(unchecked) private(set) var minimumRowID: Int64 = 0
    @exclusivity(unchecked) private(set) var maximumRowID: Int64 = 0

    // The current pages.
    private let rowIDs = GrowingBuffer<Int64>()
    private let lengths = GrowingBuffer<UInt32>()
    private let fingerprints = ByteWriter()
    /// Of all columns but the last, document by document.
    private let columnLengths = GrowingBuffer<UInt32>()
    private let page = ByteWriter()
    private let packed = ByteWriter()

    /// Continues after `documentCount` documents, if any.
    init(
        columnCount: Int, pages: SegmentPages, documentCount: Int = 0, minimumRowID: Int64 = 0, maximumRowID: Int64 = 0
    ) {
        self.pages = pages
        self.columnCount = columnCount
        self.documentCount = documentCount
        self.minimumRowID = minimumRowID
        self.maximumRowID = maximumRowID
        columnPageBits = SegmentLayout.columnPageBits(columnCount)
    }

    /// Adds a document. Returns its length.
    func append(
        rowID: Int64, columnLengths lengthsOfColumns: UnsafeBufferPointer<UInt32>, fingerprint: UInt32
    ) throws -> UInt32 {
        guard documentCount == 0 || rowID > maximumRowID, lengthsOfColumns.count == columnCount else {
            throw corrupt("the documents of a segment are not in order")
        }
        guard documentCount < SegmentInfo.maximumDocumentCount else {
            throw corrupt("a segment has too many documents")
        }
        var length: UInt64 = 0
        for column in lengthsOfColumns { length += UInt64(column) }
        guard length <= UInt64(UInt32.max) else { throw corrupt("a document has more tokens than 32 bits can count") }
        if documentCount == 0 { minimumRowID = rowID }
        maximumRowID = rowID
        documentCount += 1
        rowIDs.append(rowID)
        lengths.append(UInt32(length))
        fingerprints.append(fixed: fingerprint)
        columnLengths.append(contentsOf: UnsafeBufferPointer(rebasing: lengthsOfColumns.dropLast()))
        if rowIDs.count == SegmentLayout.documentsPerPage { try flushDocuments() }
        if documentCount & (1 << columnPageBits - 1) == 0 { try flushColumns() }
        return UInt32(length)
    }

    /// Ends the current pages.
    func flush() throws {
        if !rowIDs.isEmpty { try flushDocuments() }
        try flushColumns()
    }

    private func flushDocuments() throws {
        encodeRowIDs()
        try pages.append(page, to: .rowIDs)
        var highest: UInt32 = 0
        for length in lengths.values { highest = max(highest, length) }
        page.removeAll()
        append(lengths.values, from: 0, step: 1, width: highest < 1 << 16 ? 2 : 4)
        try pages.append(page, to: .lengths)
        try pages.append(fingerprints, to: .fingerprints)
        rowIDs.removeAll()
        lengths.removeAll()
        fingerprints.removeAll()
    }

    /// Makes `page`.
    private func encodeRowIDs() {
        page.removeAll()
        packed.removeAll()
        let blocks = (rowIDs.count + RowIDBlock.capacity - 1) / RowIDBlock.capacity
        for start in stride(from: 0, to: rowIDs.count, by: RowIDBlock.capacity) {
            let block = UnsafeBufferPointer(
                rebasing: rowIDs.values[start..<min(start + RowIDBlock.capacity, rowIDs.count)])
            let offset = blocks * RowIDBlock.headSize + packed.count
            RowIDBlock.encode(block, offset: UInt32(offset), heads: page, packed: packed)
        }
        page.append(packed.bytes)
    }

    /// Appends to the page a width of 0, 1, 2 or 4 bytes, then every `step`th number, from `first` on, in that width.
    private func append(_ values: UnsafeBufferPointer<UInt32>, from first: Int, step: Int, width: Int) {
        page.append(byte: UInt8(width))
        guard width > 0 else { return }
        for index in stride(from: first, to: values.count, by: step) {
            switch width {
            case 1: page.append(byte: UInt8(truncatingIfNeeded: values[index]))
            case 2: page.append(fixed: UInt16(truncatingIfNeeded: values[index]))
            default: page.append(fixed: values[index])
            }
        }
    }

    private func flushColumns() throws {
        guard !columnLengths.isEmpty else { return }
        page.removeAll()
        let step = columnCount - 1
        for column in 0..<step {
            var highest: UInt32 = 0
            for index in stride(from: column, to: columnLengths.count, by: step) {
                highest = max(highest, columnLengths.values[index])
            }
            append(
                columnLengths.values, from: column, step: step,
                width: highest == 0 ? 0 : highest < 1 << 8 ? 1 : highest < 1 << 16 ? 2 : 4)
        }
        try pages.append(page, to: .columnLengths)
        columnLengths.removeAll()
    }
}
