/// A phrase to look for in a text, as it was typed.
public struct MatchPhrase: Hashable, Sendable {
    /// The words, which the text's analyzer turns into tokens.
    package var text: String
    /// Whether the last token may be only the beginning of one in the text.
    package var isPrefix: Bool
    /// Whether each token may have typos, as many as `SearchTypos` says.
    package var allowsTypos: Bool {
        get { typos != .none }
        set { typos = newValue ? .automatic : .none }
    }
    /// How many typos each token may have.
    package var typos = TypoTolerance.none
    /// The fields to look in; nil for all.
    package var fields: [String]?

    /// Creates a phrase, which is looked for in all fields unless some are named.
    public init(_ text: String, isPrefix: Bool = false, allowsTypos: Bool = false, fields: [String]? = nil) {
        self.text = text
        typos = allowsTypos ? .automatic : .none
        self.isPrefix = isPrefix
        self.fields = fields
    }
}
