/// A mistake in the descriptor of an analyzer.
public enum AnalyzerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No filter has this name; `known` lists those that exist.
    case unknownFilter(String, known: [String])
    /// The filter needs another argument; `expected` describes it.
    case missingArgument(filter: String, expected: String)
    /// The filter does not take this argument; `expected` describes those that it takes.
    case invalidArgument(String, filter: String, expected: String)
    /// The tokenizer at the front has a mistake.
    case tokenizer(TokenizerError)
    /// The filter needs a dictionary that is missing; `reason` says what to install.
    case missingDictionary(filter: String, reason: String)
    /// A quotation mark is not closed.
    case unterminatedQuote(String)

    public var description: String {
        switch self {
        case .unknownFilter(let name, let known):
            "there is no tokenizer or filter '\(name.excerpt)'; filters are: \(known.joined(separator: ", ")); "
                + "tokenizers, which come first, are: \(TokenizerSpecification.names.joined(separator: ", ")); "
                + "analyzers, which are used alone, are: \(Analyzer.named.map(\.name).joined(separator: ", "))"
        case .missingArgument(let filter, let expected):
            "filter '\(filter)' needs \(expected) after it"
        case .invalidArgument(let value, let filter, let expected):
            "filter '\(filter)' does not take '\(value.excerpt)'; write \(expected)"
        case .tokenizer(let error): error.description
        case .missingDictionary(let filter, let reason): "filter '\(filter)' has no dictionary: \(reason)"
        case .unterminatedQuote(let text): "a quotation mark is not closed in: \(text.excerpt)"
        }
    }
}

extension Analyzer {
    /// Creates an analyzer from a descriptor that is already split into components, as SQLite passes a tokenizer's
    /// arguments.
    ///
    /// Without components, the analyzer is `standard`. A single component may name an analyzer (`german`) or its
    /// language's code (`de`); `japanese_readings` alone is `.japaneseReadings`. Otherwise the tokenizer comes first,
    /// with its options, `words` by default, and then the filters. The ASCII case of names does not matter.
    ///
    /// - Throws: `AnalyzerError` if a component does not exist or is incomplete.
    public init(components: [String]) throws(AnalyzerError) {
        guard let first = components.first else {
            self = .standard
            return
        }
        if components.count == 1, let named = Self.named(first) {
            self = named
            return
        }
        if components.count == 1, first.equalsIgnoringASCIICase("japanese_readings") {
            // Throws an error that says what to install if there is no dictionary.
            var none: ArraySlice<String> = []
            _ = try Filter(first, arguments: &none)
            self = .japaneseReadings
            return
        }
        var rest = components[...]
        let tokenizer = Self.takeTokenizer(&rest)
        do {
            self.tokenizer = tokenizer.isEmpty ? .words() : try TokenizerSpecification(components: tokenizer)
        } catch {
            throw .tokenizer(error)
        }
        filters = []
        while let name = rest.popFirst() { filters.append(try Filter(name, arguments: &rest)) }
    }

    /// The analyzer with this name or language code, in any ASCII case.
    private static func named(_ name: String) -> Analyzer? {
        named.first { $0.name.equalsIgnoringASCIICase(name) || $0.code?.equalsIgnoringASCIICase(name) == true }?
            .analyzer
    }

    /// The words that `init(components:)` reads: those of the tokenizer, then those of each filter.
    package var components: [String] { tokenizer.components + filters.flatMap(\.components) }

    /// The options of tokenizers. Any other word after a tokenizer's name is a filter.
    private static let tokenizerOptions = [
        "remove_diacritics", "categories", "tokenchars", "separators", "case_sensitive", "emoji",
    ]

    private static func takeTokenizer(_ rest: inout ArraySlice<String>) -> [String] {
        guard let first = rest.first, TokenizerSpecification.names.contains(where: first.equalsIgnoringASCIICase)
        else { return [] }
        var taken: [String] = []
        // `porter` wraps the tokenizer that follows it; the first other name ends the chain.
        while let name = rest.first, TokenizerSpecification.names.contains(where: name.equalsIgnoringASCIICase) {
            taken.append(name)
            rest.removeFirst()
            if !name.equalsIgnoringASCIICase(PorterTokenizer.name) { break }
        }
        if taken.last?.equalsIgnoringASCIICase(GuessTokenizer.name) == true {
            // The codes of languages; filters have longer names.
            taken += rest.prefix { $0.utf8.count == 2 }
            rest = rest.drop { $0.utf8.count == 2 }
        }
        while let option = rest.first, tokenizerOptions.contains(where: option.equalsIgnoringASCIICase) {
            taken += rest.prefix(2)
            rest = rest.dropFirst(2)
        }
        return taken
    }
}

extension Analyzer: CustomStringConvertible, LosslessStringConvertible {
    /// The components, separated by spaces; those with characters other than letters, digits and `_` in single
    /// quotation marks, as FTS5's `tokenize=` expects.
    public var description: String { components.map(Self.quoted).joined(separator: " ") }

    /// Creates an analyzer from a descriptor; nil if `init(parsing:)` throws.
    public init?(_ description: String) {
        guard let analyzer = try? Analyzer(parsing: description) else { return nil }
        self = analyzer
    }

    /// Creates an analyzer from a descriptor written as one text, such as `words fold latin stop '=the a an'`.
    ///
    /// - Throws: `AnalyzerError` if a component does not exist or is incomplete.
    public init(parsing description: String) throws(AnalyzerError) {
        try self.init(components: Self.split(description))
    }

    private static func quoted(_ component: String) -> String {
        let isBare = component.unicodeScalars.allSatisfy {
            $0 == "_" || $0.value >= 0x80
                || ($0.value < 0x80 && ASCII.isAlphanumeric(UInt8(truncatingIfNeeded: $0.value)))
        }
        if isBare, !component.isEmpty { return component }
        var quoted = String.UnicodeScalarView()
        quoted.append("'")
        for scalar in component.unicodeScalars {
            if scalar == "'" { quoted.append("'") }
            quoted.append(scalar)
        }
        quoted.append("'")
        return String(quoted)
    }

    /// Splits at ASCII white space outside quotation marks, single or double; within quotation marks, a doubled one
    /// stands for one.
    private static func split(_ text: String) throws(AnalyzerError) -> [String] {
        var components: [String] = []
        var rest = text.unicodeScalars[...]
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
            guard let first = rest.first else { return components }
            guard first == "'" || first == "\"" else {
                let bare = rest.prefix { $0 != " " && $0 != "\t" && $0 != "\n" && $0 != "\r" }
                components.append(String(bare))
                rest = rest[bare.endIndex...]
                continue
            }
            rest.removeFirst()
            var component = String.UnicodeScalarView()
            while true {
                guard let scalar = rest.popFirst() else { throw .unterminatedQuote(text) }
                if scalar == first {
                    guard rest.first == first else { break }
                    rest.removeFirst()
                }
                component.append(scalar)
            }
            components.append(String(component))
        }
    }
}
