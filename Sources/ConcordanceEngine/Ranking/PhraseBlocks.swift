/// The documents of a phrase that may be in many: those of its rarest term, each of which is found to match, or not, when its hits
/// are counted. So the positions of most documents are not read if the phrase is only a part of a query.
///
/// A phrase occurs in a document at most as often as each of its terms, so their bounds are bounds for the phrase. What is found
/// is kept, since rows are ranked batch by batch.
final class PhraseBlocks: BlockSource {
    /// The rarest term.
    private let lead: TermBlocks
    /// The other terms, the rarest first.
    private let others: FixedBuffer<ScoredList>
    /// Finds the phrase in a document to which all terms are decoded.
    private let leaf: LeafIterator
    /// The least of the terms' bounds.
    private let most: Double
    /// Of all documents. In blocks that have not been decoded yet, nothing is written.
    private let frequencies: FixedBuffer<Double>
    private let isMatch: FixedBuffer<Bool>
    private let isCounted: FixedBuffer<Bool>
    private let wasDecoded: FixedBuffer<Bool>
    @exclusivity(unchecked) private var decodedNumber = -1
    /// The index of the first document of the decoded block.
    @exclusivity(unchecked) private var first = 0
    private let work: QueryWork

    /// - Parameters:
    ///   - lead: The rarest term, with the phrase's weight.
    ///   - others: The other terms, the rarest first, with the same weight.
    ///   - leaf: Made of all of them.
    init(
        _ lead: TermBlocks, _ others: [TermBlocks], _ leaf: LeafIterator, phrase: Int, _ work: QueryWork
    ) throws {
        self.lead = lead
        self.others = FixedBuffer(try others.map { try ScoredList($0, phrase: phrase) })
        self.leaf = leaf
        self.work = work
        most = try others.reduce(try lead.bound) { min($0, try $1.bound) }
        wasDecoded = FixedBuffer(repeating: false, count: lead.blockCount)
        let size = lead.blockCount * Self.blockSize
        frequencies = FixedBuffer(unwritten: size)
        isMatch = FixedBuffer(unwritten: size)
        isCounted = FixedBuffer(unwritten: size)
        super.init(
            lead.segment, weight: lead.weight, lead.statistics,
            DecodedBlock(
                documents: lead.decoded.documents, hits: lead.decoded.hits, isPlain: false,
                frequencies: frequencies.start, isMatch: isMatch.start))
        count = lead.count
        work.hold(count / Self.documentsHeldAsOne)
    }

    deinit { work.release(count / Self.documentsHeldAsOne) }

    /// So many documents take at most as much memory as one that is found beforehand.
    static let documentsHeldAsOne = 2

    // MARK: - Bounds

    override var bound: Double { most }

    override func bound(ofBlock block: Int) throws -> Double { min(try lead.bound(ofBlock: block), most) }

    override func looseBound(ofBlock block: Int) throws -> Double { min(try lead.looseBound(ofBlock: block), most) }

    override func bound(ofGroupsFrom block: Int, through last: UInt32, limit: Int) throws -> Double {
        min(try lead.bound(ofGroupsFrom: block, through: last, limit: limit), most)
    }

    override var groupCount: Int { lead.groupCount }

    override func blocks(ofGroup group: Int) -> Range<Int> { lead.blocks(ofGroup: group) }

    override func bound(ofGroup group: Int) throws -> Double { min(try lead.bound(ofGroup: group), most) }

    // MARK: - Blocks

    override func lastDocument(ofBlock block: Int) throws -> UInt32 { try lead.lastDocument(ofBlock: block) }

    override func firstBlock(from start: Int, reaching document: UInt32) throws -> Int? {
        try lead.firstBlock(from: start, reaching: document)
    }

    override func decode(_ block: Int) throws -> DecodedBlock {
        if block == decodedNumber { return decoded }
        decodedNumber = -1
        decoded.count = 0
        decoded.count = try lead.decode(block).count
        first = block * Self.blockSize
        decoded.frequencies = UnsafePointer(frequencies.start + first)
        decoded.isMatch = UnsafePointer(isMatch.start + first)
        if !wasDecoded[block] {
            for index in first..<first + decoded.count { isCounted[index] = false }
            wasDecoded[block] = true
        }
        decodedNumber = block
        return decoded
    }

    // MARK: - Hits

    override var countsLate: Bool { true }

    /// Chooses by the hits of the rarest term.
    override func choose(adding score: Double, into chosen: UnsafeMutableBufferPointer<Int>) throws -> Int {
        let chosenCount = try lead.choose(adding: score, into: chosen)
        for place in 0..<chosenCount where !isCounted[first + chosen[place]] {
            frequencies[first + chosen[place]] = lead.decoded.frequency(at: chosen[place])
        }
        return chosenCount
    }

    override func countHits(at index: Int) throws {
        let place = first + index
        if isCounted[place] { return }
        (frequencies[place], isMatch[place]) = (0, false)
        let document = decoded.documents[index]
        if try decodeOthers(document) {
            work.locatedDocuments &+= 1
            if try leaf.move(to: document) {
                frequencies[place] = try leaf.frequency(ofMember: 0, statistics.weights, in: segment)
                isMatch[place] = true
            }
        }
        isCounted[place] = true
    }

    override func countHits() throws {
        for index in 0..<decoded.count { try countHits(at: index) }
    }

    /// Decodes the other terms to a document; false if one of them lacks it.
    private func decodeOthers(_ document: UInt32) throws -> Bool {
        for term in 0..<others.count {
            guard try others.start[term].seek(document) >= 0, try others.start[term].index(of: document) != nil else {
                return false
            }
        }
        return true
    }
}
