import ConcordanceFTS5

/// How much a hit counts in each column: the column's weight, divided by the column's length norm if the ranking uses
/// such norms (BM25F).
final class ColumnWeights: Sendable {
    private let values: [Double]
    /// How hits are normalized by the lengths of columns; nil if they are not.
    let fields: FieldNorms?
    /// Whether every hit counts 1.
    let isUniform: Bool
    /// Whether sums are exact in any order: all weights are small multiples of 1/1024, and hits are not normalized.
    /// That leaves room for a million hits, and for the halving by a few typos.
    let areExact: Bool
    /// Whether no hit lowers a score and all sums are finite. Only then does a bound on the frequency bound the score.
    let allowsBounds: Bool
    /// The most that a hit counts in each column.
    private let greatest: [Double]
    /// For each column, how much a hit counts at most in it and the columns after it. Bounds the bits of a block
    /// summary that stand for several columns.
    private let greatestFrom: [Double]
    /// The most that a hit counts in columns without a weight of their own.
    private let greatestOfOthers: Double

    /// - Parameter weights: By column; later columns count 1.
    init(_ weights: [Double], fields: FieldNorms? = nil) {
        values = weights
        self.fields = fields
        isUniform = fields == nil && weights.allSatisfy { $0 == 1 }
        areExact = fields == nil && weights.allSatisfy { abs($0) < 0x1p20 && $0 * 1024 == ($0 * 1024).rounded() }
        // The sum of 2^32 hits of such a weight is far below the largest double.
        allowsBounds = weights.allSatisfy { $0 >= 0 && $0 < 1e100 } && fields?.allowsBounds != false
        let columnCount = max(weights.count, fields?.columnCount ?? 0)
        greatest = (0..<columnCount).map { column in
            (column < weights.count ? weights[column] : 1) / (fields?.least(ofColumn: column) ?? 1)
        }
        greatestOfOthers = 1
        var most = 1.0
        greatestFrom =
            greatest.reversed().map { weight in
                most = max(most, weight)
                return most
            }.reversed()
    }

    /// The weight of a column, whatever its length.
    @inline(__always)
    subscript(column: UInt32) -> Double { column < values.count ? values[Int(column)] : 1 }

    /// The most that a hit counts in a block where these columns occur (`BlockSummary.columns`).
    func greatest(in columns: UInt16) -> Double {
        if isUniform { return columns == 0 ? 0 : 1 }
        var rest = columns & 0x7FFF
        var most = columns >> 15 == 0 ? 0 : greatestFrom.count > 15 ? greatestFrom[15] : greatestOfOthers
        while rest != 0 {
            let column = rest.trailingZeroBitCount
            most = max(most, column < greatest.count ? greatest[column] : greatestOfOthers)
            rest &= rest - 1
        }
        return most
    }

    /// Adds `count` hits in a column of a document, each multiplied by `factor`.
    @inline(__always)
    func add(
        _ column: UInt32, times count: UInt32, of document: UInt32, in segment: Segment, factor: Double = 1,
        to sum: inout Double
    ) throws {
        if areExact { return sum += self[column] * factor * Double(count) }
        guard let fields else { return Self.add(self[column] * factor, times: count, to: &sum) }
        Self.add(
            try self[column] / fields.norm(column, of: document, in: segment) * factor, times: count, to: &sum)
    }

    /// Adds the weight `count` times, hit by hit as FTS5 does, since a product could differ in the last bit.
    @inline(__always)
    static func add(_ weight: Double, times count: UInt32, to sum: inout Double) {
        if count == 1 { return sum += weight }
        // Conversions, since `rounded` is a call.
        let areWhole =
            abs(weight) < 0x1p20 && abs(sum) < 0x1p52 && weight == Double(Int64(weight)) && sum == Double(Int64(sum))
        if areWhole || count > 1 << 16 {
            // Sums of whole numbers below 2^53 are exact. Those of more than 65,536 other hits in a row may differ in the last
            // digits.
            sum += weight * Double(count)
        } else {
            for _ in 0..<count { sum += weight }
        }
    }
}

/// Normalizes the weights of hits by the lengths of their columns: BM25F (`RowScorer.fieldNorm`).
final class FieldNorms: Sendable {
    /// By column, how much its length counts, from 0 to 1.
    private let b: [Double]
    private let averageLengths: [Double]
    /// Whether the table knows lengths. If not, hits are not normalized.
    private let hasLengths: Bool

    init(b: [Double], totalTokens: [Int64], rowCount: Int, hasLengths: Bool) {
        self.b = b
        self.hasLengths = hasLengths
        averageLengths = totalTokens.map { Double($0) / Double(rowCount) }
    }

    var columnCount: Int { b.count }

    /// Whether every norm is a number above zero.
    var allowsBounds: Bool { b.indices.allSatisfy { least(ofColumn: $0) > 0 } }

    /// The least norm of a column with a hit, which therefore has at least one token.
    func least(ofColumn column: Int) -> Double {
        guard hasLengths, b.indices.contains(column), averageLengths.indices.contains(column) else { return 1 }
        let b = b[column]
        guard b >= 0, b <= 1 else { return .nan }
        return RowScorer.fieldNorm(b: b, length: 1, averageLength: averageLengths[column])
    }

    /// The norm of a column in a document.
    func norm(_ column: UInt32, of document: UInt32, in segment: Segment) throws -> Double {
        let column = Int(column)
        guard hasLengths, b.indices.contains(column), averageLengths.indices.contains(column) else { return 1 }
        let length = try segment.columnLength(at: Int(document), column: column)
        return RowScorer.fieldNorm(b: b[column], length: Double(length), averageLength: averageLengths[column])
    }
}
