import ConcordanceText

/// Says whether FTS5 takes a query expression, without a database.
///
/// FTS5 parses with a table of 100 stack entries, and reports what it finds at the first token that no valid expression
/// could go on with. So that the same expressions pass and the same errors come out, this parser goes down the grammar of
/// SQLite 3.40 with one token of lookahead and counts the entries that FTS5 would have on its stack: every `base` below
/// is the number of entries beneath the construct being parsed. The count also bounds the recursion.
///
///     expression = expression (AND | OR | NOT) expression      NOT binds tightest, OR least; all to the left
///                | [columns ":"] "(" expression ")"
///                | clause clause...                            an AND that binds tighter than NOT
///     clause     = [columns ":"] (["^"] phrase | NEAR "(" phrase... ["," number] ")")
///     phrase     = string ["*"] ("+" string ["*"])...
///     columns    = ["-"] (string | "{" string... "}")
struct FTS5QueryParser {
    /// What an expression is at its top: decides where it needs parentheses inside another one.
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
        /// What the text is: in parentheses it is an operand.
        var form: Form
        /// What the tree that FTS5 builds has at its root: parentheses leave no trace in it.
        var root: Form
        var height: Int
    }

    /// The entries that FTS5's parser stack has room for, above its sentinel.
    static let stackLimit = 99
    /// FTS5 evaluates an expression by recursion. Later versions of SQLite refuse what is higher than this; 3.40 would
    /// exhaust its stack.
    static let heightLimit = 256

    private var lexer: FTS5QueryLexer
    private var lookahead: FTS5QueryLexer.Lexeme
    private let columns: [String]?

    /// Parses `pattern`; where `columns` is not nil, its column filters may name only those.
    ///
    /// - Throws: `FTS5Error.malformedPattern`.
    static func parse(_ pattern: String, columns: [String]? = nil) throws(FTS5Error) -> Form {
        var copy = pattern
        let result: Result<Form, FTS5QueryLexer.Failure> = copy.withUTF8 { text in
            // To FTS5, a NUL ends the expression, silently.
            if let end = text.firstIndex(of: 0) {
                return .failure(.init(message: "fts5: NUL character in the expression", offset: end))
            }
            if let failure = specialQuery(text) { return .failure(failure) }
            return Result { () throws(FTS5QueryLexer.Failure) in
                var parser = try FTS5QueryParser(text, columns: columns)
                let expression = try parser.expression(base: 0)
                guard parser.lookahead.kind == .end else { throw parser.unexpected() }
                return expression.form
            }
        }
        switch result {
        case .success(let form): return form
        case .failure(let failure):
            throw .malformedPattern(pattern, message: failure.message, offset: failure.offset)
        }
    }

    /// What FTS5 says of an expression that begins with a star: it takes its first word for a question about itself, of
    /// which it answers some, for its own tests.
    private static func specialQuery(_ text: UnsafeBufferPointer<UInt8>) -> FTS5QueryLexer.Failure? {
        guard text.first == UInt8(ascii: "*") else { return nil }
        let word = text.dropFirst().drop { $0 == 0x20 }.prefix { $0 != 0x20 }
        return .init(message: "unknown special query: \(String(decoding: word, as: UTF8.self))", offset: 0)
    }

    private init(_ text: UnsafeBufferPointer<UInt8>, columns: [String]?) throws(FTS5QueryLexer.Failure) {
        lexer = FTS5QueryLexer(text)
        self.columns = columns
        lookahead = try lexer.next()
    }

    // MARK: Tokens

    private func unexpected() -> FTS5QueryLexer.Failure {
        let offset = lookahead.range.lowerBound
        return .init(message: "fts5: syntax error near \"\(lexer.source(of: lookahead))\"", offset: offset)
    }

    /// Counts an entry as number `depth` of the stack.
    private func push(at depth: Int) throws(FTS5QueryLexer.Failure) {
        if depth > Self.stackLimit {
            throw .init(message: "fts5: parser stack overflow", offset: lookahead.range.lowerBound)
        }
    }

    /// Puts the lookahead on the stack as entry number `depth`, and reads the next token.
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
    private func combine(
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
        return Expression(form: form, root: form, height: height)
    }

    private mutating func operand(base: Int) throws(FTS5QueryLexer.Failure) -> Expression {
        if lookahead.kind == .leftParenthesis { return try parenthesized(base: base) }
        var clauses = 0
        repeat {
            // From the second clause on, the first ones are one entry of the stack.
            let inner = try clause(base: base + min(clauses, 1), mayBeParenthesized: clauses == 0)
            if let inner { return inner }
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

    /// Parses one clause; gives the expression in it when it is a column filter on one in parentheses.
    private mutating func clause(
        base: Int, mayBeParenthesized: Bool
    ) throws(FTS5QueryLexer.Failure) -> Expression? {
        guard lookahead.kind == .string else {
            if lookahead.kind == .caret {
                try shift(at: base + 1)
                try phrase(base: base + 1)
                return nil
            }
            try columnSet(base: base)
            return try filtered(base: base, mayBeParenthesized: mayBeParenthesized)
        }
        let string = try shift(at: base + 1)
        switch lookahead.kind {
        case .colon:
            try check(column: string)
            return try filtered(base: base, mayBeParenthesized: mayBeParenthesized)
        case .leftParenthesis: try near(string, base: base)
        default: try phraseTail(base: base)
        }
        return nil
    }

    /// What follows a column set, which is entry `base + 1`.
    private mutating func filtered(
        base: Int, mayBeParenthesized: Bool
    ) throws(FTS5QueryLexer.Failure) -> Expression? {
        try shift(.colon, at: base + 2)
        switch lookahead.kind {
        case .leftParenthesis where mayBeParenthesized:
            return try parenthesized(base: base + 2)
        case .caret:
            try shift(at: base + 3)
            try phrase(base: base + 3)
        case .string:
            let string = try shift(at: base + 3)
            if lookahead.kind == .leftParenthesis {
                try near(string, base: base + 2)
            } else {
                try phraseTail(base: base + 2)
            }
        default: throw unexpected()
        }
        return nil
    }

    // MARK: Column sets

    private mutating func columnSet(base: Int) throws(FTS5QueryLexer.Failure) {
        var base = base
        if lookahead.kind == .minus {
            try shift(at: base + 1)
            base += 1
        }
        if lookahead.kind == .leftBrace {
            try shift(at: base + 1)
            try check(column: shift(.string, at: base + 2))
            while lookahead.kind == .string { try check(column: shift(at: base + 3)) }
            try shift(.rightBrace, at: base + 3)
        } else {
            try check(column: shift(.string, at: base + 1))
        }
    }

    private func check(column: FTS5QueryLexer.Lexeme) throws(FTS5QueryLexer.Failure) {
        guard let columns else { return }
        let name = lexer.value(of: column)
        guard columns.contains(where: { $0.equalsIgnoringASCIICase(name) }) else {
            throw .init(message: "no such column: \(name)", offset: column.range.lowerBound)
        }
    }

    // MARK: Phrases

    private mutating func phrase(base: Int) throws(FTS5QueryLexer.Failure) {
        try shift(.string, at: base + 1)
        try phraseTail(base: base)
    }

    /// What follows the first string of a phrase, which is entry `base + 1`.
    private mutating func phraseTail(base: Int) throws(FTS5QueryLexer.Failure) {
        try star(at: base + 2)
        while lookahead.kind == .plus {
            try shift(at: base + 2)
            try shift(.string, at: base + 3)
            try star(at: base + 4)
        }
    }

    /// An absent star is an entry as well.
    private mutating func star(at depth: Int) throws(FTS5QueryLexer.Failure) {
        if lookahead.kind == .star { try shift(at: depth) } else { try push(at: depth) }
    }

    /// `NEAR(...)`; FTS5 looks at the name and the distance only when the parenthesis closes.
    private mutating func near(_ name: FTS5QueryLexer.Lexeme, base: Int) throws(FTS5QueryLexer.Failure) {
        try shift(.leftParenthesis, at: base + 2)
        try phrase(base: base + 2)
        while lookahead.kind == .string { try phrase(base: base + 3) }
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
        if let distance, !lexer.isNumber(distance) {
            throw .init(
                message: "expected integer, got \"\(lexer.source(of: distance))\"",
                offset: distance.range.lowerBound)
        }
    }
}
