import ConcordanceText

/// Whether a search finds words that differ from those of the query by typos: a character left out, added or replaced,
/// or two neighbours swapped.
///
/// How many typos a word may have:
///
/// | the word | not in the index | in the index |
/// |---|---|---|
/// | up to 3 characters | none | none |
/// | 4 to 7 characters | one | one, but not in the first character |
/// | from 8 characters on | two, or one in the first character | one, but not in the first character |
///
/// The last character of a half-typed word is not a typo as long as words in the index begin with the text.
///
/// Only words and beginnings of words match with typos: not phrases in quotation marks, exclusions, words with digits,
/// and Chinese, Japanese and Korean words. Of a longer query, only the first 32 such words do. Nothing matches with
/// typos in an index that FTS5 stores, or in a field whose analyzer makes trigrams.
public enum SearchTypos: Hashable, Sendable {
    /// A word that occurs in no row matches similar words. If the index has all the words, rows with exactly these
    /// words come first, and rows with similar words follow if there is room on the first page.
    case automatic
    /// All words also match similar words, and all rows are ranked together. A match with one typo counts half, with
    /// two a quarter.
    case always
    /// Words match without typos, except those marked with a tilde: `recieve~`.
    case none
}

extension SearchIndex {
    /// Returns the index, searched with or without typos; `SearchTypos.automatic` is the default.
    ///
    /// ```swift
    /// let page = try await dbPool.search(reminderTexts.typos(.none), "grosman")
    /// ```
    public func typos(_ typos: SearchTypos) -> SearchIndex {
        var copy = self
        copy.definition.typos = typos
        return copy
    }
}

extension SearchRequest {
    /// Sets whether words match with typos; `SearchTypos.automatic` by default.
    public func typos(_ typos: SearchTypos) -> Self { with { $0.typos = typos } }
}

extension SearchQuery {
    /// The query in which the words chosen by `isChosen` may have typos.
    func withTypos(_ isChosen: (String) -> Bool = { _ in true }) -> SearchQuery {
        root.map { SearchQuery($0.withTypos(isChosen)) } ?? self
    }

    /// Whether any word may match with typos.
    var mayHaveTypos: Bool { mayHaveTypos { _ in true } }

    /// Whether any such word satisfies `isMeant`.
    func mayHaveTypos(_ isMeant: (String) -> Bool) -> Bool { root?.mayHaveTypos(isMeant) == true }
}

extension SearchQuery.Node {
    fileprivate func withTypos(_ isChosen: (String) -> Bool) -> SearchQuery.Node {
        switch kind {
        case .word(let text, let isPrefix):
            return text.mayHaveTypos && isChosen(text) ? .similar(text, isPrefix: isPrefix) : self
        case .similar, .phrase, .near: return self
        case .fields(let names, let child): return .fields(names, child.withTypos(isChosen))
        case .all(let parts): return .all(parts.map { $0.withTypos(isChosen) })
        case .any(let parts): return .any(parts.map { $0.withTypos(isChosen) })
        case .excluding(let base, let others): return .excluding(base?.withTypos(isChosen), others)
        }
    }

    fileprivate func mayHaveTypos(_ isMeant: (String) -> Bool) -> Bool {
        switch kind {
        case .word(let text, _): text.mayHaveTypos && isMeant(text)
        case .similar, .phrase, .near: false
        case .fields(_, let child): child.mayHaveTypos(isMeant)
        case .all(let parts), .any(let parts): parts.contains { $0.mayHaveTypos(isMeant) }
        case .excluding(let base, _): base?.mayHaveTypos(isMeant) == true
        }
    }
}

extension String {
    /// Whether people misspell such a word: it is not a number, and is written in an alphabet.
    var mayHaveTypos: Bool {
        var count = 0
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .decimalNumber, .letterNumber, .otherNumber: return false
            default: break
            }
            switch scalar.value {
            // CJK radicals to compatibility ideographs, kana, Hangul; ideographs of the other planes.
            case 0x1100...0x11FF, 0x2E80...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC,
                0x1B000...0x1B16F, 0x20000...0x3FFFF:
                return false
            default: count += 1
            }
        }
        return TypoTolerance.typed.limits(characterCount: count).edits > 0
    }
}
