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
    /// GRDB's form of the row, with its columns in order.
    ///
    /// SQL: `SELECT ? AS "column", …`, since GRDB makes such rows only of results: on the connection that is lent or, for live
    /// results, which are decoded when they are asked for, on one in memory.
    func grdbRow() throws -> GRDB.Row {
        if let lent = CurrentDatabase.value { return try grdbRow(lent.db) }
        return try RowMaker.queue.get().inDatabase(grdbRow)
    }

    private func grdbRow(_ db: GRDB.Database) throws -> GRDB.Row {
        let columns = columnNames.map { "? AS \"\($0.replacingOccurrences(of: "\"", with: "\"\""))\"" }
        let statement = try db.cachedStatement(sql: "SELECT \(columns.joined(separator: ", "))")
        let values = databaseValues.map(\.grdbValue)
        return try GRDB.Row.fetchOne(statement, arguments: GRDB.StatementArguments(values)) ?? GRDB.Row()
    }
}

/// An empty database in memory, which evaluates `SELECT`s without a table.
private enum RowMaker {
    static let queue = Result { try GRDB.DatabaseQueue() }
}

extension ConcordanceSQLite.SQL.StringInterpolation {
    /// A value of a type that GRDB knows, bound as an argument: `filter("dueDate < \(date)")`.
    @_disfavoredOverload
    public mutating func appendInterpolation(_ value: (any GRDB.DatabaseValueConvertible)?) {
        appendInterpolation(ConcordanceSQLite.DatabaseValue(value?.databaseValue ?? .null))
    }
}
