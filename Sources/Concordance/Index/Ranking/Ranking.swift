/// How matches are scored: Okapi BM25 over the fields, each with its weight, and bonuses on top.
///
/// The score of a row is the sum over the phrases of the query of
/// `idf · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / averageLength))`, where `tf` counts a match in a field by the
/// field's weight (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009; as in FTS5, lengths are those of
/// whole rows).
public struct Ranking: Hashable, Sendable {
    /// How soon further matches of a phrase in a row stop to count: 0 counts the first one only. FTS5 has 1.2.
    public var k1: Double
    /// How much long rows are put back: from 0, not at all, to 1, in full. FTS5 has 0.75.
    public var b: Double

    /// BM25 with these parameters.
    public init(k1: Double = 1.2, b: Double = 0.75) {
        self.k1 = k1
        self.b = b
    }
}
