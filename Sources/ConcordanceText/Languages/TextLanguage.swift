/// A language with an analyzer of its own. The raw value is its ISO 639-1 code.
public enum TextLanguage: String, Hashable, Sendable, CaseIterable {
    /// Arabic.
    case arabic = "ar"
    /// Armenian.
    case armenian = "hy"
    /// Basque.
    case basque = "eu"
    /// Bengali.
    case bengali = "bn"
    /// Bulgarian.
    case bulgarian = "bg"
    /// Burmese.
    case burmese = "my"
    /// Catalan.
    case catalan = "ca"
    /// Chinese, simplified and traditional.
    case chinese = "zh"
    /// Czech.
    case czech = "cs"
    /// Danish.
    case danish = "da"
    /// Dutch.
    case dutch = "nl"
    /// English.
    case english = "en"
    /// Esperanto.
    case esperanto = "eo"
    /// Estonian.
    case estonian = "et"
    /// Finnish.
    case finnish = "fi"
    /// French.
    case french = "fr"
    /// German.
    case german = "de"
    /// Greek.
    case greek = "el"
    /// Gujarati.
    case gujarati = "gu"
    /// Hebrew.
    case hebrew = "he"
    /// Hindi.
    case hindi = "hi"
    /// Hungarian.
    case hungarian = "hu"
    /// Indonesian.
    case indonesian = "id"
    /// Irish.
    case irish = "ga"
    /// Italian.
    case italian = "it"
    /// Japanese.
    case japanese = "ja"
    /// Kannada.
    case kannada = "kn"
    /// Khmer.
    case khmer = "km"
    /// Korean.
    case korean = "ko"
    /// Lao.
    case lao = "lo"
    /// Lithuanian.
    case lithuanian = "lt"
    /// Malayalam.
    case malayalam = "ml"
    /// Marathi.
    case marathi = "mr"
    /// Nepali.
    case nepali = "ne"
    /// Norwegian, Bokmål and Nynorsk.
    case norwegian = "no"
    /// Persian.
    case persian = "fa"
    /// Polish.
    case polish = "pl"
    /// Portuguese.
    case portuguese = "pt"
    /// Punjabi, in Gurmukhi.
    case punjabi = "pa"
    /// Romanian.
    case romanian = "ro"
    /// Russian.
    case russian = "ru"
    /// Serbian, in both alphabets.
    case serbian = "sr"
    /// Spanish.
    case spanish = "es"
    /// Swedish.
    case swedish = "sv"
    /// Tamil.
    case tamil = "ta"
    /// Telugu.
    case telugu = "te"
    /// Thai.
    case thai = "th"
    /// Turkish.
    case turkish = "tr"
    /// Ukrainian.
    case ukrainian = "uk"
    /// Urdu.
    case urdu = "ur"
    /// Vietnamese.
    case vietnamese = "vi"
    /// Yiddish.
    case yiddish = "yi"

    /// Creates the language with this name or code, in any ASCII case; nil if there is none.
    public init?(named text: String) {
        let found = Self.allCases.first {
            $0.rawValue.equalsIgnoringASCIICase(text) || $0.name.equalsIgnoringASCIICase(text)
        }
        guard let found else { return nil }
        self = found
    }

    /// The name of the language and of its analyzer in descriptors, such as `french`.
    public var name: String { recipe.name }

    /// The language subtags of BCP 47 that mean the language, including those that ISO 639-1 has withdrawn.
    package var tags: [String] {
        switch self {
        case .hebrew: ["he", "iw"]
        case .indonesian: ["id", "in"]
        case .norwegian: ["no", "nb", "nn"]
        case .yiddish: ["yi", "ji"]
        default: [rawValue]
        }
    }

    /// The language that a subtag of BCP 47 means; nil if it has no analyzer.
    package static func meant(by tag: String) -> TextLanguage? { allCases.first { $0.tags.contains(tag) } }

    /// The analyzer of the language.
    public var analyzer: Analyzer { recipe.analyzer }

    private var recipe: (name: String, analyzer: Analyzer) {
        switch self {
        case .arabic: ("arabic", .arabic)
        case .armenian: ("armenian", .armenian)
        case .basque: ("basque", .basque)
        case .bengali: ("bengali", .bengali)
        case .bulgarian: ("bulgarian", .bulgarian)
        case .burmese: ("burmese", .burmese)
        case .catalan: ("catalan", .catalan)
        case .chinese: ("chinese", .chinese)
        case .czech: ("czech", .czech)
        case .danish: ("danish", .danish)
        case .dutch: ("dutch", .dutch)
        case .english: ("english", .english)
        case .esperanto: ("esperanto", .esperanto)
        case .estonian: ("estonian", .estonian)
        case .finnish: ("finnish", .finnish)
        case .french: ("french", .french)
        case .german: ("german", .german)
        case .greek: ("greek", .greek)
        case .gujarati: ("gujarati", .gujarati)
        case .hebrew: ("hebrew", .hebrew)
        case .hindi: ("hindi", .hindi)
        case .hungarian: ("hungarian", .hungarian)
        case .indonesian: ("indonesian", .indonesian)
        case .irish: ("irish", .irish)
        case .italian: ("italian", .italian)
        case .japanese: ("japanese", .japanese)
        case .kannada: ("kannada", .kannada)
        case .khmer: ("khmer", .khmer)
        case .korean: ("korean", .korean)
        case .lao: ("lao", .lao)
        case .lithuanian: ("lithuanian", .lithuanian)
        case .malayalam: ("malayalam", .malayalam)
        case .marathi: ("marathi", .marathi)
        case .nepali: ("nepali", .nepali)
        case .norwegian: ("norwegian", .norwegian)
        case .persian: ("persian", .persian)
        case .polish: ("polish", .polish)
        case .portuguese: ("portuguese", .portuguese)
        case .punjabi: ("punjabi", .punjabi)
        case .romanian: ("romanian", .romanian)
        case .russian: ("russian", .russian)
        case .serbian: ("serbian", .serbian)
        case .spanish: ("spanish", .spanish)
        case .swedish: ("swedish", .swedish)
        case .tamil: ("tamil", .tamil)
        case .telugu: ("telugu", .telugu)
        case .thai: ("thai", .thai)
        case .turkish: ("turkish", .turkish)
        case .ukrainian: ("ukrainian", .ukrainian)
        case .urdu: ("urdu", .urdu)
        case .vietnamese: ("vietnamese", .vietnamese)
        case .yiddish: ("yiddish", .yiddish)
        }
    }
}
