/// Makes a token of every word, as written: of each segment between word boundaries (UAX #29, Unicode 15.0) that
/// contains something to find. Folding is left to filters.
///
/// For emoji, and for scripts that do not put spaces between words, this means:
/// - Each ideograph and each hiragana is a token of its own; a run of katakana is one token; so is a run of Hangul.
/// - UAX #29 has no default rules for words of Thai, Lao, Khmer and Burmese. Each letter with its marks is a token, so
///   that a phrase of them finds a word wherever it stands.
/// - An emoji is a token: a whole sequence with its modifiers and joiners, a flag, a keycap. Symbols that are text
///   unless a variation selector says otherwise, such as © and ↔, are tokens only with that selector.
///
/// Punctuation, other symbols, spaces and bytes that are not well-formed UTF-8 make no tokens. Tokens point into the
/// text; nothing is copied or allocated.
public final class WordTokenizer: Tokenizer {
    /// The options of the tokenizer.
    public struct Options: Hashable, Sendable {
        /// Whether emoji are tokens.
        public var emoji: Bool

        /// Creates options; by default, emoji are tokens.
        public init(emoji: Bool = true) { self.emoji = emoji }

        /// Reads the options from FTS5's arguments: `["emoji", "0"]`, `["emoji", "1"]` or none.
        package init(arguments: [String]) throws(TokenizerError) {
            self.init()
            let arguments = try TokenizerArguments(arguments, tokenizer: WordTokenizer.name, known: ["emoji"])
            for (option, value) in arguments.pairs {
                emoji = try arguments.digit(value, of: option, in: 0...1) == 1
            }
        }

        /// The options as FTS5's arguments; empty for the defaults.
        package var arguments: [String] { emoji ? [] : ["emoji", "0"] }
    }

    /// The name of the tokenizer in descriptors.
    package static let name = "words"

    /// The options it was made with.
    package let options: Options
    /// Whether tokens carry `TokenFlags.plain`; for a folding filter that comes directly after.
    private let marksPlain: Bool

    /// A tokenizer with these options.
    package convenience init(_ options: Options = Options()) { self.init(options, marksPlain: false) }

    init(_ options: Options, marksPlain: Bool) {
        self.options = options
        self.marksPlain = marksPlain
    }

    /// - Throws: `TokenizerError` for an unknown option or value.
    package convenience init(arguments: [String]) throws(TokenizerError) {
        self.init(try Options(arguments: arguments))
    }

    public func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink
    ) -> Int32 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ASCIIBlock.size) { tail in
            guard let base = text.baseAddress, let tail = tail.baseAddress else { return 0 }
            var scan = WordScan(text: text, base: base, sink: sink, emoji: options.emoji, marksPlain: marksPlain)
            while scan.position < text.count {
                let code = scan.passASCII(tail: tail)
                if code != 0 { return code }
            }
            return scan.finish()
        }
    }
}
