/// The documents that contain one phrase in one segment: ascending, in blocks of 128, with the number of hits in each
/// document and with upper bounds on what the hits contribute to scores. Rankers read nothing else.
///
/// `TermBlocks` reads the postings of a term; `FoundBlocks` holds documents that were found beforehand. To add another
/// kind, write a subclass that decodes a block, names its last document, and bounds it. The calls are dispatched
/// dynamically, so rankers make them once per block and then read the `DecodedBlock`.
class BlockSource {
    static let blockSize = PostingsCursor.blockSize

    let segment: Segment
    let statistics: RankingStatistics
    /// The factor of saturated hits (`RankingStatistics.phraseWeights`).
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

    /// Whether both are the postings of the same term, in the same columns.
    func isSameTerm(as other: BlockSource) -> Bool { false }

    // MARK: - Bounds

    /// An upper bound on what the hits contribute to the score of a document; infinite if nothing is known.
    var bound: Double { get throws { .infinity } }

    /// An upper bound for the documents of one block; negative if none of them matches.
    func bound(ofBlock block: Int) throws -> Double { try looseBound(ofBlock: block) }

    /// A bound for one block that is known without decoding it.
    func looseBound(ofBlock block: Int) throws -> Double { try bound }

    /// An upper bound for the documents of the blocks from one through that with the document `last`, computed from groups:
    /// the list's, if it would take more than `limit` of them.
    func bound(ofGroupsFrom block: Int, through last: UInt32, limit: Int) throws -> Double { try bound }

    // MARK: - Groups of blocks

    /// How many groups the blocks are in; 0 if nothing is known of groups.
    var groupCount: Int { 0 }

    func blocks(ofGroup group: Int) -> Range<Int> { 0..<0 }

    /// An upper bound for the documents of one group; negative if none of them matches.
    func bound(ofGroup group: Int) throws -> Double { try bound }

    /// Raises the elements of `bounds`, one for each range of `size` documents, to the most that the hits contribute
    /// there. The elements of ranges without a match stay unchanged.
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

    /// The first block from `start` on with a document that is not less than `document`; nil if there is none.
    func firstBlock(from start: Int, reaching document: UInt32) throws -> Int? {
        let block = try (start..<max(start, blockCount)).partitionPoint { try lastDocument(ofBlock: $0) < document }
        return block < blockCount ? block : nil
    }

    /// Decodes a block, except for its hits, unless it is the one that is decoded.
    func decode(_ block: Int) throws -> DecodedBlock { decoded }

    /// Chooses the documents of the decoded block that match and may have enough hits to contribute `score`, and counts
    /// their hits.
    ///
    /// - Parameter chosen: Room for a block; receives the indexes of the documents.
    /// - Returns: How many documents were chosen.
    func choose(adding score: Double, into chosen: UnsafeMutableBufferPointer<Int>) throws -> Int {
        for index in 0..<decoded.count { chosen[index] = index }
        return decoded.count
    }

    /// Whether `choose` does not count hits, but takes upper bounds for them, and some of the documents may not match.
    var countsLate: Bool { false }

    /// Counts the hits in one document of the decoded block, unless they have been counted.
    func countHits(at index: Int) throws {}

    /// Counts the hits in all its documents.
    func countHits() throws {}

    /// Whether hits that have been counted are counted exactly. Otherwise frequencies are upper bounds.
    var countsExactly: Bool { true }

    /// A lower bound on the frequency in a document of the decoded block, whose hits have been counted. It is equal to the
    /// frequency if that is exact.
    func leastFrequency(at index: Int) -> Double { decoded.frequency(at: index) }

    /// A lower bound on what the hits contribute to the score of a document of the decoded block, and whether it is exact.
    final func leastShare(of document: UInt32, norm: Double) -> (share: Double, isExact: Bool) {
        guard let index = decoded.index(of: document) else { return (0, false) }
        let least = leastFrequency(at: index)
        let share = statistics.share(weight, frequency: least, norm: norm)
        if least == decoded.frequency(at: index) { return (share, true) }
        // A lower frequency may have the same share, or by rounding a greater one.
        return (share / RankingStatistics.slack, false)
    }
}

/// The documents of a block, in memory of its source that stays valid until the source decodes another block.
struct DecodedBlock {
    /// The number of documents.
    var count = 0
    /// 128 elements; those after the last document are `UInt32.max`.
    var documents: UnsafePointer<UInt32>
    /// The number of hits in each document, if the block is plain.
    let hits: UnsafePointer<UInt32>
    /// Whether every document matches and frequencies are plain numbers of hits. The next two members are then
    /// meaningless.
    let isPlain: Bool
    var frequencies: UnsafePointer<Double>
    var isMatch: UnsafePointer<Bool>

    /// The hits in a document, each counted by the weight of its column; valid once they have been counted.
    @inline(__always)
    func frequency(at index: Int) -> Double { isPlain ? Double(hits[index]) : frequencies[index] }

    /// Whether a document has hits in the columns that count; valid once they have been counted.
    @inline(__always)
    func matches(_ index: Int) -> Bool { isPlain || isMatch[index] }

    /// The index of a document; nil if it is not in the block.
    @inline(__always)
    func index(of document: UInt32) -> Int? {
        guard count > 0 else { return nil }
        let index = PostingsCursor.place(of: document, in: documents)
        return documents[index] == document ? index : nil
    }

    /// Whether a document is in the block, for ascending documents, none of which is greater than the block's last one.
    ///
    /// - Parameter start: Where to begin; receives where to begin with the next document.
    @inline(__always)
    func contains(_ document: UInt32, from start: inout Int) -> Bool {
        PostingsCursor.contains(document, in: documents, from: &start)
    }
}
