/// A type that can be read from a row of a statement: `Row`, values, and the records of other modules.
///
/// The protocol provides all fetching methods. They throw the errors of SQLite and of decoding.
public protocol StatementDecodable: SendableMetatype {
    /// Reads the current row of `statement`.
    static func decode(_ statement: Statement) throws -> Self

    /// Reads the current row of `statement` if only one row is fetched; nil if the row represents nothing. Default:
    /// `decode`.
    static func decodeIfPresent(_ statement: Statement) throws -> Self?
}

extension StatementDecodable {
    public static func decodeIfPresent(_ statement: Statement) throws -> Self? { try decode(statement) }

    // MARK: From a statement

    /// Returns a cursor over the rows.
    public static func fetchCursor(
        _ statement: Statement, arguments: StatementArguments? = nil
    ) throws -> DatabaseCursor<Self> {
        try DatabaseCursor(statement, arguments: arguments, decode: decode)
    }

    /// Fetches all rows.
    public static func fetchAll(_ statement: Statement, arguments: StatementArguments? = nil) throws -> [Self] {
        var result: [Self] = []
        try statement.forEachRow(arguments: arguments) { result.append(try decode($0)) }
        return result
    }

    /// Fetches the first row; nil if there is none or, for a value, if it is NULL.
    public static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Self? {
        if let arguments { try statement.setArguments(arguments) }
        statement.reset()
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let first = try decodeIfPresent(statement)
        // A change takes effect, or fails, when the statement ends.
        while try !statement.isReadonly && statement.step() {}
        return first
    }

    // MARK: From SQL

    /// Returns a cursor over the rows.
    public static func fetchCursor(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> DatabaseCursor<Self> {
        try fetchCursor(try db.cachedStatement(sql: sql), arguments: arguments)
    }

    /// Fetches all rows.
    public static func fetchAll(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try fetchAll(try db.cachedStatement(sql: sql), arguments: arguments)
    }

    /// Fetches the first row; nil if there is none or, for a value, if it is NULL.
    public static func fetchOne(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try fetchOne(try db.cachedStatement(sql: sql), arguments: arguments)
    }

    // MARK: From an SQL literal

    /// Returns a cursor over the rows.
    public static func fetchCursor(_ db: Database, literal: SQL) throws -> DatabaseCursor<Self> {
        try fetchCursor(db, sql: literal.sql, arguments: literal.arguments)
    }

    /// Fetches all rows.
    public static func fetchAll(_ db: Database, literal: SQL) throws -> [Self] {
        try fetchAll(db, sql: literal.sql, arguments: literal.arguments)
    }

    /// Fetches the first row; nil if there is none or, for a value, if it is NULL.
    public static func fetchOne(_ db: Database, literal: SQL) throws -> Self? {
        try fetchOne(db, sql: literal.sql, arguments: literal.arguments)
    }
}

extension StatementDecodable where Self: Hashable {
    /// Fetches the set of all rows.
    public static func fetchSet(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Set<Self> {
        var result: Set<Self> = []
        try statement.forEachRow(arguments: arguments) { result.insert(try decode($0)) }
        return result
    }

    /// Fetches the set of all rows.
    public static func fetchSet(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Set<Self> {
        try fetchSet(try db.cachedStatement(sql: sql), arguments: arguments)
    }

    /// Fetches the set of all rows.
    public static func fetchSet(_ db: Database, literal: SQL) throws -> Set<Self> {
        try fetchSet(db, sql: literal.sql, arguments: literal.arguments)
    }
}
