import ConcordanceFTS5

/// The rows that match a query, best first, rows with equal scores by rowid. They are computed as they are read, since
/// SQLite stops reading once its statement, joins included, has as many rows as its LIMIT.
final class RankedCursor {
    private var documents: RankedDocuments
    let work: QueryWork
    private var current = RankedDocument(
        key: 0, rowID: 0, document: DocumentReference(segment: 0, document: 0), score: 0)
    /// By which the scores of rows are multiplied; nil until it is computed.
    private var factor: Double?
    private let makeFactor: () throws -> Double

    /// - Parameters:
    ///   - limit: How many rows will probably be read; nil if that is not known.
    ///   - order: `descending` for `ORDER BY rank DESC`.
    ///   - rowIDs: Limits the rows to this range.
    ///   - ranks: Limits the rows to those with such a `rank`, in the form of `score`; nil for all.
    ///   - constantLength: The length of every row, for tables that store no lengths, for which FTS5 counts -1 per column.
    ///   - defersCounting: Whether the rows of a phrase that is the whole query are counted only if a score is read: its idf
    ///     does not change their order. Rows whose scores differ only before the multiplication by the idf is rounded
    ///     are then not in the order of their rowids.
    init(
        bound: BoundQuery, ranking: Ranking, limit: Int?, order: RankOrder = .ascending,
        rowIDs: ClosedRange<Int64> = Int64.min...Int64.max, ranks: ClosedRange<Double>? = nil,
        constantLength: Double? = nil, defersCounting: Bool = false
    ) throws {
        let snapshot = bound.snapshot
        let parameters = ranking.parameters
        let hasLengths = constantLength == nil
        let weights = ranking.columnWeights(snapshot, hasLengths: hasLengths)
        let groups = bound.expression.groupOfPhrase
        let isDeferred =
            defersCounting && ranks == nil && order == .ascending && parameters.k3 >= 0 && bound.isNewPhrase()
        let scorer = isDeferred ? nil : try RowScorer(bound, parameters) { groups[$0] != nil }
        // Scores without the idf are multiplied by the weight that it is part of.
        factor = isDeferred ? nil : 1
        makeFactor = { try RowScorer(bound, parameters).weight(0, parameters) }
        let phraseWeights = scorer.map { scorer in
            (0..<scorer.phraseCount).map { scorer.weight($0, parameters) }
        }
        let hasColocatedTokens = snapshot.segments.contains { $0.segment.hasColocatedTokens }
        let bonus = scorer.flatMap {
            BonusBounds($0, parameters, bound.expression, hasColocatedTokens: hasColocatedTokens)
        }
        let statistics = RankingStatistics(
            norms: snapshot.norms(ranking, constantLength: constantLength), hasLengths: hasLengths,
            phraseWeights: phraseWeights ?? [1], weights: weights, bonus: bonus, order: order)
        let scores = ranks.map { ranks in
            order == .ascending
                ? (first: -ranks.lowerBound, last: -ranks.upperBound)
                : (first: -ranks.upperBound, last: -ranks.lowerBound)
        }
        var evaluator: BonusEvaluator?
        if let scorer, bonus != nil { evaluator = BonusEvaluator(bound, scorer, parameters, statistics) }
        work = bound.work
        documents = try RankedDocuments(
            bound.expression, segments: snapshot.segments, statistics: statistics, limit: limit, rowIDs: rowIDs,
            among: bound.documents, scores: scores, evaluator: evaluator, counted: bound.counted, work: bound.work)
    }

    /// Calls `body` with each of the rows that follow, `limit` at most; with none after the last one.
    func read(_ limit: Int, _ body: (RankedDocument) -> Void) throws { try documents.read(limit, body) }

    /// Moves to the next row; false after the last one.
    func next() throws -> Bool {
        guard let next = try documents.next() else { return false }
        current = next
        work.rankedRows &+= 1
        return true
    }

    /// The current row; valid after `next` has returned true.
    var document: DocumentReference { current.document }
    var rowID: Int64 { current.rowID }

    /// The value of `rank` in the current row: the better the row, the smaller.
    func rank() throws -> Double { try rank(of: current) }

    /// The value of `rank` in a row that was read.
    func rank(of row: RankedDocument) throws -> Double {
        let factor = try factor ?? makeFactor()
        self.factor = factor
        return -1.0 * (factor * row.score)
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
