import ConcordanceSQLite

/// An expression of FTS5's query language that FTS5 will accept.
///
/// Create it from any text that a user typed:
///
/// ```swift
/// // SELECT * FROM documents WHERE documents MATCH '"swift" AND "sqlite"'
/// if let pattern = FTS5Pattern(matchingAllTokensIn: "swift; \"sqlite") {
///     let rows = try Row.fetchAll(db, sql: "SELECT * FROM documents WHERE documents MATCH ?", arguments: [pattern])
/// }
/// ```
///
/// from an expression in a program, which is checked without a database:
///
/// ```swift
/// let pattern = try FTS5Pattern(rawPattern: "title : (swift OR sqlite) NOT android")
/// ```
///
/// or from other patterns, by `and(_:)`, `or(_:)`, `not(_:)`, `inColumns(_:)`, `excludingColumns(_:)`.
public struct FTS5Pattern: Sendable {
    /// The expression.
    public let rawPattern: String
    private let form: FTS5QueryParser.Form

    init(_ rawPattern: String, form: FTS5QueryParser.Form) {
        self.rawPattern = rawPattern
        self.form = form
    }

    /// Creates a pattern from an expression in FTS5's query language
    /// (https://www.sqlite.org/fts5.html#full_text_query_syntax).
    ///
    /// FTS5 also rejects column filters with columns that the table does not have and, for tables whose `detail` is not
    /// `full`, phrases: `Database.makeFTS5Pattern(rawPattern:forTable:)` checks this for a table.
    ///
    /// - Parameters:
    ///   - rawPattern: An expression in FTS5's language.
    ///   - allowedColumns: The columns that column filters may name; nil for any.
    /// - Throws: `FTS5Error.malformedPattern`, with FTS5's own message.
    public init(rawPattern: String, allowedColumns: [String]? = nil) throws {
        self.init(rawPattern, form: try FTS5QueryParser.parse(rawPattern, columns: allowedColumns))
    }
}

extension FTS5Pattern: Hashable {
    public static func == (left: FTS5Pattern, right: FTS5Pattern) -> Bool { left.rawPattern == right.rawPattern }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawPattern) }
}

extension FTS5Pattern: CustomStringConvertible {
    public var description: String { rawPattern }
}

extension FTS5Pattern: DatabaseValueConvertible {
    /// The expression as text.
    public var databaseValue: DatabaseValue { .text(rawPattern) }

    /// The pattern in a text; nil for any other value.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> FTS5Pattern? {
        guard case .text(let text) = value else { return nil }
        return try? FTS5Pattern(rawPattern: text)
    }
}

// MARK: Composition

extension FTS5Pattern {
    /// Returns a pattern for rows that match both.
    public func and(_ other: FTS5Pattern) -> FTS5Pattern {
        FTS5Pattern("\(operand(of: .and)) AND \(other.operand(of: .and))", form: .and)
    }

    /// Returns a pattern for rows that match either.
    public func or(_ other: FTS5Pattern) -> FTS5Pattern {
        FTS5Pattern("\(operand(of: .or)) OR \(other.operand(of: .or))", form: .or)
    }

    /// Returns a pattern for rows that match this one and not `other`.
    public func not(_ other: FTS5Pattern) -> FTS5Pattern {
        let right = other.form == .operand ? other.rawPattern : "(\(other.rawPattern))"
        return FTS5Pattern("\(operand(of: .not)) NOT \(right)", form: .not)
    }

    /// Returns a pattern for rows that match this one in one of these columns; without columns, for no rows.
    public func inColumns(_ columns: [String]) -> FTS5Pattern {
        columns.isEmpty ? .nothing : filtered(by: Self.columnSet(columns))
    }

    /// Returns a pattern for rows that match this one in a column other than these.
    public func excludingColumns(_ columns: [String]) -> FTS5Pattern {
        columns.isEmpty ? self : filtered(by: "- " + Self.columnSet(columns))
    }

    /// The pattern that matches no row.
    public static let nothing = FTS5Pattern("\"\"", form: .operand)

    private func filtered(by columns: String) -> FTS5Pattern {
        FTS5Pattern("\(columns) : (\(rawPattern))", form: .operand)
    }

    /// This as the left side of an operator: in parentheses if it binds less tightly.
    func operand(of operation: FTS5QueryParser.Form) -> String {
        form.precedence >= operation.precedence ? rawPattern : "(\(rawPattern))"
    }

    private static func columnSet(_ columns: [String]) -> String {
        let names = columns.map { name in
            // No column name contains a NUL, which FTS5 would treat as the end of the pattern.
            let scalars = name.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }
            return String(String.UnicodeScalarView(scalars)).quotedDatabaseIdentifier
        }
        return "{\(names.joined(separator: " "))}"
    }
}
