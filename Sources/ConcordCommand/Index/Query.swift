import Concordance

/// What a person typed, understood: words, "phrases", -exclusions, alternatives with OR, word* and title:word.
///
/// Every text is a query. What looks like syntax and is none, such as a single quote mark or a lone OR, is read as if the
/// mark were not there.
struct Query: Equatable, Sendable {
    struct Term: Equatable, Sendable {
        var text: String
        var column: String?
        /// Whether every word that begins so is meant.
        var isPrefix = false
        /// Whether it stands between quotation marks.
        var isPhrase = false
    }

    /// Each has to match, by one of its alternatives.
    var required: [[Term]] = []
    var excluded: [Term] = []
    /// Whether the text ends in a word that may be half typed.
    var endsInsideWord = false

    /// Columns that may be named in a query.
    static let columns = ["title", "path", "body"]
    /// Terms beyond these are ignored: nobody types so many, and each costs time.
    static let mostTerms = 64
    /// Bytes that the beginning of a word has at least, unless an asterisk asks for it: nearly every document has words that
    /// begin with a given letter, which says nothing and takes long.
    static let shortestBeginning = 2
    /// A pasted text is cut: what follows adds nothing that could be found.
    static let mostCharacters = 4096

    init(_ text: String) {
        var scanner = Scanner(text.unicodeScalars.prefix(Self.mostCharacters))
        var joinsPrevious = false
        var count = 0
        while let word = scanner.next(), count < Self.mostTerms {
            if word.isOr {
                joinsPrevious = !required.isEmpty
                continue
            }
            count += 1
            if word.isExcluded {
                excluded.append(word.term)
            } else if joinsPrevious, let last = required.indices.last {
                required[last].append(word.term)
            } else {
                required.append([word.term])
            }
            endsInsideWord = word.endsText && !word.isExcluded
            joinsPrevious = false
        }
        // Only exclusions would match nothing that a ranking could order: then the words themselves are looked for.
        if required.isEmpty, !excluded.isEmpty {
            required = excluded.map { [$0] }
            excluded = []
        }
    }

    private struct Word {
        var term: Term
        var isOr = false
        var isExcluded = false
        var endsText = false
    }

    private struct Scanner {
        private var rest: ArraySlice<Unicode.Scalar>

        init(_ text: some Sequence<Unicode.Scalar>) {
            // A NUL would end the expression for SQLite.
            rest = Array(text.map { $0 == "\0" ? " " : $0 })[...]
        }

        mutating func next() -> Word? {
            rest = rest.drop(while: \.properties.isWhitespace)
            guard !rest.isEmpty else { return nil }
            var word = Word(term: Term(text: ""))
            if rest.first == "-", let second = rest.dropFirst().first, !second.properties.isWhitespace, second != "-" {
                word.isExcluded = true
                rest = rest.dropFirst()
            }
            word.term.column = takeColumn()
            if let quote = rest.first, let closing = Self.closing(quote) {
                rest = rest.dropFirst()
                word.term.isPhrase = true
                let inside = rest.prefix { $0 != closing && $0 != "\"" }
                word.term.text = Self.string(inside)
                rest = rest[inside.endIndex...].dropFirst()
                return word
            }
            let bare = rest.prefix { !$0.properties.isWhitespace && Self.closing($0) == nil }
            rest = rest[bare.endIndex...]
            word.endsText = rest.isEmpty
            word.term.text = Self.string(bare)
            word.isOr = word.term.column == nil && (word.term.text == "OR" || word.term.text == "|")
            if word.term.text.hasSuffix("*"), word.term.text.contains(where: { $0 != "*" }) {
                word.term.isPrefix = true
                while word.term.text.hasSuffix("*") { word.term.text.removeLast() }
            }
            return word
        }

        /// `title:` and the like, if something follows it.
        private mutating func takeColumn() -> String? {
            for column in Query.columns {
                let scalars = Array((column + ":").unicodeScalars)
                let after = rest.dropFirst(scalars.count)
                guard rest.starts(with: scalars), let next = after.first, !next.properties.isWhitespace else {
                    continue
                }
                rest = after
                return column
            }
            return nil
        }

        private static func closing(_ quote: Unicode.Scalar) -> Unicode.Scalar? {
            switch quote {
            case "\"": "\""
            case "“", "„": "”"
            case "«": "»"
            default: nil
            }
        }

        private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            return String(view)
        }
    }
}

// As an FTS5 expression.
extension Query {
    /// How strictly a query is taken.
    enum Strictness: String, Equatable, Sendable {
        /// All words, as they are.
        case exact
        /// All words, the last one perhaps half typed.
        case prefix
        /// Any of the words.
        case any
    }

    /// The query as FTS5 wants it (https://www.sqlite.org/fts5.html#full_text_query_syntax), every word quoted, so that
    /// nothing in it is syntax; nil if it has no words.
    ///
    /// - Parameter hasTokens: Whether the analyzer makes tokens of a text. FTS5 takes a phrase without any for one that
    ///   matches nothing, where a person means nothing by `--` or by a stop word.
    func expression(_ strictness: Strictness, hasTokens: (String) -> Bool) -> String? {
        var clauses: [String] = []
        for (index, alternatives) in required.enumerated() {
            let terms = alternatives.enumerated().compactMap { position, term -> String? in
                guard hasTokens(term.text) else { return nil }
                return Self.expression(term, orLonger: isHalfTyped(index, position, strictness))
            }
            if !terms.isEmpty { clauses.append(terms.count == 1 ? terms[0] : "(\(terms.joined(separator: " OR ")))") }
        }
        guard !clauses.isEmpty else { return nil }
        let wanted = clauses.joined(separator: strictness == .any ? " OR " : " AND ")
        let unwanted = excluded.filter { hasTokens($0.text) }.map { Self.expression($0, orLonger: false) }
        return unwanted.isEmpty ? wanted : "(\(wanted)) NOT (\(unwanted.joined(separator: " OR ")))"
    }

    /// What the expression looks for, to be marked in what it finds.
    func phrases(_ strictness: Strictness) -> [MatchPhrase] {
        required.enumerated().flatMap { index, alternatives in
            alternatives.enumerated().flatMap { position, term in
                (isHalfTyped(index, position, strictness) ? [term.isPrefix, true] : [term.isPrefix]).map { isPrefix in
                    MatchPhrase(term.text, isPrefix: isPrefix, fields: term.column.map { [$0] })
                }
            }
        }
    }

    /// Whether an alternative of a required term is what the text ends with, and is taken for the beginning of a word.
    private func isHalfTyped(_ index: Int, _ position: Int, _ strictness: Strictness) -> Bool {
        guard endsInsideWord, strictness != .exact, index == required.count - 1,
            position == required[index].count - 1
        else { return false }
        let term = required[index][position]
        return !term.isPhrase && term.text.utf8.count >= Self.shortestBeginning
    }

    private static func expression(_ term: Term, orLonger: Bool) -> String {
        let quoted =
            "\"" + term.text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        let column = term.column.map { "\($0) : " } ?? ""
        if term.isPrefix { return "\(column)\(quoted) *" }
        // A stemmer makes of a whole word what no word begins with, so both readings are asked for.
        return orLonger ? "(\(column)\(quoted) OR \(column)\(quoted) *)" : "\(column)\(quoted)"
    }
}
