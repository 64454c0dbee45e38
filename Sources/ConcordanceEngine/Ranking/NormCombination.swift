import ConcordanceFTS5

/// The length norm of a ranking, as a combination of the norms for which a segment's bounds are stored (`BlockBounds`).
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

    /// A lower bound on the quotient of norm and frequency of a block's documents if each hit counts 1.
    @inline(__always)
    func leastQuotient(_ bounds: BlockBounds) -> Double {
        (coefficients * SIMD4<Double>(bounds.quotients)).sum()
    }

    /// A lower bound on the quotient if hits count by the weights of their columns.
    @inline(__always)
    func leastQuotient(_ block: BlockSummary, _ weights: BlockWeights) -> Double {
        let plain = leastQuotient(block.bounds)
        let ofAll = plain * weights.inverseOfGreatest
        guard let home = block.home else { return ofAll }
        let apart = home.exceptions.most(weights.atHomeAndElsewhere)
        return min(plain * weights.inverseAtHome, max(apart > 0 ? ratio / apart : .infinity, ofAll))
    }
}

/// The most that a hit counts in those columns of a block in which hits count, in the form in which bounds use it: they
/// are computed for each block of a list, and most blocks of a list have the same columns.
struct BlockWeights {
    private let columns: UInt16
    private let home: UInt32?
    fileprivate let inverseOfGreatest: Double
    fileprivate let inverseAtHome: Double
    fileprivate let atHomeAndElsewhere: ExceptionWeights

    /// - Parameter counted: The columns in which hits count, as in `BlockSummary`.
    init(_ block: BlockSummary, _ weights: ColumnWeights, in counted: UInt16) {
        columns = block.columns
        home = block.home?.column
        let present = columns & counted
        inverseOfGreatest = Self.inverse(weights.greatest(in: present))
        let homeBit = home.map(ColumnFilter.summaryBit) ?? 0
        let atHome = weights.greatest(in: present & homeBit)
        inverseAtHome = Self.inverse(atHome)
        // The last bit represents several columns.
        let elsewhere = weights.greatest(in: homeBit == 1 << 15 ? present : present & ~homeBit)
        atHomeAndElsewhere = ExceptionWeights(home: atHome, elsewhere: elsewhere)
    }

    /// The reciprocal; a large number if hits do not count, which makes their scores negligible. Infinity multiplied by
    /// 0 would not be a number.
    private static func inverse(_ weight: Double) -> Double { weight > 0 ? 1 / weight : .greatestFiniteMagnitude }

    /// Whether they also hold for another block, as for most blocks of a list.
    @inline(__always)
    func areThose(of block: BlockSummary) -> Bool { columns == block.columns && home == block.home?.column }
}
