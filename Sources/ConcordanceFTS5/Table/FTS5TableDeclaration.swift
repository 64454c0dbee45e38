import ConcordanceText

/// What a `CREATE VIRTUAL TABLE ... USING fts5(...)` says, read as FTS5 reads it.
struct FTS5TableDeclaration: Hashable {
    struct Column: Hashable {
        var name: String
        var isIndexed: Bool
    }

    var columns: [Column] = []
    /// Empty for the default.
    var tokenizer = FTS5TokenizerDescriptor(components: [])
    /// The name of the content table; empty for a contentless table; nil where the table has its own.
    var content: String?
    var detail: FTS5.Detail = .full

    /// - Parameter sql: The text that SQLite keeps in its schema; nil for another kind of table.
    init?(sql: String) {
        var scanner = SQLScanner(sql)
        guard scanner.skip(["CREATE", "VIRTUAL", "TABLE"]), scanner.next() != nil else { return nil }
        if scanner.peek() == "." { scanner.skip(2) }
        guard scanner.skip(["USING", "fts5"]), scanner.next() == "(" else { return nil }
        for argument in scanner.arguments() { read(argument) }
    }

    /// FTS5 takes any beginning of an option's name for the option.
    private mutating func read(_ argument: Substring) {
        var words = FTS5Words(argument)
        guard let first = words.next() else { return }
        if !first.isQuoted, words.skip("=") {
            let value = words.next()?.text ?? ""
            let options = ["prefix", "tokenize", "content", "content_rowid", "columnsize", "detail"]
            let key = first.text.lowercasedASCII
            switch options.first(where: { $0.hasPrefix(key) }) {
            case "tokenize":
                var components = FTS5Words(value[...])
                while let component = components.next() { tokenizer.components.append(component.text) }
            case "content": content = value
            case "detail":
                detail = [.full, .column, .none].first { $0.optionValue.hasPrefix(value.lowercasedASCII) } ?? .full
            default: break
            }
        } else {
            columns.append(Column(name: first.text, isIndexed: words.next() == nil))
        }
    }
}

/// The words in an argument of FTS5: bare ones, and quoted ones without their quotes.
private struct FTS5Words {
    private var rest: Substring

    init(_ text: Substring) { rest = text }

    mutating func next() -> (text: String, isQuoted: Bool)? {
        skipSpaces()
        guard let open = rest.unicodeScalars.first else { return nil }
        if let close = SQLScanner.closingQuote(open) {
            return (SQLScanner.quoted(&rest, close: close), true)
        }
        let word = rest.unicodeScalars.prefix { $0 != " " && $0 != "=" }
        rest = rest[word.endIndex...]
        return (String(word), false)
    }

    /// Skips `character` where it is next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipSpaces()
        guard rest.unicodeScalars.first == character else { return false }
        rest = Substring(rest.unicodeScalars.dropFirst())
        return true
    }

    private mutating func skipSpaces() {
        rest = Substring(rest.unicodeScalars.drop { $0 == " " })
    }
}

/// The tokens of an SQL text, as far as a `CREATE VIRTUAL TABLE` needs.
private struct SQLScanner {
    private var rest: Substring

    init(_ sql: String) { rest = sql[...] }

    static func closingQuote(_ open: Unicode.Scalar) -> Unicode.Scalar? {
        switch open {
        case "\"", "'", "`": open
        case "[": "]"
        default: nil
        }
    }

    /// Takes a quoted word off `text`; gives it without quotes.
    static func quoted(_ text: inout Substring, close: Unicode.Scalar) -> String {
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

    /// The next token, a quoted one without quotes.
    mutating func next() -> String? {
        skipSpacesAndComments()
        guard let first = rest.unicodeScalars.first else { return nil }
        if let close = Self.closingQuote(first) { return Self.quoted(&rest, close: close) }
        let word = rest.unicodeScalars.prefix { Self.isWord($0) }
        let token = word.isEmpty ? rest.unicodeScalars.prefix(1) : word
        rest = rest[token.endIndex...]
        return String(token)
    }

    func peek() -> String? {
        var copy = self
        return copy.next()
    }

    mutating func skip(_ count: Int) {
        for _ in 0..<count { _ = next() }
    }

    /// Skips these words; false where there are others.
    mutating func skip(_ words: [String]) -> Bool {
        words.allSatisfy { next()?.equalsIgnoringASCIICase($0) == true }
    }

    /// What stands between the commas, up to the closing parenthesis.
    mutating func arguments() -> [Substring] {
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
