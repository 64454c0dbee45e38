/// Splits the text of a stemmer's rules into tokens.
struct StemRuleLexer {
    enum Token: Equatable {
        case name(String)
        case number(Int32)
        case text([UInt16])
        case symbol(String)
        case end
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private(set) var line = 1

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private func mistake(_ message: String) -> StemRuleError { StemRuleError(line: line, message: message) }

    /// The byte at `position + distance`; zero after the end.
    private func byte(_ distance: Int = 0) -> UInt8 {
        position + distance < bytes.count ? bytes[position + distance] : 0
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch byte() {
            case UInt8(ascii: "\n"):
                line += 1
                position += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"): position += 1
            case UInt8(ascii: "#"): while position < bytes.count, byte() != UInt8(ascii: "\n") { position += 1 }
            default: return
            }
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool { ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "_") }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The next token.
    mutating func next() throws(StemRuleError) -> Token {
        skipSpace()
        guard position < bytes.count else { return .end }
        let first = byte()
        if Self.isDigit(first) {
            var value: Int32 = 0
            while Self.isDigit(byte()) {
                guard value < 100_000 else { throw mistake("the number is too large") }
                value = value * 10 + Int32(byte() - UInt8(ascii: "0"))
                position += 1
            }
            return .number(value)
        }
        if Self.isNameByte(first) { return .name(word()) }
        if first == UInt8(ascii: "'") { return .text(try quoted()) }
        for symbol in Self.longSymbols where Array(symbol.utf8) == [first, byte(1)] {
            position += 2
            return .symbol(symbol)
        }
        guard first > 0x20, first < 0x7F else { throw mistake("a character without meaning here") }
        position += 1
        return .symbol(String(UnicodeScalar(first)))
    }

    private static let longSymbols = ["->", ">>", "[{", "}]", "==", "!=", "<=", ">="]

    private mutating func word() -> String {
        let start = position
        while Self.isNameByte(byte()) { position += 1 }
        return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
    }

    /// The letters of a text in quotation marks.
    private mutating func quoted() throws(StemRuleError) -> [UInt16] {
        position += 1
        var letters: [UInt16] = []
        while position < bytes.count, byte() != UInt8(ascii: "\n") {
            if byte() == UInt8(ascii: "'") {
                position += 1
                return letters
            }
            letters.append(try letter())
        }
        throw mistake("a text without a closing quotation mark")
    }

    /// One letter, which may be written as `\u{5D0}`, or as itself after a backslash.
    private mutating func letter() throws(StemRuleError) -> UInt16 {
        if byte() == UInt8(ascii: "\\") {
            position += 1
            if byte() == UInt8(ascii: "u"), byte(1) == UInt8(ascii: "{") {
                position += 2
                let digits = word()
                guard byte() == UInt8(ascii: "}"), let letter = UInt16(digits, radix: 16) else {
                    throw mistake("\\u{\(digits) is not a letter")
                }
                position += 1
                return letter
            }
        }
        let (scalar, length) = StrictUTF8.decode(bytes, at: position)
        guard let scalar, let letter = UInt16(exactly: scalar) else { throw mistake("a letter of more than 16 bits") }
        position += length
        return letter
    }

    /// A declaration of letters, after the word `letters`: a name, `=` and the letters up to the end of the line.
    /// `<name>` stands for the letters of another set; spaces are ignored.
    mutating func letters(sets: [String: Set<UInt16>]) throws(StemRuleError) -> (name: String, letters: Set<UInt16>) {
        skipSpace()
        let name = word()
        skipSpace()
        guard byte() == UInt8(ascii: "=") else { throw mistake("expected = after the name of letters") }
        position += 1
        var letters: Set<UInt16> = []
        while position < bytes.count, byte() != UInt8(ascii: "\n") {
            switch byte() {
            case UInt8(ascii: " "): position += 1
            case UInt8(ascii: "<"):
                position += 1
                let other = word()
                guard byte() == UInt8(ascii: ">"), let set = sets[other] else {
                    throw mistake("there are no letters <\(other)>")
                }
                position += 1
                letters.formUnion(set)
            default: letters.insert(try letter())
            }
        }
        return (name, letters)
    }
}
