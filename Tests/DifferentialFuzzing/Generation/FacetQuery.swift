/// How many matching rows have each value in a column, or a value in each range: a GROUP BY, or a facet if the values
/// are stored.
package struct FacetQuery: Equatable, Sendable, Codable {
    /// An expression for MATCH; nil for all rows.
    var match: String?
    var column: String
    /// The beginnings of ranges, as JSON: ascending, `null` before all values. Empty for single values.
    var bounds: [String] = []

    /// The statement for a table without stored values.
    package var groupingSQL: String {
        let column = "\"\(column)\""
        guard !bounds.isEmpty else {
            let condition = match.map { " WHERE t MATCH \($0.sqlLiteral)" } ?? ""
            return "SELECT \(Self.normalized(column)), count(*) FROM t\(condition) GROUP BY 1 ORDER BY 2 DESC, 1"
        }
        return bounds.indices.map { index in
            var conditions = match.map { ["t MATCH \($0.sqlLiteral)"] } ?? []
            conditions.append(bounds[index] == "null" ? "\(column) IS NOT NULL" : "\(column) >= \(literal(index))")
            if index + 1 < bounds.count { conditions.append("\(column) < \(literal(index + 1))") }
            return "SELECT \(literal(index)), count(*) FROM t WHERE \(conditions.joined(separator: " AND "))"
        }.joined(separator: " UNION ALL ")
    }

    /// The statement for a table whose column is stored.
    package var facetSQL: String {
        var arguments = ["'t'", match?.sqlLiteral ?? "NULL", column.sqlLiteral]
        if !bounds.isEmpty { arguments.append("[\(bounds.joined(separator: ", "))]".sqlLiteral) }
        return "SELECT \(Self.normalized("value")), count FROM concordance_facets(\(arguments.joined(separator: ", ")))"
    }

    /// The expression for one of the values that compare equal, such as 1 and 1.0: which of them represents all is not
    /// specified.
    private static func normalized(_ value: String) -> String {
        "iif(typeof(\(value)) = 'real' AND \(value) = CAST(\(value) AS INTEGER), CAST(\(value) AS INTEGER), \(value))"
    }

    /// A bound as an SQL literal.
    private func literal(_ index: Int) -> String {
        let bound = bounds[index]
        return bound.hasPrefix("\"") ? String(bound.dropFirst().dropLast()).sqlLiteral : bound
    }
}
