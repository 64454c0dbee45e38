/// Puts the pieces of a typed text together. Every sequence of pieces is a query: an operator without operands is
/// ignored.
///
///     query        = alternatives...                    all of them; what is excluded applies to all
///     alternatives = conjunction (OR conjunction)...     binds tighter than words that just follow each other
///     conjunction  = proximity (AND proximity)...
///     proximity    = part | text (NEAR/n text)...
///     part         = (- | NOT | field:)... (word | phrase | NEAR(...) | "(" query ")")
struct QueryParser {
    private let lexemes: [QueryScanner.Lexeme]
    /// The piece that is still being typed; nil for none.
    private let typed: Int?
    private var position = 0
    /// How many exclusions surround the position.
    private var exclusions = 0
    /// The last word or phrase that is not excluded.
    private var lastIncluded: Int?

    /// The meaning of a text; nil if it has none.
    static func parse(_ text: String, isTyping: Bool, fields: QueryFields) -> SearchQuery.Node? {
        let (scalars, isCut) = cut(text)
        var lexemes = lexemes(of: scalars, fields: fields)
        var parser = QueryParser(lexemes, typed: nil)
        var root = parser.query()
        if parser.lastIncluded == nil, lexemes.contains(where: \.isMinus) {
            // Probably a title with dashes, rather than a search for everything that has none of its words.
            lexemes.removeAll(where: \.isMinus)
            parser = QueryParser(lexemes, typed: nil)
            root = parser.query()
        }
        if isTyping, !isCut, let last = scalars.last, !last.endsTypedWord, let typed = parser.lastIncluded,
            mayGoOn(lexemes[typed])
        {
            parser = QueryParser(lexemes, typed: typed)
            root = parser.query()
        }
        return root?.normalized ?? literal(scalars)
    }

    private init(_ lexemes: [QueryScanner.Lexeme], typed: Int?) {
        self.lexemes = lexemes
        self.typed = typed
    }

    // MARK: Before and after

    /// The beginning of a text, up to the limit, and whether there is more.
    private static func cut(_ text: String) -> (scalars: [Unicode.Scalar], isCut: Bool) {
        let limit = SearchQuery.textLimit
        let scalars = Array(text.unicodeScalars.prefix(limit + 1))
        guard scalars.count > limit else { return (scalars, false) }
        let end = scalars.lastIndex(where: \.isQuerySpace) ?? limit
        return (Array(scalars[..<end]), true)
    }

    /// The pieces, up to the limit, without parentheses that close nothing or are nested too deeply.
    private static func lexemes(of text: [Unicode.Scalar], fields: QueryFields) -> [QueryScanner.Lexeme] {
        var scanner = QueryScanner(text, fields: fields)
        var lexemes: [QueryScanner.Lexeme] = []
        var depth = 0
        var terms = 0
        while terms < SearchQuery.termLimit, let lexeme = scanner.next() {
            switch lexeme {
            case .open:
                depth += 1
                if depth <= SearchQuery.depthLimit { lexemes.append(lexeme) }
            case .close:
                if (1...SearchQuery.depthLimit).contains(depth) { lexemes.append(lexeme) }
                depth = max(0, depth - 1)
            case .near(let phrases, let distance, let isPrefix, let isClosed):
                let rest = SearchQuery.termLimit - terms
                let isWhole = phrases.count <= rest
                lexemes.append(
                    .near(
                        Array(phrases.prefix(rest)), distance: distance, isPrefix: isPrefix && isWhole,
                        isClosed: isClosed || !isWhole))
                terms += phrases.count
            case .word, .similar, .phrase:
                terms += 1
                lexemes.append(lexeme)
            case .or, .and, .not, .minus, .nearOperator, .fields: lexemes.append(lexeme)
            }
        }
        return lexemes
    }

    /// Whether what is typed next can belong to this piece.
    private static func mayGoOn(_ lexeme: QueryScanner.Lexeme) -> Bool {
        switch lexeme {
        case .word: true
        case .phrase(_, _, let isClosed), .near(_, _, _, let isClosed): !isClosed
        default: false
        }
    }

    /// A text without meaning as a query, such as `OR` or `->`, is looked for as it is.
    private static func literal(_ text: [Unicode.Scalar]) -> SearchQuery.Node? {
        let start = text.firstIndex { !$0.isQuerySpace } ?? text.endIndex
        let end = text.lastIndex { !$0.isQuerySpace }.map { $0 + 1 } ?? start
        let isVisible = text.contains {
            !$0.isQuerySpace && !$0.isQueryPunctuation && !$0.isExclusionMark && QuotationMark(opening: $0) == nil
                && $0.halfWidth != "*"
        }
        return isVisible && end - start <= SearchQuery.literalLimit
            ? .phrase(String(queryScalars: text[start..<end]), isPrefix: false) : nil
    }

    // MARK: Grammar

    private var current: QueryScanner.Lexeme? { position < lexemes.count ? lexemes[position] : nil }

    private mutating func query() -> SearchQuery.Node? {
        var parts: [SearchQuery.Node] = []
        while true {
            skipOperators()
            guard isOperandNext else { break }
            if let part = alternatives() { parts.append(part) }
        }
        return parts.isEmpty ? nil : .all(parts)
    }

    private mutating func alternatives() -> SearchQuery.Node? {
        var parts = [conjunction()]
        while case .or = current, skipsToOperand() { parts.append(conjunction()) }
        return Self.joined(parts) { .any($0) }
    }

    private mutating func conjunction() -> SearchQuery.Node? {
        var parts = [proximity()]
        while isConjunctionNext, skipsToOperand() { parts.append(proximity()) }
        return Self.joined(parts) { .all($0) }
    }

    private static func joined(
        _ parts: [SearchQuery.Node?], _ join: ([SearchQuery.Node]) -> SearchQuery.Node
    ) -> SearchQuery.Node? {
        let parts = parts.compactMap(\.self)
        return parts.count > 1 ? join(parts) : parts.first
    }

    /// Between anything but words and phrases, NEAR is an AND.
    private var isConjunctionNext: Bool {
        switch current {
        case .and, .nearOperator: true
        default: false
        }
    }

    private mutating func skipOperators() {
        while isConjunctionNext || isOrNext { position += 1 }
    }

    private var isOrNext: Bool {
        if case .or = current { true } else { false }
    }

    private var isOperandNext: Bool {
        switch current {
        case nil, .close: false
        default: true
        }
    }

    private mutating func skipsToOperand() -> Bool {
        skipOperators()
        return isOperandNext
    }

    private mutating func proximity() -> SearchQuery.Node? {
        guard var (text, isPrefix) = plainText(at: position) else { return part() }
        var texts: [String] = []
        var distance = 0
        while case .nearOperator(let next) = lexeme(at: position + 1), let following = plainText(at: position + 2) {
            texts.append(text)
            distance = max(distance, next)
            position += 2
            (text, isPrefix) = following
        }
        if texts.isEmpty { return part() }
        include()
        return .near(texts + [text], distance: distance, isPrefix: isPrefix)
    }

    private func lexeme(at index: Int) -> QueryScanner.Lexeme? { index < lexemes.count ? lexemes[index] : nil }

    private func plainText(at index: Int) -> (text: String, isPrefix: Bool)? {
        switch lexeme(at: index) {
        case .word(let text, let isPrefix), .phrase(let text, let isPrefix, _), .similar(let text, let isPrefix):
            (text, isPrefix || index == typed)
        default: nil
        }
    }

    private mutating func part() -> SearchQuery.Node? {
        var isExcluded = false
        var names: [String]?
        prefixes: while true {
            switch current {
            case .not, .minus: isExcluded.toggle()
            case .fields(let next): names = next
            default: break prefixes
            }
            position += 1
        }
        if isExcluded { exclusions += 1 }
        let atom = atom()
        if isExcluded { exclusions -= 1 }
        guard var node = atom else { return nil }
        if let names { node = .fields(names, node) }
        return isExcluded ? .excluding(nil, [node]) : node
    }

    private mutating func atom() -> SearchQuery.Node? {
        let isTyped = position == typed
        switch current {
        case .word(let text, let isPrefix):
            include(unless: text.isEmpty)
            return text.isEmpty ? nil : .word(text, isPrefix: isPrefix || isTyped)
        case .similar(let text, let isPrefix):
            include()
            return .similar(text, isPrefix: isPrefix)
        case .phrase(let text, let isPrefix, _):
            include(unless: text.isBlank)
            return text.isBlank ? nil : .phrase(text, isPrefix: isPrefix || isTyped)
        case .near(let phrases, let distance, let isPrefix, _):
            include()
            return .near(phrases, distance: distance, isPrefix: isPrefix || isTyped)
        case .open:
            position += 1
            let inner = query()
            if case .close = current { position += 1 }
            return inner
        case .or, .and, .nearOperator, .close, nil: return nil
        case .not, .minus, .fields: return nil
        }
    }

    /// Moves past a word or phrase, and notes it unless it is excluded or means nothing.
    private mutating func include(unless isEmpty: Bool = false) {
        if exclusions.isMultiple(of: 2), !isEmpty { lastIncluded = position }
        position += 1
    }
}
