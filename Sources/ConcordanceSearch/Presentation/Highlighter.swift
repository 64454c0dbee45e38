import ConcordanceSQLite
import ConcordanceText

/// Marks the matches of a query in any text, with the analyzer of the index.
///
/// ```swift
/// let highlighter = Highlighter(.standard, phrases: [MatchPhrase("gross", isPrefix: true)])
/// highlighter.highlights(in: "Frau Großmann").html()    // Frau <mark>Großmann</mark>
/// ```
///
/// A highlighter is Sendable, so hits can carry it anywhere. Threads that use one at the same time wait for each other.
public struct Highlighter: Sendable {
    private let matcher: PooledMatcher

    /// Creates a highlighter for texts of one analyzer.
    ///
    /// - Parameters:
    ///   - analyzer: The analyzer of the texts.
    ///   - phrases: The phrases to mark.
    ///   - field: The field of the texts. Phrases that are restricted to other fields are not marked.
    public init(_ analyzer: Analyzer, phrases: [MatchPhrase], field: String? = nil) {
        matcher = PooledMatcher(analyzer, phrases: phrases, field: field)
    }

    /// Returns the whole text with its matches, at most 10,000. Matches that share a token, or bytes, are one range;
    /// matches that only touch stay apart.
    public func highlights(in text: String) -> HighlightedText {
        highlights(in: text, limit: TextMatcher.defaultLimit)
    }

    /// The same with as many matches as wanted.
    package func highlights(in text: String, limit: Int) -> HighlightedText {
        HighlightedText(text, utf8Ranges: matcher.withLock { $0.ranges(in: text, limit: limit) })
    }

    /// Returns the part of the text that shows the most matches; its beginning if there are none.
    ///
    /// It prefers the part with the most different phrases of the query, then the one with the most matches, then the
    /// first.
    public func snippet(of text: String, _ options: SnippetOptions = SnippetOptions()) -> HighlightedText {
        scoredSnippet(of: text, options).text
    }

    /// A snippet, and how much of the query it shows: the number of phrases, then of matches.
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

/// A matcher for one thread at a time; its tokenizer returns to the pool afterwards.
private final class PooledMatcher: Sendable {
    private let matcher: Locked<TextMatcher>

    init(_ analyzer: Analyzer, phrases: [MatchPhrase], field: String?) {
        let tokenizer = TokenizerPool.shared.take(analyzer)
        matcher = Locked(TextMatcher(analyzer, by: tokenizer, phrases: phrases, field: field))
    }

    deinit { withLock { TokenizerPool.shared.giveBack($0.tokenizer, of: $0.analyzer) } }

    func withLock<Result>(_ body: (TextMatcher) -> Result) -> Result { matcher.withLock { body($0) } }
}
