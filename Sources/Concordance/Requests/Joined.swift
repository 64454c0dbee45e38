/// A row of two joined tables, each side decoded into its own record; for a left join, see `LeftJoined`.
///
/// ```swift
/// let request = Book.join(Author.self) { book, author in book.authorId == author.id }
/// for pair in try request.fetchAll(db) { print(pair.left.title, pair.right.name) }
/// // SELECT NULL AS ":join:books", "books".*, NULL AS ":join:authors", "authors".* FROM "books"
/// // JOIN "authors" ON "books"."authorId" = "authors"."id"
/// ```
///
/// Rows of several joins nest to the left: `Joined<Joined<Book, Author>, Publisher>`. A record of your own with the
/// sides as properties, `struct BookInfo: Decodable, FetchableRecord { var book: Book; var author: Author }`, can be
/// decoded as well, if the tables have the names of the properties: `Book.all().aliased("book").join(Author.self, as:
/// "author") {…}.asRequest(of: BookInfo.self)`.
public struct Joined<Left: FetchableRecord, Right: FetchableRecord>: FetchableRecord {
    /// The record of the request's first table, or an inner `Joined`.
    public var left: Left
    /// The record of the last joined table.
    public var right: Right

    /// Creates a pair of records.
    package init(left: Left, right: Right) {
        self.left = left
        self.right = right
    }

    /// Decodes both sides of a row fetched by a joining request.
    public init(row: Row) throws {
        let (leftRow, rightRow) = try JoinMarker.split(row)
        left = try Left(row: leftRow)
        right = try Right(row: rightRow)
    }
}

extension Joined: Sendable where Left: Sendable, Right: Sendable {}
extension Joined: Equatable where Left: Equatable, Right: Equatable {}
extension Joined: Hashable where Left: Hashable, Right: Hashable {}

/// A row of two tables, the second joined by a left join: `right` is nil if that table has no matching row.
public struct LeftJoined<Left: FetchableRecord, Right: FetchableRecord>: FetchableRecord {
    /// The record of the request's first table, or an inner `Joined`.
    public var left: Left
    /// The record of the last joined table; nil if there is none, that is, if all of its columns are NULL.
    public var right: Right?

    /// Creates a pair of records.
    package init(left: Left, right: Right?) {
        self.left = left
        self.right = right
    }

    /// Decodes both sides of a row fetched by a joining request.
    public init(row: Row) throws {
        let (leftRow, rightRow) = try JoinMarker.split(row)
        left = try Left(row: leftRow)
        right = rightRow.isAllNull ? nil : try Right(row: rightRow)
    }
}

extension LeftJoined: Sendable where Left: Sendable, Right: Sendable {}
extension LeftJoined: Equatable where Left: Equatable, Right: Equatable {}
extension LeftJoined: Hashable where Left: Hashable, Right: Hashable {}

/// The columns without a value that mark where each table's columns begin in a joined row.
enum JoinMarker {
    static let prefix = ":join:"

    static func columnName(_ table: String) -> String { prefix + table }

    /// The columns before the last marker, which may contain markers themselves, and those after it.
    static func split(_ row: Row) throws -> (left: Row, right: Row) {
        guard let marker = row.columnNames.lastIndex(where: { $0.hasPrefix(prefix) }), marker > 0 else {
            throw RecordError.notAJoinedRow(columns: row.columnNames)
        }
        return (row.slice(0..<marker), row.slice((marker + 1)..<row.count))
    }

    /// The columns of the table with this name.
    static func range(of table: String, in columns: [String]) -> Range<Int>? {
        guard let marker = columns.firstIndex(of: columnName(table)) else { return nil }
        let end = columns[(marker + 1)...].firstIndex { $0.hasPrefix(prefix) } ?? columns.count
        return (marker + 1)..<end
    }
}

extension Row {
    /// Whether no column has a value.
    var isAllNull: Bool { databaseValues.allSatisfy(\.isNull) }
}

// MARK: - Joining

extension QueryInterfaceRequest where RowDecoder: FetchableRecord {
    /// Joins a table and decodes its rows too: `JOIN table ON condition`. Build the condition from `TableAlias`es.
    public func join<Other: TableRecord & FetchableRecord>(
        _ other: TableAlias<Other>, on condition: some SQLExpressible
    ) -> QueryInterfaceRequest<Joined<RowDecoder, Other>> {
        adding(.inner, other, condition, decoding: true).asRequest(of: Joined<RowDecoder, Other>.self)
    }

    /// Joins a table and decodes its rows too, as nil if no row matches: `LEFT JOIN table ON condition`.
    public func leftJoin<Other: TableRecord & FetchableRecord>(
        _ other: TableAlias<Other>, on condition: some SQLExpressible
    ) -> QueryInterfaceRequest<LeftJoined<RowDecoder, Other>> {
        adding(.left, other, condition, decoding: true).asRequest(of: LeftJoined<RowDecoder, Other>.self)
    }
}

extension QueryInterfaceRequest {
    /// Joins a table for the request's conditions and order; its columns are not fetched.
    public func joining<Other: TableRecord>(_ other: TableAlias<Other>, on condition: some SQLExpressible) -> Self {
        adding(.inner, other, condition, decoding: false)
    }

    fileprivate func adding<Other: TableRecord>(
        _ kind: SelectQuery.Join.Kind, _ other: TableAlias<Other>, _ condition: some SQLExpressible, decoding: Bool
    ) -> Self {
        with { query in
            let name = other.tableAliasName
            let source = SelectQuery.Source(table: Other.databaseTableName, alias: name)
            query.joins.append(SelectQuery.Join(kind: kind, source: source, condition: condition.sqlExpression))
            guard decoding else { return }
            query.markRoot()
            query.selection.append(SQLSelection(.joinMarker(name)))
            query.selection += Other.databaseSelection.map { $0.sqlSelection.qualified(by: name) }
        }
    }
}

extension QueryInterfaceRequest where RowDecoder: TableRecord & FetchableRecord {
    /// Joins a table and decodes its rows too.
    ///
    /// ```swift
    /// Book.join(Author.self) { book, author in book.authorId == author.id }
    /// ```
    public func join<Other: TableRecord & FetchableRecord>(
        _ type: Other.Type, as alias: String? = nil,
        on condition: (TableAlias<RowDecoder>, TableAlias<Other>) -> some SQLExpressible
    ) -> QueryInterfaceRequest<Joined<RowDecoder, Other>> {
        let other = TableAlias<Other>(alias)
        return join(other, on: condition(root, other))
    }

    /// Joins a table and decodes its rows too, as nil if no row matches.
    public func leftJoin<Other: TableRecord & FetchableRecord>(
        _ type: Other.Type, as alias: String? = nil,
        on condition: (TableAlias<RowDecoder>, TableAlias<Other>) -> some SQLExpressible
    ) -> QueryInterfaceRequest<LeftJoined<RowDecoder, Other>> {
        let other = TableAlias<Other>(alias)
        return leftJoin(other, on: condition(root, other))
    }

    /// Joins a table for the request's conditions and order; its columns are not fetched.
    public func joining<Other: TableRecord>(
        _ type: Other.Type, as alias: String? = nil,
        on condition: (TableAlias<RowDecoder>, TableAlias<Other>) -> some SQLExpressible
    ) -> Self {
        let other = TableAlias<Other>(alias)
        return joining(other, on: condition(root, other))
    }
}

extension TableRecord where Self: FetchableRecord {
    /// Joins a table and decodes both sides: `Book.join(Author.self) { $0.authorId == $1.id }`.
    public static func join<Other: TableRecord & FetchableRecord>(
        _ type: Other.Type, as alias: String? = nil,
        on condition: (TableAlias<Self>, TableAlias<Other>) -> some SQLExpressible
    ) -> QueryInterfaceRequest<Joined<Self, Other>> { all().join(type, as: alias, on: condition) }

    /// Joins a table and decodes both sides, the right one as nil if no row matches.
    public static func leftJoin<Other: TableRecord & FetchableRecord>(
        _ type: Other.Type, as alias: String? = nil,
        on condition: (TableAlias<Self>, TableAlias<Other>) -> some SQLExpressible
    ) -> QueryInterfaceRequest<LeftJoined<Self, Other>> { all().leftJoin(type, as: alias, on: condition) }

    /// Joins a table for conditions and order only.
    public static func joining<Other: TableRecord>(
        _ type: Other.Type, as alias: String? = nil,
        on condition: (TableAlias<Self>, TableAlias<Other>) -> some SQLExpressible
    ) -> QueryInterfaceRequest<Self> { all().joining(type, as: alias, on: condition) }
}

extension SelectQuery {
    /// Puts the marker of the request's own table before its columns, unless an earlier join has done so.
    fileprivate mutating func markRoot() {
        if case .joinMarker? = selection.first?.kind { return }
        selection.insert(SQLSelection(.joinMarker(source.name)), at: 0)
    }
}

extension SQLSelection {
    /// The selection with unqualified columns taken from the table with this alias.
    fileprivate func qualified(by alias: String) -> SQLSelection {
        switch kind {
        case .allColumns(nil): return SQLSelection(.allColumns(alias: alias))
        case .expression(let expression, let key):
            guard case .column(let name, nil) = expression.node else { return self }
            return SQLSelection(.expression(SQLExpression(.column(name, alias: alias)), key: key))
        case .allColumns, .joinMarker: return self
        }
    }
}
