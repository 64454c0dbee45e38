import ConcordanceText

// Queries that a program composes.
extension SearchQuery {
    /// Returns a query for a word.
    public static func word(_ text: String) -> SearchQuery { SearchQuery(.word(text, isPrefix: false)) }

    /// Returns a query for all words that begin with this text.
    public static func prefix(_ text: String) -> SearchQuery { SearchQuery(.word(text, isPrefix: true)) }

    /// Returns a query for a word that may have typos: as many as `SearchTypos` says, whatever the setting of the
    /// search.
    ///
    /// - Parameters:
    ///   - text: The word.
    ///   - isPrefix: Whether it may be the beginning of a longer word.
    public static func similar(_ text: String, isPrefix: Bool = false) -> SearchQuery {
        SearchQuery(.similar(text, isPrefix: isPrefix))
    }

    /// Returns a query for words next to each other, in this order.
    ///
    /// - Parameters:
    ///   - text: The words.
    ///   - isPrefix: Whether the last one may be the beginning of a longer word.
    public static func phrase(_ text: String, isPrefix: Bool = false) -> SearchQuery {
        SearchQuery(.phrase(text, isPrefix: isPrefix))
    }

    /// Returns a query for words or phrases near each other, in one field.
    ///
    /// - Parameters:
    ///   - phrases: The words or phrases, in any order.
    ///   - distance: The most words between the end of the first phrase and the start of the last.
    public static func near(_ phrases: [String], distance: Int = 10) -> SearchQuery {
        SearchQuery(.near(phrases, distance: distance, isPrefix: false))
    }

    /// Returns a query for words or phrases near each other, in one field.
    public static func near(_ phrases: String..., distance: Int = 10) -> SearchQuery {
        near(phrases, distance: distance)
    }

    /// Creates a query for any of the words of a text; rows with more of them, and with rarer ones, come first. A word
    /// that occurs several times in the text counts several times.
    ///
    /// - Parameters:
    ///   - text: A text of any length and language, of which the first 1,024 words count.
    ///   - analyzer: Splits the text into words; the analyzer of the index is best.
    public init(anyWordOf text: String, analyzer: Analyzer = .standard) {
        self.init(.any(Self.words(of: text, analyzer)))
    }

    /// Creates a query for any of the pieces of a text's words, each of `length` characters; shorter words are one
    /// piece. Use it for a field whose analyzer ends in `.ngrams(length...length)`, to be fused with a search for the
    /// words:
    ///
    /// ```swift
    /// let words = reminderTexts.query(SearchQuery(anyWordOf: question, analyzer: .english.ignoring(.english)))
    /// let pieces = reminderPieces.query(
    ///     SearchQuery(anyPieceOf: question, length: 4, analyzer: .standard.ignoring(.english)))
    /// let page = try await dbPool.search(fusing: [words, pieces.weighted(0.3)])
    /// ```
    ///
    /// - Parameters:
    ///   - text: A text of any length and language, of which the first 1,024 pieces count.
    ///   - length: The length of a piece in characters, at least one.
    ///   - analyzer: Splits the text into words, without cutting them.
    public init(anyPieceOf text: String, length: Int, analyzer: Analyzer = .standard) {
        let length = max(length, 1)
        let pieces = Self.words(of: text, analyzer).lazy.flatMap { node -> [Node] in
            guard case .word(let word, _) = node.kind else { return [] }
            let letters = Array(word)
            return (0...max(letters.count - length, 0)).map { start in
                .word(String(letters[start..<min(start + length, letters.count)]), isPrefix: false)
            }
        }
        self.init(.any(Array(pieces.prefix(Self.termLimit))))
    }

    /// Creates a query for all words of a text, in any order and place.
    public init(allWordsOf text: String, analyzer: Analyzer = .standard) {
        self.init(.all(Self.words(of: text, analyzer)))
    }

    /// Returns a query for rows that match both. An empty query is ignored.
    public static func && (left: SearchQuery, right: SearchQuery) -> SearchQuery { both(left, right) }

    /// Returns a query for rows that match one or both. An empty query is ignored.
    public static func || (left: SearchQuery, right: SearchQuery) -> SearchQuery { either(left, right) }

    /// Returns a query for rows that do not match.
    public static prefix func ! (query: SearchQuery) -> SearchQuery { not(query) }

    // What the operators do, which the module Concordance declares again.

    package static func both(_ left: SearchQuery, _ right: SearchQuery) -> SearchQuery {
        SearchQuery(of: left, right) { .all($0.compactMap(\.self)) }
    }

    package static func either(_ left: SearchQuery, _ right: SearchQuery) -> SearchQuery {
        SearchQuery(of: left, right) { .any($0.compactMap(\.self)) }
    }

    package static func not(_ query: SearchQuery) -> SearchQuery {
        SearchQuery(of: query) { .excluding(nil, $0.compactMap(\.self)) }
    }

    /// Returns a query for rows that match this one and not `other`.
    public func excluding(_ other: SearchQuery) -> SearchQuery {
        SearchQuery(of: self, other) { .excluding($0[0], [$0[1]].compactMap(\.self)) }
    }

    /// The query for rows that match at least one of its required parts instead of all; exclusions stay.
    public var matchingAny: SearchQuery {
        switch root?.kind {
        case .all(let parts): return SearchQuery(.any(parts))
        case .excluding(let base, let others):
            guard case .all(let parts) = base?.kind else { return self }
            return SearchQuery(.excluding(.any(parts), others))
        default: return self
        }
    }

    /// Returns the query, restricted to these fields.
    public func `in`(_ fields: String...) -> SearchQuery { `in`(fields) }

    /// Returns the query, restricted to these fields.
    public func `in`(_ fields: [String]) -> SearchQuery {
        SearchQuery(of: self) { roots in roots[0].map { .fields(fields, $0) } }
    }

    /// Returns the query, restricted to the field of a property.
    ///
    /// - Throws: `KeyPathError` for a key path without a column; `SearchIndexError.noSuchField` if the index has no
    ///   field for that column.
    public func `in`<Record: Decodable, Value>(
        _ keyPath: KeyPath<Record, Value>, of index: SearchIndex<Record>
    ) throws -> SearchQuery {
        let definition = index.definition
        guard let field = try definition.field(of: keyPath) else {
            throw SearchIndexError.noSuchField(
                try KeyPathColumns.name(of: keyPath), index: definition.name, known: definition.fields.map(\.name))
        }
        return self.in(field.name)
    }

    /// Each token of a text, as it is written in the text.
    private static func words(of text: String, _ analyzer: Analyzer) -> [Node] {
        struct Enough: Error {}
        let tokenizer = TokenizerPool.shared.take(analyzer)
        defer { TokenizerPool.shared.giveBack(tokenizer, of: analyzer) }
        var words: [Node] = []
        var last = 0..<0
        var text = text
        text.withUTF8 { utf8 in
            // An error that the visitor throws ends the loop.
            try? tokenizer.forEachToken(in: utf8, for: .query) { token in
                if token.isColocated { return }
                // The last character of a run, of which the pair before it consists as well.
                if token.range != last, token.range.clamped(to: last) == token.range { return }
                last = token.range
                guard words.count < termLimit else { throw Enough() }
                let bytes = utf8[token.range.clamped(to: 0..<utf8.count)]
                words.append(.word(String(decoding: bytes, as: UTF8.self), isPrefix: false))
            }
        }
        return words
    }
}
