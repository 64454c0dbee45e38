/// UTF-8 as SQLite's FTS5 reads and writes it: every sequence of bytes is text.
///
/// A byte below 0xC0, a stray continuation byte too, stands for itself. A lead byte takes all continuation bytes that
/// follow it, however many, shifting the earlier bits out at the top. What comes out below U+0080 (an overlong form), a
/// surrogate, U+FFFE and U+FFFF become U+FFFD; what comes out above U+10FFFF stays.
enum SQLiteUTF8 {
    /// Reads the character at `cursor`, which must lie before `end`, and moves the cursor behind it.
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

    /// The most bytes that `encode` writes.
    static let maximumLength = 4

    /// Writes the character, in one to four bytes, and returns their number. Of a number over 21 bits the lowest 21 are
    /// written.
    @inline(__always)
    static func encode(_ scalar: UInt32, to out: UnsafeMutablePointer<UInt8>) -> Int {
        func continuation(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift) & 0x3F }
        switch scalar {
        case ..<0x80:
            out[0] = UInt8(truncatingIfNeeded: scalar)
            return 1
        case ..<0x800:
            out[0] = 0xC0 | UInt8(truncatingIfNeeded: scalar >> 6)
            out[1] = continuation(0)
            return 2
        case ..<0x1_0000:
            out[0] = 0xE0 | UInt8(truncatingIfNeeded: scalar >> 12)
            out[1] = continuation(6)
            out[2] = continuation(0)
            return 3
        default:
            out[0] = 0xF0 | UInt8(truncatingIfNeeded: scalar >> 18) & 0x07
            out[1] = continuation(12)
            out[2] = continuation(6)
            out[3] = continuation(0)
            return 4
        }
    }
}
