/// How matches are scored: Okapi BM25 over the fields, each with its weight, and bonuses on top.
///
/// ```swift
/// Ranking(k1: 0.9, b: 0.4, phraseBonus: 0.3)
/// ```
///
/// The score of a row is the sum over the phrases of the query of
/// `idf · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / averageLength))`, where `tf` counts a match in a field by the
/// field's weight (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009), and lengths are those of whole rows,
/// as in FTS5, or of each field (`lengths`).
///
/// The table of the index has it as its `rank`, so `ORDER BY rank` in SQL of your own sorts the same way. With a bonus,
/// or with other parameters than FTS5's, that is the function `concordance_rank` (see `ConcordanceRanking`), which
/// programs that read the table need; otherwise it is FTS5's own `bm25`. The engine finds the best rows by either without
/// visiting all matches.
public struct Ranking: Hashable, Sendable {
    /// How soon further matches of a phrase in a row stop to count: 0 counts the first one only. FTS5 has 1.2.
    public var k1: Double
    /// How much long rows are put back: from 0, not at all, to 1, in full. FTS5 has 0.75.
    public var b: Double
    /// How soon further mentions of a word in the query stop to count: a word that the query has n times counts
    /// n · (k3 + 1) / (n + k3) times. Infinity, as in FTS5, counts each; 0 counts one.
    public var k3: Double
    /// What words that stand in a row as in the query, one right behind the other, add: each such pair scores like a
    /// word as rare as the commoner of the two, times this. 0 adds nothing.
    public var phraseBonus: Double
    /// What words of the query that stand near each other in a row add, in any order: each word scores its nearest
    /// neighbours by their rarity and one over the square of the distance, times this. 0 adds nothing.
    public var proximityBonus: Double
    /// Whose lengths `b` weighs.
    public var lengths: Lengths

    /// What a match is put back for, by `Ranking.b`.
    public enum Lengths: Hashable, Sendable {
        /// The length of the whole row, as in FTS5.
        case rows
        /// The length of the field that the match is in (BM25F: Robertson, Zaragoza: The Probabilistic Relevance
        /// Framework, 2009, section 3.6): a long text then does not put back a match in the title of its row.
        case fields
    }

    /// BM25 with these parameters, and bonuses from 0 on; 1 is a lot.
    public init(
        k1: Double = 1.2, b: Double = 0.75, k3: Double = .infinity, phraseBonus: Double = 0, proximityBonus: Double = 0,
        lengths: Lengths = .rows
    ) {
        self.k1 = k1
        self.b = b
        self.k3 = k3
        self.phraseBonus = phraseBonus
        self.proximityBonus = proximityBonus
        self.lengths = lengths
    }

    /// What measures best over languages and collections, with FTS5's k1 and b: see the article on ranking.
    public static let recommended = Ranking(k3: 8, proximityBonus: 0.3)

    /// FTS5's own: what `bm25` computes when nothing is said.
    public static let bm25 = Ranking()

    /// Whether FTS5's `bm25` computes it.
    var isBM25: Bool { self == .bm25 }
}
