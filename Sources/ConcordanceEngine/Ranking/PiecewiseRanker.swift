/// Ranks the documents of a segment piece by piece, each a range of documents, so that what is found beforehand in the pieces
/// takes no more memory for many alternatives than for few.
///
/// A piece is made when it is its turn, and again for each batch of rows.
final class PiecewiseRanker: SegmentRanker {
    private let pieceSize: UInt32
    private let makePiece: (Range<UInt32>) throws -> SegmentRanker
    /// The piece that is ranked.
    private var piece: SegmentRanker?

    /// - Parameters:
    ///   - pieceSize: The number of documents of a piece.
    ///   - makePiece: Makes what ranks the documents of a range. Its units have no parts, and `finish` offers nothing.
    init(
        index: Int, _ live: LiveSegment, pieceSize: UInt32, _ statistics: RankingStatistics,
        _ makePiece: @escaping (Range<UInt32>) throws -> SegmentRanker
    ) {
        self.pieceSize = pieceSize
        self.makePiece = makePiece
        super.init(index: index, live, statistics)
    }

    override var matchLimit: Int { segment.documentCount }

    override var ranksPartsAlone: Bool { true }

    override func appendUnits(to units: inout [RankingUnit]) throws {
        for part in 0..<(segment.documentCount + Int(pieceSize) - 1) / Int(pieceSize) {
            units.append(RankingUnit(bound: .infinity, segment: index, part: part, .part))
        }
    }

    override func appendUnits(ofPart part: Int, to units: inout [RankingUnit]) throws {
        // The last piece is released before the next is found.
        piece = nil
        let first = UInt32(truncatingIfNeeded: part) * pieceSize
        let end = UInt32(truncatingIfNeeded: segment.documentCount)
        let ranker = try makePiece(first..<(end - first > pieceSize ? first + pieceSize : end))
        ranker.documents = documents
        try ranker.appendUnits(to: &units)
        piece = ranker
    }

    override func appendUnits(ofGroup group: Int, part: Int, to units: inout [RankingUnit]) throws {
        try piece?.appendUnits(ofGroup: group, part: part, to: &units)
    }

    override func rank(part: Int, _ block: Int, into sink: inout RankingSink) throws {
        try piece?.rank(part: part, block, into: &sink)
    }
}
