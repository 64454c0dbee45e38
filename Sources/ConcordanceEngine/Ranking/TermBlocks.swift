/// The postings of a term, or of a prefix with a stored list, with frequencies that count each hit by the weight of its
/// column. Decoded blocks stay at the same address for the life of the object.
final class TermBlocks: BlockSource {
    private let decoder: PostingsDecoder
    private let columns: ColumnFilter?
    /// The columns in the form of `BlockSummary`.
    private let columnBits: UInt16
    /// Nil if nothing bounds scores.
    private let norm: NormCombination?
    private let frequencies: FixedBuffer<Double>
    private let isMatch: FixedBuffer<Bool>
    @exclusivity(unchecked) private var entry: TermEntry
    @exclusivity(unchecked) private var decodedNumber = -1
    /// Recently computed weights, by a few bits of their columns; empty if the blocks are plain.
    private let knownWeights: FixedBuffer<BlockWeights?>
    private static let knownCount = 8

    /// - Parameter columns: The columns in which hits count; nil for all.
    init(
        _ segment: Segment, _ entry: TermEntry, columns: ColumnSet?, weight: Double, _ statistics: RankingStatistics
    ) {
        decoder = segment.takeDecoder()
        self.entry = entry
        self.columns = ColumnFilter(columns, columnCount: segment.shape.columnCount)
        columnBits = self.columns?.summaryBits ?? .max
        norm = statistics.combination(segment)
        let isPlain = self.columns == nil && statistics.weights.isUniform
        frequencies = FixedBuffer(repeating: 0, count: isPlain ? 0 : IntegerBlock.capacity)
        isMatch = FixedBuffer(repeating: false, count: isPlain ? 0 : IntegerBlock.capacity)
        knownWeights = FixedBuffer(repeating: nil, count: isPlain ? 0 : Self.knownCount)
        super.init(
            segment, weight: weight, statistics,
            DecodedBlock(
                documents: decoder.documents, hits: decoder.frequencies, isPlain: isPlain,
                frequencies: frequencies.start, isMatch: isMatch.start))
        open(entry)
    }

    deinit { segment.giveBack(decoder) }

    /// Switches to another term of the segment, without an allocation.
    func open(_ entry: TermEntry) {
        self.entry = entry
        decoder.open(entry)
        count = entry.count
        decodedNumber = -1
    }

    override func isSameTerm(as other: BlockSource) -> Bool {
        guard let other = other as? TermBlocks else { return false }
        return entry == other.entry && columns == other.columns
    }

    // MARK: - Bounds

    override var bound: Double {
        get throws {
            let bounds = try decoder.bounds ?? summary(0).bounds
            return bound(BlockSummary(lastDocument: 0, bounds: bounds, columns: .max))
        }
    }

    override func bound(ofBlock block: Int) throws -> Double {
        let summary = try summary(block)
        return summary.columns & columnBits != 0 ? bound(summary) : -1
    }

    /// An upper bound, except for rounding, on what the hits contribute in a block.
    @inline(__always)
    private func bound(_ block: BlockSummary) -> Double {
        guard let norm else { return .infinity }
        let quotient =
            decoded.isPlain ? norm.leastQuotient(block.bounds) : norm.leastQuotient(block, blockWeights(block))
        return statistics.share(weight, quotient: quotient)
    }

    @inline(__always)
    private func blockWeights(_ block: BlockSummary) -> BlockWeights {
        let place = (Int(block.columns) ^ Int(block.home?.column ?? 0)) & (Self.knownCount - 1)
        if let known = knownWeights[place], known.areThose(of: block) { return known }
        return makeWeights(block, place)
    }

    @inline(never)
    private func makeWeights(_ block: BlockSummary, _ place: Int) -> BlockWeights {
        let weights = BlockWeights(block, statistics.weights, in: columnBits)
        knownWeights[place] = weights
        return weights
    }

    override func looseBound(ofBlock block: Int) throws -> Double { try bound(ofBlock: block) }

    /// What is known about a block without decoding it. If the list has only one block, that is decoded.
    @inline(__always)
    private func summary(_ block: Int) throws -> BlockSummary {
        try decoder.hasSkips ? decoder.summary(block) : decoder.summaryOfOnly()
    }

    // MARK: - Groups of blocks

    override var groupCount: Int { decoder.skips.groupCount }

    override func blocks(ofGroup group: Int) -> Range<Int> { decoder.skips.blocks(ofGroup: group) }

    override func bound(ofGroup group: Int) throws -> Double {
        guard let summary = try decoder.skips.entry(ofGroup: group)?.summary else { return try bound }
        return summary.columns & columnBits != 0 ? bound(summary) : -1
    }

    override func bound(ofGroupsFrom block: Int, through last: UInt32, limit: Int) throws -> Double {
        let skips = decoder.skips
        let first = skips.group(ofBlock: block)
        var result = -1.0
        for group in first..<max(min(first + limit, skips.groupCount), first) {
            guard let summary = try skips.entry(ofGroup: group)?.summary else { break }
            if summary.columns & columnBits != 0 { result = max(result, bound(summary)) }
            if summary.lastDocument >= last || group == skips.groupCount - 1 { return result }
        }
        return try bound
    }

    // MARK: - Blocks

    override func lastDocument(ofBlock block: Int) throws -> UInt32 { try decoder.end(ofBlock: block) }

    override func firstBlock(from start: Int, reaching document: UInt32) throws -> Int? {
        guard
            let block = try start == 0
                ? decoder.firstBlock(reaching: document) : decoder.firstBlock(from: start, reaching: document)
        else { return nil }
        return try decoder.hasSkips || decoder.end(ofBlock: block) >= document ? block : nil
    }

    override func decode(_ block: Int) throws -> DecodedBlock {
        if block == decodedNumber { return decoded }
        decodedNumber = -1
        decoded.count = 0
        decoded.count = try decoder.decode(block)
        decodedNumber = block
        return decoded
    }

    /// The documents of all blocks.
    func allDocuments() throws -> [UInt32] {
        var documents: [UInt32] = []
        documents.reserveCapacity(count)
        for number in 0..<blockCount {
            let block = try decode(number)
            documents.append(contentsOf: UnsafeBufferPointer(start: block.documents, count: block.count))
        }
        return documents
    }

    // MARK: - Hits

    override func choose(adding score: Double, into chosen: UnsafeMutableBufferPointer<Int>) throws -> Int {
        let summary = try summary(decodedNumber)
        let frequency = statistics.leastFrequency(summary, weight: weight, reaching: score)
        let least = statistics.leastHits(summary, in: columnBits, frequency: frequency)
        try decoder.needFrequencies()
        var chosenCount = 0
        if decoded.isPlain {
            // Without a branch for each.
            forEachIndex(atLeast: least) { index, hasEnough in
                chosen[chosenCount] = index
                chosenCount &+= hasEnough ? 1 : 0
            }
            return chosenCount
        }
        if least == .max { return 0 }
        var bits = SIMD2<UInt64>()
        for index in try decoder.exceptionIndexes where decoded.hits[index] >= least {
            try weigh(index)
            // NaN passes: no comparison with it is true.
            if isMatch[index], !(frequencies[index] < frequency) { bits[index &>> 6] |= 1 &<< UInt64(index & 63) }
        }
        let home = decoder.homeColumn
        if columns?.contains(home) != false {
            // Most documents have all hits in the home column, and often its weight is less than those of the others.
            let least = statistics.leastHits(summary, in: ColumnFilter.summaryBit(home), frequency: frequency)
            try forEachIndex(atLeast: least) { index, hasEnough in
                guard try hasEnough && decoder.isAtHome(index) else { return }
                try weigh(index)
                bits[index &>> 6] |= 1 &<< UInt64(index & 63)
            }
        }
        for word in 0..<2 {
            while bits[word] != 0 {
                chosen[chosenCount] = word &<< 6 &+ bits[word].trailingZeroBitCount
                chosenCount &+= 1
                bits[word] &= bits[word] &- 1
            }
        }
        return chosenCount
    }

    /// Calls `body` with the indexes of all documents with at least this many hits, and of some others.
    @inline(__always)
    private func forEachIndex(
        atLeast least: UInt32, _ body: (_ index: Int, _ hasEnough: Bool) throws -> Void
    ) rethrows {
        let (size, hits) = (decoded.count, decoded.hits)
        var group = 0
        while group < size {
            let end = min(group &+ 8, size)
            // Most groups of eight are dropped here: one hit is not enough, however short the document is.
            if least <= 1 || Self.hasAny(hits + group, atLeast: least) {
                for index in group..<end { try body(index, hits[index] >= least) }
            }
            group = end
        }
    }

    /// Whether one of eight numbers below 2^31 is at least `least`.
    @inline(__always)
    private static func hasAny(_ hits: UnsafePointer<UInt32>, atLeast least: UInt32) -> Bool {
        let bytes = UnsafeRawPointer(hits)
        let limit = SIMD4<UInt32>(repeating: min(least, 1 << 31) &- 1)
        // Differences below zero have the highest bit set.
        let low = limit &- bytes.loadUnaligned(as: SIMD4<UInt32>.self)
        let high = limit &- bytes.loadUnaligned(fromByteOffset: 16, as: SIMD4<UInt32>.self)
        let words = unsafeBitCast(low | high, to: SIMD2<UInt64>.self)
        return (words[0] | words[1]) & 0x8000_0000_8000_0000 != 0
    }

    override func countHits(at index: Int) throws {
        try decoder.needFrequencies()
        if !decoded.isPlain { try weigh(index) }
    }

    override func countHits() throws {
        try decoder.needFrequencies()
        if decoded.isPlain { return }
        guard statistics.weights.areExact else {
            for index in 0..<decoded.count { try weigh(index) }
            return
        }
        // Most postings are in the home column only.
        let exceptions = try decoder.exceptionIndexes
        let home = decoder.homeColumn
        let isWanted = columns?.contains(home) != false
        let weight = isWanted ? statistics.weights[home] : 0
        let (hits, count) = (decoded.hits, decoded.count)
        for index in 0..<count {
            isMatch[index] = isWanted
            frequencies[index] = weight * Double(hits[index])
        }
        for index in exceptions { try weigh(index) }
    }

    /// Counts the hits in one document of a decoded block that is not plain.
    @inline(__always)
    private func weigh(_ index: Int) throws {
        frequencies[index] = 0
        if try decoder.isAtHome(index) {
            let home = decoder.homeColumn
            isMatch[index] = columns?.contains(home) != false
            if isMatch[index] { try add(home, times: decoded.hits[index], at: index) }
            return
        }
        isMatch[index] = false
        try decoder.forEachColumn(at: index) { column, hits in
            guard columns?.contains(column) != false else { return }
            isMatch[index] = true
            try add(column, times: hits, at: index)
        }
    }

    @inline(__always)
    private func add(_ column: UInt32, times hits: UInt32, at index: Int) throws {
        try statistics.weights.add(
            column, times: hits, of: decoded.documents[index], in: segment, to: &frequencies.start[index])
    }

    // MARK: - Positions

    /// Replaces the contents of the buffer with the positions in a document of the decoded block, in the columns in
    /// which hits count.
    func readPositions(at index: Int, into result: GrowingBuffer<Position>) throws {
        result.removeAll()
        try decoder.readPositions(at: index, into: result)
        if let columns { result.replaceEach { columns.contains($0.column) ? $0 : nil } }
    }
}

/// The positions of a term in documents of the decoded block.
final class TermBlocksLeaf: LeafIterator {
    private let blocks: TermBlocks
    @exclusivity(unchecked) private var index = 0

    init(_ blocks: TermBlocks) { self.blocks = blocks }

    override var cost: Int { blocks.count }

    override func move(to document: UInt32) throws -> Bool {
        settle(at: document)
        guard let index = blocks.decoded.index(of: document) else { return false }
        self.index = index
        return true
    }

    override func readInstances(ofMember member: Int, into result: GrowingBuffer<Position>) throws {
        try blocks.readPositions(at: index, into: result)
    }
}
