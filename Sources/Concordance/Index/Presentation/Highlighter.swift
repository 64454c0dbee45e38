/// Marks in any text what a query found, by the analyzer of the index.
///
/// ```swift
/// let highlighter = Highlighter(.standard, phrases: [MatchPhrase("gross", isPrefix: true)])
/// highlighter.highlights(in: "Frau Großmann").html()    // Frau <mark>Großmann</mark>
/// ```
///
/// Sendable, so that hits can carry one anywhere; threads that use one at the same time wait for each other.
public struct Highlighter: Sendable {
    private let matcher: Locked<TextMatcher>

    /// A highlighter for texts of one analyzer.
    ///
    /// - Parameter field: The field that the texts are of; phrases that are looked for in other fields only are left out.
    public init(_ analyzer: Analyzer, phrases: [MatchPhrase], field: String? = nil) {
        matcher = Locked(TextMatcher(analyzer, phrases: phrases, field: field))
    }

    /// The whole text, with what matched: see `TextMatcher.ranges(in:limit:)` for what that is.
    public func highlights(in text: String) -> HighlightedText {
        HighlightedText(text, utf8Ranges: matcher.withLock { $0.ranges(in: text) })
    }
}
