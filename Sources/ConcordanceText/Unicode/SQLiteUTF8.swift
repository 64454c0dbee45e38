/// UTF-8 as SQLite's FTS5 reads and writes it: every sequence of bytes is text.
///
/// A byte below 0xC0 stands for itself, even a stray continuation byte. A lead byte takes all continuation bytes that
/// follow it, however many, shifting the earlier bits out at the top. A result below U+0080 (an overlong form), a
/// surrogate, U+FFFE and U+FFFF become U+FFFD; a result above U+10FFFF stays.
enum SQLiteUTF8 {
    /// Reads the character at `cursor`, which must lie before `end`, and moves the cursor past it.
    @inline(__always)
    static func decode(_ cursor: inout UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>) -> UInt32 {
        let lead = cursor.pointee
        cursor += 1
        guard lead >= 0xC0 else { return UInt32(lead) }
        var scalar = UInt32(lead & payloadMask(ofLead: lead))
        while cursor < end, cursor.pointee & 0xC0 == 0x80 {
            scalar = scalar << 6 | UInt32(cursor.pointee & 0x3F)
            cursor += 1
        }
        let isReplaced = scalar < 0x80 || scalar & 0xFFFF_F800 == 0xD800 || scalar & 0xFFFF_FFFE == 0xFFFE
        return isReplaced ? 0xFFFD : scalar
    }

    /// The bits of a lead byte that belong to the character: those below its run of ones, which counts up to six.
    @inline(__always)
    private static func payloadMask(ofLead lead: UInt8) -> UInt8 {
        switch lead {
        case ..<0xE0: 0x1F
        case ..<0xF0: 0x0F
        case ..<0xF8: 0x07
        case ..<0xFC: 0x03
        case ..<0xFE: 0x01
        default: 0
        }
    }

    /// The character at `cursor` if it is two bytes long and not an overlong form, otherwise nil.
    @inline(__always)
    static func decodeTwoBytes(_ cursor: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>) -> Int? {
        let lead = cursor.pointee
        guard 0xC2...0xDF ~= lead, end - cursor >= 2, cursor[1] & 0xC0 == 0x80,
            end - cursor == 2 || cursor[2] & 0xC0 != 0x80
        else { return nil }
        return Int(lead & 0x1F) << 6 | Int(cursor[1] & 0x3F)
    }

    /// The most bytes that a character takes.
    static let maximumLength = 4

    /// The UTF-8 of the character, its first byte lowest, and the number of its bytes, one to four. Of a number of more
    /// than 21 bits, the lowest 21 are written.
    @inline(__always)
    static func encode(_ scalar: UInt32) -> (bytes: UInt32, count: Int) {
        func continuation(_ shift: UInt32) -> UInt32 { 0x80 | scalar >> shift & 0x3F }
        switch scalar {
        case ..<0x80: return (scalar, 1)
        case ..<0x800: return (0xC0 | scalar >> 6 | continuation(0) << 8, 2)
        case ..<0x1_0000: return (0xE0 | scalar >> 12 | continuation(6) << 8 | continuation(0) << 16, 3)
        default:
            return (
                0xF0 | scalar >> 18 & 0x07 | continuation(12) << 8 | continuation(6) << 16 | continuation(0) << 24, 4
            )
        }
    }

    /// Writes the character and returns the number of its bytes.
    @inline(__always)
    static func encode(_ scalar: UInt32, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let (bytes, count) = encode(scalar)
        for index in 0..<count { out[index] = UInt8(truncatingIfNeeded: bytes >> UInt32(8 * index)) }
        return count
    }
}
