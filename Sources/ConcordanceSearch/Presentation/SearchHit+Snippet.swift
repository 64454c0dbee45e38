extension SearchHit {
    /// Returns the part of a field's text that shows the most matches; its beginning if nothing matched.
    ///
    /// ```swift
    /// try hit.snippet("notes", SnippetOptions(length: .characters(80))).html()
    /// ```
    /// - Throws: `SearchIndexError.noSuchField`.
    public func snippet(_ field: String, _ options: SnippetOptions = SnippetOptions()) throws -> HighlightedText {
        snippet(at: try index(of: field), options)
    }

    /// Returns the part of a property's text that shows the most matches; its beginning if nothing matched. For a
    /// property without a field, its whole text.
    public func snippet<Value>(
        _ keyPath: KeyPath<Record, Value>, _ options: SnippetOptions = SnippetOptions()
    ) -> HighlightedText where Record: Decodable {
        index(of: keyPath).map { snippet(at: $0, options) } ?? plainText(of: keyPath)
    }

    /// What marks the matches of the search in texts of a field.
    ///
    /// - Parameter leftOut: Words in lower case that are not marked where they stand alone and the query has others.
    /// - Throws: `SearchIndexError.noSuchField`.
    package func highlighter(of field: String, leavingOut leftOut: Set<String> = []) throws -> Highlighter {
        presentation.highlighter(try index(of: field), texts?.language, leavingOut: leftOut)
    }

    private func snippet(at index: Int, _ options: SnippetOptions) -> HighlightedText {
        text(at: index).map { highlighter(index).snippet(of: $0, options) } ?? HighlightedText("")
    }

    /// Returns a snippet of the field that shows the most words and phrases of the query; of several, the one with the
    /// most matches, then the first one. If nothing matched in any text, returns the beginning of the first searched
    /// field with text.
    public func snippet(_ options: SnippetOptions = SnippetOptions()) -> HighlightedText {
        let fields = presentation.definition.fields
        var best: Highlighter.ScoredSnippet?
        for index in fields.indices where fields[index].isIndexed {
            guard let text = text(at: index), !text.isEmpty else { continue }
            let snippet = highlighter(index).scoredSnippet(of: text, options)
            if best.map({ $0.score < snippet.score }) ?? true { best = snippet }
        }
        return best?.text ?? HighlightedText("")
    }
}
