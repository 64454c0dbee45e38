/// How a text becomes the tokens that are indexed and looked for: a tokenizer, and filters that its tokens pass
/// through, the first filter first.
///
/// It is a value that prints to a descriptor and parses from one, so the `tokenize=` text of a table is enough to build
/// the same analyzer in any process:
///
/// ```swift
/// let analyzer = Analyzer(.words(), .fold, .latin, .elision(.french), .stop(.english), .porter)
/// analyzer.description    // words fold latin elision fr stop en porter
/// let same = try Analyzer(components: ["words", "fold", "latin", "elision", "fr", "stop", "en", "porter"])
/// ```
///
/// Filters that fold characters and stand beside each other (`fold`, `case`, `turkish`, `nfkc`, `diacritics`, `latin`,
/// `width`, `kana`, `ignorables`, `german`, `scandinavian`) work as one, in one pass and in an order of their own.
public struct Analyzer: Hashable, Sendable {
    /// What splits the text.
    public var tokenizer: TokenizerSpecification
    /// What the tokens pass through.
    public var filters: [Filter]

    /// A tokenizer and the filters behind it.
    public init(_ tokenizer: TokenizerSpecification = .words(), _ filters: Filter...) {
        self.init(tokenizer, filters: filters)
    }

    /// The same with the filters in an array.
    public init(_ tokenizer: TokenizerSpecification = .words(), filters: [Filter]) {
        self.tokenizer = tokenizer
        self.filters = filters
    }

    /// The same analyzer with more filters at its end.
    public func appending(_ filters: Filter...) -> Analyzer {
        Analyzer(tokenizer, filters: self.filters + filters)
    }

    /// A tokenizer of this kind, with scratch memory of its own.
    ///
    /// Word lists (stop words, synonyms) pass through the filters that stand before them, so that `été` in a list meets
    /// `ete` behind `fold`.
    public func makeTokenizer() -> any Tokenizer { makeTokenizer(appending: []) }

    /// The same with filters of your own at the end.
    public func makeTokenizer(appending custom: [TokenFilter]) -> any Tokenizer {
        var machines: [TokenFilter] = []
        var folding: Folding = []
        var cjk: CJKFilter.Options = []
        // Makes the tokens of lists as they are behind the machines so far, which it shares: nothing is built twice.
        let plainSource = tokenizer.makeTokenizer()
        var cutsWords = false
        for (index, filter) in filters.enumerated() {
            if filter.isGrams {
                // Pieces of pieces would be without end.
                if cutsWords { continue }
                cutsWords = true
            }
            if let part = filter.folding {
                folding.formUnion(part)
                if index + 1 < filters.count, filters[index + 1].folding != nil { continue }
                machines.append(FoldingFilter(folding))
                folding = []
            } else if let part = filter.cjk {
                cjk.formUnion(part)
                if index + 1 < filters.count, filters[index + 1].cjk != nil { continue }
                machines.append(CJKFilter(cjk))
                cjk = []
            } else {
                machines.append(filter.makeMachine(after: FilteredTokenizer(plainSource, machines)))
            }
        }
        machines += custom
        let source: any Tokenizer =
            if case .words(let options) = tokenizer, machines.first is FoldingFilter {
                WordTokenizer(options, marksPlain: true)
            } else {
                plainSource
            }
        return machines.isEmpty ? source : FilteredTokenizer(source, machines)
    }
}

extension Tokenizer {
    /// The tokens of one word or phrase of a list; synonyms left out.
    package func listTokens(_ text: String) -> [String] {
        tokens(in: text, for: .query).filter { !$0.isColocated }.map(\.text)
    }
}

// MARK: - Analyzers to begin with

extension Analyzer {
    /// What we recommend where the language is not known: words (UAX #29), folded to small letters without accents, in
    /// ASCII where they are Latin; l'avion found as avion, dog's as dog.
    public static let standard = Analyzer(.words(), .fold, .latin, .elision(.any), .possessive)
    /// FTS5's default tokenizer and nothing else.
    public static let unicode61 = Analyzer(.unicode61())
    /// FTS5's tokenizer into all runs of three characters: what is looked for is found inside words too.
    public static let trigram = Analyzer(.trigram())
    /// `standard` without elision, with Porter's stemmer, and first to twentieth found as 1st to 20th.
    public static let english = Analyzer(
        .words(), .fold, .latin, .possessive, .querySynonyms(.englishOrdinals), .porter)
    /// `standard` with umlauts in any spelling.
    public static let german = Analyzer(.words(), .fold, .latin, .german, .elision(.any), .possessive)
    /// Russian: small letters, ё is е, Snowball's stems.
    public static let russian = Analyzer(.words(), .fold, .latin, .stem(.russian))
    /// `standard` with French elision only.
    public static let french = Analyzer(.words(), .fold, .latin, .elision(.french))
    /// `standard` with Italian elision only.
    public static let italian = Analyzer(.words(), .fold, .latin, .elision(.italian))
    /// `standard` with Catalan elision only.
    public static let catalan = Analyzer(.words(), .fold, .latin, .elision(.catalan))
    /// Turkish and Azerbaijani: I is the capital of ı, İ that of i, and both are found typed as i.
    public static let turkish = Analyzer(.words(), .fold, .turkish, .latin)
    /// Vietnamese: without tone marks, đ is d.
    public static let vietnamese = Analyzer(.words(), .fold, .latin)
    /// Polish: without marks, ł is l.
    public static let polish = Analyzer(.words(), .fold, .latin)
    /// Danish and Norwegian: æ is ae, ø is o, å is a.
    public static let danish = Analyzer(.words(), .fold, .latin)
    /// Greek: without accents, final sigma is sigma.
    public static let greek = Analyzer(.words(), .fold, .latin)
    /// Japanese: kana of any width and kind, pairs of characters, found by romaji too.
    public static let japanese = Analyzer(.words(), .fold, .latin, .kana, .cjk, .romaji)
    /// Chinese: pairs of characters, found by pinyin too.
    public static let chinese = Analyzer(.words(), .fold, .latin, .cjk, .pinyin)
    /// Korean: syllables however they are encoded.
    public static let korean = Analyzer(.words(), .fold, .latin)

    /// The analyzers that a descriptor can name by one word.
    public static let named: [(name: String, analyzer: Analyzer)] = [
        ("standard", .standard), ("english", .english), ("german", .german), ("russian", .russian),
        ("french", .french),
        ("italian", .italian), ("catalan", .catalan), ("turkish", .turkish), ("vietnamese", .vietnamese),
        ("polish", .polish), ("danish", .danish), ("greek", .greek), ("japanese", .japanese), ("chinese", .chinese),
        ("korean", .korean),
    ]
}
