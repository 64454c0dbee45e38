import ConcordanceText
import TestSupport

@testable import Concordance
@testable import ConcordanceSearch

/// Says by definition which rows a query matches: over the tokens of each text, without any index.
struct QueryOracle {
    /// At each position, the token and its synonyms.
    typealias Tokens = [Set<String>]

    let analyzer: Analyzer
    private let tokenizer: any Tokenizer
    /// The tokens that rows have.
    private var known: Set<String> = []

    init(_ analyzer: Analyzer, of texts: [String]) {
        self.analyzer = analyzer
        tokenizer = analyzer.makeTokenizer()
        known = Set(texts.flatMap { tokens($0).joined() })
    }

    func tokens(_ text: String, for reason: TokenizationReason = .document) -> Tokens {
        var tokens: Tokens = []
        for token in tokenizer.tokens(in: text, for: reason) {
            if token.isColocated, !tokens.isEmpty {
                tokens[tokens.count - 1].insert(token.text)
            } else {
                tokens.append([token.text])
            }
        }
        return tokens
    }

    /// Whether a row with these texts by field matches; a query that asks for nothing matches none.
    func matches(_ query: SearchQuery, _ row: [String: String]) -> Bool {
        let fields = row.mapValues { ($0, tokens($0)) }
        return query.root.flatMap { evaluate($0, fields) } ?? false
    }

    /// nil if nothing is asked for.
    private func evaluate(_ node: SearchQuery.Node, _ fields: [String: (String, Tokens)]) -> Bool? {
        switch node.kind {
        case .word(let text, let isPrefix), .phrase(let text, let isPrefix):
            return near([text], 0, isPrefix, fields)
        case .similar(let text, let isPrefix): return similar(text, isPrefix, fields)
        case .near(let texts, let distance, let isPrefix): return near(texts, distance, isPrefix, fields)
        case .fields(let names, let child): return evaluate(child, fields.filter { names.contains($0.key) })
        case .all(let parts):
            let values = parts.compactMap { evaluate($0, fields) }
            return values.isEmpty ? nil : values.allSatisfy(\.self)
        case .any(let parts):
            let values = parts.compactMap { evaluate($0, fields) }
            return values.isEmpty ? nil : values.contains(true)
        case .excluding(let base, let others):
            let base = base.flatMap { evaluate($0, fields) }
            let values = others.compactMap { evaluate($0, fields) }
            if values.isEmpty { return base }
            return base != false && !values.contains(true)
        }
    }

    /// Whether a word matches, exactly or with typos; words of several tokens, trigrams and indexes of FTS5 allow no
    /// typos.
    private func similar(_ text: String, _ isPrefix: Bool, _ fields: [String: (String, Tokens)]) -> Bool? {
        guard let isFound = near([text], 0, isPrefix, fields) else { return nil }
        let typed = tokens(text, for: isPrefix ? [.query, .prefix] : .query)
        if case .trigram = analyzer.tokenizer { return isFound }
        if TestEngine.current == .fts5 { return isFound }
        guard !isFound, typed.count == 1, let typed = typed.first else { return isFound }
        let isKnown = typed.contains { typed in known.contains { isPrefix ? $0.hasPrefix(typed) : $0 == typed } }
        return fields.values.contains { _, tokens in
            tokens.joined().contains { token in
                typed.contains { isTaken($0, for: token, isPrefix: isPrefix, isKnown: isKnown) }
            }
        }
    }

    /// Whether a word is taken as another one, or as one that begins like it.
    private func isTaken(_ typed: String, for token: String, isPrefix: Bool, isKnown: Bool) -> Bool {
        let count = typed.unicodeScalars.count
        if count < 4 { return false }
        let scalars = Array(token.unicodeScalars)
        return (isPrefix ? 1...scalars.count : scalars.count...scalars.count).contains { end in
            let word = String(String.UnicodeScalarView(scalars.prefix(end)))
            let typos = typoCount(typed, of: word)
            // The last character of a half-typed word is not a typo if the index has words with that beginning.
            if isKnown, isPrefix, word.unicodeScalars.last != typed.unicodeScalars.last { return false }
            return isKnown ? typos <= 1 : typos <= 2 && editDistance(typed, word) <= (count < 8 ? 1 : 2)
        }
    }

    private func near(
        _ texts: [String], _ distance: Int, _ isPrefix: Bool, _ fields: [String: (String, Tokens)]
    ) -> Bool? {
        let known = texts.filter { !tokens($0, for: .query).isEmpty }
        if fields.isEmpty { return false }
        if known.isEmpty { return short(texts, fields) }
        let isLastPrefix = isPrefix && known.last == texts.last
        var readings = [(known, false)]
        if isLastPrefix, let last = known.last {
            readings.append((known, true))
            for completion in analyzer.completions(ofHalfTyped: last, by: tokenizer) {
                readings.append((known.dropLast() + [completion], false))
            }
        }
        return fields.values.contains { _, tokens in
            readings.contains { texts, isPrefix in
                let phrases = texts.enumerated().map { index, text in
                    let reads = isPrefix && index == texts.count - 1
                    let tokens = self.tokens(text, for: reads ? [.query, .prefix] : .query)
                    return (tokens, reads)
                }
                let places = phrases.map { phrase, isPrefix in
                    (tokens: phrase.count, starts: tokens.indices.filter { starts(phrase, isPrefix, tokens, at: $0) })
                }
                return isNear(places, distance)
            }
        }
    }

    private func starts(_ phrase: Tokens, _ isPrefix: Bool, _ tokens: Tokens, at start: Int) -> Bool {
        guard start + phrase.count <= tokens.count else { return false }
        return phrase.indices.allSatisfy { index in
            let isLast = isPrefix && index == phrase.count - 1
            return phrase[index].contains { wanted in
                tokens[start + index].contains {
                    isLast ? $0.utf8.starts(with: wanted.utf8) : $0.utf8.elementsEqual(wanted.utf8)
                }
            }
        }
    }

    /// Whether a start can be chosen for each phrase so that the last one begins within the distance of the end of
    /// each.
    private func isNear(_ places: [(tokens: Int, starts: [Int])], _ distance: Int) -> Bool {
        places.flatMap(\.starts).contains { last in
            places.allSatisfy { place in
                place.starts.contains { $0 <= last && $0 + place.tokens + distance >= last }
            }
        }
    }

    private func short(_ texts: [String], _ fields: [String: (String, Tokens)]) -> Bool? {
        guard case .trigram = analyzer.tokenizer else { return nil }
        let texts = texts.filter { $0.unicodeScalars.contains(where: \.isMeaningful) }
        if texts.isEmpty { return nil }
        return texts.allSatisfy { text in
            fields.values.contains { $0.0.lowercased().contains(text.lowercased()) }
        }
    }
}
