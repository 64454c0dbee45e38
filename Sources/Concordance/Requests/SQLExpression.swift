import ConcordanceSearch

/// Anything that can be an SQL expression: columns, literals, and everything that operators build from them.
public protocol SQLExpressible: SQLSelectable, SQLOrderingTerm, SearchExpressible {
    /// The expression.
    var sqlExpression: SQLExpression { get }
}

extension SQLExpressible {
    public var sqlSelection: SQLSelection { SQLSelection(.expression(sqlExpression, key: nil)) }
    public var sqlOrdering: SQLOrdering { SQLOrdering(expression: sqlExpression) }
}

/// An SQL expression: built by operators and functions, rendered by the request that contains it.
///
/// Values are bound, never pasted into the text; names of columns and tables are quoted. A column is qualified by the
/// table of its request, so a misspelled one causes SQLite's error "no such column" (SQLite would read an unqualified
/// unknown name in double quotes as a string).
///
/// ```swift
/// let recent = Column("year") >= 1990 && Column("title").like("%concordance%")
/// let books = try Book.filter(recent).fetchAll(db)
/// // SELECT "books".* FROM "books" WHERE "books"."year" >= ? AND "books"."title" LIKE ?
/// ```
public struct SQLExpression: SQLExpressible, Sendable {
    indirect enum Node: Sendable {
        case value(DatabaseValue)
        /// A column of the table with this alias; of the request's own table if the alias is nil.
        case column(String, alias: String?)
        /// Whether the primary key of the request's own table, which must be a single column, is one of these values.
        case keyed([StoredValue], any RecordCoding.Type)
        /// A table's hidden column with the name of the table: the left side of FTS5's MATCH.
        case matchTarget(table: String, alias: String?)
        case literal(SQL)
        case binary(BinaryOperator, SQLExpression, SQLExpression)
        /// Operands joined by AND or by OR. Flat, so that a long chain of conditions is not a deep tree.
        case chain(BinaryOperator, [SQLExpression])
        case not(SQLExpression)
        case negated(SQLExpression)
        case isNull(SQLExpression, negated: Bool)
        case between(SQLExpression, SQLExpression, SQLExpression)
        case like(SQLExpression, pattern: SQLExpression, escape: String?)
        case inValues(SQLExpression, [SQLExpression])
        case inQuery(SQLExpression, SelectQuery)
        case exists(SelectQuery)
        case collated(SQLExpression, String)
        case function(String, [SQLExpression], distinct: Bool)
        case countAll
        /// An expression that could not be turned into SQL; the error is thrown when the request is used.
        case invalid(any Error & Sendable)
    }

    let node: Node

    init(_ node: Node) { self.node = node }

    public var sqlExpression: SQLExpression { self }
}

extension SQLExpression {
    /// Creates an expression from a value, which is bound to the statement as an argument.
    public init(_ value: (any DatabaseValueConvertible)?) {
        do {
            self.init(.value(try value?.databaseValueToBind() ?? .null))
        } catch {
            self.init(.invalid(error))
        }
    }

    /// `COUNT(*)`
    public static let countAll = SQLExpression(.countAll)
}

extension SQL: SQLExpressible {
    public var sqlExpression: SQLExpression { SQLExpression(.literal(self)) }
}

/// An infix operator of SQL, and how strongly it binds.
struct BinaryOperator: Sendable {
    let symbol: String
    let precedence: SQLPrecedence

    static let or = BinaryOperator(symbol: "OR", precedence: .or)
    static let and = BinaryOperator(symbol: "AND", precedence: .and)
    static let equal = BinaryOperator(symbol: "=", precedence: .equality)
    static let notEqual = BinaryOperator(symbol: "<>", precedence: .equality)
    static let `is` = BinaryOperator(symbol: "IS", precedence: .equality)
    static let isNot = BinaryOperator(symbol: "IS NOT", precedence: .equality)
    static let glob = BinaryOperator(symbol: "GLOB", precedence: .equality)
    static let match = BinaryOperator(symbol: "MATCH", precedence: .equality)
    static let less = BinaryOperator(symbol: "<", precedence: .comparison)
    static let lessOrEqual = BinaryOperator(symbol: "<=", precedence: .comparison)
    static let greater = BinaryOperator(symbol: ">", precedence: .comparison)
    static let greaterOrEqual = BinaryOperator(symbol: ">=", precedence: .comparison)
    static let add = BinaryOperator(symbol: "+", precedence: .additive)
    static let subtract = BinaryOperator(symbol: "-", precedence: .additive)
    static let multiply = BinaryOperator(symbol: "*", precedence: .multiplicative)
    static let divide = BinaryOperator(symbol: "/", precedence: .multiplicative)
    static let concatenate = BinaryOperator(symbol: "||", precedence: .concatenation)
}

/// SQLite's operator precedence, weakest first (https://sqlite.org/lang_expr.html).
enum SQLPrecedence: Int, Comparable, Sendable {
    case literal, or, and, not, equality, comparison, additive, multiplicative, concatenation, collate, unary, primary

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension SQLExpression {
    var precedence: SQLPrecedence {
        switch node {
        case .literal: .literal
        case .binary(let op, _, _), .chain(let op, _): op.precedence
        case .not: .not
        case .isNull, .between, .like, .inValues, .inQuery, .keyed: .equality
        case .collated: .collate
        case .negated: .unary
        case .value, .column, .matchTarget, .exists, .function, .countAll, .invalid: .primary
        }
    }

    /// Appends the expression, in parentheses unless it binds more strongly than what surrounds it.
    func render(into context: inout SQLGenerationContext, above outer: SQLPrecedence) throws {
        guard precedence <= outer else { return try render(into: &context) }
        context.append("(")
        try render(into: &context)
        context.append(")")
    }

    /// Appends the expression.
    func render(into context: inout SQLGenerationContext) throws {
        try context.enter()
        defer { context.leave() }
        switch node {
        case .value(let value): context.append(value: value)
        case .column(let name, let alias): context.append(column: name, alias: alias)
        case .keyed(let values, let coding):
            let column = try context.primaryKey()
            let keys = values.map { SQLExpression(.value($0.databaseValue(in: column, coding))) }
            let operand = SQLExpression(.column(column, alias: context.scope.alias))
            let condition =
                keys.count == 1 ? .equality(operand, keys[0], negated: false) : SQLExpression(.inValues(operand, keys))
            try condition.render(into: &context)
        case .matchTarget(let table, let alias):
            context.append("\((alias ?? context.scope.alias).quotedDatabaseIdentifier).")
            context.append(table.quotedDatabaseIdentifier)
        case .literal(let sql): context.append(literal: sql)
        case .binary(let op, let lhs, let rhs): try Self.render([lhs, rhs], op, into: &context)
        case .chain(let op, let operands): try Self.render(operands, op, into: &context)
        case .not(let operand):
            context.append("NOT ")
            try operand.render(into: &context, above: .not)
        case .negated(let operand):
            context.append("-")
            try operand.render(into: &context, above: .unary)
        case .isNull(let operand, let negated):
            try operand.render(into: &context, above: .equality)
            context.append(negated ? " IS NOT NULL" : " IS NULL")
        case .between(let operand, let low, let high):
            try operand.render(into: &context, above: .equality)
            context.append(" BETWEEN ")
            try low.render(into: &context, above: .equality)
            context.append(" AND ")
            try high.render(into: &context, above: .equality)
        case .like(let operand, let pattern, let escape):
            try operand.render(into: &context, above: .equality)
            context.append(" LIKE ")
            try pattern.render(into: &context, above: .equality)
            guard let escape else { return }
            context.append(" ESCAPE ")
            context.append(value: .text(escape))
        case .inValues(let operand, let values):
            try operand.render(into: &context, above: .equality)
            context.append(" IN (")
            try context.append(list: values)
            context.append(")")
        case .inQuery(let operand, let query):
            try operand.render(into: &context, above: .equality)
            context.append(" IN (")
            try context.append(query: query)
            context.append(")")
        case .exists(let query):
            context.append("EXISTS (")
            try context.append(query: query)
            context.append(")")
        case .collated(let operand, let collation):
            try operand.render(into: &context, above: .collate)
            context.append(" COLLATE \(collation.quotedDatabaseIdentifier)")
        case .function(let name, let arguments, let distinct):
            context.append("\(name)(\(distinct ? "DISTINCT " : "")")
            try context.append(list: arguments)
            context.append(")")
        case .countAll: context.append("COUNT(*)")
        case .invalid(let error): throw error
        }
    }

    private static func render(
        _ operands: [SQLExpression], _ op: BinaryOperator, into context: inout SQLGenerationContext
    ) throws {
        for (index, operand) in operands.enumerated() {
            if index > 0 { context.append(" \(op.symbol) ") }
            try operand.render(into: &context, above: op.precedence)
        }
    }
}
