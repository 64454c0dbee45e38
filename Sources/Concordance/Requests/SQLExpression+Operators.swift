// Operators take a value or a second expression on their right. A nil value is SQL's NULL: `== nil` is `IS NULL`, `!=
// nil` is `IS NOT NULL`, and, as in SQL, comparing order with nil is true for no row.

extension SQLExpressible {
    // MARK: Equality

    /// `lhs = rhs`, or `lhs IS NULL` for nil.
    public static func == (lhs: Self, rhs: (any DatabaseValueConvertible)?) -> SQLExpression {
        .equality(lhs.sqlExpression, SQLExpression(rhs), negated: false)
    }

    /// `lhs <> rhs`, or `lhs IS NOT NULL` for nil. As in SQL, a row whose `lhs` is NULL does not count as different
    /// from a value.
    public static func != (lhs: Self, rhs: (any DatabaseValueConvertible)?) -> SQLExpression {
        .equality(lhs.sqlExpression, SQLExpression(rhs), negated: true)
    }

    /// `lhs = rhs`
    public static func == (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .binary(.equal, lhs, rhs) }
    /// `lhs <> rhs`
    public static func != (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .binary(.notEqual, lhs, rhs) }
    /// `lhs IS rhs`: equal, or both NULL.
    public static func === (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .binary(.is, lhs, rhs) }
    /// `lhs IS NOT rhs`: different, or exactly one of them NULL.
    public static func !== (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .binary(.isNot, lhs, rhs) }
    /// `lhs IS rhs`: equal, or both NULL.
    public static func === (lhs: Self, rhs: (any DatabaseValueConvertible)?) -> SQLExpression {
        .binary(.is, lhs, SQLExpression(rhs))
    }
    /// `lhs IS NOT rhs`: different, or exactly one of them NULL.
    public static func !== (lhs: Self, rhs: (any DatabaseValueConvertible)?) -> SQLExpression {
        .binary(.isNot, lhs, SQLExpression(rhs))
    }

    // MARK: Order

    /// `lhs < rhs`
    public static func < (lhs: Self, rhs: (any DatabaseValueConvertible)?) -> SQLExpression {
        .binary(.less, lhs, SQLExpression(rhs))
    }
    /// `lhs <= rhs`
    public static func <= (lhs: Self, rhs: (any DatabaseValueConvertible)?) -> SQLExpression {
        .binary(.lessOrEqual, lhs, SQLExpression(rhs))
    }
    /// `lhs > rhs`
    public static func > (lhs: Self, rhs: (any DatabaseValueConvertible)?) -> SQLExpression {
        .binary(.greater, lhs, SQLExpression(rhs))
    }
    /// `lhs >= rhs`
    public static func >= (lhs: Self, rhs: (any DatabaseValueConvertible)?) -> SQLExpression {
        .binary(.greaterOrEqual, lhs, SQLExpression(rhs))
    }
    /// `lhs < rhs`
    public static func < (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .binary(.less, lhs, rhs) }
    /// `lhs <= rhs`
    public static func <= (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .binary(.lessOrEqual, lhs, rhs) }
    /// `lhs > rhs`
    public static func > (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .binary(.greater, lhs, rhs) }
    /// `lhs >= rhs`
    public static func >= (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .binary(.greaterOrEqual, lhs, rhs) }

    // MARK: Logic

    /// `lhs AND rhs`
    public static func && (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .chain(.and, lhs, rhs) }
    /// `lhs OR rhs`
    public static func || (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .chain(.or, lhs, rhs) }
    /// `NOT operand`; NULL stays NULL, as in SQL.
    public static prefix func ! (operand: Self) -> SQLExpression { SQLExpression(.not(operand.sqlExpression)) }

    // MARK: Arithmetic

    /// `lhs + rhs`
    public static func + (lhs: Self, rhs: any DatabaseValueConvertible) -> SQLExpression {
        .binary(.add, lhs, SQLExpression(rhs))
    }
    /// `lhs - rhs`
    public static func - (lhs: Self, rhs: any DatabaseValueConvertible) -> SQLExpression {
        .binary(.subtract, lhs, SQLExpression(rhs))
    }
    /// `lhs * rhs`
    public static func * (lhs: Self, rhs: any DatabaseValueConvertible) -> SQLExpression {
        .binary(.multiply, lhs, SQLExpression(rhs))
    }
    /// `lhs / rhs`; of two integers, the integer quotient.
    public static func / (lhs: Self, rhs: any DatabaseValueConvertible) -> SQLExpression {
        .binary(.divide, lhs, SQLExpression(rhs))
    }
    /// `lhs + rhs`
    public static func + (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .binary(.add, lhs, rhs) }
    /// `lhs - rhs`
    public static func - (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .binary(.subtract, lhs, rhs) }
    /// `lhs * rhs`
    public static func * (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .binary(.multiply, lhs, rhs) }
    /// `lhs / rhs`; of two integers, the integer quotient.
    public static func / (lhs: Self, rhs: some SQLExpressible) -> SQLExpression { .binary(.divide, lhs, rhs) }
    /// `-operand`
    public static prefix func - (operand: Self) -> SQLExpression { SQLExpression(.negated(operand.sqlExpression)) }

    // MARK: Predicates

    /// `self IS NULL`
    public var isNull: SQLExpression { SQLExpression(.isNull(sqlExpression, negated: false)) }

    /// `self IS NOT NULL`
    public var isNotNull: SQLExpression { SQLExpression(.isNull(sqlExpression, negated: true)) }

    /// `self LIKE pattern`: `%` stands for any text, `_` for one character; ASCII letters match in either case.
    ///
    /// To search for a literal `%` or `_`, put an escape character before it and pass that as `escape`.
    public func like(_ pattern: String, escape: Character? = nil) -> SQLExpression {
        SQLExpression(.like(sqlExpression, pattern: SQLExpression(pattern), escape: escape.map(String.init)))
    }

    /// `self GLOB pattern`: `*`, `?` and `[a-z]` as in a shell; case matters.
    public func glob(_ pattern: String) -> SQLExpression { .binary(.glob, self, SQLExpression(pattern)) }

    /// `self BETWEEN low AND high`, both ends included.
    public func between(
        _ low: any DatabaseValueConvertible, _ high: any DatabaseValueConvertible
    ) -> SQLExpression {
        SQLExpression(.between(sqlExpression, SQLExpression(low), SQLExpression(high)))
    }

    /// `self IN (values…)`; no rows for an empty sequence. With SQLite's default settings, a statement holds at most
    /// 32,766 values.
    public func `in`(_ values: some Sequence<some DatabaseValueConvertible>) -> SQLExpression {
        SQLExpression(.inValues(sqlExpression, values.map { SQLExpression($0) }))
    }

    /// `self IN (SELECT …)`: the request must select one column.
    public func `in`<T>(_ request: QueryInterfaceRequest<T>) -> SQLExpression {
        SQLExpression(.inQuery(sqlExpression, request.query))
    }

    /// `self COLLATE collation`, such as `nocase`, or one added to the database.
    public func collating(_ collation: String) -> SQLExpression {
        SQLExpression(.collated(sqlExpression, collation))
    }

    /// `lhs || rhs`, the concatenation of two texts.
    public func concatenating(_ other: some SQLExpressible) -> SQLExpression { .binary(.concatenate, self, other) }

    /// `lhs || rhs`, the concatenation of two texts.
    public func concatenating(_ text: String) -> SQLExpression { .binary(.concatenate, self, SQLExpression(text)) }
}

extension SQLExpression {
    static func binary(
        _ op: BinaryOperator, _ lhs: some SQLExpressible, _ rhs: some SQLExpressible
    ) -> SQLExpression {
        SQLExpression(.binary(op, lhs.sqlExpression, rhs.sqlExpression))
    }

    static func chain(
        _ op: BinaryOperator, _ lhs: some SQLExpressible, _ rhs: some SQLExpressible
    ) -> SQLExpression {
        let operands = [lhs.sqlExpression, rhs.sqlExpression].flatMap { side in
            if case .chain(let inner, let operands) = side.node, inner.symbol == op.symbol { return operands }
            return [side]
        }
        return SQLExpression(.chain(op, operands))
    }

    static func equality(_ operand: SQLExpression, _ value: SQLExpression, negated: Bool) -> SQLExpression {
        if case .value(.null) = value.node { return SQLExpression(.isNull(operand, negated: negated)) }
        return .binary(negated ? .notEqual : .equal, operand, value)
    }
}

// MARK: - Functions

/// `COUNT(expression)`: the number of rows in which the expression is not NULL.
public func count(_ expression: some SQLExpressible) -> SQLExpression { function("COUNT", expression) }

/// `COUNT(DISTINCT expression)`
public func count(distinct expression: some SQLExpressible) -> SQLExpression {
    SQLExpression(.function("COUNT", [expression.sqlExpression], distinct: true))
}

/// `SUM(expression)`: NULL for no rows; an error if a sum of integers overflows.
public func sum(_ expression: some SQLExpressible) -> SQLExpression { function("SUM", expression) }

/// `TOTAL(expression)`: a floating-point sum, 0.0 for no rows.
public func total(_ expression: some SQLExpressible) -> SQLExpression { function("TOTAL", expression) }

/// `AVG(expression)`
public func average(_ expression: some SQLExpressible) -> SQLExpression { function("AVG", expression) }

/// `MIN(expression)`
public func min(_ expression: some SQLExpressible) -> SQLExpression { function("MIN", expression) }

/// `MAX(expression)`
public func max(_ expression: some SQLExpressible) -> SQLExpression { function("MAX", expression) }

/// `ABS(expression)`
public func abs(_ expression: some SQLExpressible) -> SQLExpression { function("ABS", expression) }

/// `LENGTH(expression)`: characters of a text, bytes of a blob.
public func length(_ expression: some SQLExpressible) -> SQLExpression { function("LENGTH", expression) }

/// `COALESCE(expression, value)`
public func ?? (expression: some SQLExpressible, value: any DatabaseValueConvertible) -> SQLExpression {
    function("COALESCE", expression, SQLExpression(value))
}

private func function(_ name: String, _ arguments: any SQLExpressible...) -> SQLExpression {
    SQLExpression(.function(name, arguments.map(\.sqlExpression), distinct: false))
}
