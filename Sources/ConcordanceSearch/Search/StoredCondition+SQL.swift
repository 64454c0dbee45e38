import ConcordanceEngine
import ConcordanceSQLite

/// Conditions on values without a column, and orders by them, as SQL over the indexed table: for searches that the
/// engine does not answer.
extension IndexSchema {
    /// The conditions, with such values replaced by what they are computed from.
    func overSource(_ conditions: [StoredCondition]) -> SQL { conditions.map(overSource).joined(separator: " AND ") }

    private func overSource(_ condition: StoredCondition) -> SQL {
        switch field(condition.column) {
        case .column(let column): return condition.test.sql("\(identifier: source).\(identifier: column)")
        case .expression(let expression): return condition.test.sql(SearchSource.computed(expression))
        case .related(let relation):
            let rows = relation.rows(source: source)
            // Compared by its content, as in the engine.
            let text: SQL = "+\(raw: rows.text)"
            let related: SQL = "SELECT 1 FROM \(raw: rows.from) WHERE \(raw: rows.condition)"
            if condition.test == .isNull { return "NOT EXISTS (\(related) AND \(text) IS NOT NULL)" }
            return "EXISTS (\(related) AND \(condition.test.sql(text)))"
        case nil: return "0"
        }
    }

    private func field(_ name: String) -> ResolvedField? {
        zip(definition.fields, fields).first { $0.0.name.equalsIgnoringASCIICase(name) }?.1
    }
}

extension StoredCondition.Test {
    /// The condition on a value.
    fileprivate func sql(_ value: SQL) -> SQL {
        switch self {
        case .equal(let other): "\(value) = \(other)"
        case .less(let other): "\(value) < \(other)"
        case .lessOrEqual(let other): "\(value) <= \(other)"
        case .greater(let other): "\(value) > \(other)"
        case .greaterOrEqual(let other): "\(value) >= \(other)"
        case .between(let lower, let upper): "\(value) BETWEEN \(lower) AND \(upper)"
        case .oneOf(let others): "\(value) IN \(values: others)"
        case .isNull: "\(value) IS NULL"
        case .isNotNull: "\(value) IS NOT NULL"
        }
    }
}
