// Analyzers to begin with: for no language, and for one language each.

extension Analyzer {
    /// What we recommend where the language is not known: words (UAX #29) and the parts that punctuation joins, folded to
    /// small letters without accents, in ASCII where they are Latin; l'avion found as avion, dog's as dog.
    public static let standard = Analyzer(
        .words(), .parts, .fold, .latin, .scripts, .elision(.any), .possessive, .apostrophes)
    /// FTS5's default tokenizer and nothing else.
    public static let unicode61 = Analyzer(.unicode61())
    /// FTS5's tokenizer into all runs of three characters: what is looked for is found inside words too.
    public static let trigram = Analyzer(.trigram())

    /// Words of a language, found by the stems of all their forms and as they are.
    ///
    /// - Parameters:
    ///   - preparing: Filters before the stemmer, which sees small letters with their accents.
    ///   - folding: Filters behind it, which take the accents off.
    private static func inflected(
        _ language: StemmingLanguage, preparing: [Filter] = [.apostrophes], folding: [Filter] = [.diacritics]
    ) -> Analyzer {
        Analyzer(
            .words(),
            filters: [.parts, .caseFolding, .nfkc, .ignorables] + preparing
                + [.inflections(language)] + folding + [.latin, .scripts])
    }

    /// Arabic: without vowel marks, letters in any seat.
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
    /// Danish: å and aa are a, æ and ae, ø and oe one each.
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
    /// Greek: without accents, final sigma is sigma.
    public static let greek = inflected(.greek)
    /// Hebrew: without points, with and without the particles that are written with a word.
    public static let hebrew = Analyzer(
        .words(), .parts, .fold, .latin, .scripts, .hebrewPrefixes, .inflections(.hebrew))
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
    /// Norwegian, Bokmål and Nynorsk: å and aa are a, æ and ae, ø and oe one each.
    public static let norwegian = inflected(.norwegian, folding: [.diacritics, .scandinavian])
    /// Persian: with joiners or without, Arabic letters too.
    public static let persian = Analyzer(
        .words(), .parts, .caseFolding, .nfkc, .inflections(.persian), .ignorables, .diacritics, .latin, .scripts)
    /// Polish: without marks, ł is l.
    public static let polish = inflected(.polish)
    /// Portuguese.
    public static let portuguese = inflected(.portuguese)
    /// Romanian: ş and ș are one.
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
    /// Urdu: letters of Arabic keyboards, too.
    public static let urdu = inflected(.urdu)
    /// Burmese: pairs of syllables, since nothing in the text parts words.
    public static let burmese = unspaced
    /// Khmer: pairs of clusters of letters, since nothing in the text parts words.
    public static let khmer = unspaced
    /// Lao: pairs of clusters of letters, since nothing in the text parts words.
    public static let lao = unspaced
    /// Thai: pairs of clusters of letters, since nothing in the text parts words.
    public static let thai = unspaced

    private static let unspaced = Analyzer(.words(), .parts, .fold, .latin, .scripts, .clusters)

    /// Turkish: I is the capital of ı, İ that of i, and both are found typed as i; Ankara'nın found as Ankara.
    public static let turkish = Analyzer(
        .words(), .parts, .turkish, .caseFolding, .nfkc, .ignorables, .apostropheEnds, .inflections(.turkish),
        .diacritics, .latin, .scripts)
    /// Ukrainian: ґ is г.
    public static let ukrainian = inflected(.ukrainian)
    /// Yiddish: without points.
    public static let yiddish = inflected(.yiddish)

    /// Japanese: kana of any width and kind, old characters and new, pairs of characters, found by romaji too.
    public static let japanese = Analyzer(
        .words(), .parts, .fold, .latin, .scripts, .kana, .japanese, .cjk, .romaji)
    /// Japanese, as `.japanese`, and words found by their readings from a dictionary, of which there is none in every build:
    /// see `Filter.japaneseReadings`.
    public static let japaneseReadings = japanese.appending(.japaneseReadings)
    /// Chinese: simplified and traditional as one, pairs of characters, found by pinyin, zhuyin and initials too.
    public static let chinese = Analyzer(
        .words(), .parts, .fold, .latin, .scripts, .simplified, .cjk, .pinyin, .pinyinInitials)
    /// Korean: pairs of syllables, however they are encoded.
    public static let korean = Analyzer(.words(), .parts, .fold, .latin, .scripts, .hangul)
    /// Vietnamese: words typed with their marks find no others, words without marks all of them.
    public static let vietnamese = Analyzer(
        .words(), .parts, .caseFolding, .nfkc, .ignorables, .apostrophes, .accents, .diacritics, .latin, .scripts)

    /// Texts in several languages: each is analyzed as its language wants, which is guessed from its beginning, and a query
    /// finds texts of all of them.
    ///
    /// - Parameter languages: At least one; of texts that tell nothing, the first. The fewer, the better the guess.
    public static func guessing(_ languages: TextLanguage...) -> Analyzer { Analyzer(.guess(languages)) }

    /// The analyzers that a descriptor can name by one word: a name or, for a language, its ISO 639-1 code.
    public static let named: [(name: String, code: String?, analyzer: Analyzer)] =
        [("standard", nil, .standard)] + TextLanguage.allCases.map { ($0.name, $0.rawValue, $0.analyzer) }

    /// The same analyzer, which drops the words of a list before it looks for stems: for the words of a question, over an
    /// index that has them.
    public func ignoring(_ words: StopWords) -> Analyzer {
        var copy = self
        copy.filters.insert(.stop(words), at: filters.firstIndex(where: \.looksIntoWords) ?? filters.endIndex)
        return copy
    }
}

extension Analyzer.Filter {
    /// Whether the filter replaces words or cuts them, so that lists of words stand before it.
    fileprivate var looksIntoWords: Bool {
        switch self {
        case .hebrewPrefixes, .porter, .stem, .inflections, .accents, .synonyms, .querySynonyms, .ngrams, .edgeNGrams,
            .cjk, .hangul, .pinyin, .pinyinInitials, .romaji, .clusters:
            true
        default: false
        }
    }
}
