import ConcordanceEngine
import ConcordanceSQLite

/// The indexed table, as a request's conditions and orders see it.
struct SearchSource {
    let name: String
    let stored: StoredFields
    let definition: IndexDefinition
    let db: Database

    /// The filters that SQLite must evaluate, and the query with those that the engine evaluates.
    ///
    /// - Parameter browses: Whether the search does not use the full-text table at all.
    func filters(
        _ filters: [SearchExpression], of query: CompiledQuery, browses: Bool
    ) throws -> (rest: [SQL], query: CompiledQuery) {
        let filters = try filters.map { try $0.rendered(in: db, name) }
        guard !stored.fields.isEmpty else { return (filters, query) }
        var rest: [SQL] = []
        var conditions: [StoredCondition] = []
        for filter in filters {
            if let answered = answers(filter, of: query, browses: browses) {
                conditions += answered
            } else {
                rest.append(try overSource(filter))
            }
        }
        guard !conditions.isEmpty else { return (rest, query) }
        do {
            return (rest, try query.limited(to: conditions))
        } catch {
            throw SearchIndexError.queryTooDeep(index: definition.name)
        }
    }

    /// The conditions by which the engine answers a filter of the query; nil if it does not.
    func answers(_ filter: SQL, of query: CompiledQuery, browses: Bool) -> [StoredCondition]? {
        guard query.takesRows, !browses, !stored.fields.isEmpty else { return nil }
        return StoredConditionParser.conditions(in: filter, stored.kept)
    }

    /// A term of the order.
    func term(_ ordering: SearchOrdering) throws -> SearchOrdering.Term {
        let term = try ordering.term(db, name)
        guard let field = StoredConditionParser.field(in: term.sql, stored), field.column == nil,
            case .expression(let expression) = definition.field(field.name)?.source
        else { return term }
        var computed = SearchOrdering.Term(
            sql: Self.computed(expression), isDescending: term.isDescending, nulls: term.nulls)
        if field.isKept { computed.stored = field }
        return computed
    }

    /// A computed value as the engine stores it, without the affinity and the collation that the expression may have.
    static func computed(_ expression: String) -> SQL { "(+(\(raw: expression)\n) COLLATE BINARY)" }

    /// A filter without names that only the index knows.
    private func overSource(_ filter: SQL) throws -> SQL {
        guard let conditions = StoredConditionParser.conditions(in: filter, stored),
            conditions.contains(where: { condition in
                stored.fields.contains { $0.name == condition.column && $0.column == nil }
            })
        else { return filter }
        return try IndexSchema(definition, in: db).overSource(conditions)
    }
}
