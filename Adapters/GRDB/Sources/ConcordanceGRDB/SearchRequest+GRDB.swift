import ConcordanceSearch
import ConcordanceSQLite
import GRDB

extension SearchRequest {
    /// Adds a condition over the columns of the indexed table: `filter(Column("folderID") == folder.id)`.
    public func filter(_ predicate: some SQLSpecificExpressible) -> Self {
        filter(SearchExpression(predicate))
    }

    /// Replaces the order: the terms first, in turn, then relevance, then ids: `order(Column("date").desc)`.
    public func order(_ terms: any GRDB.SQLOrderingTerm...) -> Self { order(terms.map { SearchOrdering($0) }) }

    /// Multiplies each score by the value of an expression.
    public func boosted(by factor: some SQLSpecificExpressible) -> Self { boosted(by: SearchExpression(factor)) }

    /// Keeps the best hit of each group of rows with the same value.
    public func grouped(by expression: some SQLSpecificExpressible) -> Self {
        grouped(by: SearchExpression(expression))
    }

    /// Counts all matches by the values of an expression.
    public func facet(_ name: String, by expression: some SQLSpecificExpressible, limit: Int = 10) -> Self {
        facet(name, by: SearchExpression(expression), limit: limit)
    }
}

extension SearchRequest where Record: GRDB.TableRecord {
    /// Adds a condition over the record's columns: `filter { $0.folderID == folder.id }`.
    public func filter(_ predicate: (Record.DatabaseComponents) throws -> any SQLSpecificExpressible) rethrows -> Self {
        filter(SearchExpression(try predicate(Record.databaseComponents)))
    }

    /// Replaces the order by the record's columns: `order { $0.date.desc }`.
    public func order(_ term: (Record.DatabaseComponents) throws -> any GRDB.SQLOrderingTerm) rethrows -> Self {
        order([SearchOrdering(try term(Record.databaseComponents))])
    }
}

extension SearchExpression {
    /// A GRDB expression, for which GRDB writes the SQL.
    fileprivate init(_ expression: any SQLSpecificExpressible) {
        let sql = GRDB.SQL("\(expression.sqlExpression)")
        self.init { _, table in try sql.concordance(table: table) }
    }
}

extension SearchOrdering {
    /// A GRDB ordering term, for which GRDB writes the SQL.
    fileprivate init(_ term: any GRDB.SQLOrderingTerm) {
        let sql = GRDB.SQL("\(term.sqlOrdering)")
        self.init { _, table in
            let rendered = try sql.concordance(table: table)
            var text = Substring(rendered.sql)
            let nulls: Nulls? =
                text.drop(suffix: " NULLS FIRST") ? .first : text.drop(suffix: " NULLS LAST") ? .last : nil
            let isDescending = text.drop(suffix: " DESC")
            _ = text.drop(suffix: " ASC")
            return Term(
                sql: ConcordanceSQLite.SQL(raw: String(text), arguments: rendered.arguments),
                isDescending: isDescending, nulls: nulls)
        }
    }
}

extension Substring {
    fileprivate mutating func drop(suffix: String) -> Bool {
        guard hasSuffix(suffix) else { return false }
        removeLast(suffix.count)
        return true
    }
}

extension GRDB.SQL {
    /// The SQL and its arguments, which GRDB generates with the connection that the search runs on.
    fileprivate func concordance(table: String) throws -> ConcordanceSQLite.SQL {
        guard let db = CurrentDatabase.value?.db else {
            throw GRDB.DatabaseError(
                resultCode: .SQLITE_MISUSE, message: "A search with GRDB expressions runs on a connection of GRDB's.")
        }
        let (sql, arguments) = try build(db)
        // GRDB reveals the values of arguments only to SQLite: as many as the statement has parameters.
        let count = sql.utf8.count { $0 == UInt8(ascii: "?") }
        guard count > 0 else { return ConcordanceSQLite.SQL(raw: sql) }
        let row = try GRDB.Row.fetchOne(
            db, sql: "SELECT " + Array(repeating: "?", count: count).joined(separator: ", "), arguments: arguments)
        let values = row.map { $0.databaseValues.map { ConcordanceSQLite.DatabaseValue($0) } } ?? []
        return ConcordanceSQLite.SQL(raw: sql, arguments: ConcordanceSQLite.StatementArguments(values))
    }
}
