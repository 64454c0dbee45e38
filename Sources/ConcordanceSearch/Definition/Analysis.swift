import ConcordanceText

/// How the text of an index becomes its terms.
///
/// ```swift
/// Analysis(.english, prefixes: [1, 2])
/// ```
public struct Analysis: Hashable, Sendable {
    /// The analyzer of all fields without one of their own.
    public var analyzer: Analyzer
    /// The lengths, in characters, of word beginnings that get an index of their own: the first letters of a word are
    /// then found faster, at the cost of space and slower writes.
    public var prefixes: [Int]
    /// SQL over the columns of a row that gives the language of its texts: a code (`de`, `pt-BR`) or the English name of
    /// one. It counts where the analyzer is `guessing`, which guesses only where this gives NULL or a language that it does not
    /// have.
    public var language: String?
    /// What is wrong with the key path that should name the column of the language.
    private(set) var languageError: KeyPathError?

    /// An analyzer, and the lengths of the prefix indexes.
    ///
    /// ```swift
    /// Analysis(.guessing(.english, .german, .french), language: "languageCode")
    /// ```
    ///
    /// - Parameters:
    ///   - analyzer: What makes tokens of the texts.
    ///   - prefixes: The lengths of the beginnings of words that have an index of their own.
    ///   - language: A column, or another expression over the row, that names the language of its texts; it must keep
    ///     to what `Field.computed(_:)` says.
    public init(_ analyzer: Analyzer, prefixes: [Int] = [], language: String? = nil) {
        self.analyzer = analyzer
        self.prefixes = prefixes
        self.language = language
    }

    /// The same with the column of a property for the language.
    ///
    /// ```swift
    /// Analysis(.guessing(.english, .german), language: \Page.language)
    /// ```
    public init<Record: Decodable, Value>(
        _ analyzer: Analyzer, prefixes: [Int] = [], language: KeyPath<Record, Value>
    ) {
        self.init(analyzer, prefixes: prefixes)
        do {
            self.language = try KeyPathColumns.name(of: language)
        } catch {
            languageError = error
        }
    }
}
