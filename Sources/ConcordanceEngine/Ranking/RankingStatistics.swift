/// What the scores of a query are made of, besides frequencies: constants of the table and of its phrases.
final class RankingStatistics {
    /// Lengths below this have their norm in a table.
    static let tabulatedLengths = 2048

    let bm25: BM25
    let order: RankOrder
    let weights: ColumnWeights
    /// Of each phrase.
    let inverseDocumentFrequencies: [Double]
    /// The norm of every row, where the table does not know lengths.
    let constantNorm: Double?

    /// Whether documents that cannot reach the threshold are passed over: not where the worst rows come first, nor where
    /// frequencies and lengths do not bound the score.
    let allowsPruning: Bool

    private let norms: UnsafeMutablePointer<Double>

    /// - Parameter constantLength: The length of every row, where the table does not know lengths.
    init(
        rowCount: Int, tokenCount: Int64, documentFrequencies: [Int], weights: ColumnWeights,
        order: RankOrder = .ascending, constantLength: Double? = nil
    ) {
        bm25 = BM25(rowCount: rowCount, tokenCount: tokenCount)
        self.weights = weights
        inverseDocumentFrequencies = documentFrequencies.map {
            BM25.inverseDocumentFrequency(rowCount: rowCount, documentFrequency: $0)
        }
        constantNorm = constantLength.map(bm25.lengthNorm)
        self.order = order
        allowsPruning = order == .ascending && weights.allowsBounds && constantLength == nil
        norms = .allocate(capacity: Self.tabulatedLengths)
        for length in 0..<Self.tabulatedLengths { norms[length] = constantNorm ?? bm25.lengthNorm(Double(length)) }
    }

    deinit { norms.deallocate() }

    /// `BM25.lengthNorm` of a row's length.
    @inline(__always)
    func norm(_ length: UInt32) -> Double {
        length < Self.tabulatedLengths ? norms[Int(length)] : constantNorm ?? bm25.lengthNorm(Double(length))
    }

    /// The most that a phrase adds to the score of a document of the block; infinite where nothing is known.
    @inline(__always)
    func bound(_ block: BlockSummary, idf: Double) -> Double {
        guard allowsPruning else { return .infinity }
        let weight = weights.largest(in: block.columns)
        var bound = 0.0
        for pair in 0..<block.impacts.count {
            let impact = block.impacts[pair]
            bound = max(
                bound, BM25.score(idf: idf, frequency: weight * Double(impact.frequency), norm: norm(impact.length)))
        }
        return bound
    }

    /// The least frequency with which a document of the block may score so much; infinite where none can.
    func leastFrequency(_ block: BlockSummary, idf: Double, reaching score: Double) -> Double {
        var shortest = UInt32.max
        for pair in 0..<block.impacts.count { shortest = min(shortest, block.impacts[pair].length) }
        // score = most * f / (f + norm), solved for f.
        let most = idf * (BM25.k1 + 1)
        guard most > score else { return most * Self.slack > score ? 0 : .infinity }
        return score * norm(shortest) / (most - score) / Self.slack
    }

    /// What a sum of bounds is multiplied with before it is held against a score: more than the rounding of sums in another
    /// order, and of products of weights that are not whole, can make of it.
    static let slack = 1 + 1e-11
}
