/// The values bound to a statement's parameters, by position, by name, or both.
///
/// ```swift
/// try db.execute(sql: "INSERT INTO player VALUES (?, ?)", arguments: ["Arthur", 1000])
/// try db.execute(sql: "UPDATE player SET score = :score", arguments: ["score": 1000])
/// ```
/// A parameter `:name`, `@name` or `$name` takes the argument named `name`; the other parameters take the positional
/// values, in order. Missing and superfluous arguments are errors when the statement is executed.
public struct StatementArguments: Hashable, Sendable {
    /// Values by position.
    package private(set) var positional: [DatabaseValue] = []

    /// Values by name, without prefix.
    package private(set) var named: [String: DatabaseValue] = [:]

    /// The objects among the positional values, where NULL takes their place.
    private(set) var pointers: [Int: PointerArgument] = [:]

    /// The first value that the database cannot store; thrown at binding.
    private(set) var failure: (any Error)?

    /// Creates empty arguments.
    public init() {}

    /// Creates positional arguments.
    public init<Values: Sequence>(_ values: Values) where Values.Element: DatabaseValueConvertible {
        for value in values { append(value) }
    }

    /// Creates positional arguments.
    public init<Values: Sequence>(_ values: Values) where Values.Element == (any DatabaseValueConvertible)? {
        for value in values { append(value) }
    }

    /// Creates named arguments.
    public init(_ values: [String: (any DatabaseValueConvertible)?]) {
        for (name, value) in values { set(value, for: name) }
    }

    /// Whether there are no arguments.
    public var isEmpty: Bool { positional.isEmpty && named.isEmpty }

    /// Adds a positional argument.
    public mutating func append(_ value: (any DatabaseValueConvertible)?) {
        positional.append(convert(value))
    }

    /// Adds an object as a positional argument; in `positional` it is NULL, which is what SQL sees.
    package mutating func append(_ pointer: PointerArgument) {
        pointers[positional.count] = pointer
        positional.append(.null)
    }

    /// Appends the arguments of `other`; of two with the same name, that of `other` stays.
    public mutating func append(contentsOf other: StatementArguments) {
        for (position, pointer) in other.pointers { pointers[positional.count + position] = pointer }
        positional += other.positional
        named.merge(other.named) { $1 }
        failure = failure ?? other.failure
    }

    /// Sets a named argument.
    public mutating func set(_ value: (any DatabaseValueConvertible)?, for name: String) {
        named[name] = convert(value)
    }

    /// These arguments, then `other`'s.
    package static func + (arguments: StatementArguments, other: StatementArguments) -> StatementArguments {
        var sum = arguments
        sum.append(contentsOf: other)
        return sum
    }

    public static func == (left: StatementArguments, right: StatementArguments) -> Bool {
        left.positional == right.positional && left.named == right.named && left.pointers == right.pointers
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(positional)
        hasher.combine(named)
        hasher.combine(pointers)
    }

    private mutating func convert(_ value: (any DatabaseValueConvertible)?) -> DatabaseValue {
        guard let value else { return .null }
        do {
            return try value.databaseValueToBind()
        } catch {
            failure = failure ?? error
            return .null
        }
    }
}

extension StatementArguments: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: (any DatabaseValueConvertible)?...) { self.init(elements) }
}

extension StatementArguments: ExpressibleByDictionaryLiteral {
    /// Of two arguments with the same name, the later one stays.
    public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
        for (name, value) in elements { set(value, for: name) }
    }
}
