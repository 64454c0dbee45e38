/// Which page of the dictionary a key is in: for each page but the first the shortest beginning of its first key that is
/// greater than the last key of the page before, each with its length as a varint before it, in pages of their own.
/// In memory as long as the segment is open; about ten bytes for a page of 4,000.
struct DictionaryIndex {
    private var bytes: [UInt8] = []
    /// Where in `bytes` each separator ends.
    private var ends: [Int] = []

    init(_ reader: SegmentReader) throws {
        let wanted = max(reader.count(.dictionary) - 1, 0)
        for number in 0..<reader.count(.dictionaryIndex) {
            let page = try reader.page(.dictionaryIndex, number)
            var separators = ByteReader(page.bytes)
            while !separators.isAtEnd {
                bytes.append(contentsOf: try separators.bytes(separators.varint(atMost: separators.remaining)))
                ends.append(bytes.count)
            }
            withExtendedLifetime(page.block) {}
        }
        guard ends.count == wanted else { throw corrupt("the dictionary of segment \(reader.id) lacks an index") }
    }

    /// The page that has the key, if any has. Cost: a binary search.
    func page(for key: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                let start = middle == 0 ? 0 : ends[middle - 1]
                let separator = UnsafeBufferPointer(rebasing: bytes[start..<ends[middle]])
                if key.lexicographicallyPrecedes(separator) { high = middle } else { low = middle + 1 }
            }
            return low
        }
    }
}
