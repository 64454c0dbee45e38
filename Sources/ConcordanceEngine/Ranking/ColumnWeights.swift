/// What a hit counts in each column: the arguments of `bm25(t, …)`. Columns behind the last argument count 1.
struct ColumnWeights: Equatable {
    private let values: [Double]
    /// Whether every hit counts 1.
    let isUniform: Bool
    /// Whether no hit counts against a row, and all sums are finite: only then does a bound of the frequency bound the score.
    let allowsBounds: Bool
    /// The largest weight of the columns from each one on, by which bits of a block that stand for several are bounded.
    private let largestFrom: [Double]

    init(_ weights: [Double]) {
        values = weights
        isUniform = weights.allSatisfy { $0 == 1 }
        // 2^32 hits of such a weight are far from the largest double.
        allowsBounds = weights.allSatisfy { $0 >= 0 && $0 < 1e100 }
        var largest = 1.0
        largestFrom =
            weights.reversed().map { weight in
                largest = max(largest, weight)
                return largest
            }.reversed()
    }

    @inline(__always)
    subscript(column: UInt32) -> Double { column < values.count ? values[Int(column)] : 1 }

    /// A weight that no hit exceeds in a block where these columns occur (`BlockSummary.columns`).
    func largest(in columns: UInt16) -> Double {
        if isUniform { return 1 }
        var rest = columns & 0x7FFF
        var largest = columns >> 15 == 0 ? 0 : largestFrom.count > 15 ? largestFrom[15] : 1
        while rest != 0 {
            largest = max(largest, self[UInt32(rest.trailingZeroBitCount)])
            rest &= rest - 1
        }
        return largest
    }

    /// Adds the weight so many times, as FTS5 does hit by hit: a product could differ in the last bit.
    @inline(__always)
    static func add(_ weight: Double, times count: UInt32, to sum: inout Double) {
        if weight == weight.rounded() && abs(weight) < 0x1p20 && abs(sum) < 0x1p52 || count > 1 << 16 {
            // Whole numbers below 2^53: all sums are exact. More hits than any text has are those of a damaged index.
            sum += weight * Double(count)
        } else {
            for _ in 0..<count { sum += weight }
        }
    }
}
