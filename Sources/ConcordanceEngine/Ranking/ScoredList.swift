/// One phrase of a flat query in one segment: the documents that have it, in blocks of 128 with bounds by which blocks and
/// documents are passed over, and what it adds to the score of each.
///
/// The documents are those of a term, decoded when they are asked for, or were found beforehand. Its memory is that of the
/// `ScoredLists` it belongs to.
struct ScoredList {
    let phrase: Int
    /// Which slot of the query it is an alternative of (`RankingNode.slots`).
    let slot: Int
    let weight: Double
    /// Documents.
    let count: Int
    let blockCount: Int
    /// The most that the phrase adds to a score; infinite where nothing is known.
    let bound: Double

    /// The postings of a term; nil for documents that were found beforehand. A list calls them once a block or so, and then
    /// without counting references: the owner keeps them.
    private let reader: Unmanaged<WeightedPostings>?
    /// Whether `hits` are frequencies, and all documents match.
    private let isPlain: Bool
    /// All documents that were found, their frequencies, and of each block of them the most that the phrase adds, NaN until
    /// it is asked for.
    private let found: UnsafeMutablePointer<UInt32>
    private let foundFrequencies: UnsafeMutablePointer<Double>
    private let foundBounds: UnsafeMutablePointer<Double>

    // The decoded block: 128 elements; unused documents are UInt32.max.
    private var decoded = -1
    private var areHitsDecoded = false
    private var documents: UnsafePointer<UInt32>
    private let hits: UnsafePointer<UInt32>
    private var frequencies: UnsafePointer<Double>

    // Where `seek` is: a block, which documents it would have, and its bound.
    private var block = -1
    private var first: UInt32 = 1
    private var last: UInt32 = 0
    private var boundHere = 0.0

    private static let blockSize = PostingsCursor.blockSize
    /// Of a range that reaches over more blocks, the bound is that of the list.
    private static let rangeLimit = 8

    /// - Parameter reader: Must outlive the list.
    fileprivate init(_ reader: WeightedPostings, phrase: Int, slot: Int, _ statistics: RankingStatistics) throws {
        self.phrase = phrase
        self.slot = slot
        self.reader = Unmanaged.passUnretained(reader)
        weight = statistics.phraseWeights[phrase]
        count = reader.count
        blockCount = reader.blockCount
        bound = statistics.bound(
            BlockSummary(lastDocument: 0, impacts: try reader.impacts(), columns: .max), weight: weight)
        isPlain = reader.isPlain
        documents = reader.documents
        hits = reader.hits
        frequencies = reader.frequencies
        found = .allocate(capacity: 0)
        foundFrequencies = .allocate(capacity: 0)
        foundBounds = .allocate(capacity: 0)
    }

    fileprivate init(
        _ matches: ListLeafPostings.Matches, phrase: Int, slot: Int, _ segment: Segment,
        _ statistics: RankingStatistics
    ) throws {
        self.phrase = phrase
        self.slot = slot
        reader = nil
        isPlain = false
        weight = statistics.phraseWeights[phrase]
        count = min(matches.documents.count, matches.frequencies.count)
        guard Int(matches.documents.last ?? 0) < max(segment.documentCount, 1) else {
            throw corrupt("a posting of no document")
        }
        blockCount = (count + Self.blockSize - 1) / Self.blockSize
        let capacity = blockCount * Self.blockSize
        found = .allocate(capacity: capacity)
        found.initialize(repeating: .max, count: capacity)
        foundFrequencies = .allocate(capacity: capacity)
        foundFrequencies.initialize(repeating: 0, count: capacity)
        foundBounds = .allocate(capacity: blockCount)
        foundBounds.initialize(repeating: .nan, count: blockCount)
        var highest = 0.0
        for index in 0..<count {
            found[index] = matches.documents[index]
            foundFrequencies[index] = matches.frequencies[index]
            highest = max(highest, foundFrequencies[index])
        }
        documents = UnsafePointer(found)
        frequencies = UnsafePointer(foundFrequencies)
        hits = documents
        bound =
            statistics.allowsPruning
            ? statistics.share(weight, frequency: highest, norm: statistics.norm(0)) : .infinity
    }

    fileprivate func deallocate() {
        found.deallocate()
        foundBounds.deallocate()
        foundFrequencies.deallocate()
    }

    // MARK: - Blocks

    /// The most that the phrase adds to the score of a document of a block; negative where none has it.
    @inline(__always)
    func bound(ofBlock block: Int, _ segment: Segment, _ statistics: RankingStatistics) throws -> Double {
        guard let reader else { return try foundBound(ofBlock: block, segment, statistics) }
        return try reader._withUnsafeGuaranteedRef { reader in
            let summary = try reader.summary(block)
            return reader.mayMatch(summary) ? statistics.bound(summary, weight: weight) : -1
        }
    }

    private func foundBound(ofBlock block: Int, _ segment: Segment, _ statistics: RankingStatistics) throws -> Double {
        guard statistics.allowsPruning else { return .infinity }
        if foundBounds[block].isNaN {
            var bound = 0.0
            for index in block * Self.blockSize..<min((block + 1) * Self.blockSize, count) {
                let norm = statistics.norm(try segment.length(at: Int(found[index])))
                bound = max(bound, statistics.share(weight, frequency: foundFrequencies[index], norm: norm))
            }
            foundBounds[block] = bound
        }
        return foundBounds[block]
    }

    @inline(__always)
    private func lastDocument(ofBlock block: Int) throws -> UInt32 {
        if let reader { return try reader._withUnsafeGuaranteedRef { try $0.lastDocument(ofBlock: block) } }
        return found[min((block &+ 1) &* Self.blockSize, count) &- 1]
    }

    /// The documents that a block would have: from behind the block before up to its last.
    func range(ofBlock block: Int) throws -> (first: UInt32, last: UInt32) {
        (block == 0 ? 0 : try lastDocument(ofBlock: block - 1) &+ 1, try lastDocument(ofBlock: block))
    }

    /// The first block from `start` on that has documents not less than `document`; nil where none has.
    private func firstBlock(from start: Int, reaching document: UInt32) throws -> Int? {
        if let reader {
            return try reader._withUnsafeGuaranteedRef { try $0.firstBlock(from: start, reaching: document) }
        }
        var low = start
        var high = blockCount
        while low < high {
            let middle = (low + high) / 2
            if try lastDocument(ofBlock: middle) < document { low = middle + 1 } else { high = middle }
        }
        return low < blockCount ? low : nil
    }

    /// The most that the phrase adds to the score of a document of a range; negative where none has it.
    func bound(
        from first: UInt32, through last: UInt32, _ segment: Segment, _ statistics: RankingStatistics
    ) throws -> Double {
        guard blockCount > 1, reader != nil else { return bound }
        guard let start = try firstBlock(from: 0, reaching: first) else { return -1 }
        var result = -1.0
        for block in start..<min(start + Self.rangeLimit, blockCount) {
            result = max(result, try bound(ofBlock: block, segment, statistics))
            if try block + 1 == blockCount || lastDocument(ofBlock: block) >= last { return result }
        }
        return bound
    }

    // MARK: - Decoding

    @inline(never)
    private mutating func decode(_ block: Int) throws {
        decoded = -1
        areHitsDecoded = false
        if let reader {
            _ = try reader._withUnsafeGuaranteedRef { try $0.decode(block) }
        } else {
            documents = UnsafePointer(found + block * Self.blockSize)
            frequencies = UnsafePointer(foundFrequencies + block * Self.blockSize)
            areHitsDecoded = true
        }
        decoded = block
    }

    @inline(never)
    private mutating func decodeHits() throws {
        if let reader { try reader._withUnsafeGuaranteedRef { try $0.needHits() } }
        areHitsDecoded = true
    }

    @inline(__always)
    private func matches(_ index: Int) -> Bool {
        guard !isPlain, let reader else { return true }
        return reader._withUnsafeGuaranteedRef { $0.isMatch[index] }
    }

    // MARK: - Documents

    /// Calls `body` with the documents of a block that may have hits enough to add `needed`, and what the phrase adds to the
    /// score of each.
    @inline(__always)
    mutating func forEachDocument(
        inBlock block: Int, adding needed: Double, _ segment: Segment, _ statistics: RankingStatistics,
        _ body: (_ document: UInt32, _ share: Double, _ norm: Double) throws -> Void
    ) throws {
        if decoded != block { try decode(block) }
        var least: UInt32 = 0
        if let reader {
            let summary = try reader._withUnsafeGuaranteedRef { try $0.summary(block) }
            least = statistics.leastHits(summary, weight: weight, reaching: needed)
            if !areHitsDecoded { try decodeHits() }
        }
        let size = min(count &- block &* Self.blockSize, Self.blockSize)
        let (documents, frequencies, hits, weight, isPlain) = (documents, frequencies, hits, weight, isPlain)
        try withUnsafeTemporaryAllocation(of: Candidate.self, capacity: Self.blockSize) { candidates in
            let count = choose(of: size, atLeast: least, into: candidates)
            // Lengths in a loop of their own, so that the processor waits for several at once.
            for place in 0..<count {
                let document = Int(documents[candidates[place].index])
                candidates[place].norm = statistics.norm(try segment.length(at: document))
            }
            for candidate in candidates[..<count] {
                let index = candidate.index
                let frequency = isPlain ? Double(hits[index]) : frequencies[index]
                let share = statistics.share(weight, frequency: frequency, norm: candidate.norm)
                try body(documents[index], share, candidate.norm)
            }
        }
    }

    private struct Candidate {
        var index: Int
        var norm: Double
    }

    /// Writes the indexes of matching documents of the decoded block that have so many hits; returns how many there are.
    @inline(__always)
    private func choose(
        of size: Int, atLeast least: UInt32, into candidates: UnsafeMutableBufferPointer<Candidate>
    ) -> Int {
        var count = 0
        var group = 0
        while group < size {
            let end = min(group &+ 8, size)
            // Most groups end here: one hit is not enough, however short the documents are.
            if least <= 1 || Self.hasAny(hits + group, atLeast: least) {
                for index in group..<end {
                    candidates[count] = Candidate(index: index, norm: 1)
                    count &+= isPlain ? (hits[index] >= least ? 1 : 0) : (mayCount(index, least) ? 1 : 0)
                }
            }
            group = end
        }
        return count
    }

    private func mayCount(_ index: Int, _ least: UInt32) -> Bool {
        reader == nil || hits[index] >= least && matches(index)
    }

    /// Whether one of eight numbers below 2^31 is at least `least`.
    @inline(__always)
    private static func hasAny(_ hits: UnsafePointer<UInt32>, atLeast least: UInt32) -> Bool {
        let bytes = UnsafeRawPointer(hits)
        let limit = SIMD4<UInt32>(repeating: min(least, 1 << 31) &- 1)
        // Differences below zero have the highest bit.
        let low = limit &- bytes.loadUnaligned(as: SIMD4<UInt32>.self)
        let high = limit &- bytes.loadUnaligned(fromByteOffset: 16, as: SIMD4<UInt32>.self)
        let words = unsafeBitCast(low | high, to: SIMD2<UInt64>.self)
        return (words[0] | words[1]) & 0x8000_0000_8000_0000 != 0
    }

    /// Goes to the block that would have a document, and returns the most that the phrase adds to the document's score, as
    /// far as the block tells; negative where the document has it not.
    @inline(__always)
    mutating func seek(
        _ document: UInt32, _ segment: Segment, _ statistics: RankingStatistics
    ) throws -> Double {
        if document < first || document > last { try find(document, segment, statistics) }
        return boundHere
    }

    @inline(never)
    private mutating func find(_ document: UInt32, _ segment: Segment, _ statistics: RankingStatistics) throws {
        let start = block >= 0 && document > last ? block + 1 : 0
        guard let block = try firstBlock(from: start, reaching: document) else {
            self.block = -1
            first = start == 0 ? document : last &+ 1
            last = .max
            boundHere = -1
            return
        }
        let range = try range(ofBlock: block)
        // Bounds of blocks that were found beforehand would cost as much as their documents.
        let bound = reader == nil ? bound : try bound(ofBlock: block, segment, statistics)
        self.block = block
        (first, last) = range
        boundHere = bound
    }

    /// What the phrase adds to the score of the document that `seek` went to; nil where the document has it not.
    @inline(__always)
    mutating func share(of document: UInt32, norm: Double, _ statistics: RankingStatistics) throws -> Double? {
        guard block >= 0 else { return nil }
        if decoded != block { try decode(block) }
        let index = PostingsCursor.place(of: document, in: documents)
        guard documents[index] == document else { return nil }
        if !areHitsDecoded { try decodeHits() }
        guard matches(index) else { return nil }
        return statistics.share(weight, frequency: isPlain ? Double(hits[index]) : frequencies[index], norm: norm)
    }
}

/// The phrases of a flat query in one segment; frees their memory.
final class ScoredLists {
    private(set) var count = 0
    /// `count` lists.
    let base: UnsafeMutablePointer<ScoredList>
    private let capacity: Int
    private let segment: Segment
    private let statistics: RankingStatistics
    /// Keeps the readers of the lists alive.
    private var readers: [WeightedPostings] = []

    init(capacity: Int, _ segment: Segment, _ statistics: RankingStatistics) {
        self.capacity = capacity
        self.segment = segment
        self.statistics = statistics
        base = .allocate(capacity: capacity)
    }

    deinit {
        for index in 0..<count { base[index].deallocate() }
        base.deallocate()
    }

    /// Adds a term by its postings.
    func append(_ reader: WeightedPostings, phrase: Int, slot: Int) throws {
        readers.append(reader)
        insert(try ScoredList(reader, phrase: phrase, slot: slot, statistics))
    }

    /// Adds a phrase by the documents that were found beforehand.
    func append(_ matches: ListLeafPostings.Matches, phrase: Int, slot: Int) throws {
        insert(try ScoredList(matches, phrase: phrase, slot: slot, segment, statistics))
    }

    private func insert(_ list: ScoredList) {
        guard count < capacity else {
            assertionFailure("more lists than there is room for")
            return list.deallocate()
        }
        (base + count).initialize(to: list)
        count += 1
    }

    /// Orders the lists, where none of them has been read.
    func sort(by precedes: (ScoredList, ScoredList) -> Bool) {
        var lists = UnsafeMutableBufferPointer(start: base, count: count)
        lists.sort(by: precedes)
    }
}
