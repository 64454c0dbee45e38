/// The postings of a term, with frequencies that count each hit by the weight of its column.
///
/// A class, since copies would share the cursor's decoded block.
final class WeightedPostings {
    @exclusivity(unchecked) private(set) var cursor: PostingsCursor
    let columns: ColumnSet?
    let weights: ColumnWeights
    /// Whether the frequencies are those of the cursor, and every posting matches.
    let isPlain: Bool

    private let columnBits: UInt16
    @exclusivity(unchecked) private var decoded = -1
    /// Of the decoded block, unless `isPlain`.
    @exclusivity(unchecked) private(set) var weightedFrequencies: [Double] = []
    @exclusivity(unchecked) private var isMatch: [Bool] = []

    /// - Parameter columns: The columns that hits count in; nil for all.
    init(_ cursor: PostingsCursor, columns: ColumnSet?, weights: ColumnWeights) {
        self.cursor = cursor
        self.columns = columns
        self.weights = weights
        isPlain = columns == nil && weights.isUniform
        columnBits = columns.map { $0.columns.reduce(0) { $0 | 1 << UInt16(min(max($1, 0), 15)) } } ?? .max
    }

    /// Whether a document of the block may match.
    @inline(__always)
    func mayMatch(_ summary: BlockSummary) -> Bool { summary.columns & columnBits != 0 }

    /// Whether the document at an index of the decoded block matches.
    @inline(__always)
    func matches(_ index: Int) -> Bool { isPlain || isMatch[index] }

    /// The weighted frequency of the document at an index of the decoded block.
    @inline(__always)
    func frequency(_ index: Int) -> Double {
        isPlain ? Double(cursor.frequencies[index]) : weightedFrequencies[index]
    }

    func decode(block: Int) throws {
        guard block != decoded else { return }
        decoded = -1
        try cursor.decode(block: block)
        if !isPlain { try weigh() }
        decoded = block
    }

    private func weigh() throws {
        let count = cursor.documents.count
        weightedFrequencies.removeAll(keepingCapacity: true)
        isMatch.removeAll(keepingCapacity: true)
        for index in 0..<count {
            if index > 0 { _ = try cursor.next() }
            var sum = 0.0
            var isMatch = false
            try cursor.forEachColumn { column, count in
                guard columns?.contains(Int(column)) != false else { return }
                isMatch = true
                ColumnWeights.add(weights[column], times: count, to: &sum)
            }
            weightedFrequencies.append(sum)
            self.isMatch.append(isMatch)
        }
    }
}
