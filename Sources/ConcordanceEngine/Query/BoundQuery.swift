/// The documents of a snapshot that match a query.
struct MatchedDocuments {
    let expression: QueryExpression
    let rows: RowSet?
    let values: ValueFilter?
    /// By segment.
    let documents: [DocumentSet]
}

/// A query on one snapshot of an index.
final class BoundQuery {
    let expression: QueryExpression
    let snapshot: Snapshot
    /// Limits the query to these rows; nil for all.
    private let rows: RowSet?
    /// Limits the query to rows with values that pass; nil for all.
    private let values: ValueFilter?
    /// Counts what the query costs.
    let work: QueryWork
    /// By segment, each created at its first use.
    private var probes: [MatchProbe?]

    init(
        _ expression: QueryExpression, snapshot: Snapshot, rows: RowSet? = nil, values: ValueFilter? = nil,
        work: QueryWork = QueryWork()
    ) throws {
        self.expression = try snapshot.withVariants(expression)
        self.snapshot = snapshot
        self.rows = rows
        self.values = values
        self.work = work
        probes = Array(repeating: nil, count: snapshot.segments.count)
    }

    /// The query, limited also to rows whose values fulfil the condition.
    func limited(to condition: ValueCondition) throws -> BoundQuery {
        try BoundQuery(
            expression, snapshot: snapshot, rows: rows, values: (values ?? ValueFilter()).adding(condition), work: work)
    }

    // MARK: - Matches

    /// The rows that match, in the order of their rowids.
    func makeMatches(descending: Bool, rowIDs: ClosedRange<Int64>) throws -> MatchCursor {
        MatchCursor(self, descending: descending, rowIDs: rowIDs)
    }

    /// The documents of a segment to which the query is limited, perhaps without some that do not match; nil for all.
    func documents(of live: LiveSegment) throws -> DocumentSet? {
        let listed = try rows?.documents(of: live.segment)
        guard let values else { return listed }
        let key = SegmentValues(segment: live.entry.info.id, filter: values)
        if snapshot.valueDocuments.known(key) == nil, let few = try fewDocuments(of: live, listed) {
            return try values.documents(of: live, among: few, work)
        }
        let valued = try snapshot.valueDocuments.value(for: key) { try values.documents(of: live, work) }
        return listed.map { $0.intersection(valued, documentCount: live.segment.documentCount) } ?? valued
    }

    /// The only documents of a segment that may be wanted, if they are few: those that are listed, or those that may match. To
    /// test the values of each costs less than to test those of all.
    private func fewDocuments(of live: LiveSegment, _ listed: DocumentSet?) throws -> DocumentIterator? {
        let limit = live.segment.fewDocuments
        if let listed, listed.count <= limit { return DocumentSetIterator(listed) }
        guard let wanted = expression.withoutUnlistedPrefixes(in: live.segment) else { return nil }
        let matches = try SegmentSearch(wanted, segment: live.segment, counted: counted).iterator()
        guard matches.cost <= limit else { return nil }
        return listed.map { ConjunctionIterator([matches, DocumentSetIterator($0)]) } ?? matches
    }

    /// The matching documents of a segment, perhaps with removed ones, without those that `rows` or `values` exclude.
    func makeIterator(segment: Int) throws -> DocumentIterator {
        let live = snapshot.segments[segment]
        let segment = live.segment
        let matches = try SegmentSearch(expression, segment: segment, counted: counted).iterator()
        guard let set = try documents(of: live) else { return matches }
        // Seeking each of a few rows costs more per row than reading all matches.
        if set.count > segment.documentCount / 16 { return RestrictedIterator(matches, to: set) }
        return ConjunctionIterator([DocumentSetIterator(set), matches])
    }

    /// The documents that match, segment by segment, without removed ones. The snapshot keeps those of the last query that
    /// asked: a search counts the values of several columns, one after another.
    func matchedDocuments() throws -> [DocumentSet] {
        if let last = snapshot.lastMatches, last.expression == expression, last.rows === rows, last.values == values {
            return last.documents
        }
        let documents = try snapshot.segments.indices.map { number in
            let live = snapshot.segments[number]
            let iterator = try makeIterator(segment: number)
            let count = live.segment.documentCount
            let set = DocumentSet(documentCount: count, expectedCount: min(iterator.cost, count))
            try iterator.forEach(from: 0, below: UInt32(truncatingIfNeeded: count)) {
                if !live.deletions.isDeleted($0) { set.insert($0) }
            }
            set.freeze()
            return set
        }
        snapshot.lastMatches = MatchedDocuments(
            expression: expression, rows: rows, values: values, documents: documents)
        return documents
    }

    // MARK: - Statistics

    /// The exact number of rows that match a phrase by itself, in the columns to which it is restricted.
    ///
    /// For a term, or a prefix with a stored list, this searches the dictionaries. Otherwise it reads all matches, once
    /// for each state of the index.
    ///
    /// For a term with typos, this is the number for the most frequent term that it stands for, in any column:
    /// otherwise rare variants would make the word seem rarer than the one that was probably meant.
    func documentFrequency(ofPhrase index: Int) throws -> Int {
        guard expression.phrases.indices.contains(index) else { return 0 }
        return try documentFrequency(of: expression.phrases[index])
    }

    private func documentFrequency(of phrase: QueryPhrase) throws -> Int {
        if phrase.terms.count == 1, let term = phrase.terms.first, term.isForgiving, !phrase.isInitial {
            var exact = phrase
            exact.terms = [term.exact]
            return term.variants.reduce(try documentFrequency(of: exact)) { max($0, $1.documentFrequency) }
        }
        if let frequency = try storedFrequency(of: phrase) { return frequency }
        return try snapshot.countedPhrases.value(for: phrase) { try count(phrase) }.rowCount
    }

    private func storedFrequency(of phrase: QueryPhrase) throws -> Int? {
        guard let term = phrase.terms.first else { return 0 }
        guard phrase.terms.count == 1, !phrase.isInitial, phrase.columns == nil, term.synonyms.isEmpty,
            let shape = snapshot.shape
        else { return snapshot.segments.isEmpty ? 0 : nil }
        guard let key = term.isPrefix ? term.listKey(shape) : [0] + term.bytes else { return nil }
        return try snapshot.documentFrequency(of: key)
    }

    private func count(_ phrase: QueryPhrase) throws -> CountedPhrase {
        work.countedPhrases &+= 1
        var counted = CountedPhrase(snapshot)
        for (number, live) in snapshot.segments.enumerated() {
            let leaf = try SegmentSearch(expression, segment: live.segment).leaf(phrase)
            if phrase.isDecidedByPositions {
                try counted.find(leaf, in: live, number)
            } else {
                try counted.count(leaf, in: live)
            }
        }
        return counted
    }

    /// What is known of a phrase whose rows have been counted; nil for others.
    func counted(_ phrase: QueryPhrase) -> CountedPhrase? {
        phrase.isDecidedByPositions ? snapshot.countedPhrases.known(phrase) : nil
    }

    /// Whether the query is one phrase of two terms or more whose rows have not been counted, and that is ranked for the first
    /// time. When it is asked for again, knowing its rows pays off.
    func claimFirstRanking() -> Bool {
        guard case .near(let group) = expression.root, group.phrases.count == 1, expression.phrases.count == 1,
            case let phrase = expression.phrases[0], phrase.terms.count > 1, phrase.terms.allSatisfy(\.isToken),
            counted(phrase) == nil, snapshot.phrasesRankedUncounted.known(phrase) == nil
        else { return false }
        snapshot.phrasesRankedUncounted.value(for: phrase) {}
        return true
    }

    // MARK: - One row

    /// Replaces the contents of the buffer with the positions in a row at which the instances of a phrase begin,
    /// ascending. Only phrases and instances that contribute to the match count. Empty if the index has no positions.
    func instances(at document: DocumentReference, ofPhrase index: Int, into result: GrowingBuffer<Position>) throws {
        result.removeAll()
        guard let (leaf, member) = try probe(segment: document.segment)?.leaf(ofPhrase: index, at: document.document)
        else { return }
        try leaf.readInstances(ofMember: member, into: result)
    }

    /// Replaces the contents of the array with the columns of a row in which a phrase has instances that count,
    /// ascending.
    func columns(at document: DocumentReference, ofPhrase index: Int, into result: inout [ColumnFrequency]) throws {
        result.removeAll(keepingCapacity: true)
        try forEachColumn(at: document, ofPhrase: index) { result.append(ColumnFrequency(column: $0, count: $1)) }
    }

    /// Calls `body` with each column of a row in which a phrase has instances that count, ascending, and their number.
    func forEachColumn(
        at document: DocumentReference, ofPhrase index: Int, _ body: (_ column: UInt32, _ count: UInt32) throws -> Void
    ) throws {
        guard let (leaf, member) = try probe(segment: document.segment)?.leaf(ofPhrase: index, at: document.document)
        else { return }
        try leaf.forEachColumn(ofMember: member, body)
    }

    /// Calls `body` with the hits of a phrase in a row that count: in a column, how many, and how much each counts. A
    /// column may come more than once.
    func forEachHitCount(
        at document: DocumentReference, ofPhrase index: Int,
        _ body: (_ column: UInt32, _ count: UInt32, _ factor: Double) throws -> Void
    ) throws {
        guard let (leaf, member) = try probe(segment: document.segment)?.leaf(ofPhrase: index, at: document.document)
        else { return }
        try leaf.forEachHitCount(ofMember: member, body)
    }

    /// Examines single documents of a segment; nil if there is no such segment.
    func probe(segment index: Int) -> MatchProbe? {
        guard snapshot.segments.indices.contains(index) else { return nil }
        let probe = probes[index] ?? MatchProbe(expression, segment: snapshot.segments[index].segment)
        probes[index] = probe
        return probe
    }
}
