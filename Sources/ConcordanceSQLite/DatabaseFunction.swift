import CConcordanceSQLite

/// An SQL function, or an aggregate, written in Swift.
///
/// ```swift
/// let half = DatabaseFunction("half", argumentCount: 1, pure: true) { values in
///     Double.fromDatabaseValue(values[0]).map { $0 / 2 }
/// }
/// try db.add(function: half)
/// let value = try Double.fetchOne(db, sql: "SELECT half(3)")  // 1.5
/// ```
/// If the function throws an error, the statement that called it throws the same error.
public struct DatabaseFunction: Sendable {
    enum Implementation: Sendable {
        case scalar(@Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?)
        case aggregate(any DatabaseAggregate.Type)
    }

    /// Its name in SQL, of at most 255 bytes; case is ignored.
    public let name: String

    /// The number of arguments; nil for any.
    public let argumentCount: Int?

    let isPure: Bool
    let isInnocuous: Bool
    let implementation: Implementation

    /// Creates a scalar function.
    /// - Parameters:
    ///   - name: The name in SQL.
    ///   - argumentCount: The number of arguments; nil for any.
    ///   - pure: Whether equal arguments give equal results, without side effects: such a function can be used in
    ///     indexes, and is called less often.
    ///   - innocuous: Whether the triggers, views and indexes of the schema may call it if the schema is not trusted
    ///     (see `Configuration.trustedSchema`). Default: pure functions.
    ///   - function: Computes the result, nil for NULL.
    public init(
        _ name: String, argumentCount: Int? = nil, pure: Bool = false, innocuous: Bool? = nil,
        function: @escaping @Sendable (_ values: [DatabaseValue]) throws -> (any DatabaseValueConvertible)?
    ) {
        self.init(name, argumentCount, pure, innocuous, .scalar(function))
    }

    /// Creates an aggregate, which can be used as a window function if it is a `DatabaseWindowAggregate`.
    public init(
        _ name: String, argumentCount: Int? = nil, pure: Bool = false, innocuous: Bool? = nil,
        aggregate: any DatabaseAggregate.Type
    ) {
        self.init(name, argumentCount, pure, innocuous, .aggregate(aggregate))
    }

    private init(
        _ name: String, _ argumentCount: Int?, _ pure: Bool, _ innocuous: Bool?, _ implementation: Implementation
    ) {
        self.name = name
        self.argumentCount = argumentCount
        self.implementation = implementation
        isPure = pure
        isInnocuous = innocuous ?? pure
    }
}

/// An aggregate function: one instance for each group of rows.
///
/// ```swift
/// struct Longest: DatabaseAggregate {
///     var longest = ""
///     mutating func step(_ values: [DatabaseValue]) throws {
///         if let text = String.fromDatabaseValue(values[0]), text.count > longest.count { longest = text }
///     }
///     func finalize() throws -> (any DatabaseValueConvertible)? { longest }
/// }
/// try db.add(function: DatabaseFunction("longest", argumentCount: 1, aggregate: Longest.self))
/// ```
public protocol DatabaseAggregate: SendableMetatype {
    /// Creates the aggregate of a group, before its first row.
    init()

    /// Adds the arguments of one row.
    mutating func step(_ values: [DatabaseValue]) throws

    /// Returns the result; called once for each group, even for one without rows.
    func finalize() throws -> (any DatabaseValueConvertible)?
}

/// An aggregate from which rows can be removed again, as when it is used `OVER` a moving window.
public protocol DatabaseWindowAggregate: DatabaseAggregate {
    /// Removes the oldest row that was passed to `step`.
    mutating func inverse(_ values: [DatabaseValue]) throws

    /// Returns the result for the current rows.
    func value() throws -> (any DatabaseValueConvertible)?
}

extension DatabaseWindowAggregate {
    public func finalize() throws -> (any DatabaseValueConvertible)? { try value() }
}
