/// How matches are scored: Okapi BM25 over the weighted fields, plus bonuses.
///
/// ```swift
/// Ranking(k1: 0.9, b: 0.4, phraseBonus: 0.3)
/// ```
///
/// The score of a row is the sum over the phrases of the query of `idf · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length
/// / averageLength))`, where a match in a field adds the field's weight to `tf` (Robertson, Zaragoza: The Probabilistic
/// Relevance Framework, 2009), and lengths are those of whole rows, as in FTS5, or of each field (`lengths`).
///
/// The index's table has this ranking as its `rank`, so `ORDER BY rank` in SQL of your own sorts the same way. With a
/// bonus, or with parameters other than FTS5's, `rank` is computed by the function `concordance_rank`, which programs
/// that read the table need; otherwise by FTS5's own `bm25`. With either, the engine finds the best rows without
/// visiting all matches.
public struct Ranking: Hashable, Sendable {
    /// How quickly further matches of a phrase in a row stop counting: 0 counts only the first. FTS5 uses 1.2.
    public var k1: Double
    /// How much the score of long rows is reduced: from 0, not at all, to 1, in full. FTS5 uses 0.75.
    public var b: Double
    /// How quickly further mentions of a word in the query stop counting: a word that occurs n times in the query
    /// counts n · (k3 + 1) / (n + k3) times. Infinity, as in FTS5, counts every mention; 0 counts one.
    public var k3: Double
    /// The bonus for words that directly follow each other in a row as they do in the query: each such pair scores like
    /// a word as rare as the more common of the two, times this. 0 adds nothing.
    public var phraseBonus: Double
    /// The bonus for words of the query near each other in a row, in any order: each word scores its nearest neighbours
    /// by their rarity and one over the square of the distance, times this. 0 adds nothing. In a row that has a rarer word of the
    /// query, this and `phraseBonus` ignore words that occur in at least half of the rows, and in more than 1,000.
    public var proximityBonus: Double
    /// The lengths to which `b` applies.
    public var lengths: Lengths

    /// The lengths to which `Ranking.b` applies.
    public enum Lengths: Hashable, Sendable {
        /// The length of the whole row, as in FTS5.
        case rows
        /// The length of the field that the match is in (BM25F: Robertson, Zaragoza: The Probabilistic Relevance
        /// Framework, 2009, section 3.6): a long text then does not reduce the score of a match in the title of its
        /// row.
        case fields
    }

    /// Creates a ranking by BM25 with these parameters. Bonuses are 0 or greater; 1 is a lot.
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

    /// The ranking that measures best across languages and collections, with FTS5's k1 and b: see the article on
    /// ranking.
    public static let recommended = Ranking(k3: 8, proximityBonus: 0.3)

    /// FTS5's default: what `bm25` computes without arguments.
    public static let bm25 = Ranking()

    /// Whether FTS5's `bm25` computes it.
    var isBM25: Bool { self == .bm25 }
}
