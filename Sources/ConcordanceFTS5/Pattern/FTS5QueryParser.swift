import ConcordanceText

/// Parses FTS5's query language without a database: tells whether FTS5 accepts an expression, and builds its tree.
///
/// FTS5 parses with a table of 100 stack entries, and reports the first token with which no valid expression could
/// continue. To accept the same expressions and report the same errors, this parser follows the grammar of SQLite 3.40
/// with one token of lookahead, and counts the entries that FTS5 would have on its stack: every `base` below is the
/// number of entries beneath the construct being parsed. The count also bounds the recursion.
///
///     expression = expression (AND | OR | NOT) expression      NOT binds tightest, OR least; all to the left
///                | [columns ":"] "(" expression ")"
///                | clause clause...                            an AND that binds tighter than NOT
///     clause     = [columns ":"] (["^"] phrase | NEAR "(" phrase... ["," number] ")")
///     phrase     = string ["*"] ("+" string ["*"])...
///     columns    = ["-"] (string | "{" string... "}")
///
/// The engine's language has one addition, which is a syntax error in FTS5: `string [~ | ~1 | ~2] ["*"]`, a string that
/// may have typos.
struct FTS5QueryParser {
    /// The form of an expression at its top, which decides where it needs parentheses inside another one.
    enum Form {
        case or, and, not, operand

        /// How tightly it binds.
        var precedence: Int {
            switch self {
            case .or: 1
            case .and: 2
            case .not: 3
            case .operand: 4
            }
        }
    }

    struct Expression {
        /// The form of the text: in parentheses it is an operand.
        var form: Form
        /// The root of the tree that FTS5 builds, in which parentheses leave no trace.
        var root: Form
        var height: Int
    }

    typealias Instruction = QueryTree.Instruction

    /// The number of entries on FTS5's parser stack, above its sentinel.
    static let stackLimit = 99
    /// FTS5 evaluates an expression by recursion. Later versions of SQLite reject a tree higher than this; 3.40 would
    /// overflow its stack.
    static let heightLimit = QueryTree.heightLimit

    private var lexer: FTS5QueryLexer
    private var lookahead: FTS5QueryLexer.Lexeme
    private let columns: [String]?
    private(set) var instructions: [Instruction] = []

    /// Parses `pattern`; if `columns` is not nil, its column filters may name only those.
    ///
    /// - Throws: `FTS5Error.malformedPattern`.
    static func parse(_ pattern: String, columns: [String]? = nil) throws(FTS5Error) -> Form {
        var copy = pattern
        let result: Result<Form, FTS5QueryLexer.Failure> = copy.withUTF8 { text in
            // FTS5 silently ends an expression at a NUL.
            if let end = text.firstIndex(of: 0) {
                return .failure(.init(message: "fts5: NUL character in the expression", offset: end))
            }
            if let failure = specialQuery(text) { return .failure(failure) }
            let syntax = QuerySyntax(text, columns: columns, allowsTypos: false)
            return syntax.failure.map { .failure($0) } ?? .success(syntax.form)
        }
        switch result {
        case .success(let form): return form
        case .failure(let failure):
            throw .malformedPattern(pattern, message: failure.message, offset: failure.offset)
        }
    }

    /// FTS5's error for an expression that begins with a star: FTS5 takes its first word as a query about itself, of
    /// which it answers some, for its own tests.
    private static func specialQuery(_ text: UnsafeBufferPointer<UInt8>) -> FTS5QueryLexer.Failure? {
        guard text.first == UInt8(ascii: "*") else { return nil }
        let word = text.dropFirst().drop { $0 == 0x20 }.prefix { $0 != 0x20 }
        return .init(message: "unknown special query: \(String(decoding: word, as: UTF8.self))", offset: 0)
    }

    init(
        _ text: UnsafeBufferPointer<UInt8>, columns: [String]?, allowsTypos: Bool
    ) throws(FTS5QueryLexer.Failure) {
        lexer = FTS5QueryLexer(text, allowsTypos: allowsTypos)
        self.columns = columns
        lookahead = try lexer.next()
    }

    /// Parses the whole text. The instructions so far remain if it throws.
    mutating func parse() throws(FTS5QueryLexer.Failure) -> Form {
        let expression = try expression(base: 0)
        guard lookahead.kind == .end else { throw unexpected() }
        return expression.form
    }

    // MARK: Tokens

    private func unexpected() -> FTS5QueryLexer.Failure {
        let offset = lookahead.range.lowerBound
        let source = lookahead.kind == .tilde ? "~" : lexer.source(of: lookahead)
        return .init(message: "fts5: syntax error near \"\(source)\"", offset: offset)
    }

    /// Counts an entry as number `depth` on the stack.
    private func push(at depth: Int) throws(FTS5QueryLexer.Failure) {
        if depth > Self.stackLimit {
            throw .init(message: "fts5: parser stack overflow", offset: lookahead.range.lowerBound)
        }
    }

    /// Pushes the lookahead on the stack as entry number `depth`, and reads the next token.
    @discardableResult
    private mutating func shift(at depth: Int) throws(FTS5QueryLexer.Failure) -> FTS5QueryLexer.Lexeme {
        try push(at: depth)
        let lexeme = lookahead
        lookahead = try lexer.next()
        return lexeme
    }

    @discardableResult
    private mutating func shift(
        _ kind: FTS5QueryLexer.Kind, at depth: Int
    ) throws(FTS5QueryLexer.Failure) -> FTS5QueryLexer.Lexeme {
        guard lookahead.kind == kind else { throw unexpected() }
        return try shift(at: depth)
    }

    // MARK: Expressions

    private mutating func expression(base: Int, tighterThan: Int = 0) throws(FTS5QueryLexer.Failure) -> Expression {
        var left = try operand(base: base)
        while let form = binaryOperator(), form.precedence > tighterThan {
            try shift(at: base + 2)
            let right = try expression(base: base + 2, tighterThan: form.precedence)
            left = try combine(left, right, form: form)
        }
        return left
    }

    private func binaryOperator() -> Form? {
        switch lookahead.kind {
        case .or: .or
        case .and: .and
        case .not: .not
        default: nil
        }
    }

    /// FTS5 merges an AND below an AND, and an OR below an OR, into one node.
    private mutating func combine(
        _ left: Expression, _ right: Expression, form: Form
    ) throws(FTS5QueryLexer.Failure) -> Expression {
        func height(_ child: Expression) -> Int {
            form != .not && child.root == form ? child.height : child.height + 1
        }
        let height = max(height(left), height(right))
        if height > Self.heightLimit {
            throw .init(
                message: "fts5 expression tree is too large (maximum depth \(Self.heightLimit))",
                offset: lookahead.range.lowerBound)
        }
        switch form {
        case .or: instructions.append(.or(2))
        case .and: instructions.append(.and(2))
        case .not: instructions.append(.not)
        case .operand: break
        }
        return Expression(form: form, root: form, height: height)
    }

    private mutating func operand(base: Int) throws(FTS5QueryLexer.Failure) -> Expression {
        if lookahead.kind == .leftParenthesis { return try parenthesized(base: base) }
        var clauses = 0
        repeat {
            // From the second clause on, the clauses so far are one entry on the stack.
            let inner = try clause(base: base + min(clauses, 1), mayBeParenthesized: clauses == 0)
            if let inner { return inner }
            if clauses > 0 { instructions.append(.implicitAnd) }
            clauses += 1
        } while [.string, .leftBrace, .minus, .caret].contains(lookahead.kind)
        return clauses == 1
            ? Expression(form: .operand, root: .operand, height: 1)
            : Expression(form: .operand, root: .and, height: 2)
    }

    private mutating func parenthesized(base: Int) throws(FTS5QueryLexer.Failure) -> Expression {
        try shift(.leftParenthesis, at: base + 1)
        var inner = try expression(base: base + 1)
        try shift(.rightParenthesis, at: base + 3)
        inner.form = .operand
        return inner
    }

    /// Parses one clause; returns the form of the expression in it if it is a column filter on a parenthesized one.
    private mutating func clause(
        base: Int, mayBeParenthesized: Bool
    ) throws(FTS5QueryLexer.Failure) -> Expression? {
        guard lookahead.kind == .string else {
            if lookahead.kind == .caret {
                try initialPhrase(base: base)
                return nil
            }
            let filter = try columnSet(base: base)
            return try filtered(by: filter, base: base, mayBeParenthesized: mayBeParenthesized)
        }
        let string = try shift(at: base + 1)
        switch lookahead.kind {
        case .colon:
            let filter = Instruction.filter(columns: [try name(ofColumn: string)], isInverted: false)
            return try filtered(by: filter, base: base, mayBeParenthesized: mayBeParenthesized)
        default: try phraseOrNear(string, base: base)
        }
        return nil
    }

    /// What follows a column set, which is entry `base + 1`.
    private mutating func filtered(
        by filter: Instruction, base: Int, mayBeParenthesized: Bool
    ) throws(FTS5QueryLexer.Failure) -> Expression? {
        try shift(.colon, at: base + 2)
        var inner: Expression?
        switch lookahead.kind {
        case .leftParenthesis where mayBeParenthesized: inner = try parenthesized(base: base + 2)
        case .caret: try initialPhrase(base: base + 2)
        case .string:
            let string = try shift(at: base + 3)
            try phraseOrNear(string, base: base + 2)
        default: throw unexpected()
        }
        instructions.append(filter)
        return inner
    }

    /// `^` and a phrase, as a node.
    private mutating func initialPhrase(base: Int) throws(FTS5QueryLexer.Failure) {
        try shift(at: base + 1)
        try phrase(base: base + 1)
        instructions += [.initial, .group, .node]
    }

    /// The node that begins with `string`, which is entry `base + 1`.
    private mutating func phraseOrNear(
        _ string: FTS5QueryLexer.Lexeme, base: Int
    ) throws(FTS5QueryLexer.Failure) {
        if lookahead.kind == .leftParenthesis {
            try near(string, base: base)
        } else {
            try phraseTail(string, base: base)
            instructions.append(.group)
        }
        instructions.append(.node)
    }

    // MARK: Column sets

    private mutating func columnSet(base: Int) throws(FTS5QueryLexer.Failure) -> Instruction {
        var base = base
        var columns: [String] = []
        let isInverted = lookahead.kind == .minus
        if isInverted {
            try shift(at: base + 1)
            base += 1
        }
        if lookahead.kind == .leftBrace {
            try shift(at: base + 1)
            columns.append(try name(ofColumn: shift(.string, at: base + 2)))
            while lookahead.kind == .string { columns.append(try name(ofColumn: shift(at: base + 3))) }
            try shift(.rightBrace, at: base + 3)
        } else {
            columns.append(try name(ofColumn: shift(.string, at: base + 1)))
        }
        return .filter(columns: columns, isInverted: isInverted)
    }

    /// The name of a column, which must be one of those allowed.
    private func name(ofColumn column: FTS5QueryLexer.Lexeme) throws(FTS5QueryLexer.Failure) -> String {
        let name = lexer.value(of: column)
        if let columns, !columns.contains(where: { $0.equalsIgnoringASCIICase(name) }) {
            throw .init(message: "no such column: \(name)", offset: column.range.lowerBound)
        }
        return name
    }

    // MARK: Phrases

    private mutating func phrase(base: Int) throws(FTS5QueryLexer.Failure) {
        let string = try shift(.string, at: base + 1)
        try phraseTail(string, base: base)
    }

    /// The phrase that begins with `string`, which is entry `base + 1`.
    private mutating func phraseTail(
        _ string: FTS5QueryLexer.Lexeme, base: Int
    ) throws(FTS5QueryLexer.Failure) {
        instructions.append(.phrase(try literal(string, star: base + 2)))
        while lookahead.kind == .plus {
            try shift(at: base + 2)
            let string = try shift(.string, at: base + 3)
            instructions.append(.extend(try literal(string, star: base + 4)))
        }
    }

    private mutating func literal(
        _ string: FTS5QueryLexer.Lexeme, star depth: Int
    ) throws(FTS5QueryLexer.Failure) -> QueryTree.Literal {
        var typos = TypoTolerance.none
        if lookahead.kind == .tilde { typos = lexer.typos(try shift(at: depth)) ?? .none }
        let isPrefix = try star(at: depth)
        return QueryTree.Literal(bytes: lexer.bytes(of: string), isPrefix: isPrefix, typos: typos)
    }

    /// A missing star is an entry as well.
    private mutating func star(at depth: Int) throws(FTS5QueryLexer.Failure) -> Bool {
        guard lookahead.kind == .star else {
            try push(at: depth)
            return false
        }
        try shift(at: depth)
        return true
    }

    /// `NEAR(...)`; FTS5 checks the name and the distance only at the closing parenthesis.
    private mutating func near(_ name: FTS5QueryLexer.Lexeme, base: Int) throws(FTS5QueryLexer.Failure) {
        try shift(.leftParenthesis, at: base + 2)
        try phrase(base: base + 2)
        instructions.append(.group)
        while lookahead.kind == .string {
            try phrase(base: base + 3)
            instructions.append(.join)
        }
        var distance: FTS5QueryLexer.Lexeme?
        if lookahead.kind == .comma {
            try shift(at: base + 4)
            distance = try shift(.string, at: base + 5)
        } else if lookahead.kind == .rightParenthesis {
            try push(at: base + 4)
        }
        try shift(.rightParenthesis, at: base + 5)
        guard lexer.source(of: name) == "NEAR" else {
            throw .init(
                message: "fts5: syntax error near \"\(lexer.source(of: name))\"", offset: name.range.lowerBound)
        }
        guard let distance else { return instructions.append(.distance(Self.defaultDistance)) }
        guard let number = lexer.number(distance) else {
            throw .init(
                message: "expected integer, got \"\(lexer.source(of: distance))\"",
                offset: distance.range.lowerBound)
        }
        instructions.append(.distance(number))
    }

    /// How many tokens may be between the phrases of a NEAR that does not say.
    static let defaultDistance = 10
}
