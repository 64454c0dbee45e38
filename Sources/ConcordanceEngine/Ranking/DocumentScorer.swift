import ConcordanceFTS5

/// Scores documents that match a query, by `bm25`: many rows of a query, in any order. The nearer they are to each
/// other, the less each costs.
///
/// For an AND of alternatives that are single terms (`QueryNode.slots`) it reads only blocks of postings; phrases whose
/// hits are known count as such. For all other queries, and where a sum in another order could differ in the last bit (the
/// terms of a prefix, with fractional weights), it looks up each document.
final class DocumentScorer {
    private let weights: FixedBuffer<Double>
    private let statistics: RankingStatistics
    private let choice: RankerChoice
    private let segments: [LiveSegment]
    private let expression: QueryExpression
    /// Whether only postings are read.
    private let readsLists: Bool
    /// What is read of the segment whose document was scored last, and its number.
    @exclusivity(unchecked) private var current: Source?
    @exclusivity(unchecked) private var segment: Int?
    /// By segment, since the rows of segments may alternate.
    private var sources: [Int: Source] = [:]
    /// About the most documents that the lists of these hold.
    private var heldCount = 0

    /// What is read of a segment.
    private final class Source {
        /// In the order of their phrases.
        let lists: FixedBuffer<ScoredList>
        let probe: MatchProbe?

        init(_ lists: [ScoredList], _ probe: MatchProbe?) {
            self.lists = FixedBuffer(lists.sorted { $0.phrase < $1.phrase })
            self.probe = probe
        }
    }

    /// - Parameter weights: By column; later columns count 1.
    init(_ bound: BoundQuery, _ scorer: RowScorer, weights: [Double]) {
        let snapshot = bound.snapshot
        expression = bound.expression
        let shape = snapshot.shape
        let columnWeights = ColumnWeights(weights)
        readsLists =
            bound.expression.root?.slots?.joined().allSatisfy {
                bound.expression.isTerm($0, in: shape, isExact: columnWeights.areExact) || bound.hasHits(of: $0)
            } ?? false
        let parameters = RankParameters()
        self.weights = FixedBuffer(weights)
        statistics = RankingStatistics(
            norms: snapshot.lengthNorms(k1: parameters.k1, b: parameters.b),
            phraseWeights: (0..<scorer.phraseCount).map { scorer.weight($0, parameters) },
            weights: columnWeights)
        choice = RankerChoice(bound.expression, statistics, bound.work, counted: bound.counted)
        segments = snapshot.segments
    }

    /// Whether rows are scored with these weights.
    @inline(__always)
    func has(weights count: Int, _ weight: (Int) -> Double) -> Bool {
        guard count == weights.count else { return false }
        for index in 0..<count where weights[index] != weight(index) { return false }
        return true
    }

    /// Computes the scores of documents that match, as `FlatRanker` adds them up.
    ///
    /// - Parameters:
    ///   - documents: Ascending or descending, at most `BlockSource.blockSize`.
    ///   - scores: Room for the scores.
    func score(
        _ documents: UnsafeBufferPointer<UInt32>, ofSegment number: Int, into scores: UnsafeMutablePointer<Double>
    ) throws {
        guard let first = documents.first, let last = documents.last, first > last else {
            return try score(ascending: documents, ofSegment: number, into: scores)
        }
        try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: documents.count) { ascending in
            for index in 0..<documents.count { ascending[index] = documents[documents.count &- 1 &- index] }
            try score(ascending: UnsafeBufferPointer(ascending), ofSegment: number, into: scores)
        }
        var scores = UnsafeMutableBufferPointer(start: scores, count: documents.count)
        scores.reverse()
    }

    private func score(
        ascending documents: UnsafeBufferPointer<UInt32>, ofSegment number: Int,
        into scores: UnsafeMutablePointer<Double>
    ) throws {
        guard let start = documents.baseAddress else { return }
        if segment != number { try open(number) }
        guard let current else { return }
        scores.update(repeating: 0, count: documents.count)
        let (statistics, segment, count) = (statistics, segments[number].segment, documents.count)
        try withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { norms in
            for index in 0..<count { norms[index] = statistics.norm(try segment.length(at: Int(start[index]))) }
            guard let norms = norms.baseAddress else { return }
            for list in 0..<current.lists.count {
                try current.lists.start[list].addShares(
                    of: UnsafeBufferPointer(start: start, count: count), norms: norms, statistics, to: scores)
            }
            guard let probe = current.probe else { return }
            for index in 0..<count {
                scores[index] = try probe.score(start[index], norm: norms[index], statistics, in: segment)
            }
        }
    }

    private func open(_ number: Int) throws {
        segment = nil
        guard segments.indices.contains(number) else { throw corrupt("a row is in no segment") }
        current = try sources[number] ?? makeSource(number)
        segment = number
    }

    private func makeSource(_ number: Int) throws -> Source {
        let segment = segments[number].segment
        let readsLists = try readsLists && choice.canHoldLists(of: segment)
        let source =
            readsLists
            ? Source(try choice.lists(of: segment) ?? [], nil)
            : Source([], MatchProbe(expression, segment: segment))
        let count = expression.phrases.count * segment.documentCount
        if heldCount + count > RankerChoice.foundLimit { (sources, heldCount) = ([:], 0) }
        heldCount += count
        sources[number] = source
        return source
    }
}

extension QueryExpression {
    /// Whether a group is one list of the index or, if sums are exact in any order, several lists.
    fileprivate func isTerm(_ group: NearGroup, in shape: IndexShape?, isExact: Bool) -> Bool {
        guard group.phrases.count == 1, case let phrase = phrases[group.number], phrase.terms.count == 1,
            let term = phrase.terms.first, !phrase.isInitial, !term.isForgiving, let shape
        else { return false }
        return isExact || term.synonyms.isEmpty && (!term.isPrefix || term.listKey(shape) != nil)
    }
}

extension BoundQuery {
    /// Whether the hits of a group of one phrase are known.
    fileprivate func hasHits(of group: NearGroup) -> Bool {
        group.phrases.count == 1 && counted(expression.phrases[group.number])?.hasHits == true
    }
}
