/// The rows that match a query, best first; rows of equal scores by rowid. Computed as they are read, since SQLite stops
/// after the LIMIT of its statement, joins included.
final class RankedCursor {
    private let bound: BoundQuery
    private var documents: RankedDocuments
    private var current = RankedDocument(
        key: 0, rowID: 0, document: DocumentReference(segment: 0, document: 0), score: 0)

    /// - Parameters:
    ///   - weights: What a hit counts in each column: the arguments of `bm25`.
    ///   - limit: How many rows will probably be read.
    ///   - order: `descending` for `ORDER BY rank DESC`.
    ///   - rowIDs: The only rows that count.
    ///   - ranks: The only values of `rank` that count, those of `score`; nil for all.
    ///   - constantLength: The length of every row, for tables without texts and sizes, where FTS5 counts -1 a column.
    init(
        bound: BoundQuery, weights: [Double], limit: Int?, order: RankOrder = .ascending,
        rowIDs: ClosedRange<Int64> = Int64.min...Int64.max, ranks: ClosedRange<Double>? = nil,
        constantLength: Double? = nil
    ) throws {
        self.bound = bound
        let snapshot = bound.snapshot
        let weights = ColumnWeights(weights)
        let allowsPruning = RankingStatistics.allowsPruning(
            weights: weights, order: order, hasLengths: constantLength == nil)
        let query = try RankingQuery(bound, weights, allowsPruning: allowsPruning)
        let frequencies = try query.leafOfPhrase.indices.map { phrase in
            query.leafOfPhrase[phrase] == nil ? 0 : try bound.documentFrequency(ofPhrase: phrase)
        }
        let norms =
            constantLength == nil
            ? snapshot.lengthNorms
            : LengthNorms(
                rowCount: snapshot.rowCount, tokenCount: snapshot.totalTokens.reduce(0, &+),
                constantLength: constantLength)
        let statistics = RankingStatistics(
            rowCount: snapshot.rowCount, norms: norms, hasLengths: constantLength == nil,
            documentFrequencies: frequencies, weights: weights, order: order)
        let scores = ranks.map { ranks in
            order == .ascending
                ? (first: -ranks.lowerBound, last: -ranks.upperBound)
                : (first: -ranks.upperBound, last: -ranks.lowerBound)
        }
        documents = try RankedDocuments(
            query, segments: snapshot.segments, statistics: statistics, limit: limit, rowIDs: rowIDs, rows: bound.rows,
            scores: scores, work: bound.work)
    }

    /// Goes to the next row; false after the last.
    func next() throws -> Bool {
        guard let next = try documents.next() else { return false }
        current = next
        bound.work.rankedRows &+= 1
        return true
    }

    /// The row; of meaning after `next` returned true.
    var document: DocumentReference { current.document }
    var rowID: Int64 { current.rowID }

    /// As `bm25` gives it: the better, the smaller.
    var score: Double { -1.0 * current.score }
}
