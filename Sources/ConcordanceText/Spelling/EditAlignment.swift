/// Finds the cheapest way from a word of the dictionary to what was typed.
///
/// This is the usual table of the distances between prefixes. It keeps only the three rows that swaps need, and in each
/// row only the cells at most two off the diagonal: two edits lead no further.
struct EditAlignment {
    private let costs: EditCosts
    private let typed: [UInt32]
    private var rows: [Double]
    private static let width = SpellingKey.maximumLength + 8
    private static let unreachable = 1e9

    init(typed: [UInt32], costs: EditCosts) {
        self.costs = costs
        self.typed = typed
        rows = Array(repeating: Self.unreachable, count: 3 * Self.width)
    }

    /// The cost of typing the word instead of `right`, which is at most two edits away, without `EditCosts.second`.
    mutating func cost(of right: UnsafeBufferPointer<UInt32>) -> Double {
        typed.withUnsafeBufferPointer { typed in
            rows.withUnsafeMutableBufferPointer { rows in
                Self.fill(rows, typed, right, costs)
            }
        }
    }

    /// Row i stands for the first i letters typed, column j for the first j letters of the right word.
    private static func fill(
        _ rows: UnsafeMutableBufferPointer<Double>, _ typed: UnsafeBufferPointer<UInt32>,
        _ right: UnsafeBufferPointer<UInt32>, _ costs: EditCosts
    ) -> Double {
        let (height, length) = (typed.count, right.count)
        guard abs(height - length) <= 2, length + 3 < width else { return unreachable }
        func neighbour(_ letters: UnsafeBufferPointer<UInt32>, _ index: Int) -> UInt32 {
            index >= 0 && index < letters.count ? letters[index] : 0
        }
        for i in 0...height {
            let row = i % 3 * width
            let previous = (i + 2) % 3 * width
            let beforePrevious = (i + 1) % 3 * width
            let (low, high) = (max(0, i - 2), min(length, i + 2))
            // The next two rows read the cells beside the band of this row.
            if low > 0 { rows[row + low - 1] = unreachable }
            rows[row + high + 1] = unreachable
            rows[row + high + 2] = unreachable
            guard low <= high else { continue }
            for j in low...high {
                var best = i == 0 && j == 0 ? 0 : unreachable
                if j > 0, j > low || i == 0 {
                    let cost = costs.deletion(
                        right[j - 1], before: neighbour(right, j - 2), after: neighbour(right, j))
                    best = min(best, rows[row + j - 1] + cost)
                }
                if i > 0 {
                    let letter = typed[i - 1]
                    let cost = costs.insertion(letter, before: neighbour(typed, i - 2), after: neighbour(typed, i))
                    best = min(best, rows[previous + j] + cost)
                    if j > 0 {
                        let cost = costs.substitution(letter, for: right[j - 1], isFirst: i == 1)
                        best = min(best, rows[previous + j - 1] + cost)
                    }
                    if i > 1, j > 1, letter == right[j - 2], typed[i - 2] == right[j - 1], letter != right[j - 1] {
                        best = min(best, rows[beforePrevious + j - 2] + costs.swap(isFirst: i == 2))
                    }
                }
                rows[row + j] = best
            }
        }
        return rows[height % 3 * width + length]
    }
}
