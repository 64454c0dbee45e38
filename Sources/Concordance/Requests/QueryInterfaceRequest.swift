/// A request built from a table: filter, order, limit, join or match it; then fetch, count, update or delete its rows.
///
/// A request is a value: each method returns a new one, and nothing runs until it is passed to a database. It can be
/// stored, shared between tasks and refined. `sql(_:)` shows its SQL.
///
/// ```swift
/// let recent = Book.filter { $0.year >= 1990 }.order { $0.title.asc }.limit(10)
/// let books = try recent.fetchAll(db)
/// // SELECT "books".* FROM "books" WHERE "books"."year" >= ? ORDER BY "books"."title" LIMIT 10
/// ```
public struct QueryInterfaceRequest<RowDecoder>: FetchRequest, Sendable {
    var query: SelectQuery

    init(query: SelectQuery) { self.query = query }

    public func prepared(_ db: Database) throws -> PreparedRequest { try query.prepared(db) }

    /// Fetches the first row, with `LIMIT 1`.
    public func fetchOne(_ db: Database) throws -> RowDecoder? where RowDecoder: StatementDecodable {
        let (statement, arguments) = try with { $0.limitToFirst() }.statement(db)
        return try RowDecoder.fetchOne(statement, arguments: arguments)
    }

    /// Returns the number of rows: `SELECT COUNT(*) FROM …`, around the request if it groups, limits, is distinct or
    /// selects expressions, such as aggregates.
    public func fetchCount(_ db: Database) throws -> Int {
        var context = SQLGenerationContext(db, scope: query.scope)
        try query.renderCount(into: &context)
        return try Int.fetchOne(db, sql: context.sql, arguments: context.arguments) ?? 0
    }

    func with(_ change: (inout SelectQuery) -> Void) -> Self {
        var copy = self
        change(&copy.query)
        return copy
    }
}

// MARK: - Any request

extension QueryInterfaceRequest {
    /// Adds a condition to the existing ones.
    public func filter(_ predicate: some SQLExpressible) -> Self { with { $0.addFilter(predicate.sqlExpression) } }

    /// Adds a condition in SQL: `filter("year > \(year)")`.
    public func filter(_ predicate: SQL) -> Self { filter(predicate.sqlExpression) }

    /// Fetches no rows.
    public func none() -> Self { filter(SQLExpression(.literal("FALSE"))) }

    /// Replaces the order; a later term decides between rows that the earlier ones leave equal.
    public func order(_ terms: any SQLOrderingTerm...) -> Self { order(terms) }

    /// Replaces the order; a later term decides between rows that the earlier ones leave equal.
    public func order(_ terms: [any SQLOrderingTerm]) -> Self {
        with {
            $0.orderings = terms.map(\.sqlOrdering)
            $0.isReversed = false
        }
    }

    /// Reverses the order; without one, orders by descending primary key.
    public func reversed() -> Self { with { $0.isReversed.toggle() } }

    /// Removes the order.
    public func unordered() -> Self { order([]) }

    /// Fetches at most `count` rows, after skipping `offset`.
    public func limit(_ count: Int, offset: Int? = nil) -> Self {
        with { $0.limit = SelectQuery.Limit(count: count, offset: offset) }
    }

    /// Fetches equal rows only once: `SELECT DISTINCT`.
    public func distinct() -> Self { with { $0.isDistinct = true } }

    /// Groups the rows: `GROUP BY`.
    public func group(_ expressions: any SQLExpressible...) -> Self {
        with { $0.groups = expressions.map(\.sqlExpression) }
    }

    /// Adds a condition on groups: `HAVING`.
    public func having(_ predicate: some SQLExpressible) -> Self { with { $0.addHaving(predicate.sqlExpression) } }

    /// Selects columns and expressions, decoded as `type`: a value, a record or a `Row`.
    ///
    /// ```swift
    /// let years = try Book.all().select(Column("year"), as: Int.self).distinct().fetchAll(db)
    /// ```
    public func select<T>(_ selection: any SQLSelectable..., as type: T.Type) -> QueryInterfaceRequest<T> {
        selecting(selection, as: type)
    }

    /// Adds columns and expressions to those that the request already selects.
    ///
    /// ```swift
    /// let request = Author.all().annotated(with: length(Column("name")).forKey("nameLength"))
    /// ```
    public func annotated(with selection: any SQLSelectable...) -> Self {
        with { $0.selection += selection.map(\.sqlSelection) }
    }

    /// Returns the request with its rows decoded as another type.
    public func asRequest<T>(of type: T.Type) -> QueryInterfaceRequest<T> { QueryInterfaceRequest<T>(query: query) }

    /// Gives the request's own table another name in the SQL, that of a `TableAlias`.
    public func aliased(_ name: String) -> Self { with { $0.source.alias = name } }

    /// `EXISTS (request)`, a condition for another request, to which this one may refer by `TableAlias`.
    package var existence: SQLExpression { SQLExpression(.exists(query)) }

    func selecting<T>(_ selection: [any SQLSelectable], as type: T.Type) -> QueryInterfaceRequest<T> {
        with { $0.selection = selection.map(\.sqlSelection) }.asRequest(of: type)
    }
}

// MARK: - Requests for a table's records

extension QueryInterfaceRequest where RowDecoder: TableRecord {
    /// The request's own table, with its columns by name or by property.
    var root: TableAlias<RowDecoder> { TableAlias(query.source.alias) }

    /// Adds a condition: `filter { $0.year > 1990 && $0.title.like("%e%") }`.
    public func filter(_ predicate: (TableAlias<RowDecoder>) -> some SQLExpressible) -> Self { filter(predicate(root)) }

    /// Replaces the order: `order { $0.year.desc }`.
    public func order(_ term: (TableAlias<RowDecoder>) -> some SQLOrderingTerm) -> Self { order(term(root)) }

    /// Selects one column or expression: `select { $0.year }`, decoded as the property's type.
    public func select<Value>(_ column: (TableAlias<RowDecoder>) -> TypedColumn<Value>) -> QueryInterfaceRequest<Value>
    {
        selecting([column(root)], as: Value.self)
    }

    /// Restricts the request to the rows with these primary keys: integers, texts, UUIDs, or whatever the key holds.
    public func filter(keys: some Sequence<some DatabaseValueConvertible>) -> Self {
        do {
            return filter(SQLExpression(.keyed(try keys.map { try StoredValue($0) }, RowDecoder.self)))
        } catch {
            return filter(SQLExpression(.invalid(error)))
        }
    }

    /// Restricts the request to the row with this primary key.
    public func filter(key: some DatabaseValueConvertible) -> Self { filter(keys: CollectionOfOne(key)) }
}

extension TableRecord {
    /// Returns a request for all rows: `SELECT "table".* FROM "table"`, or what `databaseSelection` names.
    public static func all() -> QueryInterfaceRequest<Self> {
        var query = SelectQuery(table: databaseTableName)
        query.selection = databaseSelection.map(\.sqlSelection)
        return QueryInterfaceRequest(query: query)
    }

    /// Returns a request for no rows.
    public static func none() -> QueryInterfaceRequest<Self> { all().none() }

    /// Returns a request for the rows that fulfil a condition.
    public static func filter(_ predicate: some SQLExpressible) -> QueryInterfaceRequest<Self> {
        all().filter(predicate)
    }

    /// Returns a request for the rows that fulfil a condition: `Book.filter { $0.year > 1990 }`.
    public static func filter(_ predicate: (TableAlias<Self>) -> some SQLExpressible) -> QueryInterfaceRequest<Self> {
        all().filter(predicate)
    }

    /// Returns a request for the rows that fulfil a condition in SQL: `Book.filter("year > \(year)")`.
    public static func filter(_ predicate: SQL) -> QueryInterfaceRequest<Self> { all().filter(predicate) }

    /// Returns a request for all rows, in an order.
    public static func order(_ terms: any SQLOrderingTerm...) -> QueryInterfaceRequest<Self> { all().order(terms) }

    /// Returns a request for all rows, in an order: `Book.order { $0.title.asc }`.
    public static func order(_ term: (TableAlias<Self>) -> some SQLOrderingTerm) -> QueryInterfaceRequest<Self> {
        all().order(term)
    }

    /// Returns a request for at most `count` rows, after skipping `offset`.
    public static func limit(_ count: Int, offset: Int? = nil) -> QueryInterfaceRequest<Self> {
        all().limit(count, offset: offset)
    }

    /// Returns a request that selects columns and expressions, decoded as `type`.
    public static func select<T>(_ selection: any SQLSelectable..., as type: T.Type) -> QueryInterfaceRequest<T> {
        all().selecting(selection, as: type)
    }

    /// Returns the number of rows of the table.
    public static func fetchCount(_ db: Database) throws -> Int { try all().fetchCount(db) }
}
