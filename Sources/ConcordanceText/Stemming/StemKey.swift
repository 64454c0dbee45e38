/// A short word as four numbers, which are compared and hashed without a loop over its bytes: the bytes, then zeros,
/// and the word's length in the last byte.
struct StemKey: Equatable, BitwiseCopyable {
    /// The longest word that has a key, in bytes.
    static let longestWord = 31

    private var words: (UInt64, UInt64, UInt64, UInt64)

    /// - Parameter count: 1 to 31.
    @inline(__always)
    init(_ word: UnsafeRawPointer, count: Int) {
        // The bytes after the last whole group of eight, without reading beyond the word.
        let rest = count & 7
        var tail: UInt64 = 0
        if count >= 8 {
            // The last eight bytes; the shift drops those that the number before holds.
            let last = word.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            tail = rest == 0 ? 0 : last &>> UInt64(64 &- 8 &* rest)
        } else if count >= 4 {
            let first = UInt64(word.loadUnaligned(as: UInt32.self))
            let last = UInt64(word.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            tail = first | last &<< UInt64(8 &* (count &- 4))
        } else {
            let middle = count &>> 1
            tail = UInt64(word.load(as: UInt8.self))
            tail |= UInt64(word.load(fromByteOffset: middle, as: UInt8.self)) &<< UInt64(8 &* middle)
            tail |= UInt64(word.load(fromByteOffset: count &- 1, as: UInt8.self)) &<< UInt64(8 &* (count &- 1))
        }
        let length = UInt64(count) &<< 56
        switch count &>> 3 {
        case 0: words = (tail, 0, 0, length)
        case 1: words = (word.loadUnaligned(as: UInt64.self), tail, 0, length)
        case 2:
            words = (
                word.loadUnaligned(as: UInt64.self), word.loadUnaligned(fromByteOffset: 8, as: UInt64.self), tail,
                length
            )
        default:
            words = (
                word.loadUnaligned(as: UInt64.self), word.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                word.loadUnaligned(fromByteOffset: 16, as: UInt64.self), tail | length
            )
        }
    }

    /// The length of the word in bytes.
    @inline(__always)
    var count: Int { Int(truncatingIfNeeded: words.3 &>> 56) }

    /// A hash of 16 bits: the highest bits of multiplications by the golden ratio, which are the best mixed.
    @inline(__always)
    var hash: UInt64 {
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        var hash = words.0 &* factor
        hash = (hash ^ hash &>> 32 ^ words.1) &* factor
        hash = (hash ^ hash &>> 32 ^ words.2 ^ words.3) &* factor
        return hash &>> 48
    }

    @inline(__always)
    static func == (left: StemKey, right: StemKey) -> Bool {
        (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1) | (left.words.2 ^ right.words.2)
            | (left.words.3 ^ right.words.3) == 0
    }
}
