import ConcordanceText

/// What a `CREATE VIRTUAL TABLE ... USING fts5(...)`, or `USING concordance(...)`, says, read as FTS5 reads it.
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

    /// FTS5, and Concordance's engine, which takes the same arguments.
    private static let modules: Set<String> = ["fts5", "concordance"]

    /// - Parameter sql: The text that SQLite keeps in its schema; nil for another kind of table.
    init?(sql: String) {
        var scanner = SQLScanner(sql)
        guard scanner.skip(["CREATE", "VIRTUAL", "TABLE"]), scanner.next() != nil else { return nil }
        if scanner.peek() == "." { scanner.skip(2) }
        guard scanner.skip(["USING"]), let module = scanner.next(), Self.modules.contains(module.lowercasedASCII),
            scanner.next() == "("
        else { return nil }
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
