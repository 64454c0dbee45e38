/// Half-typed words, for a stemmer that expects whole ones.
///
/// `running` is indexed as `run`, so a search for words that begin with `runnin` would find nothing until the g is
/// typed, although `run` found it. If a text ends with the start of an ending, that ending is completed, and the search
/// also looks for the stem of the whole word.
extension Analyzer {
    /// What the text may become once its last word is complete: one text for each stem that does not begin with what is
    /// typed so far, at most eight. For `go runnin` in English, `go running`. Empty unless the analyzer stems with
    /// `porter`, or with `stem` in German or Russian.
    ///
    /// - Parameter tokenizer: One of this analyzer.
    package func completions(ofHalfTyped text: String, by tokenizer: any Tokenizer) -> [String] {
        guard let endings else { return [] }
        let start = text.lastIndex(where: \.isWhitespace).map(text.index(after:)) ?? text.startIndex
        let word = text[start...]
        // No word of a language is longer.
        guard word.utf8.count <= StemMachine.longestWord, let typed = tokenizer.lastToken(of: word) else { return [] }
        let tail = word.lowercased()
        var stems: Set<String> = []
        var completions: [String] = []
        for ending in endings {
            for length in 1..<max(ending.count, 1) where tail.hasSuffix(ending.prefix(length)) {
                let rest = ending.dropFirst(length)
                guard let stem = tokenizer.lastToken(of: word + rest), !stem.hasPrefix(typed),
                    // A stem may end in another letter than the word has there: studi for studying.
                    typed.hasPrefix(stem.dropLast()), stems.insert(stem).inserted
                else { continue }
                completions.append(text + rest)
                if completions.count == 8 { return completions }
            }
        }
        return completions
    }

    /// The endings that the analyzer's stemmer removes, of those that can be half typed; nil if the table has none for
    /// it.
    private var endings: [String]? {
        for filter in filters {
            switch filter {
            case .porter: return Self.englishEndings
            case .stem(.german): return Self.germanEndings
            case .stem(.russian): return Self.russianEndings
            default: continue
            }
        }
        if case .porter = tokenizer { return Self.englishEndings }
        return nil
    }

    /// From the steps of M. F. Porter, An algorithm for suffix stripping, 1980.
    private static let englishEndings = [
        "ies", "ied", "es", "ed", "ing", "ings", "ly", "al", "ance", "ence", "er", "ers", "able", "ible", "ant",
        "ement",
        "ment", "ments", "ent", "ion", "ions", "ation", "ations", "ational", "ator", "tional", "ism", "ate", "ated",
        "ating", "ity", "ities", "ous", "ously", "ousness", "ive", "ively", "iveness", "ize", "ized", "izer", "izing",
        "ization", "fulness", "ful", "ness", "nesses", "icate", "ative", "alize", "icity", "ical", "ically", "ality",
        "ivity", "bility", "ably", "ibly", "ency", "ancy", "logy", "ingly", "edly",
    ]

    /// From the description of the German stemmer at snowballstem.org.
    private static let germanEndings = [
        "em", "ern", "er", "en", "es", "est", "st", "end", "ung", "ungen", "ig", "ik", "isch", "lich", "heit", "heiten",
        "keit", "keiten", "igkeit", "lichkeit",
    ]

    /// From the description of the Russian stemmer at snowballstem.org.
    private static let russianEndings = [
        "ими", "ыми", "его", "ого", "ему", "ому", "ивши", "ывши", "ившись", "ывшись", "вшись", "ейше", "ейш", "ость",
        "ост", "ться", "тся", "лся", "лась", "лись", "ете", "йте", "ешь", "нно", "ила", "ыла", "ена", "ейте", "уйте",
        "ите", "или", "ыли", "ило", "ыло", "ено", "ует", "уют", "ены", "ить", "ыть", "ишь", "иями", "ями", "ами", "ией",
        "иям", "ием", "иях", "ющий", "ующий", "вший", "ющая", "ющие", "ющего", "нный", "нная", "нные",
    ]
}

extension Tokenizer {
    /// The last token of a word in a query, without synonyms.
    fileprivate func lastToken(of word: some StringProtocol) -> String? { listTokens(String(word)).last }
}
