import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// Compiles FTS5's query language for one table, with FTS5's errors.
struct QueryCompiler {
    private let options: TableOptions
    private let tokenizer: any Tokenizer
    private let connection: OpaquePointer?

    /// - Parameter connection: What knows the message of a tokenizer that fails.
    init(options: TableOptions, tokenizer: any Tokenizer, connection: OpaquePointer? = nil) {
        self.options = options
        self.tokenizer = tokenizer
        self.connection = connection
    }

    /// Compiles an expression that is no special query (`*...`).
    ///
    /// - Parameters:
    ///   - text: UTF-8 that need not be valid; a NUL ends it, as in FTS5.
    ///   - column: The column on the left side of MATCH; nil for the table.
    /// - Throws: SQLITE_ERROR with FTS5's message; what the tokenizer throws.
    func compile(_ text: UnsafeBufferPointer<UInt8>, column: Int?) throws -> QueryExpression {
        let text = UnsafeBufferPointer(rebasing: text.prefix { $0 != 0 })
        let syntax = QuerySyntax(text, columns: options.columns.map(\.name))
        var builder = QueryBuilder(options: options)
        for instruction in syntax.instructions {
            switch instruction {
            case .phrase(let literal):
                builder.beginPhrase()
                try append(literal, in: text, to: &builder)
            case .extend(let literal): try append(literal, in: text, to: &builder)
            default: try builder.perform(instruction)
            }
        }
        if let problem = syntax.failure { throw failure(problem.message) }
        if let column { try builder.perform(.filter(columns: [column], isInverted: false)) }
        return builder.finish()
    }

    func compile(_ text: String, column: Int?) throws -> QueryExpression {
        var text = text
        return try text.withUTF8 { try compile($0, column: column) }
    }

    private func append(
        _ literal: QuerySyntax.Literal, in text: UnsafeBufferPointer<UInt8>, to builder: inout QueryBuilder
    ) throws {
        let reason: TokenizationReason = literal.isPrefix ? [.query, .prefix] : .query
        let code = literal.value(in: text).withUnsafeBufferPointer { string in
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
        builder.endString(isPrefix: literal.isPrefix)
    }
}

/// Builds a query from the parser's instructions.
private struct QueryBuilder {
    /// A node, its phrases not numbered yet.
    private final class Node {
        enum Kind {
            case near, and, or, not
            /// No row: a string without tokens, or columns that exclude each other.
            case nothing
        }

        var kind: Kind
        var children: [Node] = []
        var phrases: [QueryPhrase] = []
        var distance = 0
        var columns: [Int]?

        init(_ kind: Kind) { self.kind = kind }
    }

    private let options: TableOptions
    private var phrase = QueryPhrase(terms: [])
    private var group: [QueryPhrase] = []
    private var distance = 0
    private var nodes: [Node] = []

    init(options: TableOptions) { self.options = options }

    // MARK: - Phrases

    mutating func beginPhrase() { phrase = QueryPhrase(terms: []) }

    /// Adds a token to the phrase: a term, or a synonym of the last one.
    mutating func append(_ token: UnsafeRawBufferPointer, isColocated: Bool) {
        let bytes = Array(token.prefix(PendingTerms.maximumTokenLength))
        if isColocated, !phrase.terms.isEmpty {
            phrase.terms[phrase.terms.count - 1].synonyms.insert(bytes, at: 0)
        } else {
            phrase.terms.append(QueryTerm(bytes: bytes))
        }
    }

    /// A string of the phrase ends. Without tokens, its star or the want of one goes to the token before it.
    mutating func endString(isPrefix: Bool) {
        guard !phrase.terms.isEmpty else { return }
        phrase.terms[phrase.terms.count - 1].isPrefix = isPrefix
    }

    // MARK: - Nodes

    mutating func perform(_ instruction: QuerySyntax.Instruction) throws {
        switch instruction {
        case .phrase, .extend: break
        case .initial: phrase.isInitial = !phrase.terms.isEmpty
        case .group:
            group = [phrase]
            distance = 0
        case .join:
            // Of phrases without tokens, a group keeps one only where there is no other.
            if group.last?.terms.isEmpty == true { group.removeLast() }
            if group.isEmpty || !phrase.terms.isEmpty { group.append(phrase) }
        case .distance(let count): distance = count
        case .node: try pushGroup()
        case .filter(let columns, let isInverted):
            guard options.detail != .none else {
                throw failure("fts5: column queries are not supported (detail=none)")
            }
            let columns = Set(columns)
            let all = options.columns.indices.filter { columns.contains($0) != isInverted }
            if let node = nodes.last { filter(node, by: all) }
        case .and: combine(.and)
        case .or: combine(.or)
        case .not: combine(.not)
        case .implicitAnd: combineImplicitly()
        }
    }

    private mutating func pushGroup() throws {
        if options.detail != .full {
            let isPhrase = group.count == 1
            let isTerm = isPhrase && group[0].terms.count <= 1 && !group[0].isInitial
            guard isTerm else {
                throw failure("fts5: \(isPhrase ? "phrase" : "NEAR") queries are not supported (detail!=full)")
            }
        }
        let node = Node(group.contains { $0.terms.isEmpty } ? .nothing : .near)
        node.phrases = group
        node.distance = distance
        nodes.append(node)
    }

    private func filter(_ node: Node, by columns: [Int]) {
        switch node.kind {
        case .nothing: break
        case .near:
            guard let known = node.columns else { return node.columns = columns }
            let both = known.filter(Set(columns).contains)
            node.columns = both
            if both.isEmpty { node.kind = .nothing }
        case .and, .or, .not: for child in node.children { filter(child, by: columns) }
        }
    }

    private mutating func combine(_ kind: Node.Kind) {
        guard let right = nodes.popLast(), let left = nodes.popLast() else { return }
        let mergesSides = kind != .not
        let parent = mergesSides && left.kind == kind ? left : Node(kind)
        if parent !== left { parent.children.append(left) }
        if mergesSides, right.kind == kind {
            parent.children += right.children
        } else {
            parent.children.append(right)
        }
        nodes.append(parent)
    }

    /// An AND without the word leaves out strings without tokens.
    private mutating func combineImplicitly() {
        guard nodes.count >= 2, let right = nodes.last else { return }
        let left = nodes[nodes.count - 2]
        if right.kind == .nothing {
            nodes.removeLast()
        } else if left.kind == .nothing {
            nodes.remove(at: nodes.count - 2)
        } else if left.kind == .and, left.children.last?.kind == .nothing {
            left.children[left.children.count - 1] = right
            nodes.removeLast()
        } else {
            combine(.and)
        }
    }

    // MARK: - Result

    mutating func finish() -> QueryExpression {
        var phrases: [QueryPhrase] = []
        let root = nodes.popLast().map { Self.number($0, &phrases) }
        return QueryExpression(root: root == .nothing ? nil : root, phrases: phrases)
    }

    private static func number(_ node: Node, _ phrases: inout [QueryPhrase]) -> QueryNode {
        switch node.kind {
        case .and: return .and(node.children.map { number($0, &phrases) })
        case .or: return .or(node.children.map { number($0, &phrases) })
        case .not: return .not(number(node.children[0], &phrases), number(node.children[1], &phrases))
        case .near, .nothing:
            let first = phrases.count
            let columns = node.columns.map(ColumnSet.init(columns:))
            phrases += node.phrases.map { phrase in
                var phrase = phrase
                phrase.columns = columns
                return phrase
            }
            guard node.kind == .near else { return .nothing }
            return .near(
                NearGroup(phrases: Array(first..<phrases.count), distance: node.distance, columns: columns))
        }
    }
}
