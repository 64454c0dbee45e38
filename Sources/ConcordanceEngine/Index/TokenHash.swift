/// A hash of a token's bytes: the same on every machine and in every version, since fingerprints are stored.
///
/// Sixteen bytes a round are folded into the hash by the two halves of a 128-bit product, as in wyhash
/// (https://github.com/wangyi-fudan/wyhash); what is left over is read as two words that may overlap.
enum TokenHash {
    private static let first: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let second: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    @inline(__always)
    static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let base = UnsafeRawBufferPointer(bytes).baseAddress else { return fold(first, second) }
        var hash = UInt64(truncatingIfNeeded: bytes.count) &* first
        var start = 0
        while bytes.count &- start > 16 {
            hash = fold(word(base, start) ^ hash, word(base, start &+ 8) ^ second)
            start &+= 16
        }
        let rest = bytes.count &- start
        var low: UInt64 = 0
        var high: UInt64 = 0
        if rest >= 8 {
            low = word(base, start)
            high = word(base, start &+ rest &- 8)
        } else if rest >= 4 {
            low = half(base, start)
            high = half(base, start &+ rest &- 4)
        } else if rest > 0 {
            low = UInt64(bytes[start])
            high = UInt64(bytes[start &+ rest / 2]) << 8 | UInt64(bytes[start &+ rest &- 1])
        }
        return fold(low ^ hash ^ second, high ^ first)
    }

    /// Another hash, for tables in memory. A product with zero is zero whatever the other half is, so anybody can write words
    /// with the same `hash`; here, nobody knows the seed, and no half is lost.
    static func hash(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64) -> UInt64 {
        guard let base = UnsafeRawBufferPointer(bytes).baseAddress else { return seed }
        var hash = UInt64(truncatingIfNeeded: bytes.count) &* first ^ seed
        var start = 0
        while bytes.count &- start >= 16 {
            hash = mix(word(base, start) ^ hash, word(base, start &+ 8) ^ seed ^ second)
            start &+= 16
        }
        let rest = UnsafeBufferPointer(rebasing: bytes[start...])
        let high = rest.count > 8 ? beginning(of: UnsafeBufferPointer(rebasing: rest[8...])) : 0
        return mix(beginning(of: rest) ^ hash, high ^ seed ^ second)
    }

    /// The two halves of the product, as one, with the operands.
    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 { fold(left, right) ^ left ^ right }

    /// The first eight bytes, the first one lowest, zeros behind a shorter token.
    @inline(__always)
    static func beginning(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let base = UnsafeRawBufferPointer(bytes).baseAddress else { return 0 }
        let count = bytes.count
        if count >= 8 { return word(base, 0) }
        // Words that overlap share the bytes of the overlap.
        if count >= 4 { return half(base, 0) | half(base, count &- 4) &<< UInt64(truncatingIfNeeded: count &* 8 &- 32) }
        var result: UInt64 = 0
        var index = 0
        while index < count {
            result |= UInt64(bytes[index]) &<< UInt64(truncatingIfNeeded: index &* 8)
            index &+= 1
        }
        return result
    }

    /// The two halves of the product, as one.
    @inline(__always)
    static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    @inline(__always)
    private static func word(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func half(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        UInt64(UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
}

/// A hash of a document's tokens, in order, with their columns, by which a text that is passed as the document's is
/// verified before the document's terms are taken from it.
struct Fingerprint {
    private var state: UInt64 = 0x27D4_EB2F_1656_67C5

    /// Adds the next token, by its hash.
    @inline(__always)
    mutating func add(token hash: UInt64, column: UInt32, isColocated: Bool) {
        state = TokenHash.fold(
            state ^ hash, 0x9FB2_1C65_1E98_DF25 ^ (UInt64(column) << 1 | (isColocated ? 1 : 0)))
    }

    /// The 32 bits that are stored.
    var value: UInt32 { UInt32(truncatingIfNeeded: state ^ state >> 32) }
}
