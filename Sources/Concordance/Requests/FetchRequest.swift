import ConcordanceSQLite

/// A request for rows: it knows its SQL, its arguments and what each row is decoded into.
public protocol FetchRequest<RowDecoder> {
    /// The type that a row is decoded into: `Row`, a record, a value.
    associatedtype RowDecoder

    /// Returns the SQL and its arguments.
    ///
    /// - Throws: `RecordError` if the request cannot be turned into SQL.
    func prepared(_ db: Database) throws -> PreparedRequest

    /// Returns the number of rows that the request fetches.
    func fetchCount(_ db: Database) throws -> Int
}

/// The SQL of a request and the values that are bound to it.
public struct PreparedRequest: Sendable, Equatable {
    /// The text; each `?` stands for a value.
    public let sql: String
    /// The values of the placeholders, in order.
    public let arguments: StatementArguments

    /// The SQL for parentheses: without a semicolon at its end, and with a line of its own for what follows a comment.
    fileprivate var subquery: String {
        var text = sql[...]
        while let last = text.last, last.isWhitespace || last == ";" { text.removeLast() }
        return text.contains("--") ? text + "\n" : String(text)
    }
}

extension FetchRequest {
    /// Returns the SQL that the request runs, for reading and for `EXPLAIN`; its values are in `prepared(_:)`.
    public func sql(_ db: Database) throws -> String { try prepared(db).sql }

    /// Returns the number of rows: `SELECT COUNT(*) FROM (request)`.
    public func fetchCount(_ db: Database) throws -> Int {
        let request = try prepared(db)
        return try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (\(request.subquery))", arguments: request.arguments)
            ?? 0
    }

    /// Returns whether the request fetches no rows: `SELECT EXISTS (request)`.
    public func isEmpty(_ db: Database) throws -> Bool {
        let request = try prepared(db)
        return try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (\(request.subquery))", arguments: request.arguments)
            ?? true
    }

    /// Returns whether the request fetches any row: `SELECT EXISTS (request)`.
    public func exists(_ db: Database) throws -> Bool { try !isEmpty(db) }

    /// The prepared statement, from the connection's cache.
    func statement(_ db: Database) throws -> (Statement, StatementArguments) {
        let request = try prepared(db)
        return (try db.cachedStatement(sql: request.sql), request.arguments)
    }
}

extension FetchRequest where RowDecoder: StatementDecodable {
    /// Fetches all rows, in the order of the request.
    public func fetchAll(_ db: Database) throws -> [RowDecoder] {
        let (statement, arguments) = try statement(db)
        return try RowDecoder.fetchAll(statement, arguments: arguments)
    }

    /// Returns a cursor over the rows, which are read on demand.
    public func fetchCursor(_ db: Database) throws -> DatabaseCursor<RowDecoder> {
        let (statement, arguments) = try statement(db)
        return try RowDecoder.fetchCursor(statement, arguments: arguments)
    }

    /// Fetches the first row; nil if there is none or, for a value, if it is NULL.
    public func fetchOne(_ db: Database) throws -> RowDecoder? {
        let (statement, arguments) = try statement(db)
        return try RowDecoder.fetchOne(statement, arguments: arguments)
    }

    /// Fetches the set of all rows.
    public func fetchSet(_ db: Database) throws -> Set<RowDecoder> where RowDecoder: Hashable {
        let (statement, arguments) = try statement(db)
        return try RowDecoder.fetchSet(statement, arguments: arguments)
    }
}

extension StatementDecodable {
    /// Fetches all rows of a request.
    public static func fetchAll(_ db: Database, _ request: some FetchRequest<Self>) throws -> [Self] {
        try request.fetchAll(db)
    }

    /// Fetches the first row of a request; nil if there is none.
    public static func fetchOne(_ db: Database, _ request: some FetchRequest<Self>) throws -> Self? {
        try request.fetchOne(db)
    }
}

/// A request in your own SQL.
///
/// ```swift
/// let title = "%concordance%"
/// let request: SQLRequest<Book> = "SELECT * FROM books WHERE title LIKE \(title)"
/// let books = try request.fetchAll(db)
/// ```
public struct SQLRequest<RowDecoder>: FetchRequest, Sendable, ExpressibleByStringInterpolation {
    private let literal: SQL

    /// Creates the request from an SQL literal.
    public init(literal: SQL) { self.literal = literal }

    public init(stringLiteral value: StaticString) { literal = SQL(stringLiteral: value) }

    public init(stringInterpolation: SQL.StringInterpolation) {
        literal = SQL(stringInterpolation: stringInterpolation)
    }

    public func prepared(_ db: Database) throws -> PreparedRequest {
        PreparedRequest(sql: literal.sql, arguments: literal.arguments)
    }
}
