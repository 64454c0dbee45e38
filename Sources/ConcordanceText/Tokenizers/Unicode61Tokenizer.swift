/// Makes the tokens that FTS5's `unicode61` makes: runs of letters and numbers, in lower case, without diacritics.
///
/// Every option and every byte is treated as SQLite 3.40 does, with SQLite's own Unicode tables; see
/// https://www.sqlite.org/fts5.html#unicode61_tokenizer.
public final class Unicode61Tokenizer: Tokenizer {
    /// What SQLite calls the tokenizer.
    public static let name = "unicode61"

    public let options: Options
    private let characters: Unicode61Characters
    private var folded = ByteBuffer()

    public init(_ options: Options = Options()) {
        self.options = options
        characters = Unicode61Characters(options)
    }

    /// - Throws: `TokenizerError` for what SQLite refuses.
    public convenience init(arguments: [String]) throws(TokenizerError) {
        self.init(try Options(arguments: arguments))
    }

    public func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink
    ) -> Int32 {
        guard let base = text.baseAddress else { return 0 }
        let end = base + text.count
        var cursor = base
        while cursor < end {
            let start = cursor
            var count = 0
            var isInside = false
            var tokenEnd = cursor
            while cursor < end {
                let out = folded.reserve(count + SQLiteUTF8.maximumLength, keeping: count) + count
                let byte = cursor.pointee
                if byte < 0x80 {
                    guard characters.isTokenASCII[Int(byte)] else { break }
                    cursor += 1
                    out.pointee = ASCII.lowercased(byte)
                    count += 1
                } else {
                    var next = cursor
                    let scalar = SQLiteUTF8.decode(&next, before: end)
                    guard characters.isToken(scalar, insideToken: isInside) else { break }
                    cursor = next
                    let fold = characters.folded(scalar)
                    if fold != 0 { count += SQLiteUTF8.encode(fold, to: out) }
                }
                isInside = true
                tokenEnd = cursor
            }
            if isInside {
                let code = sink.emit(folded.start, count: count, start: start - base, end: tokenEnd - base)
                if code != 0 { return code }
            }
            if cursor < end {
                // What stopped the token: SQLite does not look at it again.
                _ = SQLiteUTF8.decode(&cursor, before: end)
            }
        }
        return 0
    }
}
