import ConcordanceSearch

/// Anything that a request can select: a column, an expression, or all columns of a table.
public protocol SQLSelectable {
    /// The selection.
    var sqlSelection: SQLSelection { get }
}

/// An element of a `SELECT` list.
public struct SQLSelection: SQLSelectable, Sendable {
    enum Kind: Sendable {
        case allColumns(alias: String?)
        case expression(SQLExpression, key: String?)
        /// A column without a value that marks where the columns of a joined table begin; see `Joined`.
        case joinMarker(String)
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    public var sqlSelection: SQLSelection { self }

    /// `*`: all columns of the request's own table, except hidden ones such as `rowid` and `rank`.
    public static let allColumns = SQLSelection(.allColumns(alias: nil))

    /// The name that the selection gives itself with `AS`.
    var key: String? {
        if case .expression(_, let key) = kind { key } else { nil }
    }

    /// Whether it leaves the number of rows as it is, whatever the expression: an aggregate makes one row of all.
    var isPlain: Bool {
        guard case .expression(let expression, _) = kind else { return true }
        switch expression.node {
        case .column, .value: return true
        default: return false
        }
    }

    func render(into context: inout SQLGenerationContext) throws {
        switch kind {
        case .allColumns(let alias): context.append("\((alias ?? context.scope.alias).quotedDatabaseIdentifier).*")
        case .joinMarker(let name): context.append("NULL AS \(JoinMarker.columnName(name).quotedDatabaseIdentifier)")
        case .expression(let expression, let key):
            try expression.render(into: &context)
            if let key { context.append(" AS \(key.quotedDatabaseIdentifier)") }
        }
    }
}

extension SQLExpressible {
    /// `expression AS "key"`: a selection that a record reads from the column `key`. Conditions and orderings of the
    /// same request refer to it as `Column("key")`.
    public func forKey(_ key: String) -> SQLSelection { SQLSelection(.expression(sqlExpression, key: key)) }
}

/// Anything that a request can be ordered by: an expression, ascending unless it says otherwise.
public protocol SQLOrderingTerm: SearchOrderingTerm {
    /// The ordering.
    var sqlOrdering: SQLOrdering { get }
}

/// A term of `ORDER BY`.
public struct SQLOrdering: SQLOrderingTerm, Sendable {
    /// Where rows without a value go.
    enum Nulls: String, Sendable {
        case first = "NULLS FIRST"
        case last = "NULLS LAST"
    }

    var expression: SQLExpression
    var isDescending = false
    var nulls: Nulls?

    public var sqlOrdering: SQLOrdering { self }

    var reversed: SQLOrdering {
        let opposite: Nulls? = nulls.map { $0 == .first ? .last : .first }
        return SQLOrdering(expression: expression, isDescending: !isDescending, nulls: opposite)
    }

    func render(into context: inout SQLGenerationContext) throws {
        try expression.render(into: &context)
        if isDescending { context.append(" DESC") }
        if let nulls { context.append(" \(nulls.rawValue)") }
    }
}

extension SQLExpressible {
    /// Smallest first; NULLs come before all values.
    public var asc: SQLOrdering { SQLOrdering(expression: sqlExpression) }
    /// Largest first; NULLs come after all values.
    public var desc: SQLOrdering { SQLOrdering(expression: sqlExpression, isDescending: true) }
    /// Smallest first, NULLs after all values.
    public var ascNullsLast: SQLOrdering { SQLOrdering(expression: sqlExpression, nulls: .last) }
    /// Largest first, NULLs before all values.
    public var descNullsFirst: SQLOrdering {
        SQLOrdering(expression: sqlExpression, isDescending: true, nulls: .first)
    }
}
