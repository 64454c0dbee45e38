/// Reads the small language of FTS5's table options and rank functions: barewords, quoted words and SQL literals,
/// separated by nothing but spaces.
package struct DeclarationScanner {
    private let bytes: [UInt8]
    package private(set) var position = 0

    package init(_ text: String) { bytes = Array(text.utf8) }

    /// The byte at the position; 0 at the end.
    package var current: UInt8 { byte(position) }

    package var isAtEnd: Bool { position >= bytes.count }

    private func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

    /// The text from `start` to the position.
    package func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

    package mutating func skipSpaces() {
        while current == UInt8(ascii: " ") { position += 1 }
    }

    /// Takes this byte if it is next.
    package mutating func take(_ expected: Unicode.Scalar) -> Bool {
        guard !isAtEnd, current == UInt8(ascii: expected) else { return false }
        position += 1
        return true
    }

    /// Takes a word of letters, digits, `_`, SUB and non-ASCII characters; nil if there is none.
    package mutating func takeBareword() -> String? {
        let start = position
        while !isAtEnd, Self.isBareword(current) { position += 1 }
        return position > start ? text(from: start) : nil
    }

    /// Takes a bareword, or a word in `"`, `'`, `` ` `` or brackets, whose end may be missing.
    package mutating func takeWord() -> (text: String, isQuoted: Bool)? {
        if !isAtEnd, Self.isOpeningQuote(current) { return (takeQuoted(), true) }
        return takeBareword().map { ($0, false) }
    }

    /// Takes a quoted word; returns it without the quotes, and with doubled quotes inside as one.
    private mutating func takeQuoted() -> String {
        let close = current == UInt8(ascii: "[") ? UInt8(ascii: "]") : current
        var word: [UInt8] = []
        position += 1
        while !isAtEnd {
            let byte = current
            position += 1
            if byte == close {
                guard current == close, !isAtEnd else { break }
                position += 1
            }
            word.append(byte)
        }
        return String(decoding: word, as: UTF8.self)
    }

    /// Takes NULL, a blob, a text in single quotes or a number; false if there is none, which leaves the position
    /// undefined.
    package mutating func skipLiteral() -> Bool {
        switch current {
        case UInt8(ascii: "n"), UInt8(ascii: "N"):
            let end = min(position + 4, bytes.count)
            guard String(decoding: bytes[position..<end], as: UTF8.self).equalsIgnoringASCIICase("null") else {
                return false
            }
            position = end
            return true
        case UInt8(ascii: "x"), UInt8(ascii: "X"): return skipBlob()
        case UInt8(ascii: "'"): return skipText()
        default: return skipNumber()
        }
    }

    private mutating func skipBlob() -> Bool {
        position += 1
        guard take("'") else { return false }
        let start = position
        while Self.isHexDigit(current) { position += 1 }
        return (position - start) % 2 == 0 && take("'")
    }

    private mutating func skipText() -> Bool {
        position += 1
        while !isAtEnd {
            if take("'") {
                guard take("'") else { return true }
            } else {
                position += 1
            }
        }
        return false
    }

    /// An integer or a decimal fraction; no exponent.
    private mutating func skipNumber() -> Bool {
        let start = position
        if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
        while Self.isDigit(current) { position += 1 }
        if current == UInt8(ascii: "."), Self.isDigit(byte(position + 1)) {
            position += 2
            while Self.isDigit(current) { position += 1 }
        }
        return position > start
    }

    package static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private static func isOpeningQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "[")
            || byte == UInt8(ascii: "`")
    }

    private static func isBareword(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || byte == 0x1A || isDigit(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
