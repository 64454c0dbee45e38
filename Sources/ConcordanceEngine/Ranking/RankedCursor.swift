import ConcordanceFTS5

/// The rows that match a query, best first, rows with equal scores by rowid. They are computed as they are read, since
/// SQLite stops reading once its statement, joins included, has as many rows as its LIMIT.
final class RankedCursor {
    /// The first rows, if they were ranked without an idf.
    private var uncounted: UncountedRows?
    /// All rows; nil as long as those are read.
    private var documents: RankedDocuments?
    private let makeDocuments: () throws -> RankedDocuments
    /// By what the scores of the rows that are read are multiplied; nil until it is computed.
    private var factor: Double?
    private let makeFactor: () throws -> Double
    let work: QueryWork
    private var current = RankedDocument(
        key: 0, rowID: 0, document: DocumentReference(segment: 0, document: 0), score: 0)

    /// - Parameters:
    ///   - limit: How many rows will probably be read; nil if that is not known.
    ///   - order: `descending` for `ORDER BY rank DESC`.
    ///   - rowIDs: Limits the rows to this range.
    ///   - ranks: Limits the rows to those with such a `rank`; nil for all.
    ///   - constantLength: The length of every row, for tables that store no lengths, for which FTS5 counts -1 per column.
    ///   - defersCounting: Whether the rows of a phrase that is the whole query are counted only when a rank is read, if their
    ///     number does not matter before.
    init(
        bound: BoundQuery, ranking: Ranking, limit: Int?, order: RankOrder = .ascending,
        rowIDs: ClosedRange<Int64> = Int64.min...Int64.max, ranks: ClosedRange<Double>? = nil,
        constantLength: Double? = nil, defersCounting: Bool = false
    ) throws {
        let parameters = ranking.parameters
        let groups = bound.expression.groupOfPhrase
        func makeScorer() throws -> RowScorer { try RowScorer(bound, parameters) { groups[$0] != nil } }
        work = bound.work
        makeFactor = { try makeScorer().weight(0, parameters) }
        makeDocuments = {
            try RankedDocuments(
                bound, ranking, makeScorer(), limit: limit, order: order, rowIDs: rowIDs, ranks: ranks,
                constantLength: constantLength)
        }
        let count = limit ?? RankedDocuments.defaultBatchSize - 1
        // With a k3 of 0 or more, the idf is positive together with the factor for repetitions.
        if defersCounting, order == .ascending, ranks == nil, parameters.k3 >= 0, count > 0,
            count <= UncountedRows.limit, bound.claimFirstRanking()
        {
            var rows = try RankedDocuments(
                bound, ranking, nil, limit: count + 1, order: order, rowIDs: rowIDs, ranks: nil,
                constantLength: constantLength)
            uncounted = try UncountedRows(&rows, count: count)
        }
        if uncounted == nil { try useDocuments() }
    }

    private func useDocuments() throws {
        documents = try makeDocuments()
        factor = 1
    }

    /// Calls `body` with each of the rows that follow, `limit` at most; with none after the last one.
    func read(_ limit: Int, _ body: (RankedDocument) -> Void) throws {
        if let known = uncounted {
            if uncounted?.read(limit, body) == true || known.areAll { return }
            try useDocuments()
            uncounted = nil
            for _ in 0..<known.count { _ = try documents?.next() }
        }
        try documents?.read(limit, body)
    }

    /// Moves to the next row; false after the last one.
    func next() throws -> Bool {
        var next: RankedDocument?
        try read(1) { next = $0 }
        guard let next else { return false }
        current = next
        work.rankedRows &+= 1
        return true
    }

    /// The current row; valid after `next` has returned true.
    var document: DocumentReference { current.document }
    var rowID: Int64 { current.rowID }

    /// The value of `rank` in the current row: the better the row, the smaller.
    func rank() throws -> Double { try rank(of: current) }

    /// The value of `rank` in a row of the last `read`.
    func rank(of row: RankedDocument) throws -> Double {
        let factor = try factor ?? makeFactor()
        self.factor = factor
        return -1.0 * (factor * row.score)
    }
}

extension RankedDocuments {
    /// The rows of a query.
    ///
    /// - Parameter scorer: Nil to rank by a single phrase with the weight 1.
    fileprivate init(
        _ bound: BoundQuery, _ ranking: Ranking, _ scorer: RowScorer?, limit: Int?, order: RankOrder,
        rowIDs: ClosedRange<Int64>, ranks: ClosedRange<Double>?, constantLength: Double?
    ) throws {
        let (snapshot, parameters, hasLengths) = (bound.snapshot, ranking.parameters, constantLength == nil)
        let hasColocatedTokens = snapshot.segments.contains { $0.segment.hasColocatedTokens }
        let bonus = scorer.flatMap {
            BonusBounds($0, parameters, bound.expression, hasColocatedTokens: hasColocatedTokens)
        }
        let statistics = RankingStatistics(
            norms: snapshot.norms(ranking, constantLength: constantLength), hasLengths: hasLengths,
            phraseWeights: scorer.map { scorer in
                (0..<scorer.phraseCount).map { scorer.weight($0, parameters) }
            } ?? [1],
            weights: ranking.columnWeights(snapshot, hasLengths: hasLengths), bonus: bonus, order: order)
        let scores = ranks.map { ranks in
            order == .ascending
                ? (first: -ranks.lowerBound, last: -ranks.upperBound)
                : (first: -ranks.upperBound, last: -ranks.lowerBound)
        }
        var evaluator: CandidateEvaluator?
        // The terms of a prefix or with typos may share positions, and sums of fractional weights depend on their order.
        if let scorer, bonus != nil || bound.expression.prefixCount > 0 {
            evaluator = CandidateEvaluator(bound, scorer, parameters, statistics)
        }
        try self.init(
            bound.expression, segments: snapshot.segments, statistics: statistics, limit: limit, rowIDs: rowIDs,
            among: bound.documents, scores: scores, evaluator: evaluator, counted: bound.counted, work: bound.work)
    }
}

extension Snapshot {
    /// The length norms of a ranking.
    fileprivate func norms(_ ranking: Ranking, constantLength: Double?) -> LengthNorms {
        let parameters = ranking.parameters
        guard ranking.fieldB != nil || constantLength != nil else {
            return lengthNorms(k1: parameters.k1, b: parameters.b)
        }
        let bm25 = BM25(k1: parameters.k1, b: parameters.b, rowCount: rowCount, tokenCount: tokenCount)
        let constant =
            ranking.fieldB == nil ? constantLength.map(bm25.lengthNorm) : RowScorer.fieldwiseNorm(parameters)
        return LengthNorms(bm25, constant: constant)
    }
}
