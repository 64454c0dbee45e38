/// A tokenizer and its options, as a value. It reads and writes FTS5's descriptors as lists of words, such as those of
/// `porter unicode61 remove_diacritics 2`.
public indirect enum TokenizerSpecification: Hashable, Sendable, CustomStringConvertible {
    /// FTS5's default, `Unicode61Tokenizer`.
    case unicode61(Unicode61Tokenizer.Options = .init())
    /// FTS5's `AsciiTokenizer`.
    case ascii(AsciiTokenizer.Options = .init())
    /// FTS5's `TrigramTokenizer`.
    case trigram(TrigramTokenizer.Options = .init())
    /// Words by UAX #29, `WordTokenizer`.
    case words(WordTokenizer.Options = .init())
    /// FTS5's `porter` around another tokenizer.
    case porter(TokenizerSpecification = .unicode61())
    /// The analyzers of several languages, of which each text gets that of its guessed language.
    case guess([TextLanguage])

    /// The names that `init(components:)` knows.
    package static let names = [
        Unicode61Tokenizer.name, AsciiTokenizer.name, TrigramTokenizer.name, WordTokenizer.name, PorterTokenizer.name,
        GuessTokenizer.name,
    ]

    /// How often `porter` may wrap itself. SQLite has no limit and overflows the stack.
    private static let maximumPorters = 16

    /// Reads a name, in any ASCII case, and the options that follow it. No components mean `unicode61`, as in FTS5.
    ///
    /// - Throws: `TokenizerError` for an unknown name, an unknown option, or a value that the option does not accept.
    package init(components: [String]) throws(TokenizerError) {
        let stems = components.prefix { $0.equalsIgnoringASCIICase(PorterTokenizer.name) }.count
        guard stems <= Self.maximumPorters else {
            throw .invalidValue(
                PorterTokenizer.name, option: "parent", tokenizer: PorterTokenizer.name,
                expected: "at most \(Self.maximumPorters) of them in a row")
        }
        var rest = components.dropFirst(stems)
        let name = rest.popFirst() ?? Unicode61Tokenizer.name
        let arguments = Array(rest)
        var specification: TokenizerSpecification
        switch Self.names.first(where: { $0.equalsIgnoringASCIICase(name) }) {
        case Unicode61Tokenizer.name: specification = .unicode61(try .init(arguments: arguments))
        case AsciiTokenizer.name: specification = .ascii(try .init(arguments: arguments))
        case TrigramTokenizer.name: specification = .trigram(try .init(arguments: arguments))
        case WordTokenizer.name: specification = .words(try .init(arguments: arguments))
        case GuessTokenizer.name: specification = .guess(try Self.languages(arguments))
        default: throw .unknownTokenizer(name, known: Self.names)
        }
        for _ in 0..<stems { specification = .porter(specification) }
        self = specification
    }

    private static func languages(_ arguments: [String]) throws(TokenizerError) -> [TextLanguage] {
        let expected = "codes of languages that have analyzers, such as en de fr"
        var languages: [TextLanguage] = []
        for argument in arguments {
            guard let language = TextLanguage(named: argument) else {
                throw .invalidValue(argument, option: "language", tokenizer: GuessTokenizer.name, expected: expected)
            }
            if !languages.contains(language) { languages.append(language) }
        }
        if languages.isEmpty {
            throw .invalidValue("", option: "language", tokenizer: GuessTokenizer.name, expected: expected)
        }
        return languages
    }

    /// The name and the options, as `init(components:)` reads them.
    package var components: [String] {
        switch self {
        case .unicode61(let options): [Unicode61Tokenizer.name] + options.arguments
        case .ascii(let options): [AsciiTokenizer.name] + options.arguments
        case .trigram(let options): [TrigramTokenizer.name] + options.arguments
        case .words(let options): [WordTokenizer.name] + options.arguments
        case .porter(let parent): [PorterTokenizer.name] + parent.components
        case .guess(let languages): [GuessTokenizer.name] + languages.map(\.rawValue)
        }
    }

    public var description: String { components.joined(separator: " ") }

    /// A tokenizer of this kind, with scratch memory of its own.
    package func makeTokenizer() -> any Tokenizer {
        switch self {
        case .unicode61(let options): Unicode61Tokenizer(options)
        case .ascii(let options): AsciiTokenizer(options)
        case .trigram(let options): TrigramTokenizer(options)
        case .words(let options): WordTokenizer(options)
        case .porter(let parent): PorterTokenizer(wrapping: parent.makeTokenizer())
        case .guess(let languages): GuessTokenizer(languages)
        }
    }
}
