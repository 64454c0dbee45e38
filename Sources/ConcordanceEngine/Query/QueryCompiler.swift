import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// Compiles queries for one table, with FTS5's errors.
struct QueryCompiler {
    private let options: TableOptions
    private let tokenizer: any Tokenizer
    private let connection: OpaquePointer?

    /// - Parameter connection: The connection that has the error message of a failing tokenizer.
    init(options: TableOptions, tokenizer: any Tokenizer, connection: OpaquePointer? = nil) {
        self.options = options
        self.tokenizer = tokenizer
        self.connection = connection
    }

    /// Compiles an expression in FTS5's language, except for special queries (`*...`).
    ///
    /// - Parameters:
    ///   - text: UTF-8 that need not be valid; a NUL ends it, as in FTS5.
    ///   - column: The column on the left side of MATCH; nil for the table.
    /// - Throws: SQLITE_ERROR with FTS5's message; what the tokenizer throws.
    func compile(_ text: UnsafeBufferPointer<UInt8>, column: Int?) throws -> QueryExpression {
        let text = UnsafeBufferPointer(rebasing: text.prefix { $0 != 0 })
        let syntax = QuerySyntax(text, columns: options.columns.map(\.name), allowsTypos: true)
        var builder = try build(syntax.tree)
        if let problem = syntax.failure { throw failure(problem.message) }
        return try builder.finish(column: column)
    }

    func compile(_ text: String, column: Int?) throws -> QueryExpression {
        var text = text
        return try text.withUTF8 { try compile($0, column: column) }
    }

    /// Compiles a tree.
    ///
    /// - Parameter column: The column on the left side of MATCH; nil for the table.
    /// - Throws: SQLITE_ERROR for a tree that is too high, and for what the index cannot answer; what the tokenizer
    ///   throws.
    func compile(_ tree: QueryTree, column: Int?) throws -> QueryExpression {
        guard tree.height <= QueryTree.heightLimit else {
            throw failure("fts5 expression tree is too large (maximum depth \(QueryTree.heightLimit))")
        }
        var builder = try build(tree)
        return try builder.finish(column: column)
    }

    private func build(_ tree: QueryTree) throws -> QueryBuilder {
        var builder = QueryBuilder(options: options)
        for instruction in tree.instructions {
            switch instruction {
            case .phrase(let literal):
                builder.beginPhrase()
                try append(literal, to: &builder)
            case .extend(let literal): try append(literal, to: &builder)
            default: try builder.perform(instruction)
            }
        }
        return builder
    }

    private func append(_ literal: QueryTree.Literal, to builder: inout QueryBuilder) throws {
        builder.beginString()
        try tokenize(literal, for: literal.isPrefix ? [.query, .prefix] : .query, into: &builder)
        builder.endString(isPrefix: literal.isPrefix, typos: literal.typos)
        guard literal.typos != .none, !literal.isPrefix else { return }
        var spellings = QueryBuilder(options: options)
        spellings.beginPhrase()
        spellings.beginString()
        try tokenize(literal, for: [.query, .typos], into: &spellings)
        builder.addSpellings(of: spellings)
    }

    private func tokenize(
        _ literal: QueryTree.Literal, for reason: TokenizationReason, into builder: inout QueryBuilder
    ) throws {
        let code = literal.bytes.withUnsafeBufferPointer { string in
            withUnsafeMutablePointer(to: &builder) { builder in
                tokenizer.tokenize(
                    string, for: reason,
                    into: TokenSink(context: builder) { builder, flags, token, count, _, _ in
                        guard let builder, let token, count >= 0 else { return 0 }
                        builder.assumingMemoryBound(to: QueryBuilder.self).pointee.append(
                            UnsafeRawBufferPointer(start: token, count: Int(count)),
                            isColocated: TokenFlags(rawValue: flags).contains(.colocated))
                        return 0
                    })
            }
        }
        guard code == 0 else {
            if let connection { throw KeptStatement.error(code, on: connection) }
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }
}
