import ConcordanceFTS5

/// A ranking that the engine bounds, and so computes without visiting all matches: that of `bm25` and of
/// `concordance_rank`, with the arguments of one query.
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
