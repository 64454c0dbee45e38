/// What the scores of a query are made of, besides frequencies: constants of the table and of its phrases.
final class RankingStatistics {
    let order: RankOrder
    let weights: ColumnWeights
    /// Of each phrase.
    let inverseDocumentFrequencies: [Double]
    /// Whether documents that cannot reach the threshold are passed over: not where the worst rows come first, nor where
    /// frequencies and lengths do not bound the score.
    let allowsPruning: Bool
    private let norms: LengthNorms

    /// - Parameter hasLengths: Whether the norms are those of the rows' lengths.
    init(
        rowCount: Int, norms: LengthNorms, hasLengths: Bool = true, documentFrequencies: [Int],
        weights: ColumnWeights, order: RankOrder = .ascending
    ) {
        self.norms = norms
        self.weights = weights
        self.order = order
        allowsPruning = Self.allowsPruning(weights: weights, order: order, hasLengths: hasLengths)
        inverseDocumentFrequencies = documentFrequencies.map {
            BM25.inverseDocumentFrequency(rowCount: rowCount, documentFrequency: $0)
        }
    }

    static func allowsPruning(weights: ColumnWeights, order: RankOrder, hasLengths: Bool) -> Bool {
        order == .ascending && weights.allowsBounds && hasLengths
    }

    /// `BM25.lengthNorm` of a row's length.
    @inline(__always)
    func norm(_ length: UInt32) -> Double { norms.norm(length) }

    /// The most that a phrase adds to the score of a document of the block, but for rounding; infinite where nothing is
    /// known.
    @inline(__always)
    func bound(_ block: BlockSummary, idf: Double) -> Double {
        guard allowsPruning else { return .infinity }
        // f * (k1 + 1) / (f + norm), divided by f.
        let quotient = norms.leastQuotient(block.impacts)
        return idf * ((BM25.k1 + 1) / (1 + quotient / weights.largest(in: block.columns)))
    }

    /// The least number of hits with which a document of the block may score so much; the greatest number where none can.
    func leastHits(_ block: BlockSummary, idf: Double, reaching score: Double) -> UInt32 {
        guard allowsPruning, score > 0 else { return 0 }
        // score = most * f / (f + norm), solved for f.
        let most = idf * (BM25.k1 + 1)
        guard most > score else { return most * Self.slack > score ? 0 : .max }
        let frequency = score * norms.leastNorm(block.impacts) / (most - score) / Self.slack
        let hits = frequency / weights.largest(in: block.columns)
        return hits < 1e9 ? UInt32(max(hits, 0)) : hits.isNaN ? 0 : .max
    }

    /// What a sum of bounds is multiplied with before it is held against a score: more than the rounding of sums in another
    /// order, and of products of weights that are not whole, can make of it.
    static let slack = 1 + 1e-11
}
