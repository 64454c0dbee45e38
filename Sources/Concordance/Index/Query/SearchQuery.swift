/// What is looked for: words, phrases, fields, and how they go together.
public struct SearchQuery: Hashable, Sendable {
    /// A part of a query.
    public indirect enum Node: Hashable, Sendable {
        /// A word, or all words that begin so.
        case word(String, isPrefix: Bool)
        /// Words that stand together in this order; the last may be the beginning of a word.
        case phrase(String, isPrefix: Bool)
        /// Words or phrases with at most `distance` words between the first and the last.
        case near([String], distance: Int)
        /// Something that is looked for in these fields only.
        case fields([String], Node)
        /// Rows that match each part.
        case all([Node])
        /// Rows that match one part or more.
        case any([Node])
        /// Rows that match the first part, or all rows without one, and none of the others.
        case excluding(Node?, [Node])
    }

    /// What is looked for; nil for nothing, which no row matches.
    public var root: Node?

    /// A query of these parts.
    public init(_ root: Node?) { self.root = root }
}
