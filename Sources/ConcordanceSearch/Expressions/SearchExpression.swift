import ConcordanceSQLite

/// An expression that a search accepts: an SQL literal, or an expression of a request library.
public protocol SearchExpressible: SearchOrderingTerm {
    /// The expression.
    var searchExpression: SearchExpression { get }
}

/// An SQL expression over the columns of the indexed table.
public struct SearchExpression: SearchExpressible, Sendable {
    /// The SQL with its arguments, for a table of the given name.
    let sql: @Sendable (_ db: Database, _ table: String) throws -> SQL

    /// Creates an expression whose SQL is created when the search runs.
    ///
    /// - Parameter sql: Returns the SQL, given the connection and the name that can qualify the columns of the indexed
    ///   table.
    public init(_ sql: @escaping @Sendable (_ db: Database, _ table: String) throws -> SQL) { self.sql = sql }

    public var searchExpression: SearchExpression { self }

    /// A column of the table.
    static func column(_ name: String) -> SearchExpression {
        SearchExpression { _, table in "\(identifier: table).\(identifier: name)" }
    }

    /// An expression that could not be turned into SQL; the error is thrown when the search runs.
    static func invalid(_ error: any Error) -> SearchExpression { SearchExpression { _, _ in throw error } }

    /// The SQL, safe to put before other SQL.
    func rendered(in db: Database, _ table: String) throws -> SQL {
        let sql = try sql(db, table)
        // A comment at the end of hand-written SQL ends here; if the hyphen is part of something else, the newline does
        // no harm.
        return sql.sql.utf8.contains(UInt8(ascii: "-")) ? sql + "\n" : sql
    }
}

extension SQL: SearchExpressible {
    public var searchExpression: SearchExpression { SearchExpression { _, _ in self } }
}

/// A term that hits can be ordered by: an expression, ascending unless it says otherwise.
public protocol SearchOrderingTerm {
    /// The ordering.
    var searchOrdering: SearchOrdering { get }
}

/// A term in the order of hits.
public struct SearchOrdering: SearchOrderingTerm, Sendable {
    /// Where NULL comes in the order.
    public enum Nulls: Sendable {
        /// Before all values.
        case first
        /// After all values.
        case last
    }

    /// The term as SQL.
    public struct Term: Sendable {
        let sql: SQL
        let isDescending: Bool
        let nulls: Nulls?
        /// The stored value of the index that the term stands for.
        var stored: StoredField?

        /// Creates a term.
        ///
        /// - Parameters:
        ///   - sql: The expression to compare.
        ///   - isDescending: Whether the greatest value comes first.
        ///   - nulls: Where NULL comes; nil for SQLite's rule that it is less than any value.
        public init(sql: SQL, isDescending: Bool = false, nulls: Nulls? = nil) {
            self.sql = sql
            self.isDescending = isDescending
            self.nulls = nulls
        }
    }

    let term: @Sendable (_ db: Database, _ table: String) throws -> Term

    /// Creates a term whose SQL is created when the search runs; see `SearchExpression.init(_:)`.
    public init(_ term: @escaping @Sendable (_ db: Database, _ table: String) throws -> Term) { self.term = term }

    /// Creates a term from an expression.
    public init(_ expression: SearchExpression, isDescending: Bool = false, nulls: Nulls? = nil) {
        term = { db, table in
            Term(sql: try expression.rendered(in: db, table), isDescending: isDescending, nulls: nulls)
        }
    }

    public var searchOrdering: SearchOrdering { self }
}

extension SearchExpressible {
    public var searchOrdering: SearchOrdering { SearchOrdering(searchExpression) }
}

/// The columns that a record is decoded from.
package struct SearchSelection: Sendable {
    let expression: SearchExpression
    /// Whether it selects all columns of the indexed table.
    let isAllColumns: Bool

    /// All columns of the indexed table except hidden ones.
    package static let allColumns = SearchSelection(
        SearchExpression { _, table in "\(identifier: table).*" }, isAllColumns: true)

    package init(_ expression: SearchExpression, isAllColumns: Bool = false) {
        self.expression = expression
        self.isAllColumns = isAllColumns
    }
}
