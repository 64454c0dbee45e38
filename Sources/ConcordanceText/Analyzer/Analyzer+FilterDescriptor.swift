extension Analyzer.Filter {
    /// Filters without arguments, by name.
    private static let plain: [(name: String, filter: Analyzer.Filter)] = [
        ("fold", .fold), ("case", .caseFolding), ("turkish", .turkish), ("nfkc", .nfkc), ("diacritics", .diacritics),
        ("latin", .latin), ("width", .width), ("kana", .kana), ("ignorables", .ignorables), ("german", .german),
        ("scandinavian", .scandinavian), ("possessive", .possessive), ("unique", .unique), ("parts", .parts),
        ("accents", .accents), ("apostrophes", .apostrophes), ("apostrophe_ends", .apostropheEnds),
        ("porter", .porter), ("cjk", .cjk), ("hangul", .hangul), ("clusters", .clusters), ("scripts", .scripts),
        ("simplified", .simplified),
        ("japanese", .japanese), ("pinyin", .pinyin), ("pinyin_initials", .pinyinInitials),
        ("romaji", .romaji), ("japanese_readings", .japaneseReadings), ("romanized", .romanized),
        ("hebrew_prefixes", .hebrewPrefixes),
    ]
    private static let elisions: [(name: String, list: Elision)] = [
        ("fr", .french), ("it", .italian), ("ca", .catalan), ("ga", .irish), ("any", .any),
    ]
    /// A name cannot be mistaken for a rule: as one, it would be a single phrase without a synonym.
    private static let synonyms: [(name: String, rules: Synonyms)] = [("en_ordinals", .englishOrdinals)]
    private static let stopWords = StopWords.languages.map { (name: $0.rawValue, list: StopWords.language($0)) }

    /// The names of filters in descriptors.
    package static let names =
        plain.map(\.name) + [
            "elision", "stop", "stem", "inflections", "length", "synonyms", "query_synonyms", "ngrams", "edge_ngrams",
        ]

    /// The filter's words in a descriptor: its name and its arguments.
    package var components: [String] {
        switch self {
        case .elision(let list):
            ["elision", Self.elisions.first { $0.list == list }?.name ?? WordList.component(list.articles)]
        case .stop(let list):
            ["stop", Self.stopWords.first { $0.list == list }?.name ?? WordList.component(list.words)]
        case .stem(let language): ["stem", language.rawValue]
        case .inflections(let language): ["inflections", language.rawValue]
        case .length(let range): ["length"] + Self.bounds(range.clamped(to: Self.tokenLengths))
        case .synonyms(let synonyms): ["synonyms", Self.component(synonyms)]
        case .querySynonyms(let synonyms): ["query_synonyms", Self.component(synonyms)]
        case .ngrams(let range): ["ngrams"] + Self.bounds(range.clamped(to: NGramFilter.lengths))
        case .edgeNGrams(let range): ["edge_ngrams"] + Self.bounds(range.clamped(to: NGramFilter.lengths))
        default: Self.plain.filter { $0.filter == self }.map(\.name)
        }
    }

    /// Reads the filter with this name, and removes its arguments from `arguments`.
    init(_ name: String, arguments: inout ArraySlice<String>) throws(AnalyzerError) {
        if let plain = Self.plain.first(where: { $0.name.equalsIgnoringASCIICase(name) }) {
            if plain.filter == .japaneseReadings, let absence = JapaneseDictionary.absence {
                throw .missingDictionary(filter: plain.name, reason: absence)
            }
            self = plain.filter
            return
        }
        guard let known = Self.names.first(where: { $0.equalsIgnoringASCIICase(name) }) else {
            throw .unknownFilter(name, known: Self.names)
        }
        switch known {
        case "elision":
            self = .elision(
                try Self.list(&arguments, of: known, Self.elisions.map { ($0.name, $0.list) }) { .list($0) })
        case "stop":
            self = .stop(try Self.list(&arguments, of: known, Self.stopWords) { .list($0) })
        case "inflections": self = .inflections(try Self.language(&arguments, of: known))
        case "stem": self = .stem(try Self.language(&arguments, of: known))
        case "length": self = .length(try Self.range(&arguments, of: known, in: Self.tokenLengths))
        case "ngrams": self = .ngrams(try Self.range(&arguments, of: known, in: NGramFilter.lengths))
        case "edge_ngrams": self = .edgeNGrams(try Self.range(&arguments, of: known, in: NGramFilter.lengths))
        case "synonyms": self = .synonyms(try Self.synonyms(&arguments, of: known))
        default: self = .querySynonyms(try Self.synonyms(&arguments, of: known))
        }
    }

    private static func list<List>(
        _ arguments: inout ArraySlice<String>, of filter: String, _ known: [(name: String, list: List)],
        make: ([String]) -> List
    ) throws(AnalyzerError) -> List {
        let expected =
            "\(known.map(\.name).joined(separator: ", ")), or = and your words, separated by spaces, in one argument, "
            + "such as '=the a an'"
        guard let argument = arguments.popFirst() else { throw .missingArgument(filter: filter, expected: expected) }
        if let list = known.first(where: { $0.name.equalsIgnoringASCIICase(argument) }) { return list.list }
        guard let words = WordList.words(argument) else {
            throw .invalidArgument(argument, filter: filter, expected: expected)
        }
        return make(words)
    }

    private static func language(
        _ arguments: inout ArraySlice<String>, of filter: String
    ) throws(AnalyzerError) -> StemmingLanguage {
        let expected = "a language: " + StemmingLanguage.allCases.map(\.rawValue).joined(separator: ", ")
        guard let argument = arguments.popFirst() else { throw .missingArgument(filter: filter, expected: expected) }
        guard let language = StemmingLanguage.allCases.first(where: { $0.rawValue.equalsIgnoringASCIICase(argument) })
        else { throw .invalidArgument(argument, filter: filter, expected: expected) }
        return language
    }

    private static func range(
        _ arguments: inout ArraySlice<String>, of filter: String, in limits: ClosedRange<Int>
    ) throws(AnalyzerError) -> ClosedRange<Int> {
        let expected =
            "two numbers of characters, minimum and maximum, from \(limits.lowerBound) to \(limits.upperBound)"
        var bounds: [Int] = []
        for _ in 0..<2 {
            guard let argument = arguments.popFirst() else {
                throw .missingArgument(filter: filter, expected: expected)
            }
            guard let bound = Int(argument), limits.contains(bound), bound >= bounds.first ?? bound else {
                throw .invalidArgument(argument, filter: filter, expected: expected)
            }
            bounds.append(bound)
        }
        return bounds[0]...bounds[1]
    }

    private static func component(_ rules: Synonyms) -> String {
        synonyms.first { $0.rules == rules }?.name ?? rules.description
    }

    private static let tokenLengths = 0...Int(Int32.max)

    private static func bounds(_ range: ClosedRange<Int>) -> [String] {
        [String(range.lowerBound), String(range.upperBound)]
    }

    private static func synonyms(
        _ arguments: inout ArraySlice<String>, of filter: String
    ) throws(AnalyzerError) -> Synonyms {
        guard let argument = arguments.popFirst() else {
            throw .missingArgument(filter: filter, expected: Synonyms.syntax)
        }
        if let known = Self.synonyms.first(where: { $0.name.equalsIgnoringASCIICase(argument) }) { return known.rules }
        guard let synonyms = Synonyms(argument) else {
            throw .invalidArgument(argument, filter: filter, expected: Synonyms.syntax)
        }
        return synonyms
    }
}
