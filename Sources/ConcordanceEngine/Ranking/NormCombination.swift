import ConcordanceFTS5

/// The length norm of a ranking as a combination of those that the bounds of a segment are stored for (`BlockBounds`).
struct NormCombination {
    private let coefficients: SIMD4<Double>
    /// The norm is at least this, multiplied by that of `ExceptionBounds`.
    private let ratio: Double

    /// - Parameters:
    ///   - base: The norm of a document without tokens, at least 0.
    ///   - slope: What each token adds, at least 0.
    ///   - segment: `LengthSlope` of the segment.
    init(base: Double, slope: Double, segment: Double) {
        let near = segment / 4
        if slope <= base * near {
            let share = slope / near
            coefficients = SIMD4(base - share, share, 0, 0)
        } else if slope <= base * segment {
            let share = (slope - base * near) / (segment - near)
            coefficients = SIMD4(0, base - share, share, 0)
        } else {
            coefficients = SIMD4(0, 0, base, slope - base * segment)
        }
        ratio = min(base, slope / segment)
    }

    /// A lower bound on the quotient of norm and frequency of a block's documents, where each hit counts 1.
    @inline(__always)
    func leastQuotient(_ bounds: BlockBounds) -> Double {
        (coefficients * SIMD4<Double>(bounds.quotients)).sum()
    }

    /// The same where hits count by the weights of their columns.
    ///
    /// - Parameter columns: The columns in which hits count, as in `BlockSummary`.
    func leastQuotient(_ block: BlockSummary, _ weights: ColumnWeights, in columns: UInt16) -> Double {
        let plain = leastQuotient(block.bounds)
        let present = block.columns & columns
        let ofAll = Self.quotient(plain, weights.greatest(in: present))
        guard let home = block.home else { return ofAll }
        let homeBit = ColumnFilter.summaryBit(home.column)
        let atHome = present & homeBit == 0 ? 0 : weights.greatest(in: homeBit)
        // The last bit stands for several columns.
        let others = homeBit == 1 << 15 ? present : present & ~homeBit
        let apart = home.exceptions.most(home: atHome, elsewhere: weights.greatest(in: others))
        return min(Self.quotient(plain, atHome), max(Self.quotient(ratio, apart), ofAll))
    }

    @inline(__always)
    private static func quotient(_ norm: Double, _ weight: Double) -> Double { weight > 0 ? norm / weight : .infinity }
}
