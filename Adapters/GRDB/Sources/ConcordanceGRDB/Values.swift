import ConcordanceSQLite
import Foundation
import GRDB

extension ConcordanceSQLite.DatabaseValue {
    /// GRDB's form of the value.
    public var grdbValue: GRDB.DatabaseValue {
        switch self {
        case .null: .null
        case .int64(let value): value.databaseValue
        case .double(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }

    init(_ value: GRDB.DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let value): self = .int64(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .text(value)
        case .blob(let data): self = .blob(Array(data))
        }
    }
}

extension ConcordanceSQLite.Row {
    /// GRDB's form of the row.
    var grdbRow: GRDB.Row {
        GRDB.Row(
            Dictionary(
                zip(columnNames, databaseValues.map { $0.grdbValue as (any GRDB.DatabaseValueConvertible)? }),
                uniquingKeysWith: { first, _ in first }))
    }
}

extension ConcordanceSQLite.SQL.StringInterpolation {
    /// A value of a type that GRDB knows, bound as an argument: `filter("dueDate < \(date)")`.
    @_disfavoredOverload
    public mutating func appendInterpolation(_ value: (any GRDB.DatabaseValueConvertible)?) {
        appendInterpolation(ConcordanceSQLite.DatabaseValue(value?.databaseValue ?? .null))
    }
}
