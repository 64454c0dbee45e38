extension Analyzer {
    /// One filter of an analyzer, with its arguments. Each description ends with the filter's notation in descriptors.
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
        /// Removes articles before an apostrophe: l'avion is avion. `elision LIST`
        case elision(Elision)
        /// Removes the English possessive: dog's is dog. `possessive`
        case possessive
        /// Drops the words of a list. `stop LIST`
        case stop(StopWords)
        /// Keeps each distinct word of a text once, so that a text is a set of words. `unique`
        case unique
        /// Drops tokens with fewer or more characters. `length MIN MAX`
        case length(ClosedRange<Int>)
        /// Splits words that punctuation joins: rows.csv is also rows and csv. Put it right after the tokenizer.
        /// `parts`
        case parts
        /// Removes apostrophes within words: O'Brien is obrien and, in a document, also o and brien. `apostrophes`
        case apostrophes
        /// Ends a word at its apostrophe, as Turkish does after names: Ankara'nın is Ankara. `apostrophe_ends`
        case apostropheEnds
        /// Finds Hebrew words without the particles written in front of them. `hebrew_prefixes`
        case hebrewPrefixes
        /// Reduces English words to their stems (Porter 1980). `porter`
        case porter
        /// Reduces words to their stems, by a language's rules. `stem LANGUAGE`
        case stem(StemmingLanguage)
        /// Indexes the stem of each word, and beside it the word itself. The rules expect accents, so let filters that
        /// fold characters follow directly; they fold both. `inflections LANGUAGE`
        case inflections(StemmingLanguage)
        /// A word typed with accents finds only words with the same ones; typed without, it finds all. The filters that
        /// fold characters and directly follow say what an accent is. `accents`
        case accents
        /// Indexes documents under the synonyms of their words and phrases, too. `synonyms RULES`
        case synonyms(Synonyms)
        /// Lets queries also find the synonyms of their words and phrases. `query_synonyms RULES`
        case querySynonyms(Synonyms)
        /// Cuts words into pieces, so that a query finds text inside words. A second filter of this kind in an analyzer
        /// has no effect. `ngrams MIN MAX`
        case ngrams(ClosedRange<Int>)
        /// Indexes the beginnings of words, so that half-typed words are found without prefix queries.
        /// `edge_ngrams MIN MAX`
        case edgeNGrams(ClosedRange<Int>)
        /// Indexes Chinese and Japanese text in pairs of characters. `cjk`
        case cjk
        /// The same, and Korean text in pairs of syllables. `hangul`
        case hangul
        /// Indexes Thai, Lao, Khmer and Burmese text in pairs of clusters of letters. `clusters`
        case clusters
        /// Finds Chinese characters by their pinyin. `pinyin`
        case pinyin
        /// Finds Chinese characters by the first letters of their pinyin: three to five in a row, or two that stand
        /// alone. `pinyin_initials`
        case pinyinInitials
        /// Finds kana and common kanji by their romaji. `romaji`
        case romaji
        /// Finds Japanese words by their readings, in kana and romaji, from a dictionary: MeCab's if the package is
        /// built with the trait MeCab, the system's on Apple platforms. Without a dictionary the filter adds nothing,
        /// and descriptors that contain it are refused. `japanese_readings`
        case japaneseReadings
        /// Finds Cyrillic, Greek and Korean words by their romanizations. Put it before `hangul`. `romanized`
        case romanized
    }
}

extension Analyzer.Filter {
    /// What the filter folds; nil if it folds no characters.
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

    /// What the filter does to Chinese, Japanese and Korean text; nil if nothing.
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

    /// Whether the filter itself applies the folding filters that directly follow it.
    var foldsBehind: Bool {
        switch self {
        case .inflections, .accents: true
        default: false
        }
    }

    /// The machine of a filter that is not merged with others. `tokenizer` is everything before the filter; `folding`
    /// is what the filters directly after it fold.
    func makeMachine(after tokenizer: any Tokenizer, folding behind: Folding) -> TokenFilter {
        switch self {
        case .elision(let list): return ElisionFilter(articles: list.articles)
        case .possessive: return PossessiveFilter()
        case .stop(let list):
            // Words that become several tokens, or none, cannot be dropped as one.
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
