/// Makes the tokens that FTS5's `ascii` makes: runs of letters, digits and bytes of 0x80 and up, A to Z in lower case.
///
/// It treats every option and every byte as SQLite 3.40 does; see https://www.sqlite.org/fts5.html#ascii_tokenizer.
public final class AsciiTokenizer: Tokenizer {
    /// The options of the tokenizer, with SQLite's names and meanings.
    public struct Options: Hashable, Sendable {
        /// ASCII characters that belong to tokens besides letters and digits. Other characters are ignored.
        public var tokenCharacters = ""
        /// ASCII characters that separate tokens, even if `tokenCharacters` has them. Other characters are ignored.
        public var separators = ""

        /// Creates options with these characters; the defaults are SQLite's.
        public init(tokenCharacters: String = "", separators: String = "") {
            self.tokenCharacters = tokenCharacters
            self.separators = separators
        }

        /// Reads the options from FTS5's arguments, such as `["tokenchars", "-_"]`.
        ///
        /// - Throws: `TokenizerError` for what SQLite refuses.
        package init(arguments: [String]) throws(TokenizerError) {
            let arguments = try TokenizerArguments(
                arguments, tokenizer: AsciiTokenizer.name, known: ["tokenchars", "separators"])
            var characters = CharacterRules()
            for (option, value) in arguments.pairs { characters.add(value, areTokens: option == "tokenchars") }
            tokenCharacters = characters.tokenCharacters
            separators = characters.separators
        }

        /// The options as FTS5's arguments; empty for the defaults.
        package var arguments: [String] {
            CharacterRules(tokenCharacters: tokenCharacters, separators: separators).arguments
        }
    }

    /// SQLite's name for the tokenizer.
    package static let name = "ascii"

    /// The options it was made with.
    package let options: Options
    /// By byte: whether it belongs to tokens. 256 entries.
    private let isTokenByte: ConstantTable<Bool>
    /// Whether the ASCII characters that belong to tokens are the letters and digits.
    private let hasStandardASCII: Bool
    /// Nil while the tokenizer works.
    private var scratch: ByteBuffer? = ByteBuffer()

    /// A tokenizer with these options; the defaults are SQLite's.
    package init(_ options: Options = Options()) {
        self.options = options
        let rules = CharacterRules(tokenCharacters: options.tokenCharacters, separators: options.separators)
        let isTokenByte = (UInt8.min...UInt8.max).map { byte in
            byte >= 0x80 || rules.areTokens(ascii: byte) ?? ASCII.isAlphanumeric(byte)
        }
        hasStandardASCII = (UInt8(0)..<0x80).allSatisfy { isTokenByte[Int($0)] == ASCII.isAlphanumeric($0) }
        self.isTokenByte = ConstantTable(isTokenByte)
    }

    /// - Throws: `TokenizerError` for what SQLite refuses.
    package convenience init(arguments: [String]) throws(TokenizerError) {
        self.init(try Options(arguments: arguments))
    }

    public func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink
    ) -> Int32 {
        var scratch = self.scratch.take() ?? ByteBuffer()
        let code = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ASCIIBlock.size) { tail in
            tail.baseAddress.map { tokenize(text, into: sink, scratch: &scratch, tail: $0) } ?? 0
        }
        if scratch.capacity <= ByteBuffer.keptCapacity { self.scratch = consume scratch }
        return code
    }

    @inline(__always)
    private func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, into sink: TokenSink, scratch: inout ByteBuffer,
        tail: UnsafeMutablePointer<UInt8>
    ) -> Int32 {
        var stream = TokenStream(sink: sink, scratch: scratch)
        while stream.position < text.count {
            if stream.isFull { stream.makeRoom(in: &scratch) }
            let block = ASCIIBlock.block(of: text, at: stream.position, tail: tail)
            let masks = ASCIIBlock.copyLowercased(block.bytes, to: stream.out)
            let tokens =
                hasStandardASCII
                ? masks.alphanumeric | masks.nonASCII : ASCIIBlock.mask(of: block.bytes, in: isTokenByte.pointer)
            let code = stream.pass(tokens, length: block.length)
            if code != 0 { return code }
        }
        return stream.finish()
    }
}
