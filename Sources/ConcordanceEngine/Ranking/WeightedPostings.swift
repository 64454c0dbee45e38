/// The postings of a term, with frequencies that count each hit by the weight of its column.
///
/// Blocks are decoded into buffers that stay where they are as long as the object lives.
final class WeightedPostings {
    /// How many there are.
    private(set) var count = 0
    private(set) var blockCount = 0
    /// Whether frequencies are numbers of hits, and every posting matches.
    let isPlain: Bool
    /// Of the decoded block, 128 elements; unused ones are the greatest number.
    let documents: UnsafePointer<UInt32>
    /// Numbers of hits, of meaning after `needHits`.
    let hits: UnsafePointer<UInt32>
    /// Of meaning unless `isPlain`, after `needHits`.
    let frequencies: UnsafePointer<Double>
    let isMatch: UnsafePointer<Bool>

    private let segment: Segment
    private let decoder: PostingsDecoder
    private let columns: ColumnSet?
    private let weights: ColumnWeights
    private let columnBits: UInt16
    private let weighed: UnsafeMutablePointer<Double>
    private let matched: UnsafeMutablePointer<Bool>
    @exclusivity(unchecked) private var decodedCount = 0
    @exclusivity(unchecked) private var areHitsWeighed = false

    /// - Parameter columns: The columns that hits count in; nil for all.
    init(_ segment: Segment, _ entry: TermEntry, columns: ColumnSet?, weights: ColumnWeights) {
        self.segment = segment
        decoder = PostingsDecoder(segment)
        self.columns = columns
        self.weights = weights
        isPlain = columns == nil && weights.isUniform
        columnBits = columns.map { $0.columns.reduce(0) { $0 | 1 << UInt16(min(max($1, 0), 15)) } } ?? .max
        documents = UnsafePointer(decoder.documents)
        hits = UnsafePointer(decoder.frequencies)
        let size = isPlain ? 0 : IntegerBlock.capacity
        weighed = .allocate(capacity: size)
        weighed.initialize(repeating: 0, count: size)
        matched = .allocate(capacity: size)
        matched.initialize(repeating: false, count: size)
        frequencies = UnsafePointer(weighed)
        isMatch = UnsafePointer(matched)
        open(entry)
    }

    /// Goes over to another term of the segment, without an allocation.
    func open(_ entry: TermEntry) {
        decoder.open(entry)
        count = entry.count
        blockCount = decoder.blockCount
        decodedCount = 0
    }

    deinit {
        weighed.deallocate()
        matched.deallocate()
    }

    // MARK: - Blocks

    /// Bounds of all postings.
    func impacts() throws -> Impacts {
        try decoder.impacts ?? (blockCount == 0 ? Impacts(codes: 0) : summary(0).impacts)
    }

    /// What is known of a block without decoding it; a list of one block is decoded.
    @inline(__always)
    func summary(_ block: Int) throws -> BlockSummary {
        try decoder.hasSkips ? decoder.summary(block) : decoder.summaryOfOnly()
    }

    /// Whether a document of the block may match.
    @inline(__always)
    func mayMatch(_ summary: BlockSummary) -> Bool { summary.columns & columnBits != 0 }

    /// The last document of a block.
    @inline(__always)
    func lastDocument(ofBlock block: Int) throws -> UInt32 { try decoder.end(ofBlock: block) }

    /// The first block from `start` on that has documents not less than `document`; nil where none has.
    func firstBlock(from start: Int, reaching document: UInt32) throws -> Int? {
        guard let block = try decoder.firstBlock(from: start, reaching: document) else { return nil }
        return try decoder.hasSkips || decoder.end(ofBlock: block) >= document ? block : nil
    }

    /// Fills `documents`; returns how many they are.
    @discardableResult
    func decode(_ block: Int) throws -> Int {
        areHitsWeighed = false
        decodedCount = 0
        decodedCount = try decoder.decode(block)
        return decodedCount
    }

    /// Fills what depends on the hits of the decoded block.
    func needHits() throws {
        try decoder.needFrequencies()
        guard !isPlain, !areHitsWeighed else { return }
        let home = decoder.homeColumn
        let homeMatches = columns?.contains(Int(home)) != false
        for index in 0..<decodedCount {
            weighed[index] = 0
            if try decoder.isAtHome(index) {
                matched[index] = homeMatches
                if homeMatches { try add(home, times: hits[index], at: index) }
                continue
            }
            matched[index] = false
            try decoder.forEachColumn(at: index) { column, hits in
                guard columns?.contains(Int(column)) != false else { return }
                matched[index] = true
                try add(column, times: hits, at: index)
            }
        }
        areHitsWeighed = true
    }

    @inline(__always)
    private func add(_ column: UInt32, times count: UInt32, at index: Int) throws {
        try weights.add(column, times: count, of: documents[index], in: segment, to: &weighed[index])
    }

    /// The index in the decoded block of a document; nil where it has it not.
    @inline(__always)
    func index(of document: UInt32) -> Int? {
        let index = PostingsCursor.place(of: document, in: documents)
        return index < decodedCount && documents[index] == document ? index : nil
    }

    /// Replaces the array's content with the positions, in the columns that hits count in, at an index of the decoded block.
    func readPositions(at index: Int, into result: inout [Position]) throws {
        result.removeAll(keepingCapacity: true)
        try decoder.readPositions(at: index, into: &result)
        if let columns { result.removeAll { !columns.contains(Int($0.column)) } }
    }

    /// Calls `body` with each document that matches, and its frequency.
    @inline(__always)
    func forEachMatch(_ body: (_ document: UInt32, _ frequency: Double) throws -> Void) throws {
        for block in 0..<blockCount {
            let count = try decode(block)
            try needHits()
            for index in 0..<count where isPlain || matched[index] {
                try body(documents[index], isPlain ? Double(hits[index]) : weighed[index])
            }
        }
    }
}

/// The positions of a term in documents that its postings have been decoded for.
final class WeightedPostingsLeaf: LeafIterator {
    private let postings: WeightedPostings
    @exclusivity(unchecked) private var index = 0

    init(_ postings: WeightedPostings) { self.postings = postings }

    override var cost: Int { postings.count }

    override func move(to document: UInt32) throws -> Bool {
        settle(at: document)
        guard let index = postings.index(of: document) else { return false }
        self.index = index
        return true
    }

    override func readInstances(ofMember member: Int, into result: inout [Position]) throws {
        try postings.readPositions(at: index, into: &result)
    }
}
