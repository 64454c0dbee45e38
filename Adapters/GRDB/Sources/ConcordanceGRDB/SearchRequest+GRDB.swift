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
                text.drop("NULLS", "FIRST") ? .first : text.drop("NULLS", "LAST") ? .last : nil
            let isDescending = text.drop("DESC")
            if !isDescending { _ = text.drop("ASC") }
            return Term(
                sql: ConcordanceSQLite.SQL(raw: String(text), arguments: rendered.arguments),
                isDescending: isDescending, nulls: nulls)
        }
    }
}

extension Substring {
    /// Drops the last words, in capitals or not; false if the text does not end in them.
    fileprivate mutating func drop(_ words: String...) -> Bool {
        var rest = self
        for word in words.reversed() {
            while rest.last?.isWhitespace == true { rest.removeLast() }
            guard rest.uppercased().hasSuffix(word) else { return false }
            rest.removeLast(word.count)
            guard let before = rest.last, before.isWhitespace || before == ")" || before == "\"" else { return false }
        }
        self = rest
        return true
    }
}

extension GRDB.SQL {
    /// The SQL and its arguments, which GRDB generates with the connection that the search runs on.
    fileprivate func concordance(table: String) throws -> ConcordanceSQLite.SQL {
        guard let db = CurrentDatabase.value?.db else {
            throw GRDB.DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: "A search with GRDB's expressions runs on a connection of GRDB's.")
        }
        let (sql, arguments) = try build(db)
        let (text, parameters) = SQLParameters.find(in: sql)
        guard !parameters.isEmpty else { return ConcordanceSQLite.SQL(raw: sql) }
        // GRDB reveals the values of arguments only to SQLite. A row for each, since a result has 2,000 columns at most.
        let rows = parameters.map { "(\($0))" }.joined(separator: ", ")
        let values = try GRDB.DatabaseValue.fetchAll(db, sql: "VALUES \(rows)", arguments: arguments)
        return ConcordanceSQLite.SQL(
            raw: text,
            arguments: ConcordanceSQLite.StatementArguments(values.map { ConcordanceSQLite.DatabaseValue($0) }))
    }
}
