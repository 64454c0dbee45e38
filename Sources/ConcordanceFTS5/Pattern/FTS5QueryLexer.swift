import ConcordanceText

/// The tokens of FTS5's query language (https://www.sqlite.org/fts5.html#full_text_query_syntax), as SQLite 3.40 reads
/// them.
struct FTS5QueryLexer {
    enum Kind: Equatable {
        case leftParenthesis, rightParenthesis, leftBrace, rightBrace
        case colon, comma, plus, star, minus, caret
        /// `~`, `~1` or `~2`, which are not part of FTS5's language.
        case tilde
        case string, and, or, not
        case end
    }

    struct Lexeme {
        var kind: Kind
        /// Its place, in UTF-8 bytes.
        var range: Range<Int>
    }

    typealias Failure = QuerySyntax.Failure

    private let text: UnsafeBufferPointer<UInt8>
    private var position = 0
    private let allowsTypos: Bool

    /// - Parameter allowsTypos: Whether `~` is a token.
    init(_ text: UnsafeBufferPointer<UInt8>, allowsTypos: Bool = false) {
        self.text = text
        self.allowsTypos = allowsTypos
    }

    mutating func next() throws(Failure) -> Lexeme {
        while position < text.count, Self.isSpace(text[position]) { position += 1 }
        let start = position
        guard start < text.count else { return Lexeme(kind: .end, range: start..<start) }
        let byte = text[start]
        if byte == UInt8(ascii: "\"") { return try quotedString(from: start) }
        if let kind = Self.punctuation(byte) {
            position += 1
            return Lexeme(kind: kind, range: start..<position)
        }
        if byte == UInt8(ascii: "~"), allowsTypos { return try tilde(from: start) }
        guard Self.isBareword(byte) else {
            throw Failure(
                message: "fts5: syntax error near \"\(String(UnicodeScalar(byte)))\"", offset: start)
        }
        while position < text.count, Self.isBareword(text[position]) { position += 1 }
        return Lexeme(kind: keyword(start..<position), range: start..<position)
    }

    /// A lexeme as it is written in the text.
    func source(of lexeme: Lexeme) -> String {
        String(decoding: text[lexeme.range], as: UTF8.self)
    }

    /// The content of a string: a quoted one without its quotes.
    func value(of lexeme: Lexeme) -> String { String(decoding: bytes(of: lexeme), as: UTF8.self) }

    /// The content of a string, in UTF-8 that may be invalid.
    func bytes(of lexeme: Lexeme) -> [UInt8] {
        let range = lexeme.range
        guard range.count >= 2, text[range.lowerBound] == UInt8(ascii: "\"") else { return Array(text[range]) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count - 2)
        var index = range.lowerBound + 1
        while index < range.upperBound - 1 {
            bytes.append(text[index])
            index += text[index] == UInt8(ascii: "\"") ? 2 : 1
        }
        return bytes
    }

    /// The number of a lexeme, at most the largest 31-bit one; nil if it is not a number.
    func number(_ lexeme: Lexeme) -> Int? {
        var number = 0
        for byte in text[lexeme.range] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = min(number * 10 + Int(byte - UInt8(ascii: "0")), Int(Int32.max))
        }
        return number
    }

    private mutating func quotedString(from start: Int) throws(Failure) -> Lexeme {
        position = start + 1
        while position < text.count {
            if text[position] == UInt8(ascii: "\"") {
                position += 1
                guard position < text.count, text[position] == UInt8(ascii: "\"") else {
                    return Lexeme(kind: .string, range: start..<position)
                }
            }
            position += 1
        }
        throw Failure(message: "unterminated string", offset: start)
    }

    /// A tilde with the number that directly follows it.
    private mutating func tilde(from start: Int) throws(Failure) -> Lexeme {
        position = start + 1
        while position < text.count, Self.isBareword(text[position]) { position += 1 }
        let lexeme = Lexeme(kind: .tilde, range: start..<position)
        guard typos(lexeme) != nil else {
            throw Failure(message: "fts5: syntax error near \"~\"", offset: start)
        }
        return lexeme
    }

    /// How many typos a tilde allows; nil for an unknown number.
    func typos(_ tilde: Lexeme) -> TypoTolerance? {
        let digits = text[tilde.range.dropFirst()]
        if digits.isEmpty { return .automatic }
        guard digits.count == 1, let digit = digits.first, digit == UInt8(ascii: "1") || digit == UInt8(ascii: "2")
        else { return nil }
        return .upTo(Int(digit - UInt8(ascii: "0")))
    }

    private func keyword(_ range: Range<Int>) -> Kind {
        switch text[range] {
        case let word where word.elementsEqual("OR".utf8): .or
        case let word where word.elementsEqual("AND".utf8): .and
        case let word where word.elementsEqual("NOT".utf8): .not
        default: .string
        }
    }

    private static func punctuation(_ byte: UInt8) -> Kind? {
        switch byte {
        case UInt8(ascii: "("): .leftParenthesis
        case UInt8(ascii: ")"): .rightParenthesis
        case UInt8(ascii: "{"): .leftBrace
        case UInt8(ascii: "}"): .rightBrace
        case UInt8(ascii: ":"): .colon
        case UInt8(ascii: ","): .comma
        case UInt8(ascii: "+"): .plus
        case UInt8(ascii: "*"): .star
        case UInt8(ascii: "-"): .minus
        case UInt8(ascii: "^"): .caret
        default: nil
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// ASCII letters and digits, the underscore, the substitute character, and every byte outside ASCII.
    private static func isBareword(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x80..., 0x1A, UInt8(ascii: "_"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
