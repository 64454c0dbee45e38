/// A `SELECT` statement as a value: the content of every `QueryInterfaceRequest`, whatever its rows are decoded into.
struct SelectQuery: Sendable {
    /// A table that the statement reads, under an alias if it has one.
    struct Source: Sendable {
        var table: String
        var alias: String?
        /// A query that replaces the table, under the same name.
        var subquery: (@Sendable (Database) throws -> SQL)?

        var name: String { alias ?? table }

        var sql: String {
            guard let alias, alias != table else { return table.quotedDatabaseIdentifier }
            return "\(table.quotedDatabaseIdentifier) AS \(alias.quotedDatabaseIdentifier)"
        }

        func render(into context: inout SQLGenerationContext) throws {
            guard let subquery else { return context.append(sql) }
            context.append(literal: try subquery(context.db))
            context.append(" AS \(name.quotedDatabaseIdentifier)")
        }
    }

    struct Join: Sendable {
        enum Kind: String, Sendable {
            case inner = "JOIN"
            case left = "LEFT JOIN"
        }

        let kind: Kind
        let source: Source
        let condition: SQLExpression
    }

    struct Limit: Sendable {
        var count: Int
        var offset: Int?
    }

    var source: Source
    var joins: [Join] = []
    var selection: [SQLSelection] = [.allColumns]
    var isDistinct = false
    var filter: SQLExpression?
    var groups: [SQLExpression] = []
    var having: SQLExpression?
    var orderings: [SQLOrdering] = []
    var isReversed = false
    var limit: Limit?
    var matchAlias: String?

    init(table: String) { source = Source(table: table) }

    var scope: SQLScope {
        SQLScope(
            table: source.table, alias: source.name, selectionKeys: Set(selection.compactMap(\.key)),
            matchAlias: matchAlias)
    }

    /// The same in an `UPDATE` or `DELETE` of the rows, which has no selections.
    var rowScope: SQLScope {
        var scope = scope
        scope.selectionKeys = []
        return scope
    }

    mutating func addFilter(_ predicate: SQLExpression) {
        filter = filter.map { $0 && predicate } ?? predicate
    }

    mutating func addHaving(_ predicate: SQLExpression) {
        having = having.map { $0 && predicate } ?? predicate
    }

    mutating func limitToFirst() {
        if let limit, limit.count == 0 { return }
        limit = Limit(count: 1, offset: limit?.offset)
    }

    /// The text and arguments of the statement.
    func prepared(_ db: Database) throws -> PreparedRequest {
        var context = SQLGenerationContext(db, scope: scope)
        try render(into: &context)
        return PreparedRequest(sql: context.sql, arguments: context.arguments)
    }

    func render(into context: inout SQLGenerationContext) throws {
        context.append(isDistinct ? "SELECT DISTINCT " : "SELECT ")
        for (index, element) in selection.enumerated() {
            if index > 0 { context.append(", ") }
            try element.render(into: &context)
        }
        try renderTail(into: &context)
    }

    private func renderTail(into context: inout SQLGenerationContext) throws {
        context.append(" FROM \(source.sql)")
        for join in joins {
            context.append(" \(join.kind.rawValue) ")
            try join.source.render(into: &context)
            context.append(" ON ")
            try join.condition.render(into: &context)
        }
        try renderFilter(into: &context)
        if !groups.isEmpty {
            context.append(" GROUP BY ")
            try context.append(list: groups)
        }
        if let having {
            context.append(" HAVING ")
            try having.render(into: &context)
        }
        try renderOrder(into: &context)
        guard let limit else { return }
        context.append(" LIMIT \(limit.count)")
        if let offset = limit.offset { context.append(" OFFSET \(offset)") }
    }

    func renderFilter(into context: inout SQLGenerationContext) throws {
        guard let filter else { return }
        context.append(" WHERE ")
        try filter.render(into: &context)
    }

    private func renderOrder(into context: inout SQLGenerationContext) throws {
        var terms = orderings
        if isReversed, terms.isEmpty {
            terms = try context.db.recordKey(of: source.table).map { Column($0).asc }
        }
        if isReversed { terms = terms.map(\.reversed) }
        for (index, term) in terms.enumerated() {
            context.append(index > 0 ? ", " : " ORDER BY ")
            try term.render(into: &context)
        }
    }

    /// Whether the rows of the query are rows of its table, one for one, selected by the filter alone.
    var isPlainSubset: Bool {
        joins.isEmpty && limit == nil && !isDistinct && groups.isEmpty && having == nil
            && scope.selectionKeys.isEmpty
    }

    /// The query that counts the rows of this one.
    func renderCount(into context: inout SQLGenerationContext) throws {
        var counted = self
        counted.orderings = limit == nil ? [] : orderings
        counted.isReversed = isReversed && limit != nil
        // A condition may refer to a selection by its name; then the selection must stay. An aggregate must stay, too.
        if limit == nil, !isDistinct, groups.isEmpty, having == nil, scope.selectionKeys.isEmpty,
            selection.allSatisfy(\.isPlain)
        {
            counted.selection = [SQLExpression.countAll.sqlSelection]
            return try counted.render(into: &context)
        }
        context.append("SELECT COUNT(*) FROM (")
        try counted.render(into: &context)
        context.append(")")
    }

    /// Appends `WHERE` and the condition that selects the rows of this query in an `UPDATE` or `DELETE` of its table.
    func renderRowCondition(into context: inout SQLGenerationContext) throws {
        if isPlainSubset { return try renderFilter(into: &context) }
        let key = try context.db.recordKey(of: source.table)
        var rows = self
        let list = key.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
        context.append(" WHERE \(key.count == 1 ? list : "(\(list))") IN (")
        if scope.selectionKeys.isEmpty {
            rows.selection = key.map { SQLExpression(.column($0, alias: source.name)).sqlSelection }
            try context.append(query: rows)
        } else {
            // A condition may refer to a selection by its name; then the selection must stay.
            let names = key.indices.map { "concordance_key_\($0)" }
            rows.selection += zip(key, names).map { SQLExpression(.column($0, alias: source.name)).forKey($1) }
            context.append("SELECT \(names.joined(separator: ", ")) FROM (")
            try context.append(query: rows)
            context.append(")")
        }
        context.append(")")
    }
}
