// Ready-made analyzers: for no particular language, and one for each language.

extension Analyzer {
    /// Recommended for texts of unknown language: words (UAX #29) and the parts that punctuation joins, folded to small
    /// letters without accents, Latin letters to ASCII. l'avion is found as avion, dog's as dog.
    public static let standard = Analyzer(.words(), filters: folding + joining)
    /// FTS5's default tokenizer, without filters.
    public static let unicode61 = Analyzer(.unicode61())
    /// FTS5's trigram tokenizer, which indexes every run of three characters: text is found inside words, too.
    public static let trigram = Analyzer(.trigram())

    /// For scripts in which a letter has one form for searching.
    private static let folding: [Filter] = [.parts, .fold, .latin, .scripts]
    /// What apostrophes join, in texts of any language. Before `.cjk`, so that filters for readings can be appended to the
    /// analyzer; after `.hangul` and `.clusters`, which cut words of several scripts first.
    private static let joining: [Filter] = [.elision(.any), .possessive, .apostrophes]

    /// Words of a language, found as written and, by their stems, in other forms.
    ///
    /// - Parameters:
    ///   - preparing: Filters before the stemmer, which sees small letters with their accents.
    ///   - folding: Filters after the stemmer, which remove accents.
    private static func inflected(
        _ language: StemmingLanguage, preparing: [Filter] = [.apostrophes], folding: [Filter] = [.diacritics]
    ) -> Analyzer {
        Analyzer(
            .words(),
            filters: [.parts, .caseFolding, .nfkc, .ignorables] + preparing
                + [.inflections(language)] + folding + [.latin, .scripts])
    }

    /// Arabic: without vowel marks and hamzas.
    public static let arabic = inflected(.arabic)
    /// Armenian.
    public static let armenian = inflected(.armenian)
    /// Basque.
    public static let basque = inflected(.basque)
    /// Bulgarian.
    public static let bulgarian = inflected(.bulgarian)
    /// Catalan: l'home found as home.
    public static let catalan = inflected(.catalan, preparing: [.elision(.catalan), .apostrophes])
    /// Czech.
    public static let czech = inflected(.czech)
    /// Danish: å and aa match a; æ matches ae, and ø oe.
    public static let danish = inflected(.danish, folding: [.diacritics, .scandinavian])
    /// Dutch.
    public static let dutch = inflected(.dutch)
    /// English: dog's found as dog, first to twentieth as 1st to 20th.
    public static let english = inflected(
        .english, preparing: [.possessive, .apostrophes, .querySynonyms(.englishOrdinals)])
    /// Esperanto.
    public static let esperanto = inflected(.esperanto)
    /// Estonian.
    public static let estonian = inflected(.estonian)
    /// Finnish.
    public static let finnish = inflected(.finnish)
    /// French: l'avion found as avion.
    public static let french = inflected(.french, preparing: [.elision(.french), .apostrophes])
    /// German: umlauts in any spelling.
    public static let german = Analyzer(
        .words(), .parts, .caseFolding, .nfkc, .ignorables, .possessive, .apostrophes, .inflections(.german),
        .diacritics, .latin, .german, .scripts)
    /// Greek: without accents; a final sigma is a sigma.
    public static let greek = inflected(.greek)
    /// Hebrew: without points; words are found with and without the particles written in front of them.
    public static let hebrew = Analyzer(
        .words(), .parts, .fold, .latin, .scripts, .apostrophes, .hebrewPrefixes, .inflections(.hebrew))
    /// Hindi.
    public static let hindi = inflected(.hindi)
    /// Hungarian.
    public static let hungarian = inflected(.hungarian)
    /// Indonesian.
    public static let indonesian = inflected(.indonesian)
    /// Irish: d'athair found as athair.
    public static let irish = inflected(.irish, preparing: [.elision(.irish), .apostrophes])
    /// Italian: dell'arte found as arte.
    public static let italian = inflected(.italian, preparing: [.elision(.italian), .apostrophes])
    /// Lithuanian.
    public static let lithuanian = inflected(.lithuanian)
    /// Nepali.
    public static let nepali = inflected(.nepali)
    /// Norwegian, Bokmål and Nynorsk: å and aa match a; æ matches ae, and ø oe.
    public static let norwegian = inflected(.norwegian, folding: [.diacritics, .scandinavian])
    /// Persian: with or without zero-width non-joiners; Arabic letters match Persian ones.
    public static let persian = Analyzer(
        .words(), .parts, .caseFolding, .nfkc, .apostrophes, .inflections(.persian), .ignorables, .diacritics, .latin,
        .scripts)
    /// Polish: without marks; ł is l.
    public static let polish = inflected(.polish)
    /// Portuguese.
    public static let portuguese = inflected(.portuguese)
    /// Romanian: ş matches ș.
    public static let romanian = inflected(.romanian)
    /// Russian: ё is е.
    public static let russian = inflected(.russian)
    /// Serbian, found in both alphabets.
    public static let serbian = inflected(.serbian)
    /// Spanish.
    public static let spanish = inflected(.spanish)
    /// Swedish.
    public static let swedish = inflected(.swedish)
    /// Tamil.
    public static let tamil = inflected(.tamil)
    /// Bengali.
    public static let bengali = inflected(.bengali)
    /// Gujarati.
    public static let gujarati = inflected(.gujarati)
    /// Kannada.
    public static let kannada = inflected(.kannada)
    /// Malayalam, in either encoding of its letters without a vowel.
    public static let malayalam = inflected(.malayalam)
    /// Marathi.
    public static let marathi = inflected(.marathi)
    /// Punjabi, in Gurmukhi.
    public static let punjabi = inflected(.punjabi)
    /// Telugu.
    public static let telugu = inflected(.telugu)
    /// Urdu: letters of Arabic keyboards match Urdu's.
    public static let urdu = inflected(.urdu)
    /// Burmese: pairs of syllables, since the script does not separate words.
    public static let burmese = unspaced
    /// Khmer: pairs of clusters of letters, since the script does not separate words.
    public static let khmer = unspaced
    /// Lao: pairs of clusters of letters, since the script does not separate words.
    public static let lao = unspaced
    /// Thai: pairs of clusters of letters, since the script does not separate words.
    public static let thai = unspaced

    private static let unspaced = Analyzer(.words(), filters: folding + [.clusters] + joining)

    /// Turkish: I is the capital of ı, and İ of i; typing i finds both. Ankara'nın is found as Ankara.
    public static let turkish = Analyzer(
        .words(), .parts, .turkish, .caseFolding, .nfkc, .ignorables, .apostropheEnds, .inflections(.turkish),
        .diacritics, .latin, .scripts)
    /// Ukrainian: ґ is г.
    public static let ukrainian = inflected(.ukrainian)
    /// Yiddish: without points.
    public static let yiddish = inflected(.yiddish)

    /// Japanese: kana of any width and kind, old and new characters, pairs of characters; also found by romaji.
    public static let japanese = Analyzer(
        .words(), filters: folding + [.kana, .japanese] + joining + [.cjk, .romaji])
    /// Japanese like `.japanese`, with words also found by their readings from a dictionary, which not every build has:
    /// see `Filter.japaneseReadings`.
    public static let japaneseReadings = japanese.appending(.japaneseReadings)
    /// Chinese: simplified and traditional characters match each other; pairs of characters; also found by pinyin,
    /// zhuyin and initials.
    public static let chinese = Analyzer(
        .words(), filters: folding + [.simplified] + joining + [.cjk, .pinyin, .pinyinInitials])
    /// Korean: pairs of syllables, however they are encoded.
    public static let korean = Analyzer(.words(), filters: folding + [.hangul] + joining)
    /// Vietnamese: a word typed with its marks finds only that word; typed without marks, it finds words with any.
    public static let vietnamese = Analyzer(
        .words(), .parts, .caseFolding, .nfkc, .ignorables, .apostrophes, .accents, .diacritics, .latin, .scripts)

    /// Returns an analyzer for texts in several languages: each text is analyzed in its own language, which is guessed
    /// from the text's beginning, and a query finds texts in all of them.
    ///
    /// - Parameter languages: At least one. The first is the language of texts that give no clue. The fewer, the better
    ///   the guess.
    public static func guessing(_ languages: TextLanguage...) -> Analyzer { Analyzer(.guess(languages)) }

    /// The analyzers that a descriptor can name in one word: by name or, for a language, by its ISO 639-1 code.
    package static let named: [(name: String, code: String?, analyzer: Analyzer)] =
        [("standard", nil, .standard)] + TextLanguage.allCases.map { ($0.name, $0.rawValue, $0.analyzer) }

    /// Returns the analyzer with a filter that drops the words of a list before stemming, for questions to an index
    /// that holds those words.
    public func ignoring(_ words: StopWords) -> Analyzer {
        var copy = self
        copy.filters.insert(.stop(words), at: filters.firstIndex(where: \.looksIntoWords) ?? filters.endIndex)
        return copy
    }

    /// Returns the analyzer with a filter that drops the stop words of a language before stemming.
    public func ignoring(_ language: TextLanguage) -> Analyzer { ignoring(.language(language)) }
}

extension Analyzer.Filter {
    /// Whether the filter replaces words or cuts them, so that stop words must be dropped before it.
    fileprivate var looksIntoWords: Bool {
        switch self {
        case .hebrewPrefixes, .porter, .stem, .inflections, .accents, .synonyms, .querySynonyms, .ngrams, .edgeNGrams,
            .cjk, .hangul, .pinyin, .pinyinInitials, .romaji, .clusters:
            true
        default: false
        }
    }
}
