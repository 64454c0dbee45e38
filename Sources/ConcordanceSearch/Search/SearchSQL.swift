import ConcordanceSQLite

/// The SQL of a search.
///
/// Without order, boosts and groups it is that of `page(after:without:limit:_:)` and `stream(after:without:)`, which
/// the engine answers in order of relevance. Otherwise a query of its own takes matches with their scores from the
/// full-text table; in it, only the filter accompanies the rank. Everything that a user's expressions may contain
/// (aggregates, windows, joins) is outside that query, which is materialized: FTS5 computes `rank` only while its own
/// cursor is on the row.
///
/// ```sql
/// WITH concordance_matches AS MATERIALIZED (
///   SELECT "texts".rowid AS concordance_id, -"texts".rank AS concordance_score
///   FROM "texts" CROSS JOIN (SELECT "reminders".rowid AS concordance_rowid FROM "reminders" WHERE (filter))
///     AS concordance_source ON concordance_source.concordance_rowid = "texts".rowid
///   WHERE ("texts" MATCH ?))
/// SELECT * FROM (
///   SELECT concordance_id, concordance_score, isCompleted AS concordance_order_0
///   FROM concordance_matches CROSS JOIN (SELECT *, rowid FROM "reminders") AS "reminders" ON …)
/// WHERE … ORDER BY concordance_order_0, concordance_score DESC, concordance_id LIMIT ?
/// ```
/// The indexed table alone answers an empty query that browses: `SELECT rowid … FROM "reminders" WHERE (filter) ORDER
/// BY …`.
///
/// The filter is a subquery of its own, so that its names are those of the indexed table; SQLite turns it into a join,
/// and FTS5 ranks only what passes it.
final class SearchSQL {
    let parameters: SearchParameters
    /// What the full-text table is asked.
    let query: CompiledQuery
    /// Whether the rows come from the indexed table, without asking the full-text table.
    let browses: Bool

    let table: SQL
    let source: SQL
    let sourceRowID: SQL
    let filter: SQL?
    /// The values that the index stores.
    let storedFields: StoredFields
    private let sourceName: String
    private let orderings: [SearchOrdering.Term]
    private let boosts: [SQL]
    private let grouping: SQL?
    private let selection: SQL

    init(
        _ parameters: SearchParameters, _ query: CompiledQuery, _ tables: SearchedTables, in db: Database
    ) throws {
        let (name, rowID) = try tables.table(of: parameters.definition, in: db)
        sourceName = name
        self.parameters = parameters
        browses = query.isEmpty && parameters.browses
        table = "\(identifier: parameters.definition.name)"
        source = "\(identifier: name)"
        sourceRowID = "\(identifier: name).\(identifier: rowID)"
        storedFields = try tables.storedFields(of: parameters.definition, in: db)
        let asked = SearchSource(name: name, stored: storedFields, definition: parameters.definition, db: db)
        let filters = try asked.filters(parameters.filters, of: query, browses: browses)
        self.query = filters.query
        filter =
            filters.rest.count > 1
            ? filters.rest.map { "(\($0))" as SQL }.joined(separator: " AND ") : filters.rest.first
        orderings = try parameters.orderings.map { try asked.term($0) }
        boosts = try parameters.boosts.map { try $0.rendered(in: db, name) }
        grouping = try parameters.grouping?.rendered(in: db, name)
        selection = try parameters.selection.map { try $0.expression.rendered(in: db, name) }.joined(separator: ", ")
    }

    /// The condition on the full-text table.
    var condition: SQL { query.condition }

    /// Whether the condition ranks the rows.
    var isRanked: Bool { query.isRanked }

    /// Whether the place of a match depends only on its score and id.
    var isByRelevance: Bool { orderings.isEmpty && boosts.isEmpty && grouping == nil }

    /// The value that the engine orders matches by: the only term of the order, if nothing else changes scores.
    private var storedOrder: StoredField? {
        guard orderings.count == 1, let term = orderings.first, boosts.isEmpty, grouping == nil, isRanked,
            query.takesRows,
            term.nulls.map({ ($0 == .first) != term.isDescending }) ?? true,
            // A stored text may be written as a list.
            parameters.definition.content.storage == .source
        else { return nil }
        let named = StoredConditionParser.field(in: term.sql, storedFields.kept)
        return term.stored ?? (named?.column == nil ? nil : named)
    }

    /// What answers the filters, the order and the facets.
    func plan(in db: Database) throws -> SearchPlan {
        let asked = SearchSource(name: sourceName, stored: storedFields, definition: parameters.definition, db: db)
        let filters = try parameters.filters.map { filter in
            let sql = try filter.rendered(in: db, sourceName)
            return SearchPlan.Part(
                text: sql.sql, source: asked.answers(sql, of: query, browses: browses) != nil ? .values : .table)
        }
        let order = orderings.map { $0.sql.sql + ($0.isDescending ? " DESC" : "") }.joined(separator: ", ")
        let facets = try parameters.facets.map { facet in
            SearchPlan.Part(text: facet.name, source: try storedFacet(facet.source, in: db) == nil ? .table : .values)
        }
        return SearchPlan(
            filters: filters,
            order: SearchPlan.Part(
                text: orderings.isEmpty ? "relevance" : order,
                source: storedOrder != nil ? .values : isByRelevance && !browses ? .index : .table),
            facets: facets)
    }

    // MARK: Matches

    /// The score of a match, for a selection from the full-text table.
    var score: SQL { isRanked ? "-\(table).rank" : "0.0" }

    /// The matches that pass the filter: `concordance_id`, and `concordance_score` unless they are only counted.
    func matches(isScored: Bool = true, only id: Int64? = nil, _ access: FilterAccess = .lookup) -> SQL {
        if browses {
            let score: SQL = isScored ? ", 0.0 AS concordance_score" : ""
            return "SELECT \(sourceRowID) AS concordance_id\(score) FROM \(source)\(browsed(only: id))"
        }
        let selection: SQL = isScored ? ", \(score) AS concordance_score" : ""
        let only: SQL = id.map { " AND \(table).rowid = \($0)" } ?? ""
        // In order of rank, the engine scores all matches together instead of one by one, as a function of a row would;
        // SQLite drops the order of a subquery without a limit.
        let isByRank = isScored && isRanked && id == nil && parameters.definition.engine == .concordance
        let order: SQL = isByRank ? " ORDER BY \(table).rank LIMIT -1" : ""
        return """
            SELECT \(table).rowid AS concordance_id\(selection) FROM \(table)\(join(access)) \
            WHERE (\(condition(access)))\(restriction(access))\(only)\(order)
            """
    }

    /// The indexed table with its rowid as a column: `rowid` alone is not a name where two tables are joined.
    private var sourceWithRowID: SQL {
        "CROSS JOIN (SELECT \(source).*, \(sourceRowID) AS concordance_rowid, \(sourceRowID) AS rowid FROM \(source)) "
            + "AS \(source) ON \(source).concordance_rowid = concordance_id"
    }

    /// The matches with score and order values: each a row of `concordance_id`, `concordance_score`,
    /// `concordance_order_0`, …, and, if there are groups, `concordance_group`.
    private func scored(
        only id: Int64? = nil, grouped: Bool, _ access: FilterAccess = .lookup
    ) -> (with: SQL, select: SQL) {
        if isByRelevance { return ("", matches(only: id, access)) }
        if browses {
            let fixed: [SQL] = ["\(sourceRowID) AS concordance_id", "0.0 AS concordance_score"]
            let columns = fixed + placeColumns(grouped)
            return ("", "SELECT \(columns.joined(separator: ", ")) FROM \(source)\(browsed(only: id))")
        }
        var score: SQL = "concordance_matches.concordance_score"
        if !boosts.isEmpty {
            // SQLite's max of a NULL is NULL.
            let factors = boosts.map { " * ifnull(max(0.0, CAST((\($0)) AS REAL)), 1.0)" as SQL }
            score = "ifnull(\(score)\(factors.joined()), 0.0)"
        }
        let columns: [SQL] = ["concordance_id", "\(score) AS concordance_score"] + placeColumns(grouped)
        return (
            "WITH concordance_matches AS MATERIALIZED (\(matches(only: id, access))) ",
            "SELECT \(columns.joined(separator: ", ")) FROM concordance_matches \(sourceWithRowID)"
        )
    }

    /// The values of the order, and of the group.
    private func placeColumns(_ grouped: Bool) -> [SQL] {
        var columns = orderings.enumerated().map { index, term in
            "\(term.sql) AS \(raw: Self.orderColumn(index))" as SQL
        }
        if grouped, let grouping { columns.append("\(grouping) AS concordance_group") }
        return columns
    }

    /// The rows of the indexed table that are found without asking the full-text table.
    func browsed(only id: Int64? = nil, and conditions: [SQL] = []) -> SQL {
        var all = conditions
        if let filter { all.append("(\(filter))") }
        if let id { all.append("\(sourceRowID) = \(id)") }
        return all.isEmpty ? "" : " WHERE \(all.joined(separator: " AND "))"
    }

    private static func orderColumn(_ index: Int) -> String { "concordance_order_\(index)" }

    // MARK: Pages

    /// The first `limit` matches after a place: `concordance_id`, `concordance_score`, the order values, and, if there
    /// are groups, `concordance_group` and `concordance_count`.
    func orderedPage(
        after place: SearchCursor.Place?, without seen: [Int64], limit: Int, _ access: FilterAccess
    ) -> SQL {
        if let field = storedOrder { return storedPage(field, after: place, without: seen, limit: limit, access) }
        let (with, scored) = scored(grouped: true, access)
        var rows = scored
        var conditions: [SQL] = []
        if grouping != nil {
            rows = """
                SELECT *, row_number() OVER concordance_window AS concordance_place, \
                count(*) OVER (concordance_window ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) \
                AS concordance_count FROM (\(scored)) \
                WINDOW concordance_window AS (PARTITION BY concordance_group ORDER BY \(order))
                """
            conditions.append("concordance_place = 1")
        }
        if let place {
            let values = orderings.indices.map { SQL(raw: Self.orderColumn($0)) }
            let names = PlaceNames(id: "concordance_id", score: "concordance_score", values: values)
            conditions.append(isBehind(place, names))
        }
        if !seen.isEmpty { conditions.append("concordance_id NOT IN \(values: seen)") }
        let filter: SQL = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
        return "\(with)SELECT * FROM (\(rows))\(filter) ORDER BY \(order) LIMIT \(limit)"
    }

    /// The same in an order that the engine provides.
    private func storedPage(
        _ field: StoredField, after place: SearchCursor.Place?, without seen: [Int64], limit: Int,
        _ access: FilterAccess
    ) -> SQL {
        let column: SQL = "\(table).\(identifier: field.name)"
        let isDescending = orderings.first?.isDescending == true
        var conditions: [SQL] = []
        if let place {
            conditions.append(isBehind(place, PlaceNames(id: "\(table).rowid", score: score, values: [column])))
            if let value = place.values.first, !value.isNull, !isDescending {
                conditions.append("\(column) >= \(value.sql)")
            }
        }
        if !seen.isEmpty { conditions.append("\(table).rowid NOT IN \(values: seen)") }
        return """
            \(storedRows(field, access))\(conditions.map { " AND \($0)" as SQL }.joined()) \
            ORDER BY \(column)\(isDescending ? " DESC" : "" as SQL), \(table).rank, \(table).rowid LIMIT \(limit)
            """
    }

    /// Matches with the order value as the engine stores it: of a long text, the beginning.
    private func storedRows(_ field: StoredField, _ access: FilterAccess) -> SQL {
        """
        SELECT \(table).rowid AS concordance_id, \(score) AS concordance_score, \
        \(table).\(identifier: field.name) AS concordance_order_0 \
        FROM \(table)\(join(access)) WHERE (\(condition(access)))\(restriction(access))
        """
    }

    /// The place of one row in the present state; no row if it does not match. The columns are those of `page`, without
    /// groups.
    func place(of id: Int64) -> SQL {
        if let field = storedOrder { return "\(storedRows(field, .lookup)) AND \(table).rowid = \(id)" }
        let (with, scored) = scored(only: id, grouped: false)
        return with + scored
    }

    private var order: SQL {
        var terms = orderings.enumerated().map { index, term in
            var sql = SQL(raw: Self.orderColumn(index))
            if term.isDescending { sql.append(" DESC") }
            if let nulls = term.nulls { sql.append(nulls == .first ? " NULLS FIRST" : " NULLS LAST") }
            return sql
        }
        // A constant would keep SQLite from using an index of the table.
        if !browses { terms.append("concordance_score DESC") }
        terms.append("concordance_id")
        return terms.joined(separator: ", ")
    }

    /// Whether a row comes after a place, term by term: after it by the first term, or equal by that and after it by
    /// the rest.
    private func isBehind(_ place: SearchCursor.Place, _ names: PlaceNames) -> SQL {
        var condition: SQL =
            browses
            ? "\(names.id) > \(place.id)"
            : """
            (\(names.score) < \(place.score) \
            OR (\(names.score) = \(place.score) AND \(names.id) > \(place.id)))
            """
        for (index, (term, value)) in zip(orderings, place.values).enumerated().reversed() {
            let column = names.values[index]
            let hasNullsFirst = term.nulls.map { $0 == .first } ?? !term.isDescending
            let isBehind: SQL
            if value.isNull {
                isBehind = hasNullsFirst ? "\(column) IS NOT NULL" : "0"
            } else {
                let comparison: SQL = term.isDescending ? "\(column) < \(value.sql)" : "\(column) > \(value.sql)"
                isBehind = hasNullsFirst ? comparison : "(\(comparison) OR \(column) IS NULL)"
            }
            condition = "(\(isBehind) OR (\(column) IS \(value.sql) AND \(condition)))"
        }
        return condition
    }

    /// A hash of what determines the order of the hits.
    func orderHash(of query: SearchQuery) -> Int64 {
        var hash = XXHash64()
        hash.combine(parameters.definition.name)
        hash.combine(String(describing: query))
        hash.combine(order.sql)
        for part in orderings.map(\.sql) + boosts + [grouping].compactMap(\.self) { hash.combine(part.sql) }
        return hash.value
    }

    // MARK: Rows

    /// A row of the indexed table, from which a record is decoded.
    ///
    /// - Returns: SQL whose last argument is the rowid.
    var row: SQL { "SELECT \(selection) FROM \(source) WHERE \(sourceRowID) = \(Int64(0))" }

    /// Whether `row` begins with all columns of the indexed table.
    var selectsAllColumns: Bool {
        parameters.selection.first?.isAllColumns == true
    }

    /// The texts of a row: the fields at these indexes.
    ///
    /// - Returns: SQL whose last argument is the rowid.
    func texts(_ indexes: [Int]) -> SQL {
        let fields = indexes.map { "\(table).\(identifier: parameters.definition.fields[$0].name)" as SQL }
        return "SELECT \(fields.joined(separator: ", ")) FROM \(table) WHERE \(table).rowid = \(Int64(0))"
    }

    /// The values of an auxiliary function for these rows: `concordance_id`, value.
    func values(of function: SQL, _ ids: [Int64]) -> SQL {
        """
        SELECT \(table).rowid AS concordance_id, \(function) FROM json_each(\(Self.json(ids))) AS concordance_ids \
        CROSS JOIN \(table) ON \(table).rowid = concordance_ids.value WHERE (\(condition))
        """
    }

    /// A single argument for any number of ids, so that the statement is compiled once.
    private static func json(_ ids: [Int64]) -> String { "[\(ids.map(String.init).joined(separator: ","))]" }

    // MARK: Counts

    /// The number of matches, or `limit` if there are more.
    func count(limit: Int?, _ access: FilterAccess = .lookup) -> SQL {
        let matches = matches(isScored: false, access)
        return limit.map { "SELECT count(*) FROM (\(matches) LIMIT \($0))" } ?? "SELECT count(*) FROM (\(matches))"
    }

    /// The facets, value by value: the facet's number, the value's place, value, count, number of values.
    ///
    /// - Parameter values: For each facet, the `SELECT` of `concordance_id` and `concordance_value` from
    ///   `concordance_matches`, which holds `concordance_id`, and the number of values.
    func facets(_ values: [(select: SQL, limit: Int)], _ access: FilterAccess) -> SQL {
        let facets = values.enumerated().map { index, facet in
            """
            SELECT * FROM (\
            SELECT \(index), row_number() OVER (ORDER BY concordance_count DESC, concordance_value) AS concordance_place, \
            concordance_value, concordance_count, count(*) OVER () \
            FROM (SELECT concordance_value, count(*) AS concordance_count FROM (\(facet.select)) \
            GROUP BY concordance_value)) WHERE concordance_place <= \(facet.limit)
            """ as SQL
        }
        return """
            WITH concordance_matches AS MATERIALIZED (\(matches(isScored: false, access))) \
            \(facets.joined(separator: " UNION ALL "))
            """
    }

    /// A facet that the engine counts: value and count, the most frequent first; nil if it cannot.
    func storedFacet(_ facet: FacetRequest.Source, in db: Database) throws -> SQL? {
        guard !browses, filter == nil, let argument = query.facetArgument else { return nil }
        let kept = storedFields.kept
        let field: StoredField?
        switch facet {
        case .expression(let expression):
            let named = StoredConditionParser.field(in: try expression.rendered(in: db, sourceName), kept)
            field = named?.column == nil ? nil : named
        case .field(let name): field = kept.fields.first { $0.name.equalsIgnoringASCIICase(name) }
        }
        return field.map {
            "SELECT value, count FROM concordance_facets(\(parameters.definition.name), \(argument), \($0.name))"
        }
    }

    /// The values that a facet counts: `SELECT` of `concordance_id` and `concordance_value` from `concordance_matches`.
    func values(of facet: FacetRequest.Source, in db: Database) throws -> SQL {
        let definition = parameters.definition
        switch facet {
        case .expression(let expression):
            return values(of: try expression.rendered(in: db, sourceName))
        case .field(let name):
            let schema = try IndexSchema(definition, in: db)
            let field = zip(definition.fields, schema.fields).first { $0.0.name.equalsIgnoringASCIICase(name) }
            switch field?.1 {
            case .related(let relation): return values(of: relation, source: schema.source)
            case .expression(let expression): return values(of: SQL(raw: expression))
            case .column(let column): return values(of: SQL(raw: column.quotedDatabaseIdentifier))
            case nil:
                throw SearchIndexError.noSuchField(
                    name, index: definition.name, known: definition.fields.map(\.name))
            }
        }
    }

    private func values(of expression: SQL) -> SQL {
        // The line break ends a comment at the end of the expression.
        "SELECT concordance_id, (\(expression)\n) AS concordance_value FROM concordance_matches \(sourceWithRowID)"
    }

    /// Each value of the related rows, once for each match; NULL for a match without any.
    private func values(of relation: ResolvedRelation, source: String) -> SQL {
        let rows = relation.rows(source: source)
        let related = SQL(raw: rows.from)
        let condition: SQL = "\(raw: rows.condition) AND \(raw: rows.text) IS NOT NULL"
        return """
            SELECT DISTINCT concordance_id, \(raw: rows.text) AS concordance_value \
            FROM concordance_matches \(sourceWithRowID) JOIN \(related) WHERE \(condition) \
            UNION ALL SELECT concordance_id, NULL FROM concordance_matches \(sourceWithRowID) \
            WHERE NOT EXISTS (SELECT 1 FROM \(related) WHERE \(condition))
            """
    }

    /// `SELECT id, score`: the matches with their scores, including boosts, for use wherever a subquery is allowed.
    var matchesSQL: SQL {
        let (with, scored) = scored(grouped: false)
        if isByRelevance {
            return """
                WITH concordance_matches AS MATERIALIZED (\(scored)) \
                SELECT concordance_id AS id, concordance_score AS score FROM concordance_matches
                """
        }
        return "\(with)SELECT concordance_id AS id, concordance_score AS score FROM (\(scored))"
    }
}

/// The names of the parts of a place in a query.
private struct PlaceNames {
    let id: SQL
    let score: SQL
    let values: [SQL]
}
