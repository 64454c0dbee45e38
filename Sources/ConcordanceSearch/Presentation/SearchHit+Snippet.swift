extension SearchHit {
    /// The part of a field's text that shows most of what matched; its beginning where nothing did. Empty for a field that
    /// the index does not have.
    ///
    /// ```swift
    /// hit.snippet("notes", SnippetOptions(length: .characters(80))).html()
    /// ```
    public func snippet(_ field: String, _ options: SnippetOptions = SnippetOptions()) -> HighlightedText {
        guard let index = index(of: field), let text = text(at: index) else { return HighlightedText("") }
        return presentation.highlighter(index).snippet(of: text, options)
    }

    /// The part of a field's text that shows most of what matched; its beginning where nothing did.
    public func snippet<Value>(
        _ keyPath: KeyPath<Record, Value>, _ options: SnippetOptions = SnippetOptions()
    ) -> HighlightedText where Record: Decodable {
        name(of: keyPath).map { snippet($0, options) } ?? HighlightedText("")
    }

    /// A snippet of the field that shows most of what matched: most words or phrases of the query, of equals most matches,
    /// of equals the first field; of the first searched field with text where no text says why the row was found.
    public func snippet(_ options: SnippetOptions = SnippetOptions()) -> HighlightedText {
        let fields = presentation.definition.fields
        var best: Highlighter.ScoredSnippet?
        for index in fields.indices where fields[index].isIndexed {
            guard let text = text(at: index), !text.isEmpty else { continue }
            let snippet = presentation.highlighter(index).scoredSnippet(of: text, options)
            if best.map({ $0.score < snippet.score }) ?? true { best = snippet }
        }
        return best?.text ?? HighlightedText("")
    }
}
