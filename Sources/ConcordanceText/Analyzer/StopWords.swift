/// Words that say little about what a text is about: articles, pronouns, prepositions, conjunctions, auxiliary verbs.
public enum StopWords: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The list of a language; empty for Chinese, Japanese, Korean, and languages written without spaces.
    case language(TextLanguage)
    /// Words of your own.
    case list([String])

    public init(arrayLiteral elements: String...) { self = .list(elements) }

    /// The words of the list, in small letters.
    public var words: [String] {
        switch self {
        case .language(.english): Self.englishWords
        case .language(let language): WordList.split(StopWordTables.words(of: language)?.description ?? "")
        case .list(let words): words
        }
    }

    /// The languages that have a list.
    static let languages = TextLanguage.allCases.filter { $0 == .english || StopWordTables.words(of: $0) != nil }

    private static let englishWords = WordList.split(
        """
        a about above after again against all am an and any are aren't as at be because been before being below \
        between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each \
        few for from further had hadn't has hasn't have haven't having he he'd he'll he's her here here's hers \
        herself him himself his how how's i i'd i'll i'm i've if in into is isn't it it's its itself let's me more \
        most must mustn't my myself no nor not of off on once only or other ought our ours ourselves out over own \
        same shall shan't she she'd she'll she's should shouldn't so some such than that that's the their theirs \
        them themselves then there there's these they they'd they'll they're they've this those through to too under \
        until up upon us very was wasn't we we'd we'll we're we've were weren't what what's when when's where where's \
        which while who who's whom why why's will with won't would wouldn't you you'd you'll you're you've your yours \
        yourself yourselves
        """)
}

extension StopWords {
    /// Of Arabic.
    public static let arabic = StopWords.language(.arabic)
    /// Of Armenian.
    public static let armenian = StopWords.language(.armenian)
    /// Of Basque.
    public static let basque = StopWords.language(.basque)
    /// Of Bengali.
    public static let bengali = StopWords.language(.bengali)
    /// Of Bulgarian.
    public static let bulgarian = StopWords.language(.bulgarian)
    /// Of Catalan.
    public static let catalan = StopWords.language(.catalan)
    /// Of Czech.
    public static let czech = StopWords.language(.czech)
    /// Of Danish.
    public static let danish = StopWords.language(.danish)
    /// Of Dutch.
    public static let dutch = StopWords.language(.dutch)
    /// Of English.
    public static let english = StopWords.language(.english)
    /// Of Esperanto.
    public static let esperanto = StopWords.language(.esperanto)
    /// Of Estonian.
    public static let estonian = StopWords.language(.estonian)
    /// Of Finnish.
    public static let finnish = StopWords.language(.finnish)
    /// Of French.
    public static let french = StopWords.language(.french)
    /// Of German.
    public static let german = StopWords.language(.german)
    /// Of Greek.
    public static let greek = StopWords.language(.greek)
    /// Of Gujarati.
    public static let gujarati = StopWords.language(.gujarati)
    /// Of Hebrew.
    public static let hebrew = StopWords.language(.hebrew)
    /// Of Hindi.
    public static let hindi = StopWords.language(.hindi)
    /// Of Hungarian.
    public static let hungarian = StopWords.language(.hungarian)
    /// Of Indonesian.
    public static let indonesian = StopWords.language(.indonesian)
    /// Of Irish.
    public static let irish = StopWords.language(.irish)
    /// Of Italian.
    public static let italian = StopWords.language(.italian)
    /// Of Kannada.
    public static let kannada = StopWords.language(.kannada)
    /// Of Lithuanian.
    public static let lithuanian = StopWords.language(.lithuanian)
    /// Of Malayalam.
    public static let malayalam = StopWords.language(.malayalam)
    /// Of Marathi.
    public static let marathi = StopWords.language(.marathi)
    /// Of Nepali.
    public static let nepali = StopWords.language(.nepali)
    /// Of Norwegian.
    public static let norwegian = StopWords.language(.norwegian)
    /// Of Persian.
    public static let persian = StopWords.language(.persian)
    /// Of Polish.
    public static let polish = StopWords.language(.polish)
    /// Of Portuguese.
    public static let portuguese = StopWords.language(.portuguese)
    /// Of Punjabi.
    public static let punjabi = StopWords.language(.punjabi)
    /// Of Romanian.
    public static let romanian = StopWords.language(.romanian)
    /// Of Russian.
    public static let russian = StopWords.language(.russian)
    /// Of Serbian.
    public static let serbian = StopWords.language(.serbian)
    /// Of Spanish.
    public static let spanish = StopWords.language(.spanish)
    /// Of Swedish.
    public static let swedish = StopWords.language(.swedish)
    /// Of Tamil.
    public static let tamil = StopWords.language(.tamil)
    /// Of Telugu.
    public static let telugu = StopWords.language(.telugu)
    /// Of Turkish.
    public static let turkish = StopWords.language(.turkish)
    /// Of Ukrainian.
    public static let ukrainian = StopWords.language(.ukrainian)
    /// Of Urdu.
    public static let urdu = StopWords.language(.urdu)
    /// Of Vietnamese.
    public static let vietnamese = StopWords.language(.vietnamese)
    /// Of Yiddish.
    public static let yiddish = StopWords.language(.yiddish)
}
