/// The documents of one phrase in one segment, ascending, in blocks of 128, with the hits in each document and with bounds
/// of what the hits add to scores. Rankers read nothing else.
///
/// `TermBlocks` reads the postings of a term; `FoundBlocks` has documents that were found beforehand. Another kind is a
/// subclass that decodes a block, names its last document, and bounds it. Calls are dynamic, so a ranker makes them once a
/// block, and reads the `DecodedBlock`.
class BlockSource {
    static let blockSize = PostingsCursor.blockSize

    let segment: Segment
    let statistics: RankingStatistics
    /// What saturated hits are multiplied with (`RankingStatistics.phraseWeights`).
    let weight: Double
    /// The number of documents.
    @exclusivity(unchecked) final var count = 0
    /// The block that was decoded last; empty before the first.
    @exclusivity(unchecked) final var decoded: DecodedBlock

    init(_ segment: Segment, weight: Double, _ statistics: RankingStatistics, _ empty: DecodedBlock) {
        self.segment = segment
        self.weight = weight
        self.statistics = statistics
        decoded = empty
    }

    final var blockCount: Int { (count &+ Self.blockSize &- 1) / Self.blockSize }

    // MARK: - Bounds

    /// The most that the hits add to the score of a document; infinite where nothing is known.
    var bound: Double { get throws { .infinity } }

    /// The same for the documents of one block; negative where none of them matches.
    func bound(ofBlock block: Int) throws -> Double { try looseBound(ofBlock: block) }

    /// A bound of one block that costs no look at its documents.
    func looseBound(ofBlock block: Int) throws -> Double { try bound }

    /// Raises `bounds`, which has an element for each range of `size` documents, to the most that the hits add there.
    /// Elements of ranges without a match stay.
    func raise(_ bounds: UnsafeMutableBufferPointer<Double>, ofRanges size: Int) throws {
        var first: UInt32 = 0
        for block in 0..<blockCount {
            let bound = try bound(ofBlock: block)
            let last = try lastDocument(ofBlock: block)
            if bound >= 0 {
                var range = Int(first) / size
                while range <= min(Int(last) / size, bounds.count - 1) {
                    bounds[range] = max(bounds[range], bound)
                    range += 1
                }
            }
            first = last &+ 1
        }
    }

    // MARK: - Blocks

    func lastDocument(ofBlock block: Int) throws -> UInt32 { 0 }

    /// The first block from `start` on that has documents not less than `document`; nil where none has.
    func firstBlock(from start: Int, reaching document: UInt32) throws -> Int? {
        let block = try (start..<max(start, blockCount)).partitionPoint { try lastDocument(ofBlock: $0) < document }
        return block < blockCount ? block : nil
    }

    /// Decodes a block but for its hits, unless it is decoded.
    func decode(_ block: Int) throws -> DecodedBlock { decoded }

    /// Chooses the documents of the decoded block that match and may have hits enough to add `score`, and counts their
    /// hits.
    ///
    /// - Parameter chosen: Room for a block; gets the places of the documents.
    /// - Returns: How many there are.
    func choose(adding score: Double, into chosen: UnsafeMutableBufferPointer<Int>) throws -> Int {
        for index in 0..<decoded.count { chosen[index] = index }
        return decoded.count
    }

    /// Counts the hits of one document of the decoded block, unless they are counted.
    func countHits(at index: Int) throws {}

    /// The same for all its documents.
    func countHits() throws {}
}

/// The documents of a block and what they have: memory of its source, which keeps its meaning until the source decodes
/// another block.
struct DecodedBlock {
    /// The number of documents.
    var count = 0
    /// 128 elements; those behind the last document are the greatest number.
    var documents: UnsafePointer<UInt32>
    /// The number of hits in each document, where the block is plain.
    let hits: UnsafePointer<UInt32>
    /// Whether frequencies are numbers of hits, and every document matches: then the two that follow say nothing.
    let isPlain: Bool
    var frequencies: UnsafePointer<Double>
    let isMatch: UnsafePointer<Bool>

    /// The hits of a document, each by the weight of its column, once they are counted.
    @inline(__always)
    func frequency(at index: Int) -> Double { isPlain ? Double(hits[index]) : frequencies[index] }

    /// Whether a document has hits in the columns that count, once they are counted.
    @inline(__always)
    func matches(_ index: Int) -> Bool { isPlain || isMatch[index] }

    /// Where a document is; nil where the block does not have it.
    @inline(__always)
    func index(of document: UInt32) -> Int? {
        guard count > 0 else { return nil }
        let index = PostingsCursor.place(of: document, in: documents)
        return documents[index] == document ? index : nil
    }
}
