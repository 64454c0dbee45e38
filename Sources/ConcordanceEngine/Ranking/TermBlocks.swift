/// The postings of a term, or of the stored list of a prefix, with frequencies that count each hit by the weight of its
/// column. The memory of a decoded block stays where it is as long as the object lives.
final class TermBlocks: BlockSource {
    private let decoder: PostingsDecoder
    private let columns: ColumnFilter?
    /// The columns as `BlockSummary` has them.
    private let columnBits: UInt16
    private let frequencies: FixedBuffer<Double>
    private let isMatch: FixedBuffer<Bool>
    @exclusivity(unchecked) private var decodedNumber = -1
    @exclusivity(unchecked) private var areHitsWeighed = false

    /// - Parameter columns: The columns that hits count in; nil for all.
    init(
        _ segment: Segment, _ entry: TermEntry, columns: ColumnSet?, weight: Double, _ statistics: RankingStatistics
    ) {
        decoder = PostingsDecoder(segment)
        self.columns = ColumnFilter(columns, columnCount: segment.shape.columnCount)
        columnBits = self.columns?.summaryBits ?? .max
        let isPlain = self.columns == nil && statistics.weights.isUniform
        frequencies = FixedBuffer(repeating: 0, count: isPlain ? 0 : IntegerBlock.capacity)
        isMatch = FixedBuffer(repeating: false, count: isPlain ? 0 : IntegerBlock.capacity)
        super.init(
            segment, weight: weight, statistics,
            DecodedBlock(
                documents: decoder.documents, hits: decoder.frequencies, isPlain: isPlain,
                frequencies: frequencies.start, isMatch: isMatch.start))
        open(entry)
    }

    /// Goes over to another term of the segment, without an allocation.
    func open(_ entry: TermEntry) {
        decoder.open(entry)
        count = entry.count
        decodedNumber = -1
    }

    // MARK: - Bounds

    override var bound: Double {
        get throws {
            let impacts = try decoder.impacts ?? summary(0).impacts
            return statistics.bound(
                BlockSummary(lastDocument: 0, impacts: impacts, columns: .max), weight: weight)
        }
    }

    override func bound(ofBlock block: Int) throws -> Double {
        let summary = try summary(block)
        return summary.columns & columnBits != 0 ? statistics.bound(summary, weight: weight) : -1
    }

    override func looseBound(ofBlock block: Int) throws -> Double { try bound(ofBlock: block) }

    override func leastHits(inBlock block: Int, adding score: Double) throws -> UInt32 {
        statistics.leastHits(try summary(block), weight: weight, reaching: score)
    }

    /// What is known of a block without decoding it; a list of one block is decoded.
    @inline(__always)
    private func summary(_ block: Int) throws -> BlockSummary {
        try decoder.hasSkips ? decoder.summary(block) : decoder.summaryOfOnly()
    }

    // MARK: - Blocks

    override func lastDocument(ofBlock block: Int) throws -> UInt32 { try decoder.end(ofBlock: block) }

    override func firstBlock(from start: Int, reaching document: UInt32) throws -> Int? {
        guard let block = try decoder.firstBlock(from: start, reaching: document) else { return nil }
        return try decoder.hasSkips || decoder.end(ofBlock: block) >= document ? block : nil
    }

    override func decode(_ block: Int) throws -> DecodedBlock {
        if block == decodedNumber { return decoded }
        decodedNumber = -1
        areHitsWeighed = false
        decoded.count = 0
        decoded.count = try decoder.decode(block)
        decodedNumber = block
        return decoded
    }

    override func needHits() throws {
        try decoder.needFrequencies()
        guard !decoded.isPlain, !areHitsWeighed else { return }
        let home = decoder.homeColumn
        let homeMatches = columns?.contains(home) != false
        for index in 0..<decoded.count {
            frequencies[index] = 0
            if try decoder.isAtHome(index) {
                isMatch[index] = homeMatches
                if homeMatches { try add(home, times: decoded.hits[index], at: index) }
                continue
            }
            isMatch[index] = false
            try decoder.forEachColumn(at: index) { column, hits in
                guard columns?.contains(column) != false else { return }
                isMatch[index] = true
                try add(column, times: hits, at: index)
            }
        }
        areHitsWeighed = true
    }

    @inline(__always)
    private func add(_ column: UInt32, times hits: UInt32, at index: Int) throws {
        try statistics.weights.add(
            column, times: hits, of: decoded.documents[index], in: segment, to: &frequencies.start[index])
    }

    /// Replaces the array's content with the positions, in the columns that hits count in, of a document of the decoded
    /// block.
    func readPositions(at index: Int, into result: inout [Position]) throws {
        result.removeAll(keepingCapacity: true)
        try decoder.readPositions(at: index, into: &result)
        if let columns { result.removeAll { !columns.contains($0.column) } }
    }
}

/// Where a term stands in documents that its blocks have been decoded for.
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

    override func readInstances(ofMember member: Int, into result: inout [Position]) throws {
        try blocks.readPositions(at: index, into: &result)
    }
}
