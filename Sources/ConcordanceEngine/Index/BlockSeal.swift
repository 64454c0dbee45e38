/// The last four bytes of every row of `<t>_data`: a checksum of the row's id and of the bytes before it, so that
/// flipped bits, truncated rows and swapped rows are noticed before anything is decoded.
///
///     [block: n bytes][checksum: 4 bytes, little-endian]
///
/// It finds damage, not forgery: whoever writes to the table can compute it, so decoders still trust nothing.
///
/// Four independent lanes each take every fourth word of eight bytes: `lane = rotate((lane ^ word) * odd)`, a bijection
/// of the lane for any word and of the word for any lane, so a change in one word always changes the 64 bits of its
/// lane. A block of 16 kB takes about 2 µs.
package enum BlockSeal {
    package static let byteCount = 4

    /// The checksum of `bytes` as the row of that id.
    static func checksum(of bytes: UnsafeRawBufferPointer, id: Int64) -> UInt32 {
        // The fractional parts of the square roots of 2, 3, 5 and 7, made odd: constants with no structure.
        var a = UInt64(bitPattern: id) ^ 0x6A09_E667_F3BC_C909
        var b = UInt64(truncatingIfNeeded: bytes.count) ^ 0xBB67_AE85_84CA_A73B
        var c: UInt64 = 0x3C6E_F372_FE94_F82B
        var d: UInt64 = 0xA54F_F53A_5F1D_36F1
        var offset = 0
        while bytes.count - offset >= 32 {
            a = mixed(a, word(bytes, offset))
            b = mixed(b, word(bytes, offset + 8))
            c = mixed(c, word(bytes, offset + 16))
            d = mixed(d, word(bytes, offset + 24))
            offset += 32
        }
        while bytes.count - offset >= 8 {
            a = mixed(a, word(bytes, offset))
            (a, b, c, d) = (b, c, d, a)
            offset += 8
        }
        var last: UInt64 = 0
        while offset < bytes.count {
            last = last << 8 | UInt64(bytes[offset])
            offset += 1
        }
        a = mixed(mixed(mixed(mixed(a, last), b), c), d)
        return UInt32(truncatingIfNeeded: a ^ a >> 32)
    }

    /// Writes the checksum of the bytes before them into the last four of `row`.
    package static func seal(_ row: UnsafeMutableRawBufferPointer, id: Int64) {
        let count = row.count - byteCount
        guard count >= 0 else { return assertionFailure("a row without room for its checksum") }
        let checksum = checksum(of: UnsafeRawBufferPointer(rebasing: row[..<count]), id: id)
        row.storeBytes(of: checksum.littleEndian, toByteOffset: count, as: UInt32.self)
    }

    /// The bytes of a row before its checksum; throws SQLITE_CORRUPT_VTAB if the checksum differs.
    static func opened(_ row: UnsafeRawBufferPointer, id: Int64) throws -> UnsafeRawBufferPointer {
        let count = row.count - byteCount
        guard count >= 0 else { throw corrupt("row \(id) of the index is too short") }
        let bytes = UnsafeRawBufferPointer(rebasing: row[..<count])
        let expected = UInt32(littleEndian: row.loadUnaligned(fromByteOffset: count, as: UInt32.self))
        guard checksum(of: bytes, id: id) == expected else {
            throw corrupt("row \(id) of the index is damaged: its checksum does not match")
        }
        return bytes
    }

    @inline(__always)
    private static func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        let product = (lane ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product << 29 | product >> 35
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
