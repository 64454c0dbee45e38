extension Analyzer {
    /// One filter of an analyzer, with its arguments. Each description ends with the filter's notation in descriptors.
    public enum Filter: Hashable, Sendable {
        /// Case, compatibility forms, accents, invisible characters. `fold`
        case fold
        /// Full case folding (CaseFolding.txt, statuses C and F): Straße = STRASSE, final sigma = sigma. `case`
        case caseFolding
        /// Full case folding where I is the capital of ı and İ that of i (CaseFolding.txt, status T). `turkish`
        case turkish
        /// Compatibility normalization (NFKC): ﬁ = fi, ２ = 2, ｶﾞ = ガ, ² = 2; conjoining jamo become syllables. `nfkc`
        case nfkc
        /// Accents, points and vowel signs that writers leave out: é = e, ё = е, ά = α. Й, ї and ў keep theirs, and so
        /// do kana and Indic vowels, where the mark makes a different letter. `diacritics`
        case diacritics
        /// Latin letters and typographic signs become ASCII: ß ss, æ ae, ø o, đ d, ł l, þ th, ı i, ’ '. `latin`
        case latin
        /// Half-width and full-width forms become the usual ones: ｶﾞ = ガ, Ａ = A. `width`
        case width
        /// Hiragana becomes katakana: がっこう = ガッコウ. `kana`
        case kana
        /// Invisible characters (Default_Ignorable_Code_Point) are removed: soft hyphens, joiners, variation selectors.
        /// `ignorables`
        case ignorables
        /// German umlauts: ä, ae and a are one, so are ö, oe, o and ü, ue, u, and ß is ss; but the e of a ue after
        /// another vowel or after q stays, since that is not an umlaut: Bauer, Quelle. (The rule of Snowball's german2
        /// and of Lucene's GermanNormalizationFilter.) `german`
        case german
        /// Scandinavian letters by any spelling: å, aa and a are one, so are ä, æ, ae and ö, ø, oe, o. `scandinavian`
        case scandinavian
        /// Characters that writers of other scripts interchange: digits of all scripts become ASCII digits; Arabic
        /// letters lose their hamza, and Persian letters become Arabic ones; geresh, gershayim and nukta are removed;
        /// candrabindu, and a nasal before a consonant, become anusvara; Thai marks get one order. `scripts`
        case scripts
        /// Traditional Chinese characters become simplified ones (Unihan's kSimplifiedVariant). Some of those stand for
        /// several: 後 and 后 are one. `simplified`
        case simplified
        /// Japanese spellings: 國 = 国 and 學 = 学, ヴァ = バ, and no long mark at the end of a word: サーバー = サーバ. `japanese`
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
        /// Indexes Chinese and Japanese text in pairs of characters, and Korean text in pairs of syllables. `hangul`
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
