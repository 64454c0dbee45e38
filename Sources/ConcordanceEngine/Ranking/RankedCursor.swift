import ConcordanceFTS5

/// The rows that match a query, best first, rows with equal scores by rowid. They are computed as they are read, since
/// SQLite stops reading once its statement, joins included, has as many rows as its LIMIT.
final class RankedCursor {
    private var documents: RankedDocuments
    let work: QueryWork
    private var current = RankedDocument(
        key: 0, rowID: 0, document: DocumentReference(segment: 0, document: 0), score: 0)

    /// - Parameters:
    ///   - limit: How many rows will probably be read; nil if that is not known.
    ///   - order: `descending` for `ORDER BY rank DESC`.
    ///   - rowIDs: Limits the rows to this range.
    ///   - ranks: Limits the rows to those with such a `rank`, in the form of `score`; nil for all.
    ///   - constantLength: The length of every row, for tables that store no lengths, for which FTS5 counts -1 per column.
    init(
        bound: BoundQuery, ranking: Ranking, limit: Int?, order: RankOrder = .ascending,
        rowIDs: ClosedRange<Int64> = Int64.min...Int64.max, ranks: ClosedRange<Double>? = nil,
        constantLength: Double? = nil
    ) throws {
        let snapshot = bound.snapshot
        let parameters = ranking.parameters
        let hasLengths = constantLength == nil
        let weights = ranking.columnWeights(snapshot, hasLengths: hasLengths)
        let groups = bound.expression.groupOfPhrase
        let scorer = try RowScorer(bound, parameters) { groups[$0] != nil }
        let statistics = RankingStatistics(
            norms: snapshot.norms(ranking, constantLength: constantLength), hasLengths: hasLengths,
            phraseWeights: (0..<scorer.phraseCount).map { scorer.weight($0, parameters) }, weights: weights,
            bonus: BonusBounds(
                scorer, parameters, bound.expression,
                hasColocatedTokens: snapshot.segments.contains { $0.segment.hasColocatedTokens }), order: order)
        let scores = ranks.map { ranks in
            order == .ascending
                ? (first: -ranks.lowerBound, last: -ranks.upperBound)
                : (first: -ranks.upperBound, last: -ranks.lowerBound)
        }
        let evaluator = statistics.bonus.map { _ in BonusEvaluator(bound, scorer, parameters, statistics) }
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

    /// The value of `rank`: the better the row, the smaller.
    var score: Double { -1.0 * current.score }
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
