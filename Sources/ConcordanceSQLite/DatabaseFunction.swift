import CConcordanceSQLite

/// A function, or an aggregate, of SQL that is written in Swift.
///
/// ```swift
/// let half = DatabaseFunction("half", argumentCount: 1, pure: true) { values in
///     Double.fromDatabaseValue(values[0]).map { $0 / 2 }
/// }
/// try db.add(function: half)
/// let value = try Double.fetchOne(db, sql: "SELECT half(3)")  // 1.5
/// ```
/// An error that it throws is what the statement that called it throws.
public struct DatabaseFunction: Sendable {
    enum Implementation: Sendable {
        case scalar(@Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?)
        case aggregate(any DatabaseAggregate.Type)
    }

    /// Its name in SQL, of at most 255 bytes; letters match in either case.
    public let name: String

    /// How many arguments it takes; nil for any number.
    public let argumentCount: Int?

    let isPure: Bool
    let isInnocuous: Bool
    let implementation: Implementation

    /// A scalar function.
    /// - Parameters:
    ///   - pure: Whether equal arguments give equal results, and nothing else happens: such a function can be used in
    ///     indexes, and be called less often.
    ///   - innocuous: Whether the triggers, views and indexes of the schema may call it where the schema is not trusted
    ///     (see `Configuration.trustedSchema`). Default: pure functions.
    public init(
        _ name: String, argumentCount: Int? = nil, pure: Bool = false, innocuous: Bool? = nil,
        function: @escaping @Sendable (_ values: [DatabaseValue]) throws -> (any DatabaseValueConvertible)?
    ) {
        self.init(name, argumentCount, pure, innocuous, .scalar(function))
    }

    /// An aggregate, which can be used as a window function where it is a `DatabaseWindowAggregate`.
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
    /// The aggregate of a group, before its first row.
    init()

    /// Takes the arguments of one row.
    mutating func step(_ values: [DatabaseValue]) throws

    /// The result, asked for once; of no rows too.
    func finalize() throws -> (any DatabaseValueConvertible)?
}

/// An aggregate whose rows can leave it again, as they do when it is used `OVER` a moving window.
public protocol DatabaseWindowAggregate: DatabaseAggregate {
    /// Takes back the oldest row that was given to `step`.
    mutating func inverse(_ values: [DatabaseValue]) throws

    /// The result for the rows that are in now.
    func value() throws -> (any DatabaseValueConvertible)?
}

extension DatabaseWindowAggregate {
    public func finalize() throws -> (any DatabaseValueConvertible)? { try value() }
}
