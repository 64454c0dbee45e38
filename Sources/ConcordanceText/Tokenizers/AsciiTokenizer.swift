/// Makes the tokens that FTS5's `ascii` makes: runs of letters, digits and bytes of 0x80 and up, A to Z in lower case.
///
/// Every option and every byte is treated as SQLite 3.40 does; see
/// https://www.sqlite.org/fts5.html#ascii_tokenizer.
public final class AsciiTokenizer: Tokenizer {
    /// What the tokenizer can be told; SQLite's options of the same names.
    public struct Options: Hashable, Sendable {
        /// ASCII characters that belong to tokens besides letters and digits. Others are ignored.
        public var tokenCharacters = ""
        /// ASCII characters that stand between tokens, even where `tokenCharacters` has them. Others are ignored.
        public var separators = ""

        public init(tokenCharacters: String = "", separators: String = "") {
            self.tokenCharacters = tokenCharacters
            self.separators = separators
        }

        /// Reads the options from FTS5's arguments, such as `["tokenchars", "-_"]`.
        ///
        /// - Throws: `TokenizerError` for what SQLite refuses.
        public init(arguments: [String]) throws(TokenizerError) {
            let arguments = try TokenizerArguments(
                arguments, tokenizer: AsciiTokenizer.name, known: ["tokenchars", "separators"])
            var characters = CharacterRules()
            for (option, value) in arguments.pairs { characters.add(value, areTokens: option == "tokenchars") }
            tokenCharacters = characters.tokenCharacters
            separators = characters.separators
        }

        /// The options as FTS5's arguments; empty for the defaults.
        public var arguments: [String] {
            CharacterRules(tokenCharacters: tokenCharacters, separators: separators).arguments
        }
    }

    /// What SQLite calls the tokenizer.
    public static let name = "ascii"

    public let options: Options
    /// By byte: whether it belongs to tokens.
    private let isTokenByte: [Bool]
    private var folded = ByteBuffer()

    public init(_ options: Options = Options()) {
        self.options = options
        let rules = CharacterRules(tokenCharacters: options.tokenCharacters, separators: options.separators)
        isTokenByte = (UInt8.min...UInt8.max).map { byte in
            byte >= 0x80 || rules.areTokens(ascii: byte) ?? ASCII.isAlphanumeric(byte)
        }
    }

    /// - Throws: `TokenizerError` for what SQLite refuses.
    public convenience init(arguments: [String]) throws(TokenizerError) {
        self.init(try Options(arguments: arguments))
    }

    public func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink
    ) -> Int32 {
        isTokenByte.withUnsafeBufferPointer { isTokenByte in
            var position = 0
            while position < text.count {
                guard isTokenByte[Int(text[position])] else {
                    position += 1
                    continue
                }
                let start = position
                while position < text.count, isTokenByte[Int(text[position])] { position += 1 }
                let count = position - start
                let out = folded.reserve(count)
                for index in 0..<count { out[index] = ASCII.lowercased(text[start + index]) }
                let code = sink.emit(out, count: count, start: start, end: position)
                if code != 0 { return code }
            }
            return 0
        }
    }
}
