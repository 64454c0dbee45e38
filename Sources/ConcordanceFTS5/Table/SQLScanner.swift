/// The tokens of an SQL text, as far as a `CREATE VIRTUAL TABLE` or a `CREATE INDEX` needs them.
package struct SQLScanner {
    private var rest: Substring

    package init(_ sql: String) { rest = sql[...] }

    /// The text that has not been read yet.
    package var remainder: Substring { rest }

    private static func closingQuote(_ open: Unicode.Scalar) -> Unicode.Scalar? {
        switch open {
        case "\"", "'", "`": open
        case "[": "]"
        default: nil
        }
    }

    /// Takes a quoted word from `text`; returns it without quotes.
    private static func quoted(_ text: inout Substring, close: Unicode.Scalar) -> String {
        var word = String.UnicodeScalarView()
        var scalars = text.unicodeScalars.dropFirst()
        while let scalar = scalars.popFirst() {
            if scalar == close {
                guard scalars.first == close else { break }
                scalars.removeFirst()
            }
            word.append(scalar)
        }
        text = Substring(scalars)
        return String(word)
    }

    /// The next token; a quoted one without its quotes.
    package mutating func next() -> String? {
        skipSpacesAndComments()
        guard let first = rest.unicodeScalars.first else { return nil }
        if let close = Self.closingQuote(first) { return Self.quoted(&rest, close: close) }
        let word = rest.unicodeScalars.prefix { Self.isWord($0) }
        let token = word.isEmpty ? rest.unicodeScalars.prefix(1) : word
        rest = rest[token.endIndex...]
        return String(token)
    }

    package func peek() -> String? {
        var copy = self
        return copy.next()
    }

    package mutating func skip(_ count: Int) {
        for _ in 0..<count { _ = next() }
    }

    /// Skips these words; false if there are others.
    package mutating func skip(_ words: [String]) -> Bool {
        words.allSatisfy { next()?.equalsIgnoringASCIICase($0) == true }
    }

    /// The texts between the commas, up to the closing parenthesis.
    package mutating func arguments() -> [Substring] {
        var arguments: [Substring] = []
        var depth = 0
        skipSpacesAndComments()
        var start = rest.startIndex
        var end = start
        while let scalar = rest.unicodeScalars.first {
            let isEnd = scalar == ")" && depth == 0
            if isEnd || scalar == "," && depth == 0 {
                arguments.append(rest.base[start..<end])
                if isEnd { break }
                _ = next()
                skipSpacesAndComments()
                start = rest.startIndex
                end = start
                continue
            }
            if scalar == "(" { depth += 1 }
            if scalar == ")" { depth -= 1 }
            _ = next()
            end = rest.startIndex
            skipSpacesAndComments()
        }
        return arguments
    }

    private mutating func skipSpacesAndComments() {
        while true {
            rest = Substring(rest.unicodeScalars.drop { $0.properties.isWhitespace && $0.isASCII })
            if rest.hasPrefix("--") {
                rest = Substring(rest.unicodeScalars.drop { $0 != "\n" })
            } else if rest.hasPrefix("/*") {
                var scalars = rest.unicodeScalars.dropFirst(2)
                while !scalars.isEmpty, !Substring(scalars).hasPrefix("*/") { scalars.removeFirst() }
                rest = Substring(scalars.dropFirst(2))
            } else {
                return
            }
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII || scalar == "_" || scalar == "$" || ("0"..."9").contains(scalar)
            || ("A"..."Z").contains(scalar) || ("a"..."z").contains(scalar)
    }
}

extension String {
    /// A name or a text without the quotation marks around it, of any kind that SQLite accepts.
    package var dequoted: String {
        guard let quote = utf8.first, [0x22, 0x27, 0x5B, 0x60].contains(quote) else { return self }
        let end: UInt8 = quote == 0x5B ? 0x5D : quote
        var result: [UInt8] = []
        var rest = utf8.dropFirst()
        while let byte = rest.popFirst() {
            if byte == end {
                guard rest.first == end else { break }
                rest.removeFirst()
            }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
