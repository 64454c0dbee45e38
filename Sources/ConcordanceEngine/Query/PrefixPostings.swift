/// The documents that contain any of many terms. They are found in one pass over all postings of the terms; in a query of very
/// many prefixes in several passes, each over a range of documents, so that the sets of all prefixes take bounded memory.
///
/// The positions of the terms are gathered for a chunk of documents at a time: those that have been announced, or those
/// that come next in the set. While documents are requested in ascending order, chunks grow, so that there are few
/// passes. A document looked up by itself is a chunk of its own.
final class PrefixPostings: LeafIterator {
    private let expansions: TermExpansions
    private let columns: ColumnFilter?
    private let postingLimit: Int
    private let documentCount: UInt32
    /// How many documents a set covers, unless it is the segment's last.
    private let rangeSize: UInt32
    /// The set that was found last; nil before the first.
    private var found: FoundRange?
    /// How many sets have been found.
    private(set) var setCount = 0
    /// The longest known range that has no document but its last; `exhausted` stands for the end. Sets without a document are so
    /// found only once.
    private var gap: ClosedRange<UInt32>?
    private var gathered: GatheredPlaces
    /// The documents that have been announced, and how many hits each has, if that is known. Positions are gathered in some of
    /// them at a time, when they are asked for.
    private var announced: [UInt32] = []
    private var announcedHits: [UInt32]?
    /// In how many documents positions have been gathered, and how many times, each of which visits all terms.
    private(set) var gatheredCount = 0
    private(set) var gatheringCount = 0
    /// The range of documents that the chunk covers; nil if the chunk is of announced documents.
    private var chunk: ClosedRange<UInt32>?
    private var chunkSize = 1
    /// The number of chunks gathered in a row, each after the one before.
    private var run = 0
    /// The document that was looked up last, and the positions in it.
    private var lookedUp: UInt32?
    private let places = GrowingBuffer<Position>()

    /// The number of documents that are looked up one by one before the set is created.
    private static let longestRun = 4
    private static let growth = 16
    /// About the largest number of postings in the chunks of a query: 16 MB at two positions each. The documents of a chunk have at
    /// most `announcedPostings` times as many tokens, unless it is one.
    private static let postingLimit = 1 << 18
    /// How many postings a document that has been announced is taken to have.
    private static let announcedPostings = 16
    /// As many in a chunk are not too many for any query.
    private static let smallPostingLimit = 1 << 12
    /// About the most documents that the sets of a query cover: 32 MB of bits.
    private static let coverLimit = 1 << 28
    /// A set of as many takes little more memory than the prefix itself.
    private static let smallRange = 1 << 12

    /// - Parameter shares: How many prefixes a query has, of which each has a chunk.
    convenience init(_ expansions: TermExpansions, columns: ColumnFilter?, shares: Int) throws {
        try self.init(
            expansions, columns: columns,
            postingLimit: max(Self.postingLimit / max(shares, 1), Self.smallPostingLimit),
            rangeSize: UInt32(max(Self.coverLimit / max(shares, 1), Self.smallRange)))
    }

    init(
        _ expansions: TermExpansions, columns: ColumnFilter?, postingLimit: Int, rangeSize: UInt32 = .max
    ) throws {
        self.expansions = expansions
        self.columns = columns
        self.postingLimit = postingLimit
        self.rangeSize = max(rangeSize, 1)
        documentCount = UInt32(expansions.segment.documentCount)
        gathered = try GatheredPlaces(expansions, columns: columns)
    }

    override var cost: Int { min(expansions.postingCount, expansions.segment.documentCount) }

    override var readsBlocks: Bool { true }

    override func find(_ target: UInt32) throws -> UInt32 {
        var document = Self.exhausted
        var next = target
        while next < documentCount {
            if let gap, gap.contains(next) {
                document = gap.upperBound
                break
            }
            let found = try range(at: next)
            document = found.first(from: next)
            if document != Self.exhausted { break }
            next = found.range.upperBound
        }
        // Only sets that were passed over are worth remembering.
        let longest = gap.map { $0.upperBound - $0.lowerBound } ?? 0
        if next > target, document - target >= longest { gap = target...document }
        return document
    }

    override func read(
        from target: UInt32, below end: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>
    ) throws -> Int {
        let count = try readFound(from: target, below: end, into: buffer)
        if count > 0 { settle(at: buffer[count - 1]) }
        return count
    }

    private func readFound(
        from target: UInt32, below end: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>
    ) throws -> Int {
        var count = 0
        var target = target
        while count < buffer.count, target < min(end, documentCount) {
            if let gap, gap.contains(target), gap.upperBound > target {
                target = gap.upperBound
                continue
            }
            let found = try range(at: target)
            count += found.read(from: target, below: end, into: UnsafeMutableBufferPointer(rebasing: buffer[count...]))
            target = found.range.upperBound
        }
        return count
    }

    /// The set that covers a document of the segment.
    private func range(at document: UInt32) throws -> FoundRange {
        if let found, found.range.contains(document) { return found }
        // The old one is released first.
        found = nil
        let first = document / rangeSize * rangeSize
        let new = try FoundRange(
            expansions, columns: columns,
            in: first..<(documentCount - first > rangeSize ? first + rangeSize : documentCount))
        found = new
        setCount += 1
        return new
    }

    override func move(to document: UInt32) throws -> Bool {
        let isMatch: Bool
        if let found, found.range.contains(document) {
            isMatch = found.first(from: document) == document
        } else {
            try look(at: document)
            isMatch = !places.isEmpty
        }
        if isMatch { settle(at: document) } else { reset() }
        return isMatch
    }

    override var gathersPositions: Bool { true }

    override var repeatsPlaces: Bool { true }

    override func willReadAll() {
        run = Self.longestRun
        chunkSize = postingLimit
    }

    override func expect(_ documents: [UInt32], hitCounts: [UInt32]? = nil) throws {
        lookedUp = nil
        chunk = nil
        announced = documents
        announcedHits = hitCounts
        gathered = try GatheredPlaces(expansions, columns: columns)
    }

    /// Reads the positions in the document into `places`.
    private func look(at document: UInt32) throws {
        if lookedUp == document { return }
        lookedUp = nil
        if !gathered.read(document, into: places) {
            if let index = announced.sortedIndex(of: document) {
                chunk = nil
                let size = try countWithinLimit(announced[index...].prefix(postingLimit / Self.announcedPostings))
                try gather(
                    in: Array(announced[index...].prefix(size)),
                    hitCounts: announcedHits.map { Array($0[index...].prefix(size)) })
            } else if chunk?.contains(document) != true {
                try gather(from: document)
            }
            if !gathered.read(document, into: places) { places.removeAll() }
        }
        lookedUp = document
    }

    /// Gathers the positions in a document and, if documents are requested in ascending order, in some that follow it.
    private func gather(from document: UInt32) throws {
        run = chunk.map { document > $0.upperBound } ?? true ? run + 1 : 0
        if run == 0 { chunkSize = 1 }
        chunk = nil
        guard run > 0, found?.range.contains(document) == true || run > Self.longestRun else {
            try gather(in: [document])
            chunk = document...document
            return
        }
        let postings = try range(at: document).postingCount
        chunkSize = max(min(chunkSize * Self.growth, postingLimit / postings), 1)
        var members = try [UInt32](unsafeUninitializedCapacity: chunkSize) { buffer, count in
            count = try readFound(from: document, below: Self.exhausted, into: buffer)
        }
        let isLast = members.count < chunkSize
        let size = try countWithinLimit(members[...])
        let isWhole = size >= members.count
        if !isWhole { members.removeLast(members.count - size) }
        try gather(in: members)
        chunk = document...(isLast && isWhole ? Self.exhausted : max(members.last ?? document, document))
    }

    /// How many documents, from the first on, are gathered at once: so many that they have a bounded number of tokens, whatever
    /// their lengths, but at least one.
    private func countWithinLimit(_ documents: ArraySlice<UInt32>) throws -> Int {
        var rest = postingLimit * Self.announcedPostings
        for (index, document) in documents.enumerated() {
            rest -= Int(try expansions.segment.length(at: Int(document)))
            if rest < 0 { return max(index, 1) }
        }
        return max(documents.count, 1)
    }

    private func gather(in documents: [UInt32], hitCounts: [UInt32]? = nil) throws {
        gathered = try GatheredPlaces(expansions, in: documents, hitCounts: hitCounts, columns: columns)
        gatheredCount += documents.count
        gatheringCount += 1
    }

    override func readInstances(ofMember member: Int, into result: GrowingBuffer<Position>) throws {
        result.removeAll()
        guard expansions.hasPositions else { return }
        try look(at: document)
        result.append(contentsOf: places.values)
    }

    override func forEachColumn(
        ofMember member: Int, _ body: (_ column: UInt32, _ count: UInt32) throws -> Void
    ) throws {
        if expansions.hasPositions { return try super.forEachColumn(ofMember: member, body) }
        try look(at: document)
        for place in places.values { try body(place.column, place.offset) }
    }
}

/// The documents of a prefix with a stored list. The terms are looked up only for positions.
final class PrefixListPostings: TermPostings {
    private let makeTerms: () throws -> LeafIterator
    private var terms: LeafIterator?
    /// Documents that have been announced, but not to the terms.
    private var expected: [UInt32]?

    init(_ list: PostingsCursor, columns: ColumnFilter?, terms: @escaping () throws -> LeafIterator) {
        makeTerms = terms
        super.init(list, columns: columns)
    }

    override var gathersPositions: Bool { true }

    override var repeatsPlaces: Bool { true }

    override func expect(_ documents: [UInt32], hitCounts: [UInt32]? = nil) throws {
        expected = documents
        reset()
    }

    /// The terms, which have been told what to expect.
    private func knownTerms() throws -> LeafIterator {
        let known = try terms ?? makeTerms()
        terms = known
        if let documents = expected {
            expected = nil
            let current = document
            try known.expect(documents, hitCounts: self.hitCounts(in: documents))
            _ = try seek(current)
        }
        return known
    }

    override func readInstances(ofMember member: Int, into result: GrowingBuffer<Position>) throws {
        let terms = try knownTerms()
        guard try terms.move(to: document) else { return result.removeAll() }
        try terms.readInstances(ofMember: 0, into: result)
    }
}
