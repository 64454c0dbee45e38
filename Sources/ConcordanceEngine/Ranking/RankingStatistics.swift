import ConcordanceFTS5

/// What the scores of a query are made of, besides frequencies: constants of the table and of its phrases.
final class RankingStatistics {
    let order: RankOrder
    let weights: ColumnWeights
    /// What saturated hits of each phrase are multiplied with (`RowScorer.weight`).
    let phraseWeights: [Double]
    /// What the places of hits may add to a score; nil where only their number counts.
    let bonus: BonusBounds?
    /// Whether documents that cannot reach the threshold are passed over: not where the worst rows come first, nor where
    /// frequencies and lengths do not bound the score.
    let allowsPruning: Bool
    private let k1: Double
    private let norms: LengthNorms

    /// - Parameters:
    ///   - norms: With the k1 and b of the ranking; of one length for all where hits are normalized field by field.
    ///   - hasLengths: Whether the norms are those of the rows' lengths.
    ///   - phraseWeights: `RowScorer.weight` of each phrase.
    init(
        norms: LengthNorms, hasLengths: Bool = true, phraseWeights: [Double], weights: ColumnWeights,
        bonus: BonusBounds? = nil, order: RankOrder = .ascending
    ) {
        self.norms = norms
        self.weights = weights
        self.order = order
        self.phraseWeights = phraseWeights
        self.bonus = bonus
        k1 = norms.bm25.k1
        allowsPruning = order == .ascending && weights.allowsBounds && hasLengths
    }

    /// `BM25.lengthNorm` of a row's length.
    @inline(__always)
    func norm(_ length: UInt32) -> Double { norms.norm(length) }

    /// What a phrase adds to the score of a document.
    @inline(__always)
    func share(_ weight: Double, frequency: Double, norm: Double) -> Double {
        weight * ((frequency * (k1 + 1)) / (frequency + norm))
    }

    /// The same for several documents at once.
    @inline(__always)
    func share(_ weight: Double, frequency: SIMD4<Double>, norm: SIMD4<Double>) -> SIMD4<Double> {
        weight * ((frequency * (k1 + 1)) / (frequency + norm))
    }

    /// The most that a phrase adds to the score of a document of the block, but for rounding; infinite where nothing is
    /// known.
    @inline(__always)
    func bound(_ block: BlockSummary, weight: Double) -> Double {
        guard allowsPruning else { return .infinity }
        // f * (k1 + 1) / (f + norm), divided by f.
        let quotient = norms.leastQuotient(block.impacts)
        return weight * ((k1 + 1) / (1 + quotient / weights.greatest(in: block.columns)))
    }

    /// The least number of hits with which a document of the block may score so much; the greatest number where none can.
    func leastHits(_ block: BlockSummary, weight: Double, reaching score: Double) -> UInt32 {
        guard allowsPruning, score > 0 else { return 0 }
        // score = most * f / (f + norm), solved for f.
        let most = weight * (k1 + 1)
        guard most > score else { return most * Self.slack > score ? 0 : .max }
        let frequency = score * norms.leastNorm(block.impacts) / (most - score) / Self.slack
        let hits = frequency / weights.greatest(in: block.columns)
        return hits < 1e9 ? UInt32(max(hits, 0)) : hits.isNaN ? 0 : .max
    }

    /// What a sum of bounds is multiplied with before it is held against a score: more than the rounding of sums in another
    /// order, and of products of weights that are not whole, can make of it.
    static let slack = 1 + 1e-11
}
