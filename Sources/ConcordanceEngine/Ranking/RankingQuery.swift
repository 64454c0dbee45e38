/// A query in the form that ranking works on: a tree over leaves, each of which has documents and frequencies of its own.
struct RankingQuery {
    /// Where the postings of a leaf come from.
    enum Leaf {
        /// One key of the dictionary: a term, or a prefix with a list.
        case key([UInt8], phrase: Int, columns: ColumnSet?)
        /// Found beforehand; by segment.
        case matches([ListLeafPostings.Matches])
    }

    /// A query that is nothing but one phrase of several terms.
    struct SolePhrase {
        /// The keys of its terms; nil for prefixes and terms with synonyms, which not all of them are.
        var keys: [[UInt8]?]
        var phrase: Int
        var columns: ColumnSet?
        /// Finds the phrase in documents of a segment, in any order; the terms with a key must be decoded at the document.
        var makeLeaf: (_ segment: Int, _ terms: [WeightedPostings?]) throws -> LeafIterator
    }

    /// Looks up single documents; without it, all are found by going over postings.
    var bound: BoundQuery?
    var root: RankingNode
    var leaves: [Leaf]
    /// Stands for the root and its leaf.
    var solePhrase: SolePhrase?
    /// The leaf of each phrase; nil for phrases without tokens.
    var leafOfPhrase: [Int?]
}
