import ConcordanceSQLite

/// How a search finds the rows that pass its filter.
enum FilterAccess {
    /// Each match is looked up in the indexed table: cheap if most rows pass, or there are few matches.
    case lookup
    /// The rows that pass are found first and passed to the engine with the query; this is the condition on the
    /// full-text table. Cheap if they are few, or known from an earlier search.
    case set(SQL)
    /// The same without a query for the engine: the rows that pass are looked up in the full-text table.
    case subquery
}

// Matches by relevance alone are read from the full-text table in the order of its engine, best first, so the engine
// finds no more than are read. The filter is a subquery of its own, in which names are those of the indexed table;
// SQLite turns it into a join.
//
//     SELECT "texts".rowid, -"texts".rank FROM "texts"
//     CROSS JOIN (SELECT "notes".rowid AS concordance_rowid FROM "notes" WHERE (filter)) AS concordance_source
//       ON concordance_source.concordance_rowid = "texts".rowid
//     WHERE ("texts" MATCH ?) AND ("texts".rank, "texts".rowid) > (?, ?)
//     ORDER BY "texts".rank, "texts".rowid LIMIT ?
extension SearchSQL {
    /// The rows that pass the filter; nil without a filter.
    var filteredRows: SQL? {
        filter.map { "SELECT \(sourceRowID) AS concordance_rowid FROM \(source) WHERE (\($0))" }
    }

    /// The text after the full-text table in FROM.
    func join(_ access: FilterAccess) -> SQL {
        guard case .lookup = access, let filteredRows else { return "" }
        return " CROSS JOIN (\(filteredRows)) AS concordance_source ON \(isSource)"
    }

    private var isSource: SQL { "concordance_source.concordance_rowid = \(table).rowid" }

    /// The condition on the full-text table.
    func condition(_ access: FilterAccess) -> SQL {
        if case .set(let condition) = access { condition } else { condition }
    }

    /// The text after the condition on the full-text table in WHERE.
    func restriction(_ access: FilterAccess) -> SQL {
        guard case .subquery = access, let filteredRows else { return "" }
        return " AND \(table).rowid IN (\(filteredRows))"
    }

    /// The first `limit` matches after a position: rowid, score.
    func page(
        after place: SearchCursor.Place?, without seen: [Int64], limit: Int, _ access: FilterAccess
    ) -> SQL {
        if browses {
            var conditions: [SQL] = place.map { ["\(sourceRowID) > \($0.id)"] } ?? []
            if !seen.isEmpty { conditions.append("\(sourceRowID) NOT IN \(values: seen)") }
            return """
                SELECT \(sourceRowID), 0.0 FROM \(source)\(browsed(and: conditions)) ORDER BY \(sourceRowID) LIMIT \(limit)
                """
        }
        return """
            SELECT \(table).rowid, \(score) FROM \(table)\(join(access)) \
            WHERE (\(condition(access)))\(restriction(access))\(isBehind(place, without: seen)) \(byRelevance) LIMIT \(limit)
            """
    }

    /// The matches after a position, and whether each passes the filter: rowid, score, 0 or 1. It has no limit, since
    /// matches are found as they are read.
    func stream(after place: SearchCursor.Place?, without seen: [Int64]) -> SQL? {
        filteredRows.map {
            """
            SELECT \(table).rowid, \(score), concordance_source.concordance_rowid IS NOT NULL FROM \(table) \
            LEFT JOIN (\($0)) AS concordance_source ON \(isSource) \
            WHERE (\(condition))\(isBehind(place, without: seen)) \(byRelevance)
            """
        }
    }

    /// The number of matches, whether or not they pass the filter, up to `limit`.
    func unfilteredCount(limit: Int) -> SQL {
        "SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE (\(condition)) LIMIT \(limit))"
    }

    private var byRelevance: SQL {
        isRanked ? "ORDER BY \(table).rank, \(table).rowid" : "ORDER BY \(table).rowid"
    }

    private func isBehind(_ place: SearchCursor.Place?, without seen: [Int64]) -> SQL {
        var condition: SQL = ""
        if let place {
            condition.append(
                isRanked
                    ? " AND (\(table).rank, \(table).rowid) > (\(-place.score), \(place.id))"
                    : " AND \(table).rowid > \(place.id)")
        }
        if !seen.isEmpty { condition.append(" AND \(table).rowid NOT IN \(values: seen)") }
        return condition
    }
}
