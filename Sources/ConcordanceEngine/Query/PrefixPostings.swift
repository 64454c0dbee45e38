/// The documents that have one of many terms. Which they are is found in one pass over all postings of the terms.
///
/// Where the terms stand in single documents is looked up, term by term; where documents are asked for one behind the
/// other, it is gathered for many documents at once.
final class PrefixPostings: LeafIterator {
    private let expansions: TermExpansions
    private let columns: ColumnFilter?
    private var documents: DocumentSet?
    /// The document that was looked up last, and the places in it.
    private var lookedUp: UInt32?
    private var places: [Position] = []
    private var gathered: WindowedPostings?
    /// Those of the documents that were told beforehand.
    private var expected: GatheredPlaces?
    /// How many documents were looked up, each behind the one before.
    private var run = 0

    /// So many documents are looked up one by one.
    private static let longestRun = 4

    init(_ expansions: TermExpansions, columns: ColumnFilter?) {
        self.expansions = expansions
        self.columns = columns
    }

    override var cost: Int { min(expansions.postingCount, expansions.segment.documentCount) }

    override func find(_ target: UInt32) throws -> UInt32 { try set().first(from: target) }

    override func read(
        from target: UInt32, below end: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>
    ) throws -> Int {
        let set = try set()
        let count = set.read(from: target, below: end, into: buffer)
        if count > 0 { settle(at: buffer[count - 1]) }
        return count
    }

    private func set() throws -> DocumentSet {
        if let documents { return documents }
        let set = DocumentSet(
            documentCount: expansions.segment.documentCount, expectedCount: expansions.postingCount)
        try expansions.forEach(postings: { cursor in
            if let columns {
                while try cursor.next() != Self.exhausted {
                    if try cursor.stands(in: columns) { set.insert(cursor.document) }
                }
            } else {
                for block in 0..<cursor.blockCount {
                    try cursor.decode(block: block)
                    for document in cursor.documents { set.insert(document) }
                }
            }
        })
        set.freeze()
        documents = set
        return set
    }

    override func move(to document: UInt32) throws -> Bool {
        if documents != nil { return try super.move(to: document) }
        settle(at: document)
        try look(at: document)
        return !places.isEmpty
    }

    override func expect(_ documents: [UInt32]) throws {
        lookedUp = nil
        expected = try GatheredPlaces(expansions, in: documents, columns: columns)
    }

    /// Makes `places` those in the document.
    private func look(at document: UInt32) throws {
        if lookedUp == document { return }
        run = document > lookedUp ?? 0 ? run + 1 : 0
        lookedUp = nil
        if let expected = expected?.places(in: document) {
            places = expected
        } else if let gathered = try window(for: document) {
            places.removeAll(keepingCapacity: true)
            if try gathered.move(to: document) { try gathered.readPlaces(into: &places) }
        } else {
            places = try expansions.places(at: document, columns: columns)
        }
        lookedUp = document
    }

    /// What has gathered the document's places, or is worth it; nil where they are looked up.
    private func window(for document: UInt32) throws -> WindowedPostings? {
        if let gathered, gathered.isGathered(document) || run > Self.longestRun { return gathered }
        guard run > Self.longestRun else { return nil }
        let gathered = WindowedPostings(expansions, columns: columns)
        self.gathered = gathered
        return gathered
    }

    override func readInstances(ofMember member: Int, into result: inout [Position]) throws {
        result.removeAll(keepingCapacity: true)
        guard expansions.hasPositions else { return }
        try look(at: document)
        result.append(contentsOf: places)
    }

    override func forEachColumn(
        ofMember member: Int, _ body: (_ column: UInt32, _ count: UInt32) throws -> Void
    ) throws {
        if expansions.hasPositions { return try super.forEachColumn(ofMember: member, body) }
        try look(at: document)
        for place in places { try body(place.column, place.offset) }
    }
}

/// The documents of a stored list of a prefix; the terms are looked up where their places are asked for.
final class PrefixListPostings: LeafIterator {
    private let list: TermPostings
    private let makeTerms: () throws -> LeafIterator
    private var terms: LeafIterator?

    init(_ list: TermPostings, terms: @escaping () throws -> LeafIterator) {
        self.list = list
        makeTerms = terms
    }

    override var cost: Int { list.cost }
    override func rewind() { list.reset() }
    override func find(_ target: UInt32) throws -> UInt32 { try list.seek(target) }

    override func read(
        from target: UInt32, below end: UInt32, into buffer: UnsafeMutableBufferPointer<UInt32>
    ) throws -> Int {
        let count = try list.read(from: target, below: end, into: buffer)
        settle(at: list.document)
        return count
    }

    override func mark(from first: UInt32, below end: UInt32, in window: UnsafeMutablePointer<UInt64>) throws {
        try list.mark(from: first, below: end, in: window)
        settle(at: list.document)
    }

    override func expect(_ documents: [UInt32]) throws { try knownTerms().expect(documents) }

    private func knownTerms() throws -> LeafIterator {
        let known = try terms ?? makeTerms()
        terms = known
        return known
    }

    override func readInstances(ofMember member: Int, into result: inout [Position]) throws {
        let terms = try knownTerms()
        guard try terms.move(to: document) else { return result.removeAll(keepingCapacity: true) }
        try terms.readInstances(ofMember: 0, into: &result)
    }

    override func forEachColumn(
        ofMember member: Int, _ body: (_ column: UInt32, _ count: UInt32) throws -> Void
    ) throws {
        try list.forEachColumn(ofMember: 0, body)
    }
}
