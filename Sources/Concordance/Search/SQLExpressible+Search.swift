import ConcordanceSQLite
import ConcordanceSearch

extension SQLExpressible {
    public var searchExpression: SearchExpression {
        let expression = sqlExpression
        return .rendering { try expression.render(into: &$0) }
    }

    public var searchOrdering: SearchOrdering { SearchOrdering(searchExpression) }
}

extension SQLOrderingTerm {
    public var searchOrdering: SearchOrdering {
        let ordering = sqlOrdering
        let nulls: SearchOrdering.Nulls? = ordering.nulls.map { $0 == .first ? .first : .last }
        return SearchOrdering(
            ordering.expression.searchExpression, isDescending: ordering.isDescending, nulls: nulls)
    }
}

extension SearchExpression {
    /// An expression rendered for the table of the index.
    static func rendering(
        _ body: @escaping @Sendable (inout SQLGenerationContext) throws -> Void
    ) -> SearchExpression {
        SearchExpression { db, table in
            var context = SQLGenerationContext(db, scope: SQLScope(table: table, alias: table))
            try body(&context)
            return SQL(raw: context.sql, arguments: context.arguments)
        }
    }
}
