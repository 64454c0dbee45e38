/// A type that can be stored in one column of the database.
///
/// ```swift
/// let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM player")
/// ```
public protocol DatabaseValueConvertible: StatementDecodable {
    /// The value to store.
    var databaseValue: DatabaseValue { get }

    /// Returns the value to bind to a statement; throws if the database has no exact one. Default: `databaseValue`.
    func databaseValueToBind() throws -> DatabaseValue

    /// Returns the instance that `value` represents; nil if it represents none.
    static func fromDatabaseValue(_ value: DatabaseValue) -> Self?

    /// Returns what `fromDatabaseValue` returns for a column of the current row; types that can read the value without
    /// a copy do so.
    static func fromStatement(_ statement: Statement, at index: Int) -> Self?
}

extension DatabaseValueConvertible {
    public func databaseValueToBind() throws -> DatabaseValue { databaseValue }

    public static func fromStatement(_ statement: Statement, at index: Int) -> Self? {
        fromDatabaseValue(statement.databaseValue(at: index))
    }

    /// Decodes the first column of the current row.
    public static func decode(_ statement: Statement) throws -> Self { try statement.decode(Self.self, at: 0) }

    /// Decodes the first column of the current row; nil for NULL, unless the type has a value for NULL.
    public static func decodeIfPresent(_ statement: Statement) throws -> Self? {
        if let value = fromStatement(statement, at: 0) { return value }
        return statement.isNull(at: 0) ? nil : try decode(statement)
    }
}

extension DatabaseValueConvertible where Self: RawRepresentable, RawValue: DatabaseValueConvertible {
    /// The raw value.
    public var databaseValue: DatabaseValue { rawValue.databaseValue }
    public func databaseValueToBind() throws -> DatabaseValue { try rawValue.databaseValueToBind() }
    public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        RawValue.fromDatabaseValue(value).flatMap(Self.init(rawValue:))
    }
}
