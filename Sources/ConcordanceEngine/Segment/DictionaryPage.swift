/// Reads the entries of a page of the dictionary in order; keys ascend by bytes.
///
///     entry       shared << 4 | suffix u8; 15 in either half means 15 + a varint that follows, the shared one first
///                 suffix bytes: the key is as many bytes of the key before as are shared, and the suffix
///                 tag varint      0: one posting of frequency 1, in the column of the single posting before
///                                 else count << 1 | has an adjustment, + 1
///                 adjustment      signed varint, if there is one
///                 postings        by count
///
///     1           document varint
///                 with a tag that is not 0: (frequency - 1) << 2 | kind, varint
///                     kind 0: in one column, varint; 1: in several, as `ColumnPairs`; 2: in a block, place as for 2...128
///                 positions, unless in a block: the differences (`PostingBuffer`), varints
///     2...128     place in postings, varint: what it lies behind the place before in this page
///     129...      the same; then the number of its first skip entry, varint; `BlockBounds` of the whole list, 8
///                 bytes
///
/// At the beginning of a page the place before is 0, the single posting before was in column 0, the key before is empty.
struct DictionaryPage {
    private let shape: IndexShape
    private let documentCount: Int
    private let number: Int
    private var reader: ByteReader
    private var lastPlace: UInt64 = 0
    private var lastColumn: UInt32 = 0
    private var listByte: UInt8 = 0

    /// `bytes` is page `number` of the dictionary. Entries can be read from its beginning on only, keys from any one on.
    init(_ bytes: UnsafeRawBufferPointer, number: Int, shape: IndexShape, documentCount: Int, from offset: Int = 0) {
        self.shape = shape
        self.documentCount = documentCount
        self.number = number
        reader = ByteReader(bytes, offset: offset)
    }

    /// Where the next key or entry begins.
    var offset: Int { reader.offset }
    var isAtEnd: Bool { reader.isAtEnd }

    /// The next key: how many bytes it shares with the one before, and the others. `readEntry()` follows.
    @inline(__always)
    mutating func readKey() throws -> (shared: Int, suffix: UnsafeRawBufferPointer) {
        let head = try reader.byte()
        var shared = Int(head >> 4)
        var count = Int(head & 15)
        if shared == 15 { shared &+= try reader.varint(atMost: Int(Int32.max)) }
        if count == 15 { count &+= try reader.varint(atMost: reader.remaining) }
        let suffix = try reader.bytes(count)
        if shared == 0 {
            guard let first = suffix.first else { throw corrupt("a term of the dictionary is empty") }
            listByte = first
        }
        return (shared, suffix)
    }

    /// What follows the key.
    @inline(__always)
    mutating func readEntry() throws -> TermEntry {
        let hasPositions = shape.hasPositions && listByte == 0
        let tag = try reader.varint()
        var entry = TermEntry(count: 1, adjustment: 0, hasPositions: hasPositions, place: .nowhere)
        if tag == 0 {
            let document = try readDocument()
            let single = SinglePosting(document: document, frequency: 1, column: lastColumn)
            entry.place = .dictionary(single, page: number, offset: reader.offset)
            if hasPositions { _ = try reader.varint() }
            return entry
        }
        let count = (tag - 1) >> 1
        guard count <= UInt64(documentCount) else { throw corrupt("a term has more postings than there are documents") }
        entry.count = Int(truncatingIfNeeded: count)
        if (tag - 1) & 1 != 0 {
            let adjustment = try reader.signedVarint()
            guard adjustment.magnitude <= Self.maximumAdjustment else { throw corrupt("an adjustment is too large") }
            entry.adjustment = Int(adjustment)
        }
        switch count {
        case 0: break
        case 1: entry.place = try readSingle(hasPositions)
        case 2...UInt64(PostingsCursor.blockSize): entry.place = .block(try readPlace())
        default:
            let first = try readPlace()
            let skips = try reader.varint(atMost: SegmentLayout.maximumPageCount)
            let bounds = BlockBounds(codes: try reader.fixed(UInt64.self))
            entry.place = .blocks(first: first, skips: skips, bounds: bounds)
        }
        return entry
    }

    /// Passes over what follows the key, and keeps what later entries are relative to.
    @inline(__always)
    mutating func skipEntry() throws {
        if reader.remaining >= Self.commonEntryRoom, skipCommonEntry() { return }
        _ = try readEntry()
    }

    /// How many bytes `skipCommonEntry` may look at.
    private static let commonEntryRoom = 11

    /// Passes over what most keys have behind them: one posting in one column, or a block of a few postings. False where it is
    /// something else.
    @inline(__always)
    private mutating func skipCommonEntry() -> Bool {
        let tag = reader.peekByte()
        let (bytes, varintEnds) = reader.peekVarints(behind: 1)
        var ends = varintEnds
        let hasPositions = shape.hasPositions && listByte == 0
        if tag == 0 {
            // The document and a position.
            if hasPositions { ends &= ends &- 1 }
        } else if tag == 3 {
            // The document, frequency and kind, the column, positions.
            guard ends != 0 else { return false }
            let next = (ends.trailingZeroBitCount &>> 3) &+ 2
            let head = reader.peekByte(behind: next)
            let column = reader.peekByte(behind: next &+ 1)
            guard head & 0x83 == 0, column < 0x80, column < shape.columnCount else { return false }
            var others = hasPositions ? Int(head &>> 2) &+ 3 : 2
            while others > 0, ends != 0 {
                ends &= ends &- 1
                others &-= 1
            }
            lastColumn = UInt32(column)
        } else if tag < 5 || tag & 0x81 != 1 {
            return false
        } else {
            guard ends != 0 else { return false }
            let difference = ByteReader.firstVarint(bytes, ends: ends)
            guard difference < Self.placeLimit else { return false }
            lastPlace &+= difference
        }
        guard ends != 0 else { return false }
        reader.skip((ends.trailingZeroBitCount &>> 3) &+ 2)
        return true
    }

    /// What follows the head of a single posting, `entry` being what was read last: `SinglePosting.copy` reads it.
    func rest(of entry: TermEntry) -> UnsafeRawBufferPointer {
        guard case .dictionary(_, _, let offset) = entry.place else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return reader.bytesRead(from: offset)
    }

    /// An adjustment is at most as many documents as there can be in all segments.
    static let maximumAdjustment: UInt64 = 1 << 48

    private mutating func readSingle(_ hasPositions: Bool) throws -> PostingsPlace {
        let document = try readDocument()
        let head = try reader.varint()
        let frequency = head >> 2
        guard frequency < UInt64(Int32.max) else { throw corrupt("a frequency is too large") }
        var single = SinglePosting(document: document, frequency: UInt32(frequency) + 1, column: nil)
        var offset = reader.offset
        switch head & 3 {
        case 0:
            let column = try reader.varint(atMost: max(shape.columnCount - 1, 0))
            lastColumn = UInt32(truncatingIfNeeded: column)
            single.column = lastColumn
            offset = reader.offset
        case 1: try ColumnPairs.decode(&reader, frequency: single.frequency, columnCount: shape.columnCount) { _, _ in }
        case 2: return .block(try readPlace())
        default: throw corrupt("a term's posting has an unknown form")
        }
        if hasPositions {
            for _ in 0..<single.frequency { _ = try reader.varint() }
        }
        return .dictionary(single, page: number, offset: offset)
    }

    @inline(__always)
    private mutating func readDocument() throws -> UInt32 {
        let document = try reader.varint(atMost: documentCount &- 1)
        guard document < documentCount else { throw corrupt("a term has a posting in a segment without documents") }
        return UInt32(truncatingIfNeeded: document)
    }

    /// Greater than any place of postings.
    private static let placeLimit = UInt64(SegmentLayout.maximumPageCount) << SegmentLayout.offsetBits

    private mutating func readPlace() throws -> UInt64 {
        let difference = try reader.varint()
        guard difference < Self.placeLimit, lastPlace + difference < Self.placeLimit else {
            throw corrupt("a term's postings are missing")
        }
        lastPlace += difference
        return lastPlace
    }
}
