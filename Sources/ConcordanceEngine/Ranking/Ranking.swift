import ConcordanceFTS5

/// A ranking for which the engine can bound scores, and so need not visit all matches: `bm25` or `concordance_rank`,
/// with the arguments of one query.
struct Ranking: Equatable {
    var parameters = RankParameters()
    /// The weight of a hit by column; columns after the last one have the weight 1.
    var weights: [Double] = []
    /// By column, how much its length counts (BM25F); nil if the length of the row counts.
    var fieldB: [Double]?

    func columnWeights(_ snapshot: Snapshot, hasLengths: Bool) -> ColumnWeights {
        let fields = fieldB.map {
            FieldNorms(b: $0, totalTokens: snapshot.totalTokens, rowCount: snapshot.rowCount, hasLengths: hasLengths)
        }
        return ColumnWeights(weights, fields: fields)
    }
}
