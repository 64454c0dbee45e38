/// Words while they are typed, before a stemmer that expects whole ones.
///
/// `running` is indexed as run, so a search for what begins with `runnin` would find nothing until the g is there, though
/// `run` found it. Where a text ends in the beginning of an ending, the ending is completed, and the whole word's stem
/// is looked for besides.
extension Analyzer {
    /// Texts that this one may become when its last word is typed to its end, of those whose stem does not begin with
    /// what is typed so far: one for each stem, at most eight; for `go runnin` in English, `go running`. None for an
    /// analyzer that does not stem.
    ///
    /// - Parameter tokenizer: One of this analyzer.
    package func completions(ofHalfTyped text: String, by tokenizer: any Tokenizer) -> [String] {
        guard let endings else { return [] }
        let start = text.lastIndex(where: \.isWhitespace).map(text.index(after:)) ?? text.startIndex
        let word = text[start...]
        // Longer ones are no words of a language.
        guard word.utf8.count <= StemMachine.longestWord, let typed = tokenizer.lastToken(of: word) else { return [] }
        let tail = word.lowercased()
        var stems: Set<String> = []
        var completions: [String] = []
        for ending in endings {
            for length in 1..<max(ending.count, 1) where tail.hasSuffix(ending.prefix(length)) {
                let rest = ending.dropFirst(length)
                guard let stem = tokenizer.lastToken(of: word + rest), !stem.hasPrefix(typed),
                    // The last letter of a stem may be another than that of the word: studying, studi.
                    typed.hasPrefix(stem.dropLast()), stems.insert(stem).inserted
                else { continue }
                completions.append(text + rest)
                if completions.count == 8 { return completions }
            }
        }
        return completions
    }

    /// The endings that the analyzer's stemmer takes off, as far as a part of one can stand at the end of a word without
    /// being one itself; nil for an analyzer that does not stem.
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
    /// The last token of a word in a query, synonyms left out.
    fileprivate func lastToken(of word: some StringProtocol) -> String? { listTokens(String(word)).last }
}
