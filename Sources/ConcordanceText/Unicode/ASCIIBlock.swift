/// Sixty-four bytes examined together, eight of them in a machine word at a time.
///
/// In a word whose bytes are all below 0x80, adding 0x80 - n to each byte sets its top bit where it is n or more, and
/// no carry reaches the next byte. So a comparison of eight bytes is one addition, and a range is two of them.
enum ASCIIBlock {
    /// The number of bytes in a block, which is the number of bits in a mask.
    static let size = 64

    /// Sets of bytes of a block: bit i stands for byte i.
    struct Masks {
        /// Those that are 0 to 9, A to Z, a to z.
        var alphanumeric: UInt64
        /// Those of 0x80 and up.
        var nonASCII: UInt64
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// The block at `position`, which must be before the end of the text, and how many of its bytes are text. If less
    /// than a block is left, the block is a copy of the rest in `tail`, padded with NULs.
    @inline(__always)
    static func block(
        of text: UnsafeBufferPointer<UInt8>, at position: Int, tail: UnsafeMutablePointer<UInt8>
    ) -> (bytes: UnsafePointer<UInt8>, length: Int) {
        let left = text.count &- position
        // Not nil, since there is text left.
        let rest = text.baseAddress.unsafelyUnwrapped + position
        if left >= size { return (rest, size) }
        tail.update(from: rest, count: left)
        (tail + left).update(repeating: 0, count: size &- left)
        return (UnsafePointer(tail), left)
    }

    /// Copies a block with A to Z in lower case. Both pointers must have `size` bytes; they must not overlap.
    @inline(__always)
    static func copyLowercased(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Masks {
        var alphanumeric: UInt64 = 0
        var seen: UInt64 = 0
        for lane in 0..<8 {
            let word = load(source + 8 * lane)
            seen |= word
            let ascii = word & ~tops
            let upper = inRange(ascii, UInt8(ascii: "A"), UInt8(ascii: "Z")) & ~word & tops
            // 0x80 shifted to 0x20, the bit between A and a.
            let lower = word | upper >> 2
            UnsafeMutableRawPointer(target + 8 * lane).storeBytes(of: lower.littleEndian, as: UInt64.self)
            let folded = lower & ~tops
            let found =
                inRange(folded, UInt8(ascii: "a"), UInt8(ascii: "z"))
                | inRange(folded, UInt8(ascii: "0"), UInt8(ascii: "9"))
            alphanumeric |= gather(found & ~word & tops) << UInt64(8 * lane)
        }
        return Masks(alphanumeric: alphanumeric, nonASCII: seen & tops == 0 ? 0 : nonASCII(source))
    }

    /// Sets of bytes of a block that matter to word boundaries.
    struct WordMasks {
        /// Those that are 0 to 9, A to Z, a to z.
        var alphanumeric: UInt64 = 0
        /// Those that are `_`.
        var underscores: UInt64 = 0
        /// Those that may stand inside a word or a number: `'`, `,`, `.`, `:` and `;`. Also `-`, which may not.
        var middles: UInt64 = 0
        /// Those of 0x80 and up.
        var nonASCII: UInt64 = 0
        /// Those that are A to Z, when asked for.
        var capitals: UInt64 = 0
    }

    /// Looks at a block for word boundaries, and for capital letters if told to.
    @inline(__always)
    static func wordMasks(of source: UnsafePointer<UInt8>, withCapitals: Bool) -> WordMasks {
        var masks = WordMasks()
        var seen: UInt64 = 0
        var underscores: UInt64 = 0
        for lane in 0..<8 {
            let word = load(source + 8 * lane)
            seen |= word
            let ascii = word & ~tops
            let found =
                inRange(ascii | ones &* 0x20, UInt8(ascii: "a"), UInt8(ascii: "z"))
                | inRange(ascii, UInt8(ascii: "0"), UInt8(ascii: "9"))
            let middles =
                inRange(ascii, UInt8(ascii: ","), UInt8(ascii: "."))
                | inRange(ascii, UInt8(ascii: ":"), UInt8(ascii: ";"))
                | inRange(ascii, UInt8(ascii: "'"), UInt8(ascii: "'"))
            underscores |= inRange(ascii, UInt8(ascii: "_"), UInt8(ascii: "_")) & ~word & tops
            masks.alphanumeric |= gather(found & ~word & tops) << UInt64(8 * lane)
            masks.middles |= gather(middles & ~word & tops) << UInt64(8 * lane)
            if withCapitals {
                let capitals = inRange(ascii, UInt8(ascii: "A"), UInt8(ascii: "Z"))
                masks.capitals |= gather(capitals & ~word & tops) << UInt64(8 * lane)
            }
        }
        if underscores != 0 {
            for index in 0..<size where source[index] == UInt8(ascii: "_") { masks.underscores |= 1 << UInt64(index) }
        }
        if seen & tops != 0 { masks.nonASCII = nonASCII(source) }
        return masks
    }

    /// The bytes of a block for which the table, of 256 entries, is true.
    @inline(__always)
    static func mask(of source: UnsafePointer<UInt8>, in table: UnsafePointer<Bool>) -> UInt64 {
        var mask: UInt64 = 0
        for index in 0..<size { mask |= (table[Int(source[index])] ? 1 : 0) << UInt64(index) }
        return mask
    }

    /// Whether the eight bytes are all below 0x80.
    @inline(__always)
    static func isASCII(_ eight: UnsafePointer<UInt8>) -> Bool { load(eight) & tops == 0 }

    private static func nonASCII(_ source: UnsafePointer<UInt8>) -> UInt64 {
        var mask: UInt64 = 0
        for lane in 0..<8 { mask |= gather(load(source + 8 * lane) & tops) << UInt64(8 * lane) }
        return mask
    }

    @inline(__always)
    private static func load(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
    }

    /// Sets the top bit of each byte between the two, given bytes below 0x80; the other bits are undefined.
    @inline(__always)
    private static func inRange(_ bytes: UInt64, _ first: UInt8, _ last: UInt8) -> UInt64 {
        (bytes &+ ones &* UInt64(0x80 - first)) & ~(bytes &+ ones &* UInt64(0x7F - last))
    }

    /// The top bits of eight bytes as the lowest eight bits; all other bits must be zero. The multiplication moves bit
    /// 8i + 7 to bit 56 + i: that is its term 2^(49 - 7i).
    @inline(__always)
    private static func gather(_ tops: UInt64) -> UInt64 { (tops &* 0x0002_0408_1020_4081) >> 56 }
}
