/// A query that goes on with what was begun.
public struct Suggestion: Hashable, Sendable {
    /// The whole query, with the last word completed.
    public var text: String
    /// The completed word, as it is written most often.
    public var word: String
    /// How often the word stands in the texts; among the rows that match the words before it, where these are few.
    public var count: Int

    /// A suggestion with these values.
    public init(text: String, word: String, count: Int) {
        self.text = text
        self.word = word
        self.count = count
    }
}

/// A query with its misspelled words put right.
public struct QueryCorrection: Hashable, Sendable {
    /// A word that was put right.
    public struct Word: Hashable, Sendable {
        /// As it was typed.
        public var typed: String
        /// What was probably meant; two words where their space was missing.
        public var meant: String

        /// A correction of one word.
        public init(typed: String, meant: String) {
            self.typed = typed
            self.meant = meant
        }
    }

    /// The corrected query, of which phrases, fields and exclusions are as they were.
    public var query: SearchQuery
    /// What was put right, in the order of the query.
    public var words: [Word]

    /// The corrected query as text.
    public var text: String

    /// A corrected query.
    public init(query: SearchQuery, words: [Word]) {
        self.query = query
        self.words = words
        text = query.description
    }
}
