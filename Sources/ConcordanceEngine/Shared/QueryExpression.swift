import ConcordanceText

/// A query of FTS5's language, compiled for one table: a tree over phrases, which are numbered as in the text.
struct QueryExpression: Equatable, Sendable {
    /// Nil if the query has no token at all: it matches nothing.
    let root: QueryNode?
    /// All phrases, those without tokens included, since auxiliary functions count them.
    let phrases: [QueryPhrase]
    /// How many terms are prefixes, or may have typos.
    let prefixCount: Int

    init(root: QueryNode?, phrases: [QueryPhrase]) {
        self.root = root
        self.phrases = phrases
        prefixCount = phrases.reduce(0) { $0 + $1.terms.count { $0.isPrefix || $0.isForgiving } }
    }
}

/// A node of a query.
indirect enum QueryNode: Equatable, Sendable {
    /// Rows that contain the phrases, near each other if there are several.
    case near(NearGroup)
    /// Rows that match all of two or more.
    case and([QueryNode])
    /// Rows that match any of two or more.
    case or([QueryNode])
    /// Rows that match the first and not the second.
    case not(QueryNode, QueryNode)
    /// No row: replaces a string without tokens that cannot be left out.
    case nothing
}

/// One phrase, or several phrases whose instances must be close together.
struct NearGroup: Equatable, Sendable {
    /// Numbers of phrases; one or more.
    var phrases: [Int]
    /// How many tokens may be between the end of the first and the start of the last phrase.
    var distance: Int
    /// The columns in which the instances must be; nil for any.
    var columns: ColumnSet?
}

/// Tokens that follow each other.
struct QueryPhrase: Hashable, Sendable {
    var terms: [QueryTerm]
    /// `^`: at the beginning of a column only.
    var isInitial = false
    /// Those of the group it is in, so that the phrase can be counted by itself.
    var columns: ColumnSet?

    /// Whether a document with all its terms may still not match.
    var isDecidedByPositions: Bool { terms.count > 1 || isInitial }
}

/// A token of a phrase.
struct QueryTerm: Hashable, Sendable {
    /// The token's bytes.
    var bytes: [UInt8]
    /// Other tokens that match as well at the same place.
    var synonyms: [[UInt8]] = []
    /// Whether terms that begin so match too. In FTS5, any term of a phrase can be one.
    var isPrefix = false
    /// How many typos it may have. Not in FTS5.
    var typos = TypoTolerance.none
    /// The word as it is written, and the like, from which other terms of the index may differ by typos, too.
    var spellings: [[UInt8]] = []
    /// The terms of the index that are meant if it has typos, in the order of their bytes; found for each snapshot.
    var variants: [TermVariant] = []

    /// Whether the term stands for exactly one term of the dictionary.
    var isToken: Bool { !isPrefix && synonyms.isEmpty && !isForgiving }

    /// Whether other terms of the index may be meant.
    var isForgiving: Bool { typos != .none }

    /// The same without typos.
    var exact: QueryTerm { QueryTerm(bytes: bytes, synonyms: synonyms, isPrefix: isPrefix) }
}

/// A term of the index that differs from one of a query by typos.
struct TermVariant: Hashable, Sendable {
    var bytes: [UInt8]
    var typos: Int
    /// How many rows have it.
    var documentFrequency: Int

    /// How much a hit counts: half for each typo. A power of two, so that sums of hits are exact.
    var factor: Double { 1 / Double(1 << typos) }
}

/// Columns, ascending.
struct ColumnSet: Hashable, Sendable {
    var columns: [Int]

    func contains(_ column: Int) -> Bool { columns.sortedIndex(of: column) != nil }
}
