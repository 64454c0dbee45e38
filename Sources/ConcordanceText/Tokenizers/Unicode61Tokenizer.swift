/// Makes the tokens that FTS5's `unicode61` makes: runs of letters and numbers, in lower case, without diacritics.
///
/// It treats every option and every byte as SQLite 3.40 does, with SQLite's own Unicode tables; see
/// https://www.sqlite.org/fts5.html#unicode61_tokenizer.
public final class Unicode61Tokenizer: Tokenizer {
    /// SQLite's name for the tokenizer.
    package static let name = "unicode61"

    /// The options it was made with.
    package let options: Options
    private let characters: Unicode61Characters
    /// Nil while the tokenizer works.
    private var scratch: ByteBuffer? = ByteBuffer()

    /// A tokenizer with these options; the defaults are SQLite's.
    package init(_ options: Options = Options()) {
        self.options = options
        characters = Unicode61Characters(options)
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
                characters.hasStandardASCII
                ? masks.alphanumeric : ASCIIBlock.mask(of: block.bytes, in: characters.isTokenASCII.pointer)
            var code: Int32
            if masks.nonASCII == 0 {
                code = stream.pass(tokens, length: block.length)
            } else {
                code = stream.pass(tokens, length: masks.nonASCII.trailingZeroBitCount)
                if code == 0 { code = passCharacters(of: text, &stream) }
            }
            if code != 0 { return code }
        }
        return stream.finish()
    }

    /// Goes over characters one by one, until a few in a row are ASCII.
    @inline(__always)
    private func passCharacters(of text: UnsafeBufferPointer<UInt8>, _ stream: inout TokenStream) -> Int32 {
        // Not nil, since there is text left.
        let base = text.baseAddress.unsafelyUnwrapped
        let end = base + text.count
        while stream.position < text.count, !stream.isFull {
            let start = base + stream.position
            var next = start + 1
            let lead = start.pointee
            let outcome: Unicode61Characters.Outcome
            if lead < 0x80 {
                if end - start >= 8, ASCIIBlock.isASCII(start) { return 0 }
                outcome = characters.outcome(short: Int(lead))
            } else if let scalar = SQLiteUTF8.decodeTwoBytes(start, before: end) {
                outcome = characters.outcome(short: scalar)
                next = start + 2
            } else {
                next = start
                outcome = characters.outcome(SQLiteUTF8.decode(&next, before: end))
            }
            if stream.isOpen ? outcome.continuesToken : outcome.startsToken {
                UnsafeMutableRawPointer(stream.out).storeBytes(of: outcome.bytes.littleEndian, as: UInt32.self)
                stream.passTokenCharacter(length: next - start, folded: outcome.count)
            } else {
                let code = stream.passSeparator(length: next - start)
                if code != 0 { return code }
            }
        }
        return 0
    }
}
