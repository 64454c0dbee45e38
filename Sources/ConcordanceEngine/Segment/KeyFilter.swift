/// Rules out most keys that a segment does not have, without reading its dictionary: a Bloom filter of at least 16 bits for each
/// key, of which each key sets two. It lets at most one of 70 other keys pass.
///
/// After many small commits, an index has dozens of small segments, and most of them do not have a given key.
struct KeyFilter {
    private let words: [UInt64]
    private let mask: UInt64

    /// Larger dictionaries have no filter; 16 pages have some 3,000 keys.
    static let largestPageCount = 16

    /// Reads the whole dictionary.
    init(_ segment: Segment) throws {
        var hashes: [UInt64] = []
        let cursor = try TermCursor(segment, page: 0)
        while try cursor.next() { hashes.append(cursor.withKey { TokenHash.hash($0) }) }
        var size = 64
        while size < hashes.count * 16 { size *= 2 }
        mask = UInt64(size - 1)
        var words = Array(repeating: UInt64(0), count: size / 64)
        for hash in hashes {
            for bit in [hash & mask, hash >> 32 & mask] { words[Int(bit >> 6)] |= 1 << (bit & 63) }
        }
        self.words = words
    }

    /// False if the segment does not have the key.
    @inline(__always)
    func mayContain(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        let hash = TokenHash.hash(key)
        return isSet(hash & mask) && isSet(hash >> 32 & mask)
    }

    @inline(__always)
    private func isSet(_ bit: UInt64) -> Bool { words[Int(bit >> 6)] >> (bit & 63) & 1 != 0 }
}
