/// SQL under construction: its text, its arguments, and what unqualified columns refer to.
struct SQLGenerationContext {
    let db: Database
    private(set) var sql = ""
    private(set) var arguments = StatementArguments()
    /// The innermost `SELECT`, `UPDATE` or `DELETE` being written.
    private(set) var scope: SQLScope

    /// The nesting depth of the expression being written.
    private var depth = 0
    /// SQLite's own limit (SQLITE_MAX_EXPR_DEPTH), checked here before the stack runs out.
    private static let maximumDepth = 1000

    init(_ db: Database, scope: SQLScope) {
        self.db = db
        self.scope = scope
    }

    /// Begins an expression.
    mutating func enter() throws {
        depth += 1
        if depth > Self.maximumDepth { throw RecordError.expressionTooDeep(limit: Self.maximumDepth) }
    }

    /// Ends an expression.
    mutating func leave() { depth -= 1 }

    mutating func append(_ text: String) { sql += text }

    mutating func append(value: DatabaseValue) {
        sql += "?"
        arguments.append(value)
    }

    mutating func append(column name: String, alias: String?) {
        let alias = alias ?? scope.alias(ofColumn: name)
        if let alias { sql += "\(alias.quotedDatabaseIdentifier)." }
        sql += name.quotedDatabaseIdentifier
    }

    mutating func append(list expressions: [SQLExpression]) throws {
        for (index, expression) in expressions.enumerated() {
            if index > 0 { sql += ", " }
            try expression.render(into: &self)
        }
    }

    mutating func append(literal: SQL) {
        sql += literal.sql
        arguments.append(contentsOf: literal.arguments)
    }

    /// The primary key column of the table that `scope` is about; it must be the only one.
    func primaryKey() throws -> String {
        let columns = try db.recordKey(of: scope.table)
        guard columns.count == 1, let column = columns.first else {
            throw RecordError.keyMismatch(table: scope.table, given: ["one value"], primaryKey: columns)
        }
        return column
    }

    mutating func append(query: SelectQuery) throws {
        let outer = scope
        scope = query.scope
        defer { scope = outer }
        try query.render(into: &self)
    }
}

/// What a column without an alias of its own refers to.
struct SQLScope {
    /// The request's own table.
    let table: String
    /// The name of that table in the SQL.
    let alias: String
    /// Names given with `AS`, which belong to no table.
    var selectionKeys: Set<String> = []
    /// The joined full-text table whose `rank` is meant.
    var matchAlias: String?

    func alias(ofColumn name: String) -> String? {
        if selectionKeys.contains(name) { return nil }
        if let matchAlias, name == Column.rank.name { return matchAlias }
        return alias
    }
}
