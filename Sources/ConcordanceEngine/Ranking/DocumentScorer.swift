import ConcordanceFTS5

/// Scores single documents that match a query, by `bm25`, from the postings of its terms alone. For many rows of a query,
/// in any order; the nearer the next one, the sooner it is found.
final class DocumentScorer {
    private let weights: [Double]
    private let statistics: RankingStatistics
    private let choice: RankerChoice
    private let segments: [LiveSegment]
    /// The lists of the segment whose document was scored last, in the order of their phrases.
    @exclusivity(unchecked) private var lists = FixedBuffer<ScoredList>([])
    @exclusivity(unchecked) private var segment: Int?

    /// - Parameter weights: By column; later columns count 1.
    /// - Returns: Nil for queries other than an AND of alternatives that are single terms (`QueryNode.slots`), and where
    ///   sums in another order could differ in the last bit: those of the terms of a prefix by fractional weights.
    init?(_ bound: BoundQuery, _ scorer: RowScorer, weights: [Double]) {
        let snapshot = bound.snapshot
        guard let slots = bound.expression.root?.slots,
            case let shape = snapshot.segments.first?.segment.shape,
            slots.joined().allSatisfy({ bound.expression.isTerm($0, in: shape, isExact: weights.areSmallNumbers) })
        else { return nil }
        let parameters = RankParameters()
        self.weights = weights
        statistics = RankingStatistics(
            norms: snapshot.lengthNorms(k1: parameters.k1, b: parameters.b),
            phraseWeights: (0..<scorer.phraseCount).map { scorer.weight($0, parameters) },
            weights: ColumnWeights(weights))
        choice = RankerChoice(bound.expression, statistics)
        segments = snapshot.segments
    }

    /// Whether these are the weights that rows are scored with.
    func has(weights count: Int, _ weight: (Int) -> Double) -> Bool {
        count == weights.count && weights.indices.allSatisfy { weights[$0] == weight($0) }
    }

    /// The score of a document that matches, as `FlatRanker` adds it up.
    func score(_ document: DocumentReference) throws -> Double {
        if segment != document.segment { try open(document.segment) }
        let norm = statistics.norm(try segments[document.segment].segment.length(at: Int(document.document)))
        var score = 0.0
        for place in 0..<lists.count where try lists.start[place].seek(document.document) >= 0 {
            score += try lists.start[place].share(of: document.document, norm: norm, statistics) ?? 0
        }
        return score
    }

    private func open(_ number: Int) throws {
        segment = nil
        guard segments.indices.contains(number) else { throw corrupt("a row is in no segment") }
        let lists = try choice.lists(of: segments[number].segment) ?? []
        self.lists = FixedBuffer(lists.sorted { $0.phrase < $1.phrase })
        segment = number
    }
}

extension QueryExpression {
    /// Whether a group is one list of the index or, if sums in any order are exact, several.
    fileprivate func isTerm(_ group: NearGroup, in shape: IndexShape?, isExact: Bool) -> Bool {
        guard group.phrases.count == 1, case let phrase = phrases[group.number], phrase.terms.count == 1,
            let term = phrase.terms.first, !phrase.isInitial, !term.isForgiving, let shape
        else { return false }
        return isExact || term.synonyms.isEmpty && (!term.isPrefix || term.listKey(shape) != nil)
    }
}

extension [Double] {
    /// Whether they are whole numbers whose sums are exact (`ColumnWeights.add`).
    fileprivate var areSmallNumbers: Bool { allSatisfy { $0 == $0.rounded() && abs($0) < 0x1p20 } }
}
