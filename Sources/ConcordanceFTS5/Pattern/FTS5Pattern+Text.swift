import ConcordanceText

extension FTS5Pattern {
    /// What a row must contain of the tokens of a text.
    public enum Match: Hashable, Sendable {
        /// At least one of them: `"swift" OR "sqlite"`.
        case anyToken
        /// All of them: `"swift" AND "sqlite"`.
        case allTokens
        /// All of them, the last one possibly as the beginning of a word, for searching while the user types: `"swift"
        /// AND "sql" *`.
        case allTokensLastAsPrefix
        /// All of them, each possibly as the beginning of a word: `"sw" * AND "sql" *`.
        case allPrefixes
        /// All of them, next to each other: `"swift sqlite"`.
        case phrase
        /// All of them, next to each other, the last one possibly as the beginning of a word: `"swift sql" *`.
        case phraseLastAsPrefix
        /// All of them, next to each other at the beginning of a column: `^ "swift sqlite"`.
        case prefixPhrase
        /// All of them, with at most this many tokens between the first and the last: `NEAR("swift" "sqlite", 10)`.
        case near(distance: Int)
    }

    /// Creates a pattern for a text that a user typed; nil if the text contains no word. SQLite's default tokenizer
    /// finds the words; FTS5 then looks for them as the table's tokenizer sees them.
    ///
    /// No text is an error, and none takes more time than reading it: of a very long text, the first 1,024 words count.
    public init?(matching match: Match, in text: String) {
        let tokenizer = Unicode61Tokenizer()
        // This tokenizer never throws.
        guard let text = try? PatternText(text, tokenize: { try tokenizer.forEachToken(in: $0, for: .query, $1) }),
            let pattern = Self(match, text)
        else { return nil }
        self = pattern
    }

    /// Creates a pattern for a text that a user typed, with the words that `tokenizer` finds; nil if there are none.
    ///
    /// - Throws: The errors of the tokenizer; `FTS5Error`.
    public init?(matching match: Match, in text: String, tokenizer: any FTS5Tokenizer) throws {
        let text = try PatternText(text) { try tokenizer.forEachToken(in: $0, for: .query, $1) }
        guard let pattern = Self(match, text) else { return nil }
        self = pattern
    }

    /// Creates a pattern for rows with at least one word of `string`; nil if the string has none.
    public init?(matchingAnyTokenIn string: String) { self.init(matching: .anyToken, in: string) }

    /// Creates a pattern for rows with all words of `string`; nil if the string has none.
    ///
    /// - Parameters:
    ///   - string: Any text.
    ///   - lastAsPrefix: Whether the last word may be the beginning of a longer word, for searching while the user
    ///     types.
    public init?(matchingAllTokensIn string: String, lastAsPrefix: Bool = false) {
        self.init(matching: lastAsPrefix ? .allTokensLastAsPrefix : .allTokens, in: string)
    }

    /// Creates a pattern for rows that have, for each word of `string`, a word that begins with it; nil if the string
    /// has none.
    public init?(matchingAllPrefixesIn string: String) { self.init(matching: .allPrefixes, in: string) }

    /// Creates a pattern for rows with the words of `string` next to each other; nil if the string has none.
    ///
    /// - Parameters:
    ///   - string: Any text.
    ///   - lastAsPrefix: Whether the last word may be the beginning of a longer word.
    public init?(matchingPhrase string: String, lastAsPrefix: Bool = false) {
        self.init(matching: lastAsPrefix ? .phraseLastAsPrefix : .phrase, in: string)
    }

    /// Creates a pattern for rows in which a column begins with the words of `string`, as whole words; nil if the
    /// string has none.
    public init?(matchingPrefixPhrase string: String) { self.init(matching: .prefixPhrase, in: string) }

    /// Returns a pattern for rows with all of `phrases` near each other: `NEAR("a b" "c", 10)`; nil if no phrase has a
    /// word.
    ///
    /// - Parameters:
    ///   - phrases: Words or phrases, as any texts.
    ///   - distance: The largest number of tokens between the end of the first phrase and the start of the last.
    public static func near(_ phrases: [String], distance: Int = 10) -> FTS5Pattern? {
        let tokenizer = Unicode61Tokenizer()
        let strings = phrases.prefix(PatternText.tokenLimit).compactMap { phrase in
            // This tokenizer never throws.
            (try? PatternText(phrase) { try tokenizer.forEachToken(in: $0, for: .query, $1) })?.phrase
        }
        return near(strings: strings, distance: distance)
    }

    /// Quoted strings of a pattern, near each other.
    static func near(strings: [String], distance: Int) -> FTS5Pattern? {
        guard let first = strings.first else { return nil }
        if strings.count == 1 { return FTS5Pattern(first, form: .operand) }
        // FTS5 3.40 reads the number into a C int without checking whether it fits.
        let distance = min(max(0, distance), 100_000_000)
        return FTS5Pattern("NEAR(\(strings.joined(separator: " ")), \(distance))", form: .operand)
    }

    private init?(_ match: Match, _ text: PatternText) {
        guard let phrase = text.phrase else { return nil }
        let strings = text.distinctStrings
        switch match {
        case .anyToken:
            self.init(strings.joined(separator: " OR "), form: strings.count == 1 ? .operand : .or)
        case .allTokens:
            self.init(strings.joined(separator: " AND "), form: strings.count == 1 ? .operand : .and)
        case .allTokensLastAsPrefix:
            self.init(allTokensLastAsPrefix: text)
        case .allPrefixes:
            let prefixes = strings.map { $0 + " *" }
            self.init(prefixes.joined(separator: " AND "), form: strings.count == 1 ? .operand : .and)
        case .phrase: self.init(phrase, form: .operand)
        case .phraseLastAsPrefix: self.init(phrase + " *", form: .operand)
        case .prefixPhrase: self.init("^ " + phrase, form: .operand)
        case .near(let distance):
            guard let pattern = Self.near(strings: strings, distance: distance) else { return nil }
            self = pattern
        }
    }

    private init?(allTokensLastAsPrefix text: PatternText) {
        guard let last = text.strings.last else { return nil }
        var parts = zip(text.strings, text.isFirst).dropLast().filter(\.1).map(\.0)
        parts.append(last + " *")
        self.init(parts.joined(separator: " AND "), form: parts.count == 1 ? .operand : .and)
    }
}
