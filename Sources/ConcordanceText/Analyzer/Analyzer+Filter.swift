extension Analyzer {
    /// One filter of an analyzer, with its arguments. The word it has in a descriptor stands at the end of each line.
    public enum Filter: Hashable, Sendable {
        /// `Folding.common`: case, compatibility forms, accents, invisible characters. `fold`
        case fold
        /// `Folding.caseFolding`. `case`
        case caseFolding
        /// `Folding.turkicCaseFolding`. `turkish`
        case turkish
        /// `Folding.compatibility`. `nfkc`
        case nfkc
        /// `Folding.diacritics`. `diacritics`
        case diacritics
        /// `Folding.latin`. `latin`
        case latin
        /// `Folding.width`. `width`
        case width
        /// `Folding.kana`. `kana`
        case kana
        /// `Folding.ignorables`. `ignorables`
        case ignorables
        /// `Folding.german`. `german`
        case german
        /// `Folding.scandinavian`. `scandinavian`
        case scandinavian
        /// `Folding.scripts`. `scripts`
        case scripts
        /// `Folding.simplified`. `simplified`
        case simplified
        /// `Folding.japanese`. `japanese`
        case japanese
        /// Articles before an apostrophe go: l'avion is avion. `elision LIST`
        case elision(Elision)
        /// The English possessive goes: dog's is dog. `possessive`
        case possessive
        /// The words of a list go. `stop LIST`
        case stop(StopWords)
        /// Each distinct word of a text stays once: a text is a set of words. `unique`
        case unique
        /// Tokens of fewer or more characters go. `length MIN MAX`
        case length(ClosedRange<Int>)
        /// Words that punctuation joins come apart: rows.csv is rows and csv. Right after the tokenizer. `parts`
        case parts
        /// Apostrophes within words go: O'Brien is obrien, and in a document o and brien, too. `apostrophes`
        case apostrophes
        /// A word ends at its apostrophe, as Turkish names do: Ankara'nın is Ankara. `apostrophe_ends`
        case apostropheEnds
        /// Hebrew words are found behind the particles that are written with them. `hebrew_prefixes`
        case hebrewPrefixes
        /// English stems (Porter 1980). `porter`
        case porter
        /// The stems of a language, by its rules. `stem LANGUAGE`
        case stem(StemmingLanguage)
        /// The stems of a language, and beside each the word itself. Filters that fold characters and stand right behind
        /// it fold both: rules know accents. `inflections LANGUAGE`
        case inflections(StemmingLanguage)
        /// Words typed with accents find no words with others, and those typed without find all. Filters that fold
        /// characters and stand right behind it say what an accent is. `accents`
        case accents
        /// Documents are indexed under the synonyms of their words and phrases. `synonyms RULES`
        case synonyms(Synonyms)
        /// Queries look for the synonyms of their words and phrases. `query_synonyms RULES`
        case querySynonyms(Synonyms)
        /// Pieces of words, so that a query finds them inside words. An analyzer cuts words once: a second filter that
        /// would cut the pieces has no effect. `ngrams MIN MAX`
        case ngrams(ClosedRange<Int>)
        /// Beginnings of words, so that a word is found while it is typed, without prefix queries. `edge_ngrams MIN MAX`
        case edgeNGrams(ClosedRange<Int>)
        /// Chinese and Japanese text in pairs of characters. `cjk`
        case cjk
        /// The same, and Korean text in pairs of syllables. `hangul`
        case hangul
        /// Thai, Lao, Khmer and Burmese text in pairs of clusters of letters. `clusters`
        case clusters
        /// Chinese characters found by their pinyin. `pinyin`
        case pinyin
        /// Chinese characters, three to five side by side or two that stand alone, found by the first letters of their
        /// pinyin. `pinyin_initials`
        case pinyinInitials
        /// Kana and common kanji found by their romaji. `romaji`
        case romaji
        /// Japanese words found by their readings, in kana and romaji, from a dictionary: MeCab's where the package is built
        /// with the trait MeCab, the system's on Apple platforms. Without one the filter adds nothing, and a descriptor
        /// that has it is refused. `japanese_readings`
        case japaneseReadings
        /// Cyrillic, Greek and Korean words found by their romanizations. Before `hangul`. `romanized`
        case romanized
    }
}

extension Analyzer.Filter {
    /// What the filter folds, where it folds characters.
    var folding: Folding? {
        switch self {
        case .fold: .common
        case .caseFolding: .caseFolding
        case .turkish: .turkicCaseFolding
        case .nfkc: .compatibility
        case .diacritics: .diacritics
        case .latin: .latin
        case .width: .width
        case .kana: .kana
        case .ignorables: .ignorables
        case .german: .german
        case .scandinavian: .scandinavian
        case .scripts: .scripts
        case .simplified: .simplified
        case .japanese: .japanese
        default: nil
        }
    }

    /// What the filter does to Chinese and Japanese, where it does.
    var cjk: CJKFilter.Options? {
        switch self {
        case .cjk: .bigrams
        case .hangul: .hangul
        case .pinyin: .pinyin
        case .pinyinInitials: .pinyinInitials
        case .romaji: .romaji
        case .japaneseReadings: .japaneseReadings
        default: nil
        }
    }

    /// Whether the filter cuts words into pieces.
    var isGrams: Bool {
        switch self {
        case .ngrams, .edgeNGrams: true
        default: false
        }
    }

    /// Whether the filter folds its tokens itself, by the filters right behind it.
    var foldsBehind: Bool {
        switch self {
        case .inflections, .accents: true
        default: false
        }
    }

    /// The machine of a filter that stands alone; `tokenizer` is all that comes before it, `folding` what comes behind.
    func makeMachine(after tokenizer: any Tokenizer, folding behind: Folding) -> TokenFilter {
        switch self {
        case .elision(let list): return ElisionFilter(articles: list.articles)
        case .possessive: return PossessiveFilter()
        case .stop(let list):
            // A word that becomes several tokens is no word here, and one that is left out already needs no stop.
            let tokens = list.words.map { tokenizer.listTokens($0) }.filter { $0.count == 1 }
            return StopFilter(words: tokens.joined())
        case .unique: return UniqueFilter()
        case .length(let range): return LengthFilter(range)
        case .parts: return PartsFilter()
        case .accents: return AccentFilter(behind)
        case .apostrophes: return ApostropheFilter(.joins)
        case .apostropheEnds: return ApostropheFilter(.ends)
        case .hebrewPrefixes: return HebrewPrefixFilter()
        case .romanized: return RomanizedFilter()
        case .porter: return PorterFilter()
        case .stem(let language): return StemFilter(language)
        case .inflections(let language): return StemFilter(language, keepsWords: true, folding: behind)
        case .synonyms(let synonyms):
            return SynonymFilter(synonyms, expanding: .document, after: tokenizer)
        case .querySynonyms(let synonyms):
            return SynonymFilter(synonyms, expanding: .query, after: tokenizer)
        case .ngrams(let range): return NGramFilter(range)
        case .edgeNGrams(let range): return EdgeNGramFilter(range)
        case .clusters: return ClusterFilter()
        default:
            if let folding { return FoldingFilter(folding) }
            return CJKFilter(cjk ?? [])
        }
    }
}
