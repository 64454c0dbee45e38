import ConcordanceFTS5
import ConcordanceSQLite

/// A condition on a VALUE column, by its name. Where a row has several values, one of them must fulfil it.
package struct StoredCondition: Hashable, Sendable {
    /// What a value is compared by.
    package enum Test: Hashable, Sendable {
        case equal(DatabaseValue)
        case less(DatabaseValue)
        case lessOrEqual(DatabaseValue)
        case greater(DatabaseValue)
        case greaterOrEqual(DatabaseValue)
        case between(DatabaseValue, DatabaseValue)
        case oneOf([DatabaseValue])
        case isNull
        case isNotNull
    }

    /// The column's name.
    package let column: String
    package let test: Test

    package init(_ column: String, _ test: Test) {
        self.column = column
        self.test = test
    }
}

extension ValueFilter {
    /// The conditions of a query on a table.
    ///
    /// - Throws: SQLITE_ERROR for a column that is no VALUE column.
    init(_ conditions: [StoredCondition], _ options: TableOptions) throws {
        for condition in conditions {
            let column = options.columns.firstIndex { $0.name.equalsIgnoringASCIICase(condition.column) }
            guard let column, let number = options.shape.valueColumns.firstIndex(of: column) else {
                throw failure("no VALUE column \(condition.column)")
            }
            add(ValueCondition(column: number, test: ValueCondition.Test(condition.test)))
        }
    }
}

extension ValueCondition.Test {
    /// NULL is neither equal to a value nor in a range, as in SQL.
    fileprivate init(_ test: StoredCondition.Test) {
        self =
            switch test {
            case .equal(let value): .oneOf([StoredValue(value)])
            case .less(let value): .range(from: nil, to: .excluding(StoredValue(value)))
            case .lessOrEqual(let value): .range(from: nil, to: .including(StoredValue(value)))
            case .greater(let value): .range(from: .excluding(StoredValue(value)), to: nil)
            case .greaterOrEqual(let value): .range(from: .including(StoredValue(value)), to: nil)
            case .between(let lower, let upper):
                .range(from: .including(StoredValue(lower)), to: .including(StoredValue(upper)))
            case .oneOf(let values): .oneOf(values.map { StoredValue($0) })
            case .isNull: .isNull
            case .isNotNull: .isNotNull
            }
    }
}
