/// Writes the pages of the dictionary (`DictionaryPage`) and what finds them (`DictionaryIndex`).
final class DictionaryWriter {
    private let columnCount: Int
    private let pages: SegmentPages
    private let page = ByteWriter(capacity: 1024)
    private let index = ByteWriter()
    @exclusivity(unchecked) private var lastPlace: UInt64 = 0
    @exclusivity(unchecked) private var lastColumn: UInt32 = 0
    /// The last key, which those of later pages are greater than.
    let lastKey = ByteWriter()

    init(shape: IndexShape, pages: SegmentPages) {
        columnCount = shape.columnCount
        self.pages = pages
    }

    /// The most bytes that an entry has besides its suffix and what follows the head of a single posting.
    private static let entryOverhead = 40

    /// Adds a key, greater than the one before, whose postings are in the postings stream, or nowhere.
    func append(_ key: ByteWriter, count: Int, adjustment: Int, place: PostingsPlace) throws {
        try appendKey(key, room: Self.entryOverhead)
        appendTag(count, adjustment)
        switch place {
        case .nowhere, .dictionary: break
        case .block(let place):
            if count == 1 {
                // The block says which document; 0 keeps the entry's form.
                page.append(varint: 0)
                page.append(varint: 2)
            }
            append(place)
        case .blocks(let first, let skips, let bounds):
            append(first)
            page.append(varint: skips)
            page.append(fixed: bounds.codes)
        }
    }

    /// Adds a key with its only posting.
    func append(
        _ key: ByteWriter, adjustment: Int, document: UInt32, pairs: UnsafeBufferPointer<ColumnFrequency>,
        deltas: UnsafeBufferPointer<UInt32>
    ) throws {
        try appendKey(key, room: Self.entryOverhead + 8 * pairs.count + 5 * deltas.count)
        var frequency: UInt32 = 0
        for pair in pairs { frequency += pair.count }
        let column = pairs.count == 1 ? pairs[0].column : nil
        appendHead(SinglePosting(document: document, frequency: frequency, column: column), adjustment)
        if column == nil { ColumnPairs.encode(pairs, columnCount: columnCount, into: page) }
        for delta in deltas { page.append(varint: UInt64(delta)) }
    }

    /// Adds a key with its only posting, as a dictionary has it: `rest` is what follows its head.
    func append(
        _ key: ByteWriter, adjustment: Int, _ posting: SinglePosting, rest: UnsafeRawBufferPointer
    ) throws {
        try appendKey(key, room: Self.entryOverhead + rest.count)
        appendHead(posting, adjustment)
        page.append(rest)
    }

    /// Everything of a single posting but its pairs and positions.
    @inline(__always)
    private func appendHead(_ posting: SinglePosting, _ adjustment: Int) {
        if posting.frequency == 1, adjustment == 0, posting.column == lastColumn {
            page.append(varint: 0)
            page.append(varint: UInt64(posting.document))
            return
        }
        appendTag(1, adjustment)
        page.append(varint: UInt64(posting.document))
        page.append(varint: UInt64(posting.frequency &- 1) << 2 | (posting.column == nil ? 1 : 0))
        guard let column = posting.column else { return }
        page.append(varint: UInt64(column))
        lastColumn = column
    }

    private func appendTag(_ count: Int, _ adjustment: Int) {
        page.append(varint: (count << 1 | (adjustment == 0 ? 0 : 1)) + 1)
        if adjustment != 0 { page.append(signed: Int64(adjustment)) }
    }

    private func append(_ place: UInt64) {
        page.append(varint: place - lastPlace)
        lastPlace = place
    }

    private func appendKey(_ key: ByteWriter, room: Int) throws {
        let bytes = key.values
        let last = lastKey.values
        let limit = min(bytes.count, last.count)
        var shared = 0
        while shared < limit, bytes[shared] == last[shared] { shared &+= 1 }
        guard shared < bytes.count, shared == last.count || bytes[shared] > last[shared] else {
            throw corrupt("the terms of a segment are not in order")
        }
        if !page.isEmpty, page.count + bytes.count - shared + room > SegmentLayout.dictionaryPageSize {
            try flushPage()
        }
        var common = shared
        if page.isEmpty {
            if pages.count(.dictionary) > 0 {
                try appendToIndex(UnsafeRawBufferPointer(rebasing: key.bytes[...shared]))
            }
            common = 0
        }
        let suffix = bytes.count &- common
        page.append(byte: UInt8(min(common, 15) << 4 | min(suffix, 15)))
        if common >= 15 { page.append(varint: common - 15) }
        if suffix >= 15 { page.append(varint: suffix - 15) }
        page.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[common...]))
        lastKey.truncate(to: shared)
        lastKey.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[shared...]))
    }

    private func flushPage() throws {
        try pages.append(page, to: .dictionary)
        page.removeAll()
        lastPlace = 0
        lastColumn = 0
    }

    private func appendToIndex(_ separator: UnsafeRawBufferPointer) throws {
        if !index.isEmpty, index.count + separator.count > SegmentLayout.pageSize { try flushIndex() }
        index.append(varint: separator.count)
        index.append(separator)
    }

    private func flushIndex() throws {
        try pages.append(index, to: .dictionaryIndex)
        index.removeAll()
    }

    /// Ends the current pages.
    func flush() throws {
        if !page.isEmpty { try flushPage() }
        if !index.isEmpty { try flushIndex() }
    }
}
