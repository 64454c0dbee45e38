import ConcordanceFTS5

/// A table of `BM25.lengthNorm`, which is needed for every posting that is scored.
final class LengthNorms {
    /// The norms of lengths below this are in the table.
    static let tabulatedLengths = 2048

    let bm25: BM25
    /// The norm of every row, if lengths do not count or are not known.
    private let constant: Double?
    private let norms: FixedBuffer<Double>

    /// - Parameter constant: The norm of every row, if the lengths of rows do not count or are not known.
    init(_ bm25: BM25, constant: Double? = nil) {
        self.bm25 = bm25
        self.constant = constant
        norms = FixedBuffer(
            (0..<Self.tabulatedLengths).map { constant ?? bm25.lengthNorm(Double($0)) })
    }

    @inline(__always)
    func norm(_ length: UInt32) -> Double {
        length < Self.tabulatedLengths ? norms[Int(length)] : constant ?? bm25.lengthNorm(Double(length))
    }

    /// The norm in the form that bounds need; nil if no bounds hold, since the norm may be negative or not a number.
    ///
    /// - Parameter segment: `LengthSlope` of the segment.
    func combination(slope segment: Float) -> NormCombination? {
        let base = constant ?? bm25.k1 * (1 - bm25.b)
        let slope = constant == nil ? bm25.k1 * bm25.b / bm25.averageLength : 0
        guard base >= 0, slope >= 0, base.isFinite, slope.isFinite else { return nil }
        return NormCombination(base: base, slope: slope, segment: Double(segment))
    }
}
