import Foundation

/// A record's column, typed by its property: `$0.status == .done` needs no type name, and dates and UUIDs are compared
/// in the form in which the record stores them.
public struct TypedColumn<Value>: SQLExpressible, Sendable {
    /// The name of the column.
    public let name: String
    let coding: any RecordCoding.Type
    public let sqlExpression: SQLExpression

    /// The value as the column stores it.
    func stored(_ value: Value) -> SQLExpression where Value: DatabaseValueConvertible {
        do {
            return SQLExpression(.value(try StoredValue(value).databaseValue(in: name, coding)))
        } catch {
            return SQLExpression(.invalid(error))
        }
    }

    private func compared(_ op: BinaryOperator, _ value: Value) -> SQLExpression where Value: DatabaseValueConvertible {
        .binary(op, self, stored(value))
    }
}

extension TypedColumn where Value: DatabaseValueConvertible {
    /// `lhs = rhs`, or `lhs IS NULL` for nil.
    public static func == (lhs: Self, rhs: Value) -> SQLExpression {
        .equality(lhs.sqlExpression, lhs.stored(rhs), negated: false)
    }

    /// `lhs <> rhs`, or `lhs IS NOT NULL` for nil.
    public static func != (lhs: Self, rhs: Value) -> SQLExpression {
        .equality(lhs.sqlExpression, lhs.stored(rhs), negated: true)
    }

    /// `lhs IS rhs`: equal, or both NULL.
    public static func === (lhs: Self, rhs: Value) -> SQLExpression { lhs.compared(.is, rhs) }
    /// `lhs IS NOT rhs`: different, or exactly one of them NULL.
    public static func !== (lhs: Self, rhs: Value) -> SQLExpression { lhs.compared(.isNot, rhs) }
    /// `lhs < rhs`
    public static func < (lhs: Self, rhs: Value) -> SQLExpression { lhs.compared(.less, rhs) }
    /// `lhs <= rhs`
    public static func <= (lhs: Self, rhs: Value) -> SQLExpression { lhs.compared(.lessOrEqual, rhs) }
    /// `lhs > rhs`
    public static func > (lhs: Self, rhs: Value) -> SQLExpression { lhs.compared(.greater, rhs) }
    /// `lhs >= rhs`
    public static func >= (lhs: Self, rhs: Value) -> SQLExpression { lhs.compared(.greaterOrEqual, rhs) }

    /// `self IN (values…)`; no rows for an empty list.
    public func `in`(_ values: [Value]) -> SQLExpression {
        SQLExpression(.inValues(sqlExpression, values.map(stored)))
    }

    /// `self BETWEEN low AND high`, both ends included.
    public func between(_ low: Value, _ high: Value) -> SQLExpression {
        SQLExpression(.between(sqlExpression, stored(low), stored(high)))
    }

    /// `column = value`, for `updateAll`.
    public func set(to value: Value) -> ColumnAssignment { set(to: stored(value)) }

    /// `column = column + value`, for `updateAll`.
    public static func += (column: Self, value: Value) -> ColumnAssignment {
        column.set(to: SQLExpression.binary(.add, column, column.stored(value)))
    }

    /// `column = column - value`, for `updateAll`.
    public static func -= (column: Self, value: Value) -> ColumnAssignment {
        column.set(to: SQLExpression.binary(.subtract, column, column.stored(value)))
    }
}

extension TypedColumn {
    /// `column = expression`, for `updateAll`.
    public func set(to expression: some SQLExpressible) -> ColumnAssignment {
        // For a property without a column, the assignment carries the error until it is used.
        if case .invalid = sqlExpression.node { return ColumnAssignment(column: name, value: sqlExpression) }
        return ColumnAssignment(column: name, value: expression.sqlExpression)
    }
}

/// A value compared with a record's column before it is known how that column stores dates and UUIDs.
enum StoredValue: Sendable {
    case plain(DatabaseValue)
    case date(Date)
    case uuid(UUID)

    init(_ value: any DatabaseValueConvertible) throws {
        if let date = value as? Date {
            self = .date(date)
        } else if let uuid = value as? UUID {
            self = .uuid(uuid)
        } else {
            self = .plain(try value.databaseValueToBind())
        }
    }

    func databaseValue(in column: String, _ coding: any RecordCoding.Type) -> DatabaseValue {
        switch self {
        case .plain(let value): value
        case .date(let date): coding.databaseDateStrategy(for: column).databaseValue(of: date)
        case .uuid(let uuid): coding.databaseUUIDStrategy(for: column).databaseValue(of: uuid)
        }
    }
}
