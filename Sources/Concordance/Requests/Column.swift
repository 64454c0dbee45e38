/// A column, by its name: a column of the request's own table, unless it belongs to a `TableAlias`.
///
/// ```swift
/// try Book.filter(Column("year") > 1990).order(Column("title").desc).fetchAll(db)
/// ```
public struct Column: SQLExpressible, Sendable, ExpressibleByStringLiteral {
    /// The name, not quoted.
    public let name: String

    /// Creates a column named `name`, which can be any text: it is quoted in SQL.
    public init(_ name: String) { self.name = name }

    public init(stringLiteral name: String) { self.name = name }

    /// Creates a column with the name of a coding key.
    public init(_ key: some CodingKey) { self.name = key.stringValue }

    /// The row's number in its table: the integer primary key, if there is one.
    public static let rowID = Column("rowid")

    /// FTS5's hidden column of relevance: lower is better. Use it in the order of a request that calls `matching(_:)`.
    public static let rank = Column("rank")

    public var sqlExpression: SQLExpression { SQLExpression(.column(name, alias: nil)) }
}

/// A table with a name of its own in a request, which tells the columns of joined tables apart.
///
/// The properties of the record are its columns, by way of the record's coding keys:
///
/// ```swift
/// Book.join(Author.self) { book, author in book.authorId == author.id && author.born >= 1950 }
/// ```
///
/// A column without a property is reached by name: `book["isbn"]`.
@dynamicMemberLookup
public struct TableAlias<Record: TableRecord>: Sendable {
    /// The table's name in the SQL. The property's own name is long on purpose: it must not hide a column called
    /// `name`.
    package let tableAliasName: String

    /// Creates an alias; without a name, the table keeps its own.
    public init(_ name: String? = nil) { tableAliasName = name ?? Record.databaseTableName }

    /// The column with this name.
    public subscript(_ name: String) -> SQLExpression { SQLExpression(.column(name, alias: tableAliasName)) }

    /// The column, of this table.
    public subscript(_ column: Column) -> SQLExpression { self[column.name] }
}

extension TableAlias where Record: Decodable {
    /// The column that stores a property.
    public subscript<Value>(_ keyPath: KeyPath<Record, Value>) -> TypedColumn<Value> {
        do {
            let column = try Record.column(for: keyPath)
            return TypedColumn(name: column.name, coding: Record.self, sqlExpression: self[column.name])
        } catch {
            return TypedColumn(name: "", coding: Record.self, sqlExpression: SQLExpression(.invalid(error)))
        }
    }

    /// The column that stores a property.
    public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> TypedColumn<Value> { self[keyPath] }
}
