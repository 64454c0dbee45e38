/// The first sixteen bytes of a dictionary's key and its length, which decide most comparisons of keys.
struct KeyHead {
    /// Eight bytes each, the first one highest, with zeros after a shorter key.
    private let first: UInt64
    private let second: UInt64
    private let count: Int

    @inline(__always)
    init(_ key: UnsafeBufferPointer<UInt8>) {
        count = key.count
        first = TokenHash.beginning(of: key).byteSwapped
        second = count > 8 ? TokenHash.beginning(of: UnsafeBufferPointer(rebasing: key[8...])).byteSwapped : 0
    }

    /// Negative, 0 or positive if the key is less than, equal to or greater than another one; nil if the bytes after
    /// the sixteenth decide.
    @inline(__always)
    func compared(to other: KeyHead) -> Int? {
        if first != other.first { return first < other.first ? -1 : 1 }
        if second != other.second { return second < other.second ? -1 : 1 }
        return min(count, other.count) > 16 ? nil : count - other.count
    }
}
