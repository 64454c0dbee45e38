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

extension Analyzer.Filter {
    /// Returns a filter that drops the stop words of a language.
    public static func stop(_ language: TextLanguage) -> Analyzer.Filter { .stop(.language(language)) }
}
