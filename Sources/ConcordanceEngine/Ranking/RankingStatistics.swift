import ConcordanceFTS5

/// What scores depend on besides frequencies: constants of the table and of the query's phrases.
final class RankingStatistics {
    let order: RankOrder
    let weights: ColumnWeights
    /// For each phrase, the factor of its saturated hits (`RowScorer.weight`).
    let phraseWeights: [Double]
    /// Bounds on the bonuses for the positions of hits; nil if only the number of hits counts.
    let bonus: BonusBounds?
    /// Whether documents that cannot reach the threshold may be skipped. They may not if the worst rows come first, or
    /// if frequencies and lengths do not bound scores, as with negative parameters.
    let allowsPruning: Bool
    private let k1: Double
    private let norms: LengthNorms

    /// - Parameters:
    ///   - norms: The norms for the ranking's k1 and b; all equal if hits are normalized column by column.
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
        allowsPruning =
            order == .ascending && weights.allowsBounds && hasLengths && norms.combination(slope: 1) != nil
            // Products with k1 + 1 are finite.
            && k1 < 1e100 && phraseWeights.allSatisfy { $0 >= 0 && $0.isFinite } && bonus?.hold != false
    }

    /// An upper bound on the bonuses for positions in documents that may contain only these phrases.
    func bonusCeiling(of phrases: some Sequence<Int>) -> Double {
        let ceiling = bonus?.ceiling(of: phrases) ?? 0
        return ceiling == 0 || allowsPruning ? ceiling : .infinity
    }

    /// The same for documents that may be in certain lists.
    ///
    /// - Parameters:
    ///   - phrase: The phrase of each list.
    ///   - share: What each list contributes at most.
    func bonusCeiling(ofLists count: Int, phrase: (Int) -> Int, share: (Int) -> Double) -> Double {
        let ceiling = bonusCeiling(of: (0..<count).map(phrase))
        guard allowsPruning, let bonus else { return ceiling }
        return min(ceiling, bonus.bound(count: count, hasAll: false, phrase: phrase, share: share))
    }

    /// `BM25.lengthNorm` of a row's length.
    @inline(__always)
    func norm(_ length: UInt32) -> Double { norms.norm(length) }

    /// What a phrase contributes to the score of a document.
    @inline(__always)
    func share(_ weight: Double, frequency: Double, norm: Double) -> Double {
        weight * ((frequency * (k1 + 1)) / (frequency + norm))
    }

    /// What a phrase contributes to the scores of several documents.
    @inline(__always)
    func share(_ weight: Double, frequency: SIMD4<Double>, norm: SIMD4<Double>) -> SIMD4<Double> {
        weight * ((frequency * (k1 + 1)) / (frequency + norm))
    }

    /// The norm in the form of a segment's bounds; nil if nothing bounds scores.
    func combination(_ segment: Segment) -> NormCombination? {
        allowsPruning ? norms.combination(slope: LengthSlope.slope(of: segment.reader)) : nil
    }

    /// What a phrase contributes to the score of a document with this quotient of norm and frequency, which falls as the
    /// quotient grows.
    @inline(__always)
    func share(_ weight: Double, quotient: Double) -> Double {
        // f * (k1 + 1) / (f + norm), divided by f.
        weight * ((k1 + 1) / (1 + quotient))
    }

    /// The least sum of weighted hits with which a document of the block may reach the score: infinite if none can; zero, less
    /// or NaN if all may.
    func leastFrequency(_ block: BlockSummary, weight: Double, reaching score: Double) -> Double {
        guard allowsPruning, score > 0 else { return -.infinity }
        // score = most * f / (f + norm), solved for f.
        let most = weight * (k1 + 1)
        guard most > score else { return most * Self.slack > score ? -.infinity : .infinity }
        return score * norms.norm(block.shortestLength) / (most - score) / Self.slack
    }

    /// The least number of hits in these columns of a block with which a document may have this sum of weighted hits.
    func leastHits(_ block: BlockSummary, in columns: UInt16, frequency: Double) -> UInt32 {
        guard frequency > 0 else { return 0 }
        let hits = frequency / weights.greatest(in: block.columns & columns)
        return hits < 1e9 ? UInt32(max(hits, 0).rounded(.up)) : hits.isNaN ? 0 : .max
    }

    /// Sums of bounds are multiplied by this before they are compared with a score. It exceeds the rounding errors of
    /// sums in another order and of products of fractional weights.
    static let slack = 1 + 1e-11
}
