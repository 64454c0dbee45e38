import ConcordanceFTS5

/// A ranking that the engine bounds, and so computes without visiting all matches: that of `bm25` and of
/// `concordance_rank`, with the arguments of one query.
struct Ranking: Equatable {
    var parameters = RankParameters()
    /// What a hit counts by column; columns behind the last count 1.
    var weights: [Double] = []
    /// By column, how much its length counts (BM25F); nil where the length of the row counts.
    var fieldB: [Double]?

    func columnWeights(_ snapshot: Snapshot, hasLengths: Bool) -> ColumnWeights {
        let fields = fieldB.map {
            FieldNorms(b: $0, totalTokens: snapshot.totalTokens, rowCount: snapshot.rowCount, hasLengths: hasLengths)
        }
        return ColumnWeights(weights, fields: fields)
    }
}
