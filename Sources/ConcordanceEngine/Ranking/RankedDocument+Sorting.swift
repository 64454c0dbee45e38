extension [RankedDocument] {
    /// Fewer rows are sorted only by comparisons.
    private static let leastCount = 256

    /// Sorts the rows by `precedes`.
    ///
    /// Many rows are distributed by the leading bits in which their keys differ (`RankDigits`). Rows with the same
    /// leading bits, which mostly have equal scores, are sorted by comparisons.
    mutating func sortByRank() {
        guard count >= Self.leastCount, count <= RankDigits.greatestIndex, let first else {
            return sort { $0.precedes($1) }
        }
        var (least, greatest) = (first.key, first.key)
        for row in self {
            least = Swift.min(least, row.key)
            greatest = Swift.max(greatest, row.key)
        }
        let width = UInt64.bitWidth - (greatest - least).leadingZeroBitCount
        let shift = UInt64(Swift.max(width - RankDigits.bitCount, 0))
        // The greatest key first.
        var order = indices.map { RankDigits(digits: (greatest &- self[$0].key) &>> shift, index: $0) }
        order.sortByDigits()
        self = order.map { self[$0.index] }
        withUnsafeMutableBufferPointer { rows in
            var start = 0
            while start < rows.count {
                var end = start + 1
                while end < rows.count, order[end].digits == order[start].digits { end += 1 }
                if end - start > 1 {
                    // Sorting a slice of the array would copy it.
                    var equal = UnsafeMutableBufferPointer(rebasing: rows[start..<end])
                    equal.sort { $0.precedes($1) }
                }
                start = end
            }
        }
    }
}

/// The digits by which a row is sorted, and its index before.
private struct RankDigits {
    /// The digits, above the index.
    private let bits: UInt64

    /// The number of bits to sort by, in three passes.
    static let bitCount = 33
    static let bitsPerPass = 11
    private static let indexBitCount = UInt64(UInt64.bitWidth - bitCount)
    static let greatestIndex = 1 << Int(indexBitCount) - 1

    init(digits: UInt64, index: Int) {
        bits = digits &<< Self.indexBitCount | UInt64(truncatingIfNeeded: index)
    }

    var digits: UInt64 { bits &>> Self.indexBitCount }
    var index: Int { Int(truncatingIfNeeded: bits) & Self.greatestIndex }
}

extension [RankDigits] {
    /// A radix sort, beginning with the lowest digit. Each pass keeps the order of the previous one among equal digits.
    fileprivate mutating func sortByDigits() {
        var sorted = self
        var shift = 0
        while shift < RankDigits.bitCount {
            if distribute(by: UInt64(shift), into: &sorted) { swap(&self, &sorted) }
            shift += RankDigits.bitsPerPass
        }
    }

    /// One pass; false, without doing anything, if all rows have the same digit.
    private func distribute(by shift: UInt64, into result: inout Self) -> Bool {
        let size = 1 << RankDigits.bitsPerPass
        let mask = UInt64(size - 1)
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: size) { next in
            next.initialize(repeating: 0)
            for row in self { next[Int(row.digits &>> shift & mask)] &+= 1 }
            if next.contains(count) { return false }
            var start = 0
            for digit in 0..<size { (next[digit], start) = (start, start &+ next[digit]) }
            result.withUnsafeMutableBufferPointer { result in
                for row in self {
                    let digit = Int(row.digits &>> shift & mask)
                    result[next[digit]] = row
                    next[digit] &+= 1
                }
            }
            return true
        }
    }
}
