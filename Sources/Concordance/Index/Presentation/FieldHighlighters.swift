/// The highlighters of an index's fields, for one query: made when a field is first asked for, and shared by all hits.
final class FieldHighlighters: Sendable {
    private let definition: IndexDefinition
    private let phrases: [MatchPhrase]
    private let made = Locked<[String: Highlighter]>([:])

    /// - Parameter phrases: What the query looks for.
    init(_ definition: IndexDefinition, phrases: [MatchPhrase]) {
        self.definition = definition
        self.phrases = phrases
    }

    /// The whole text of a field, with what matched. A field that is not searched has no matches, nor has one that the
    /// index does not have.
    func highlights(of field: String, in text: String) -> HighlightedText {
        highlighter(of: field).highlights(in: text)
    }

    /// The part of a field's text that shows most of what matched.
    func snippet(of field: String, in text: String, _ options: SnippetOptions) -> HighlightedText {
        highlighter(of: field).snippet(of: text, options)
    }

    /// A snippet of the field that shows most of what matched, of equals the first one; of the first field with text
    /// where none has a match.
    ///
    /// - Parameter texts: Texts by field, in the order of the index.
    func snippet(of texts: [(field: String, text: String)], _ options: SnippetOptions) -> HighlightedText {
        var best: (text: HighlightedText, phraseCount: Int, matchCount: Int)?
        for (field, text) in texts where !text.isEmpty {
            let snippet = highlighter(of: field).scoredSnippet(of: text, options)
            guard let last = best else {
                best = snippet
                continue
            }
            if (last.phraseCount, last.matchCount) < (snippet.phraseCount, snippet.matchCount) { best = snippet }
        }
        return best?.text ?? HighlightedText("")
    }

    private func highlighter(of name: String) -> Highlighter {
        made.withLock { made in
            if let highlighter = made[name] { return highlighter }
            let field = definition.field(name)
            let isSearched = field?.isIndexed ?? false
            let highlighter = Highlighter(
                field.map(definition.analyzer) ?? definition.analysis.analyzer, phrases: isSearched ? phrases : [],
                field: name)
            made[name] = highlighter
            return highlighter
        }
    }
}
