extension SearchQuery {
    /// The words and phrases that the query looks for, in its order and as often as they occur in it, without excluded
    /// ones.
    public var words: [String] { root?.words(excluded: false) ?? [] }

    /// The words and phrases that the query excludes, in its order.
    package var excludedWords: [String] { root?.words(excluded: true) ?? [] }

    /// The query with other words in place of each, all of which a row then must have. What is excluded or looked for in certain
    /// fields, phrases, and words with typos stay as they are.
    ///
    /// - Parameter replace: The words in place of one; of all of them, as many count as of a typed text.
    package func replacingWords(_ replace: (String) -> [String]) -> SearchQuery {
        var room = Self.termLimit
        return SearchQuery(of: self) { $0[0]?.replacingWords(replace, &room) }
    }
}

extension SearchQuery.Node {
    /// The words that are looked for, or those that are excluded.
    fileprivate func words(excluded: Bool) -> [String] {
        switch kind {
        case .word(let text, _), .similar(let text, _), .phrase(let text, _): excluded ? [] : [text]
        case .near(let texts, _, _): excluded ? [] : texts
        case .fields(_, let child): child.words(excluded: excluded)
        case .all(let parts), .any(let parts): parts.flatMap { $0.words(excluded: excluded) }
        case .excluding(let base, let others):
            (base?.words(excluded: excluded) ?? []) + (excluded ? others.flatMap { $0.words(excluded: false) } : [])
        }
    }

    fileprivate func replacingWords(_ replace: (String) -> [String], _ room: inout Int) -> Self {
        switch kind {
        case .word(let text, let isPrefix):
            let words = replace(text).prefix(max(room, 1))
            room -= words.count
            return .all(
                words.enumerated().map { .word($1, isPrefix: isPrefix && $0 == words.count - 1) })
        case .all(let parts): return .all(parts.map { $0.replacingWords(replace, &room) })
        case .any(let parts): return .any(parts.map { $0.replacingWords(replace, &room) })
        case .excluding(let base, let others): return .excluding(base?.replacingWords(replace, &room), others)
        case .similar, .phrase, .near, .fields: return self
        }
    }
}
