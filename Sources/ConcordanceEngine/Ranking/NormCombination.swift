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
    @inline(__always)
    func leastQuotient(_ block: BlockSummary, _ weights: BlockWeights) -> Double {
        let plain = leastQuotient(block.bounds)
        let ofAll = plain * weights.inverseOfGreatest
        guard let home = block.home else { return ofAll }
        let apart = home.exceptions.most(weights.atHomeAndElsewhere)
        return min(plain * weights.inverseAtHome, max(apart > 0 ? ratio / apart : .infinity, ofAll))
    }
}

/// The most that a hit counts in the columns of a block, of those in which hits count at all: in the form that bounds are
/// computed with, since this is done for each block of a list, and most blocks of a list have the same columns.
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

    /// A large number if hits do not count, which makes their scores negligible; not infinity, which multiplied by 0 is
    /// not a number.
    private static func inverse(_ weight: Double) -> Double { weight > 0 ? 1 / weight : .greatestFiniteMagnitude }

    /// Whether they are those of a block, too, as they are of most blocks of a list.
    @inline(__always)
    func areThose(of block: BlockSummary) -> Bool { columns == block.columns && home == block.home?.column }
}
