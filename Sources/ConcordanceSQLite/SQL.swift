/// An SQL text with its values.
///
/// Interpolated values are bound as arguments, never pasted, so a value cannot become SQL:
/// ```swift
/// // SELECT * FROM "player" WHERE name = ? AND score > ?
/// let request: SQL = "SELECT * FROM \(identifier: table) WHERE name = \(name) AND score > \(score)"
/// let rows = try Row.fetchAll(db, literal: request)
/// ```
/// Text that is not a literal in the program can enter only through `\(raw:)` or `SQL(raw:)`.
public struct SQL: Hashable, Sendable {
    /// The text; each bound value is a `?`.
    public private(set) var sql: String

    /// The values, in the order of their `?`.
    public private(set) var arguments: StatementArguments

    /// Creates SQL from any text, which must not come from an untrusted source, and the arguments for its parameters.
    public init(raw sql: String, arguments: StatementArguments = StatementArguments()) {
        self.sql = sql
        self.arguments = arguments
    }

    /// Appends `other`.
    public mutating func append(_ other: SQL) {
        sql += other.sql
        arguments.append(contentsOf: other.arguments)
    }

    /// `left`, then `right`.
    @_disfavoredOverload
    package static func + (left: SQL, right: SQL) -> SQL {
        var sum = left
        sum.append(right)
        return sum
    }
}

extension Sequence where Element == SQL {
    /// Returns the elements with `separator` between them.
    public func joined(separator: SQL = "") -> SQL {
        var result = SQL(raw: "")
        var isFirst = true
        for element in self {
            if !isFirst { result.append(separator) }
            result.append(element)
            isFirst = false
        }
        return result
    }
}

// A StaticString keeps `SQL(stringLiteral: variable)` from compiling.
extension SQL: ExpressibleByStringInterpolation {
    public init(stringLiteral value: StaticString) { self.init(raw: value.description) }
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.result }

    /// Collects the literal parts and the values of an interpolated `SQL`.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var result = SQL(raw: "")

        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: StaticString) { result.sql += literal.description }

        /// Binds a value: `?`.
        public mutating func appendInterpolation(_ value: (any DatabaseValueConvertible)?) {
            result.sql += "?"
            result.arguments.append(value)
        }

        /// Binds an object for a function or virtual table of this process: `?`.
        package mutating func appendInterpolation(_ pointer: PointerArgument) {
            result.sql += "?"
            result.arguments.append(pointer)
        }

        /// Quotes the name of a table, column, index…: `"name"`.
        public mutating func appendInterpolation(identifier: String) {
            result.sql += identifier.quotedDatabaseIdentifier
        }

        /// Inserts another `SQL` with its values.
        public mutating func appendInterpolation(_ other: SQL) { result.append(other) }

        /// Binds a list of values: `(?, ?, ?)`, or `()`, which SQLite accepts after IN.
        public mutating func appendInterpolation(values: some Sequence<some DatabaseValueConvertible>) {
            var isFirst = true
            result.sql += "("
            for value in values {
                result.sql += isFirst ? "?" : ", ?"
                result.arguments.append(value)
                isFirst = false
            }
            result.sql += ")"
        }

        /// Pastes a text, which must not come from an untrusted source.
        public mutating func appendInterpolation(raw sql: String) { result.sql += sql }
    }
}
