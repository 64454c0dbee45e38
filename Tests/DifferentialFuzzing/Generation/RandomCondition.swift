/// Random conditions on columns that are not indexed.
struct RandomCondition {
    let schema: RandomSchema

    /// One or several conditions that a row must fulfil; there must be such columns.
    func make(_ chance: inout Chance) -> String {
        let count = chance.weighted([(75, 1), (20, 2), (5, 3)])
        return (0..<count).map { _ in single(&chance) }.joined(separator: " AND ")
    }

    private func single(_ chance: inout Chance) -> String {
        let column = chance.pick(schema.valueColumns)
        let value = schema.storedValue(&chance)
        let other = schema.storedValue(&chance)
        switch chance.int(0...19) {
        case 0...3: return "\(column) = \(value)"
        case 4...8: return "\(column) \(chance.pick(["<", "<=", ">", ">=", ">="])) \(value)"
        case 9...10: return "\(column) BETWEEN \(value) AND \(other)"
        case 11: return "\(column) >= \(value) AND \(column) \(chance.pick(["<", "<="])) \(other)"
        case 12...13:
            let values = (0..<chance.int(0...5)).map { _ in schema.storedValue(&chance) }
            return "\(column) IN (\(values.joined(separator: ", ")))"
        case 14: return "\(column) IS NULL"
        case 15: return "\(column) IS NOT NULL"
        case 16:
            return "\(column) IN (SELECT \(column) FROM \(schema.target) WHERE \(schema.key) < \(chance.int(2...12)))"
        default: return unusual(&chance, column, value, other)
        }
    }

    /// What SQLite evaluates itself, at least in part.
    private func unusual(_ chance: inout Chance, _ column: String, _ value: String, _ other: String) -> String {
        chance.pick([
            "\(column) <> \(value)", "\(column) IS \(value)", "\(column) IS NOT \(value)", "NOT \(column) = \(value)",
            "\(column) NOT IN (\(value), \(other))", "(\(column) = \(value) OR \(column) > \(other))",
            "(\(column), rowid) > (\(value), 4)", "\(column) = 'a' COLLATE NOCASE", "\(value) <= \(column)",
            "\(column) LIKE 'a%'", "typeof(\(column)) = 'text'", "+\(column) = \(value)",
        ])
    }

    /// What follows ORDER BY to order rows by a column: the column, and its direction.
    func order(by column: String, _ chance: inout Chance) -> String {
        column + chance.pick(["", "", "", "", " COLLATE NOCASE"]) + chance.pick(["", " ASC", " DESC", " DESC"])
            + chance.pick(["", "", "", "", " NULLS LAST", " NULLS FIRST"])
    }
}
