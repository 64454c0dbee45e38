/// A query that continues a partly typed one.
public struct Suggestion: Hashable, Sendable {
    /// The whole query, with the last word completed.
    public var text: String
    /// The completed word, as it is written most often.
    public var word: String
    /// How often the word occurs in the texts; or, if few rows match the words before it, in those rows.
    public var count: Int

    /// Creates a suggestion.
    package init(text: String, word: String, count: Int) {
        self.text = text
        self.word = word
        self.count = count
    }
}

/// A query with its misspelled words corrected.
public struct QueryCorrection: Hashable, Sendable {
    /// A corrected word.
    public struct Word: Hashable, Sendable {
        /// As it was typed.
        public var typed: String
        /// What was probably meant; two words if their space was missing.
        public var meant: String

        /// Creates the correction of one word.
        package init(typed: String, meant: String) {
            self.typed = typed
            self.meant = meant
        }
    }

    /// The corrected query, with phrases, fields and exclusions unchanged.
    public var query: SearchQuery
    /// The corrected words, in the order of the query.
    public var words: [Word]

    /// The corrected query as text.
    public var text: String

    /// Creates a correction.
    package init(query: SearchQuery, words: [Word]) {
        self.query = query
        self.words = words
        text = query.description
    }
}
