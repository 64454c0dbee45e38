import ConcordanceText

/// How the text of an index becomes its terms.
///
/// ```swift
/// Analysis(.english, prefixes: [1, 2])
/// ```
public struct Analysis: Hashable, Sendable {
    /// The analyzer of all fields without one of their own.
    public var analyzer: Analyzer
    /// The lengths, in characters, of the prefixes for which the index has lists: prefixes of these lengths are then
    /// found faster, at the cost of space and slower writes.
    public var prefixes: [Int]
    /// An SQL expression over the columns of a row for the language of its texts: a code (`de`, `pt-BR`) or an English
    /// name. Only analyzers from `Analyzer.guessing(_:)` use it; they guess only if its value is NULL or a language
    /// that they do not have.
    public var language: String?
    /// What is wrong with the key path that should name the column of the language.
    private(set) var languageError: KeyPathError?

    /// Creates an analysis from an analyzer and the lengths of prefixes.
    ///
    /// ```swift
    /// Analysis(.guessing(.english, .german, .french), language: "languageCode")
    /// ```
    ///
    /// - Parameters:
    ///   - analyzer: The analyzer of all fields without one of their own.
    ///   - prefixes: The lengths, in characters, of the prefixes for which the index has lists.
    ///   - language: A column, or another expression over the row, that names the language of its texts; the rules of
    ///     `Field.computed(_:)` apply.
    public init(_ analyzer: Analyzer, prefixes: [Int] = [], language: String? = nil) {
        self.analyzer = analyzer
        self.prefixes = prefixes
        self.language = language
    }

    /// Creates an analysis in which the column of a property names the language of the texts.
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
