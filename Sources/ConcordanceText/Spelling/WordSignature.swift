/// Which characters a word has and how many, in four bytes. A few typos change little of it, so it rules out most words
/// that do not match.
///
///     bits 0-26       the characters of the word, by the remainder of their last five bits
///     bits 27-31      how many characters it has; 31 means 31 or more
package struct WordSignature: Equatable, Sendable {
    private let bits: UInt32
    private static let bins: UInt32 = 27
    private static let maximumCount: UInt32 = 31

    /// The signature of a word in UTF-8.
    package init(_ word: UnsafeBufferPointer<UInt8>) {
        var bits: UInt32 = 0
        var count: UInt32 = 0
        var index = 0
        while index < word.count {
            var character = UInt32(word[index])
            var length = 1
            if character >= 0x80 { (character, length) = UTF8Scalars.decode(word, at: index) }
            bits |= 1 << ((character & 31) % Self.bins)
            count &+= 1
            index += length
        }
        self.bits = bits | min(count, Self.maximumCount) << Self.bins
    }

    private init(bits: UInt32) { self.bits = bits }

    /// The signature of no word.
    package static let none = Self(bits: 0)

    /// Whether a word with this signature may be within `edits` edits of a word with the other signature or, with
    /// `isPrefix`, of its beginning: each edit adds at most one character and removes at most one.
    @inline(__always)
    package func mayBecome(_ other: Self, edits: Int, isPrefix: Bool) -> Bool {
        let letters = (1 as UInt32) &<< Self.bins &- 1
        let added = Int(other.bits &>> Self.bins) &- Int(bits &>> Self.bins)
        guard (bits & ~other.bits & letters).nonzeroBitCount <= edits, added >= -edits else { return false }
        return isPrefix || added <= edits && (other.bits & ~bits & letters).nonzeroBitCount <= edits
    }
}
