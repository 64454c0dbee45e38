import ConcordanceSQLite
import ConcordanceText

/// Marks in any text what a query found, by the analyzer of the index.
///
/// ```swift
/// let highlighter = Highlighter(.standard, phrases: [MatchPhrase("gross", isPrefix: true)])
/// highlighter.highlights(in: "Frau Großmann").html()    // Frau <mark>Großmann</mark>
/// ```
///
/// Sendable, so that hits can carry one anywhere; threads that use one at the same time wait for each other.
public struct Highlighter: Sendable {
    private let matcher: PooledMatcher

    /// A highlighter for texts of one analyzer.
    ///
    /// - Parameters:
    ///   - analyzer: What makes the tokens of the texts.
    ///   - phrases: What is looked for.
    ///   - field: The field that the texts are of; phrases that are looked for in other fields only are left out.
    public init(_ analyzer: Analyzer, phrases: [MatchPhrase], field: String? = nil) {
        matcher = PooledMatcher(analyzer, phrases: phrases, field: field)
    }

    /// The whole text, with what matched: see `TextMatcher.ranges(in:limit:)` for what that is.
    public func highlights(in text: String) -> HighlightedText {
        HighlightedText(text, utf8Ranges: matcher.withLock { $0.ranges(in: text) })
    }

    /// The part of the text that shows most of what matched; its beginning where nothing does.
    ///
    /// Most is: the most different phrases of the query; of equals the one with more matches; of equals the earlier one.
    public func snippet(of text: String, _ options: SnippetOptions = SnippetOptions()) -> HighlightedText {
        scoredSnippet(of: text, options).text
    }

    /// A snippet, and how much of the query it shows: phrases, then matches.
    struct ScoredSnippet {
        let text: HighlightedText
        let score: (phrases: Int, matches: Int)
    }

    func scoredSnippet(of text: String, _ options: SnippetOptions) -> ScoredSnippet {
        let fragments = matcher.withLock { $0.fragments(of: text, options) }
        return ScoredSnippet(
            text: HighlightedText(fragments: fragments, of: text, options: options),
            score: (fragments.phraseCount, fragments.matchCount))
    }
}

/// A matcher for one thread at a time, whose tokenizer serves others after it.
private final class PooledMatcher: Sendable {
    private let matcher: Locked<TextMatcher>

    init(_ analyzer: Analyzer, phrases: [MatchPhrase], field: String?) {
        let tokenizer = TokenizerPool.shared.take(analyzer)
        matcher = Locked(TextMatcher(analyzer, by: tokenizer, phrases: phrases, field: field))
    }

    deinit { withLock { TokenizerPool.shared.giveBack($0.tokenizer, of: $0.analyzer) } }

    func withLock<Result>(_ body: (TextMatcher) -> Result) -> Result { matcher.withLock { body($0) } }
}
