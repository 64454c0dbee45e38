/// Up to 128 ascending rowids in a page of the document table: what each is more than the first and its number in the
/// block, bit-packed, so that rowids without gaps take nothing.
///
///     head        first rowid i64, width u8 (0...56, or 64), where in the page the packed bits begin u32
///     packed      of each rowid: rowid - first - index
///
/// The heads of all blocks are at the beginning of the page.
struct RowIDBlock {
    static let capacity = 128
    static let headSize = 13

    let first: Int64
    private let width: UInt64
    private let packed: UnsafeRawPointer?

    static func encode(_ rowIDs: UnsafeBufferPointer<Int64>, offset: UInt32, heads: ByteWriter, packed: ByteWriter) {
        guard let first = rowIDs.first, let last = rowIDs.last else { return assertionFailure("a block of no rowids") }
        var width = UInt64(64 - UInt64(bitPattern: last &- first &- Int64(rowIDs.count - 1)).leadingZeroBitCount)
        // Up to 56 bits are in one load of 64 from their first byte on.
        if width > 56 { width = 64 }
        heads.append(fixed: first)
        heads.append(byte: UInt8(width))
        heads.append(fixed: offset)
        var pending: UInt64 = 0
        var bits: UInt64 = 0
        for (index, rowID) in rowIDs.enumerated() {
            let value = UInt64(bitPattern: rowID &- first &- Int64(index))
            if width == 64 {
                packed.append(fixed: value)
                continue
            }
            pending |= value << bits
            bits += width
            while bits >= 8 {
                packed.append(byte: UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                bits -= 8
            }
        }
        if bits > 0 { packed.append(byte: UInt8(truncatingIfNeeded: pending)) }
    }

    /// Block `number` of a page, which has `count` rowids; `Block.padding` bytes after the page are readable.
    @inline(__always)
    init(_ page: UnsafeRawBufferPointer, number: Int, count: Int) throws {
        var reader = ByteReader(page, offset: number &* Self.headSize)
        first = try reader.fixed(Int64.self)
        width = UInt64(try reader.byte())
        let offset = Int(try reader.fixed(UInt32.self))
        let size = (Int(width) &* count &+ 7) / 8
        guard width <= 56 || width == 64, offset &+ size <= page.count else {
            throw corrupt("the rowids of a segment have an unknown form")
        }
        packed = page.baseAddress?.advanced(by: offset)
    }

    /// Whether each rowid is the one before plus one.
    @inline(__always)
    var hasNoGaps: Bool { width == 0 }

    /// The rowid at an index below `count`.
    @inline(__always)
    subscript(index: Int) -> Int64 {
        guard width > 0, let packed else { return first &+ Int64(index) }
        let bit = index &* Int(width)
        let word = UInt64(littleEndian: packed.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self))
        let value = width == 64 ? word : (word &>> UInt64(bit & 7)) & ((1 &<< width) &- 1)
        return first &+ Int64(bitPattern: value) &+ Int64(index)
    }
}
