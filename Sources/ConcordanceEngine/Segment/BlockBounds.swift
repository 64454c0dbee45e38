/// What bounds the scores of documents, whatever the ranking: four of their least quotients of a length norm and a
/// frequency.
///
/// A document of length l with f hits scores in proportion to f / (f + norm), where norm = base + slope · l
/// (`BM25.lengthNorm`). So the least quotient norm / f bounds all scores. It is a concave function of base and slope, and
/// is stored for four pairs of these: (1, 0), (1, s / 4), (1, s), (0, 1), where s is the `LengthSlope` of the segment. For
/// others, their combination of two neighbours is a lower bound; for b = 0.75 that is the quotient itself, as long as the
/// average length of the table is that of the segment.
struct BlockBounds: Equatable {
    /// `FloatCode`s, rounded down.
    let codes: UInt64

    /// Bounds of which nothing is known: every score is possible.
    static let unknown = BlockBounds(codes: 0)

    @inline(__always)
    var quotients: SIMD4<Float> { FloatCode.values(codes) }
}

/// What bounds the scores of the documents of a block that do not have all their hits in its home column, if hits count by
/// weights of their columns: at most the greatest of (hits at home · w + hits elsewhere · v) / norm, where v is the
/// greatest weight of the columns elsewhere. It is a convex function of w and v, and is stored for (1, 0), (1, 2), (1, 8)
/// and (0, 1), for the norm 1 + s · l. For others, their combination of two neighbours is an upper bound.
struct ExceptionBounds: Equatable {
    /// `FloatCode`s, rounded up; 0 if the block has no such documents.
    let codes: UInt64

    /// An upper bound for the weights of a hit.
    @inline(__always)
    func most(_ weights: ExceptionWeights) -> Double {
        (weights.coefficients * SIMD4<Double>(FloatCode.values(codes))).sum()
    }
}

/// The weights of a hit in the home column and elsewhere, as a combination of the pairs of `ExceptionBounds`.
struct ExceptionWeights {
    fileprivate let coefficients: SIMD4<Double>

    init(home: Double, elsewhere: Double) {
        if elsewhere <= 2 * home {
            coefficients = SIMD4(home - elsewhere / 2, elsewhere / 2, 0, 0)
        } else if elsewhere <= 8 * home {
            let share = (elsewhere - 2 * home) / 6
            coefficients = SIMD4(0, home - share, share, 0)
        } else {
            coefficients = SIMD4(0, 0, home, elsewhere - 8 * home)
        }
    }
}

/// How much faster than its constant part the length norm of a segment's bounds grows with a document's tokens: 3 divided
/// by the average length, which is the relation of the two for b = 0.75.
enum LengthSlope {
    static func slope(averageLength: UInt32) -> Float { 3 / Float(max(averageLength, 1)) }

    /// Any number for a segment of version 1, whose bounds are not known.
    static func slope(of segment: SegmentReader) -> Float { slope(averageLength: segment.averageLength ?? 1) }
}

/// Gathers the frequencies and lengths of a block's documents.
struct BlockBoundsBuilder {
    private let base = SIMD4<Float>(1, 1, 1, 0)
    private let slopes: SIMD4<Float>
    private var least = SIMD4<Float>(repeating: .infinity)
    private var shortest = UInt16.max
    private var most = SIMD4<Float>.zero

    /// - Parameter slope: `LengthSlope` of the segment.
    init(slope: Float) { slopes = SIMD4(0, slope / 4, slope, 1) }

    /// - Parameter lengthCode: `FloatCode.floor` of the document's length.
    @inline(__always)
    mutating func add(frequency: UInt32, lengthCode: UInt16) {
        let quotients = (base + slopes * FloatCode.value(lengthCode)) / Float(frequency)
        least.replace(with: quotients, where: quotients .< least)
        shortest = min(shortest, lengthCode)
    }

    /// Adds a document, which has been added, as one with hits outside the home column.
    @inline(__always)
    mutating func addException(home: UInt32, elsewhere: UInt32, lengthCode: UInt16) {
        let (home, elsewhere) = (Float(home), Float(elsewhere))
        let hits = SIMD4(home, home + 2 * elsewhere, home + 8 * elsewhere, elsewhere)
        let quotients = hits / (1 + slopes[2] * FloatCode.value(lengthCode))
        most.replace(with: quotients, where: quotients .> most)
    }

    /// More than the rounding errors of the few operations in `Float` for a number.
    private static let slack: Float = 0x1p-20

    var bounds: BlockBounds { BlockBounds(codes: FloatCode.floors(least * (1 - Self.slack))) }
    var exceptions: ExceptionBounds { ExceptionBounds(codes: FloatCode.ceilings(most * (1 + Self.slack))) }
    /// `FloatCode.floor` of the least length.
    var shortestCode: UInt16 { shortest }

    /// Starts over.
    @inline(__always)
    mutating func removeAll() {
        least = SIMD4(repeating: .infinity)
        shortest = .max
        most = .zero
    }
}

extension BlockBounds {
    /// Those of the documents of both.
    @inline(__always)
    func joined(_ other: BlockBounds) -> BlockBounds {
        var least = SIMD4<UInt16>(littleEndian: codes)
        let others = SIMD4<UInt16>(littleEndian: other.codes)
        least.replace(with: others, where: others .< least)
        return BlockBounds(codes: least.littleEndianBits)
    }

    /// Whether they hold for what another one bounds.
    func hold(for other: BlockBounds) -> Bool { joined(other) == self }
}

extension ExceptionBounds {
    /// Those of the documents of both.
    @inline(__always)
    func joined(_ other: ExceptionBounds) -> ExceptionBounds {
        var most = SIMD4<UInt16>(littleEndian: codes)
        let others = SIMD4<UInt16>(littleEndian: other.codes)
        most.replace(with: others, where: others .> most)
        return ExceptionBounds(codes: most.littleEndianBits)
    }

    /// Whether they hold for what another one bounds.
    func hold(for other: ExceptionBounds) -> Bool {
        all(SIMD4<UInt16>(littleEndian: other.codes) .<= SIMD4<UInt16>(littleEndian: codes))
    }
}

extension SIMD4<UInt16> {
    /// Four numbers, the first in the lowest bits.
    @inline(__always)
    fileprivate init(littleEndian bits: UInt64) { self = unsafeBitCast(bits.littleEndian, to: Self.self) }

    @inline(__always)
    fileprivate var littleEndianBits: UInt64 { unsafeBitCast(self, to: UInt64.self).littleEndian }
}

/// What is known of a block of postings without decoding it.
struct BlockSummary {
    var lastDocument: UInt32
    /// For all columns together.
    var bounds: BlockBounds
    /// The columns that occur, as bits; bit 15 represents the columns from 15 on.
    var columns: UInt16
    /// A lower bound on the documents' lengths.
    var shortestLength: UInt32 = 0
    /// The home column, and what bounds documents with hits elsewhere; nil if that is not known.
    var home: (column: UInt32, exceptions: ExceptionBounds)?

    /// Whether what is known of a group of blocks holds for one of them.
    func holds(for block: BlockSummary) -> Bool {
        guard block.columns & ~columns == 0, shortestLength <= block.shortestLength, bounds.hold(for: block.bounds),
            lastDocument >= block.lastDocument
        else { return false }
        guard let home else { return true }
        return block.home.map { home.column == $0.column && home.exceptions.hold(for: $0.exceptions) } ?? false
    }
}
