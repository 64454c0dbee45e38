extension UnsafeMutablePointer<UInt64> {
    /// Appends the indexes of the set bits of a range, each plus `base`, ascending, to the first `count` elements of
    /// the buffer, until it is full.
    ///
    /// - Returns: The number of elements in the buffer afterwards.
    func copyBits(
        _ range: Range<Int>, base: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>, after count: Int
    ) -> Int {
        guard !range.isEmpty else { return count }
        var count = count
        var word = range.lowerBound &>> 6
        let lastBit = range.upperBound &- 1
        var bits = self[word] & (~0 &<< UInt64(range.lowerBound & 63))
        while true {
            if word == lastBit &>> 6 { bits &= ~0 &>> UInt64(63 &- lastBit & 63) }
            while bits != 0 {
                guard count < buffer.count else { return count }
                buffer[count] = base &+ UInt32(truncatingIfNeeded: word &<< 6 &+ bits.trailingZeroBitCount)
                count &+= 1
                bits &= bits &- 1
            }
            guard word < lastBit &>> 6 else { return count }
            word &+= 1
            bits = self[word]
        }
    }
}
