/// The documents of one phrase in one segment, to iterate over and to look documents up in. Blocks and documents whose
/// bounds do not reach the threshold are skipped.
struct ScoredList {
    /// Which documents of its phrase a list has. A prefix most of whose postings are of one term may have two lists: `value*`
    /// one for documents with `values`, and one for those of `value`.
    enum Division: Int {
        /// Documents with other terms than the most frequent one, with all of their hits.
        case mixed
        /// All documents.
        case whole
        /// Documents with the most frequent term. They count here if the mixed list lacks them.
        case main
    }

    let phrase: Int
    /// The slot of the query in which it is an alternative (`QueryNode.slots`).
    let slot: Int
    /// Whether it has all documents of the other alternatives of the slot.
    let coversSlot: Bool
    let division: Division
    /// Whether another list of the slot has all of its documents.
    let isCovered: Bool
    /// The number of documents.
    let count: Int
    let blockCount: Int
    /// An upper bound on what the phrase contributes to a score; infinite if nothing is known.
    let bound: Double

    private let source: BlockSource
    private let weight: Double

    private var decoded: DecodedBlock
    private var decodedNumber = -1

    // The position of `seek`: a block or -1, the range of documents that it covers, and its bound.
    private var block = -1
    private var first: UInt32 = 1
    private var last: UInt32 = 0
    private var boundHere = 0.0

    // The first document of a range that was bounded, and its block.
    private var rangeFirst: UInt32 = 0
    private var rangeBlock = 0

    /// The bound of a range that spans more blocks is computed from groups of blocks, and if it spans as many of these for each
    /// block of another list, or eight times as many, it is that of the list.
    private static let rangeLimit = 8

    init(
        _ source: BlockSource, phrase: Int, slot: Int = 0, coversSlot: Bool = false, division: Division = .whole,
        isCovered: Bool = false
    ) throws {
        self.source = source
        self.coversSlot = coversSlot
        self.division = division
        self.isCovered = isCovered
        self.phrase = phrase
        self.slot = slot
        weight = source.weight
        count = source.count
        blockCount = source.blockCount
        bound = try source.bound
        decoded = source.decoded
    }

    /// The source, if shares are only upper bounds.
    var inexactSource: BlockSource? { source.countsExactly ? nil : source }

    // MARK: - Blocks

    /// With this many groups of blocks, their bounds are asked for before those of blocks. If they are few, most have one of the
    /// best rows.
    static let fewestGroups = 16

    /// Appends a unit for each block, or group of blocks, with documents that may match.
    ///
    /// - Parameters:
    ///   - rest: A bound that is added to that of each unit.
    ///   - limit: The greatest bound of a unit.
    func appendUnits(
        to units: inout [RankingUnit], segment: Int, part: Int = 0, adding rest: Double = 0, limit: Double = .infinity
    ) throws {
        let source = source
        guard source.groupCount >= Self.fewestGroups else {
            return try appendUnits(
                to: &units, ofBlocks: 0..<blockCount, segment: segment, part: part, adding: rest, limit: limit)
        }
        units.reserveCapacity(units.count + source.groupCount)
        for group in 0..<source.groupCount {
            let bound = try source.bound(ofGroup: group)
            if bound >= 0 {
                units.append(
                    RankingUnit(bound: min(bound + rest, limit), segment: segment, part: part, .group, group))
            }
        }
    }

    /// The same for the blocks of a group.
    func appendUnits(
        to units: inout [RankingUnit], ofBlocks blocks: Range<Int>, segment: Int, part: Int = 0,
        adding rest: Double = 0, limit: Double = .infinity
    ) throws {
        units.reserveCapacity(units.count + blocks.count)
        let source = source
        for block in blocks {
            let bound = try source.bound(ofBlock: block)
            if bound >= 0 {
                units.append(
                    RankingUnit(bound: min(bound + rest, limit), segment: segment, part: part, .block, block))
            }
        }
    }

    func blocks(ofGroup group: Int) -> Range<Int> { source.blocks(ofGroup: group) }

    /// An upper bound on what the phrase contributes in a block; negative if no document of the block matches.
    func bound(ofBlock block: Int) throws -> Double { try source.bound(ofBlock: block) }

    /// The documents that a block covers: from the one after the block before it to its last one.
    func range(ofBlock block: Int) throws -> (first: UInt32, last: UInt32) {
        try range(ofBlocks: block..<block + 1)
    }

    /// The same of several blocks, at least one.
    func range(ofBlocks blocks: Range<Int>) throws -> (first: UInt32, last: UInt32) {
        let source = source
        return (
            blocks.lowerBound == 0 ? 0 : try source.lastDocument(ofBlock: blocks.lowerBound - 1) &+ 1,
            try source.lastDocument(ofBlock: blocks.upperBound - 1)
        )
    }

    /// An upper bound on what the phrase contributes in a range of documents; negative if none of them matches.
    ///
    /// - Parameter count: How many blocks another list has there: the more, the more groups of this one may be looked at.
    mutating func bound(from first: UInt32, through last: UInt32, ofBlocks count: Int) throws -> Double {
        guard blockCount > 1 else { return bound }
        let source = source
        guard let start = try source.firstBlock(from: 0, reaching: first) else { return -1 }
        (rangeFirst, rangeBlock) = (first, start)
        let end = start + Self.rangeLimit
        if try end < blockCount && source.lastDocument(ofBlock: end - 1) < last {
            return try source.bound(ofGroupsFrom: start, through: last, limit: min(count, 8) * Self.rangeLimit)
        }
        var result = -1.0
        for block in start..<min(end, blockCount) {
            result = max(result, try source.looseBound(ofBlock: block))
            if try block + 1 == blockCount || source.lastDocument(ofBlock: block) >= last { break }
        }
        return result
    }

    @inline(never)
    private mutating func decode(_ block: Int) throws {
        decodedNumber = -1
        decoded = try source.decode(block)
        decodedNumber = block
    }

    // MARK: - Documents

    /// Calls `body` with the documents of a block that may have enough hits to contribute `needed`, what the phrase
    /// contributes to the score of each, and their length norms.
    ///
    /// - Parameter keep: Preselects among these documents: it gets the indexes of a number of them, removes some, and
    ///   returns how many are left.
    @inline(__always)
    mutating func forEachDocument(
        inBlock block: Int, adding needed: Double, _ segment: Segment, _ statistics: RankingStatistics,
        keeping keep: (_ chosen: UnsafeMutableBufferPointer<Int>, Int, UnsafePointer<UInt32>) throws -> Int = {
            _, count, _ in count
        },
        _ body: (_ document: UInt32, _ share: Double, _ norm: Double) throws -> Void
    ) throws {
        if decodedNumber != block { try decode(block) }
        let (source, decoded, weight) = (source, decoded, weight)
        try withUnsafeTemporaryAllocation(of: Int.self, capacity: BlockSource.blockSize) { chosen in
            let count = try keep(chosen, source.choose(adding: needed, into: chosen), decoded.documents)
            let countsLate = source.countsLate
            try withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { norms in
                // Lengths are read in a loop of their own, so that several cache misses overlap.
                for place in 0..<count {
                    norms[place] = statistics.norm(try segment.length(at: Int(decoded.documents[chosen[place]])))
                }
                for place in 0..<count {
                    let (index, norm) = (chosen[place], norms[place])
                    var share = statistics.share(weight, frequency: decoded.frequency(at: index), norm: norm)
                    if countsLate {
                        if share * RankingStatistics.slack < needed { continue }
                        try source.countHits(at: index)
                        guard decoded.matches(index) else { continue }
                        share = statistics.share(weight, frequency: decoded.frequency(at: index), norm: norm)
                    }
                    try body(decoded.documents[index], share, norm)
                }
            }
        }
    }

    /// Keeps those of ascending documents that the list has, in blocks where it may contribute `needed`.
    ///
    /// - Parameters:
    ///   - chosen: The indexes of `count` documents; receives those of the kept ones.
    ///   - documents: The documents, which `chosen` refers to.
    /// - Returns: The number of kept documents.
    mutating func keep(
        _ chosen: UnsafeMutableBufferPointer<Int>, _ count: Int, of documents: UnsafePointer<UInt32>,
        adding needed: Double
    ) throws -> Int {
        var (next, kept) = (0, 0)
        while next < count {
            let bound = try seek(documents[chosen[next]])
            let last = last
            guard documents[chosen[next]] <= last else { throw corrupt("the skip entries of a list are not in order") }
            guard bound >= max(needed, 0) else {
                while next < count, documents[chosen[next]] <= last { next &+= 1 }
                continue
            }
            if decodedNumber != block { try decode(block) }
            let decoded = decoded
            var place = 0
            while next < count {
                let index = chosen[next]
                let document = documents[index]
                if document > last { break }
                chosen[kept] = index
                kept &+= decoded.contains(document, from: &place) ? 1 : 0
                next &+= 1
            }
        }
        return kept
    }

    /// Adds what the phrase contributes to the scores of ascending documents.
    ///
    /// - Parameter norms: The length norms of the documents.
    mutating func addShares(
        of documents: UnsafeBufferPointer<UInt32>, norms: UnsafePointer<Double>, _ statistics: RankingStatistics,
        to scores: UnsafeMutablePointer<Double>
    ) throws {
        guard let start = documents.baseAddress else { return }
        let count = documents.count
        var next = 0
        while next < count {
            let bound = try seek(start[next])
            let last = last
            guard start[next] <= last else { throw corrupt("the skip entries of a list are not in order") }
            guard bound >= 0 else {
                while next < count, start[next] <= last { next &+= 1 }
                continue
            }
            if decodedNumber != block { try decode(block) }
            let (source, decoded, weight) = (source, decoded, weight)
            var place = 0
            while next < count, start[next] <= last {
                while place < decoded.count, decoded.documents[place] < start[next] { place &+= 1 }
                if place < decoded.count, decoded.documents[place] == start[next] {
                    try source.countHits(at: place)
                    if decoded.matches(place) {
                        scores[next] += statistics.share(
                            weight, frequency: decoded.frequency(at: place), norm: norms[next])
                    }
                }
                next &+= 1
            }
        }
    }

    /// Moves to the block that covers a document, and returns an upper bound on what the phrase contributes to the
    /// document's score; negative if the document certainly does not contain it.
    @inline(__always)
    mutating func seek(_ document: UInt32) throws -> Double {
        if document < first || document > last { try find(document) }
        return boundHere
    }

    @inline(never)
    private mutating func find(_ document: UInt32) throws {
        let source = source
        let start = max(block >= 0 && document > last ? block + 1 : 0, document >= rangeFirst ? rangeBlock : 0)
        guard let block = try source.firstBlock(from: start, reaching: document) else {
            // There may be other blocks between the previous one and this document.
            self.block = -1
            first = document
            last = .max
            boundHere = -1
            return
        }
        let range = try range(ofBlock: block)
        let bound = try source.looseBound(ofBlock: block)
        self.block = block
        (first, last) = range
        boundHere = bound
    }

    /// Decodes the block with the document that was passed to `seek`; nil if the list does not have it.
    @inline(__always)
    mutating func index(of document: UInt32) throws -> Int? {
        guard block >= 0 else { return nil }
        if decodedNumber != block { try decode(block) }
        return decoded.index(of: document)
    }

    /// What the phrase contributes to the score of the document that was passed to `seek`; nil if that does not contain
    /// it.
    @inline(__always)
    mutating func share(of document: UInt32, norm: Double, _ statistics: RankingStatistics) throws -> Double? {
        guard let index = try index(of: document) else { return nil }
        try source.countHits(at: index)
        guard decoded.matches(index) else { return nil }
        return statistics.share(weight, frequency: decoded.frequency(at: index), norm: norm)
    }
}
