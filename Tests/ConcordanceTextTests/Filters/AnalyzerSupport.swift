import ConcordanceText

/// Makes the whole text one token, so that filters can be tried alone.
final class WholeTextTokenizer: Tokenizer {
    func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink
    ) -> Int32 {
        guard let base = text.baseAddress, !text.isEmpty else { return 0 }
        return sink.emit(base, count: text.count, start: 0, end: text.count)
    }
}

extension Tokenizer {
    /// The tokens as one line: `+` stands before a colocated token.
    func line(_ text: String, for reason: TokenizationReason = .document) -> String {
        tokens(in: text, for: reason).map { ($0.isColocated ? "+" : "") + $0.text }.joined(separator: " ")
    }
}

extension Analyzer {
    func line(_ text: String, for reason: TokenizationReason = .document) -> String {
        makeTokenizer().line(text, for: reason)
    }

    /// Whether a query finds a document as in FTS5 when the query is one string: its positions are consecutive in the
    /// document, and at each the document has one of the query's tokens.
    func finds(_ query: String, in document: String) -> Bool {
        let tokenizer = makeTokenizer()
        func positions(_ text: String, _ reason: TokenizationReason) -> [Set<String>] {
            tokenizer.tokens(in: text, for: reason).reduce(into: []) { positions, token in
                if token.position == positions.count { positions.append([]) }
                positions[token.position].insert(token.text)
            }
        }
        let wanted = positions(query, .query)
        let given = positions(document, .document)
        guard !wanted.isEmpty, wanted.count <= given.count else { return false }
        return (0...given.count - wanted.count).contains { start in
            wanted.indices.allSatisfy { !wanted[$0].isDisjoint(with: given[start + $0]) }
        }
    }
}
