/// Writes the pages of the dictionary (`DictionaryPage`) and what finds them (`DictionaryIndex`).
struct DictionaryWriter {
    private let shape: IndexShape
    private var page = ByteWriter()
    private var index = ByteWriter()
    private var lastPlace: UInt64 = 0
    private var lastColumn: UInt32 = 0
    /// The last key, which those of later pages are greater than.
    private(set) var lastKey: [UInt8]

    init(shape: IndexShape, lastKey: [UInt8] = []) {
        self.shape = shape
        self.lastKey = lastKey
    }

    /// The most that an entry takes besides its suffix and the positions of a single posting.
    private static let entryOverhead = 40

    /// Adds a key, greater than the one before, whose postings are in the postings stream, or nowhere.
    mutating func append(
        _ key: [UInt8], count: Int, adjustment: Int, place: PostingsPlace, to pages: inout SegmentPages
    ) throws {
        try appendKey(key, room: Self.entryOverhead, to: &pages)
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
        case .blocks(let first, let skips, let impacts):
            append(first)
            page.append(varint: skips)
            page.append(fixed: impacts.codes)
        }
    }

    /// Adds a key with its only posting.
    mutating func append(
        _ key: [UInt8], adjustment: Int, document: UInt32, pairs: UnsafeBufferPointer<ColumnFrequency>,
        deltas: [UInt32], to pages: inout SegmentPages
    ) throws {
        try appendKey(key, room: Self.entryOverhead + 8 * pairs.count + 5 * deltas.count, to: &pages)
        var frequency: UInt32 = 0
        for pair in pairs { frequency += pair.count }
        let column = pairs.count == 1 ? pairs[0].column : nil
        if frequency == 1, adjustment == 0, column == lastColumn {
            page.append(varint: 0)
            page.append(varint: Int(document))
        } else {
            appendTag(1, adjustment)
            page.append(varint: Int(document))
            page.append(varint: Int(frequency - 1) << 2 | (column == nil ? 1 : 0))
            if let column {
                page.append(varint: Int(column))
                lastColumn = column
            } else {
                ColumnPairs.encode(pairs, columnCount: shape.columnCount, into: &page)
            }
        }
        for delta in deltas { page.append(varint: UInt64(delta)) }
    }

    private mutating func appendTag(_ count: Int, _ adjustment: Int) {
        page.append(varint: (count << 1 | (adjustment == 0 ? 0 : 1)) + 1)
        if adjustment != 0 { page.append(signed: Int64(adjustment)) }
    }

    private mutating func append(_ place: UInt64) {
        page.append(varint: place - lastPlace)
        lastPlace = place
    }

    private mutating func appendKey(_ key: [UInt8], room: Int, to pages: inout SegmentPages) throws {
        var shared = 0
        while shared < min(key.count, lastKey.count), key[shared] == lastKey[shared] { shared += 1 }
        guard shared < key.count, shared == lastKey.count || key[shared] > lastKey[shared] else {
            throw corrupt("the terms of a segment are in no order")
        }
        let separator = key[...shared]
        if !page.isEmpty, page.count + key.count - shared + room > SegmentLayout.dictionaryPageSize {
            try flushPage(to: &pages)
        }
        if page.isEmpty {
            if pages.count(.dictionary) > 0 { try appendToIndex(separator, to: &pages) }
            shared = 0
        }
        let suffix = key.count - shared
        page.append(byte: UInt8(min(shared, 15) << 4 | min(suffix, 15)))
        if shared >= 15 { page.append(varint: shared - 15) }
        if suffix >= 15 { page.append(varint: suffix - 15) }
        page.append(key[shared...])
        // A copy, since the caller writes the next key where this one is.
        lastKey.removeAll(keepingCapacity: true)
        lastKey.append(contentsOf: key)
    }

    private mutating func flushPage(to pages: inout SegmentPages) throws {
        try pages.append(page.bytes, to: .dictionary)
        page.removeAll()
        lastPlace = 0
        lastColumn = 0
    }

    private mutating func appendToIndex(_ separator: ArraySlice<UInt8>, to pages: inout SegmentPages) throws {
        if !index.isEmpty, index.count + separator.count > SegmentLayout.pageSize { try flushIndex(to: &pages) }
        index.append(varint: separator.count)
        index.append(separator)
    }

    private mutating func flushIndex(to pages: inout SegmentPages) throws {
        try pages.append(index.bytes, to: .dictionaryIndex)
        index.removeAll()
    }

    /// Ends the current pages.
    mutating func flush(to pages: inout SegmentPages) throws {
        if !page.isEmpty { try flushPage(to: &pages) }
        if !index.isEmpty { try flushIndex(to: &pages) }
    }
}
