/// One term of a flat query in one segment, with a bound for every window, and what windows need of its postings.
///
/// A term with few postings is decoded at once, and what it adds to the score of each of its documents computed: then its
/// bounds are the true maxima of its documents in each window, and it has none where none of its documents is. A frequent
/// one has blocks about as dense as windows, whose impacts do.
///
/// Its memory is that of the `WindowMembers` it belongs to.
struct WindowMember {
    let phrase: Int
    let idf: Double
    /// Postings.
    let count: Int
    let windowCount: Int
    /// The most that the term adds to a score in each window; negative where it has no document.
    let bounds: UnsafeMutablePointer<Double>
    /// Of each window, the index of its first document in the list, and one more; or the first block that reaches into it.
    fileprivate let starts: UnsafeMutablePointer<UInt32>
    /// Whether the term is decoded at once: into `documents`, and what it adds to the score of each.
    let isListed: Bool
    fileprivate let documents: UnsafeMutablePointer<UInt32>
    fileprivate let shares: UnsafeMutablePointer<Double>
    fileprivate var listCount = 0
    /// Otherwise: the postings, and the last document of each block.
    fileprivate let reader: WeightedPostings?
    fileprivate let blockCount: Int
    fileprivate let lastDocuments: UnsafeMutablePointer<UInt32>

    private static let noBlock = UInt32.max

    /// - Parameters:
    ///   - isListed: Whether `count` documents are in the list; otherwise they come from the reader.
    fileprivate init(
        phrase: Int, count: Int, isListed: Bool, _ reader: WeightedPostings?, _ segment: Segment,
        _ statistics: RankingStatistics
    ) {
        self.phrase = phrase
        self.count = count
        self.isListed = isListed
        self.reader = isListed ? nil : reader
        idf = statistics.inverseDocumentFrequencies[phrase]
        windowCount = (segment.documentCount + windowSize - 1) / windowSize
        bounds = .allocate(capacity: windowCount)
        bounds.initialize(repeating: -1, count: windowCount)
        starts = .allocate(capacity: windowCount + 1)
        starts.initialize(repeating: isListed ? 0 : Self.noBlock, count: windowCount + 1)
        documents = .allocate(capacity: isListed ? count : 0)
        shares = .allocate(capacity: isListed ? count : 0)
        blockCount = isListed ? 0 : reader?.cursor.blockCount ?? 0
        lastDocuments = .allocate(capacity: blockCount)
    }

    fileprivate func deallocate() {
        bounds.deallocate()
        starts.deallocate()
        documents.deallocate()
        shares.deallocate()
        lastDocuments.deallocate()
    }

    // MARK: - Making

    /// Adds the next document of the list.
    @inline(__always)
    fileprivate mutating func append(
        _ document: UInt32, _ frequency: Double, _ segment: Segment, _ statistics: RankingStatistics
    ) throws {
        let norm = statistics.norm(try segment.length(at: Int(document)))
        let share = BM25.score(idf: idf, frequency: frequency, norm: norm)
        let window = Int(document) / windowSize
        guard listCount < count, window < windowCount else { throw corrupt("a term has more documents than it says") }
        bounds[window] = max(bounds[window], statistics.allowsPruning ? share : .infinity)
        starts[window + 1] = UInt32(truncatingIfNeeded: listCount + 1)
        documents[listCount] = document
        shares[listCount] = share
        listCount += 1
    }

    /// Ends the list: a window without documents begins where the one before it ends.
    fileprivate func finishList() {
        var end: UInt32 = 0
        for window in 0...windowCount {
            end = max(end, starts[window])
            starts[window] = end
        }
    }

    /// Gives each window the bounds of the blocks that reach into it.
    fileprivate func boundBlocks(_ reader: WeightedPostings, _ statistics: RankingStatistics) throws {
        var first = 0
        for block in 0..<blockCount {
            let summary = try reader.cursor.block(block)
            lastDocuments[block] = summary.lastDocument
            let bound = reader.mayMatch(summary) ? statistics.bound(summary, idf: idf) : -1
            let last = min(Int(summary.lastDocument) / windowSize, windowCount - 1)
            var window = first / windowSize
            while window <= last {
                bounds[window] = max(bounds[window], bound)
                if starts[window] == Self.noBlock { starts[window] = UInt32(truncatingIfNeeded: block) }
                window += 1
            }
            first = Int(summary.lastDocument) + 1
        }
    }

    // MARK: - Reading

    /// Calls `body` with each document of the window and what the term adds to its score; for lists.
    @inline(__always)
    func forEachListed(_ window: Int, _ body: (_ document: UInt32, _ share: Double) throws -> Void) rethrows {
        var index = Int(starts[window])
        let end = Int(starts[window + 1])
        while index < end {
            try body(documents[index], shares[index])
            index += 1
        }
    }

    /// Writes what the term adds to the scores of the window's documents, and returns which they are.
    func fill(
        _ window: Int, _ row: UnsafeMutablePointer<Double>, norms: (WindowMask) throws -> UnsafeMutablePointer<Double>
    ) throws -> WindowMask {
        row.update(repeating: 0, count: windowSize)
        var mask = WindowMask()
        let base = UInt32(truncatingIfNeeded: window * windowSize)
        if isListed {
            forEachListed(window) { document, share in
                let bit = document &- base
                guard bit < windowSize else { return }
                row[Int(bit)] = share
                mask.insert(bit)
            }
            return mask
        }
        var block = Int(starts[window])
        while block < blockCount {
            try reader?.fill(block, base, row, &mask)
            if lastDocuments[block] &- base >= windowSize { break }
            block += 1
        }
        WindowBuffers.makeShares(row, idf: idf, norms: try norms(mask))
        return mask
    }

    /// What the term adds to the score of a document of the window; nil where the document has it not.
    @inline(__always)
    func share(
        of document: UInt32, in window: Int, norm: () throws -> Double
    ) throws -> Double? {
        if isListed {
            var index = Int(starts[window])
            let end = Int(starts[window + 1])
            while index < end, documents[index] < document { index += 1 }
            return index < end && documents[index] == document ? shares[index] : nil
        }
        var block = Int(starts[window])
        while block < blockCount, lastDocuments[block] < document { block += 1 }
        guard block < blockCount, let frequency = try reader?.frequency(of: document, inBlock: block) else {
            return nil
        }
        return BM25.score(idf: idf, frequency: frequency, norm: try norm())
    }
}

extension WeightedPostings {
    /// Writes the frequencies of the block's documents from `base` on, as far as a window reaches, and adds them to the mask.
    func fill(
        _ block: Int, _ base: UInt32, _ row: UnsafeMutablePointer<Double>, _ mask: inout WindowMask
    ) throws {
        try decode(block: block)
        let documents = cursor.documents
        let frequencies = cursor.frequencies
        for i in 0..<min(documents.count, frequencies.count) {
            let bit = documents[i] &- base
            guard bit < windowSize, matches(i) else { continue }
            row[Int(bit)] = isPlain ? Double(frequencies[i]) : frequency(i)
            mask.insert(bit)
        }
    }

    /// The weighted frequency in a document that the block would hold; nil where it does not match.
    func frequency(of document: UInt32, inBlock block: Int) throws -> Double? {
        try decode(block: block)
        let documents = cursor.documents
        var low = 0
        var high = documents.count
        while low < high {
            let middle = (low &+ high) / 2
            if documents[middle] < document { low = middle &+ 1 } else { high = middle }
        }
        guard low < documents.count, documents[low] == document, matches(low) else { return nil }
        return frequency(low)
    }
}

/// The terms of a flat query in one segment, the rarest first; frees their memory.
final class WindowMembers {
    private(set) var count = 0
    /// `count` members.
    let base: UnsafeMutablePointer<WindowMember>
    private let capacity: Int
    private let segment: Segment
    private let statistics: RankingStatistics

    /// A term is decoded at once if it has no more postings than so many a window: with 16, a block spans 8 windows, and what
    /// bounds the best of its documents is loose for each of them.
    private static let listedPerWindow = 16

    init(capacity: Int, _ segment: Segment, _ statistics: RankingStatistics) {
        self.capacity = capacity
        self.segment = segment
        self.statistics = statistics
        base = .allocate(capacity: capacity)
    }

    deinit {
        for index in 0..<count { base[index].deallocate() }
        base.deinitialize(count: count)
        base.deallocate()
    }

    /// Adds a term by its postings.
    func append(_ reader: WeightedPostings, phrase: Int) throws {
        let windowCount = (segment.documentCount + windowSize - 1) / windowSize
        let isListed = reader.cursor.count <= windowCount * Self.listedPerWindow
        let place = insert(
            WindowMember(phrase: phrase, count: reader.cursor.count, isListed: isListed, reader, segment, statistics))
        guard isListed else { return try base[place].boundBlocks(reader, statistics) }
        for block in 0..<reader.cursor.blockCount {
            try reader.decode(block: block)
            let documents = reader.cursor.documents
            for i in 0..<documents.count where reader.matches(i) {
                try base[place].append(documents[i], reader.frequency(i), segment, statistics)
            }
        }
        base[place].finishList()
    }

    /// Adds a phrase by the documents that were found beforehand.
    func append(_ matches: ListLeafPostings.Matches, phrase: Int) throws {
        let count = min(matches.documents.count, matches.frequencies.count)
        let place = insert(WindowMember(phrase: phrase, count: count, isListed: true, nil, segment, statistics))
        for index in 0..<count {
            try base[place].append(matches.documents[index], matches.frequencies[index], segment, statistics)
        }
        base[place].finishList()
    }

    private func insert(_ member: WindowMember) -> Int {
        var place = count
        (base + count).initialize(to: member)
        while place > 0, base[place - 1].count > member.count {
            swap(&base[place - 1], &base[place])
            place -= 1
        }
        count += 1
        return place
    }
}
