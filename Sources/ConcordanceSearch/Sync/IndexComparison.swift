import ConcordanceSQLite
import Foundation

/// Compares a full-text table with its source, both in rowid order, from a rowid on, until a deadline.
///
/// If the table stores texts, these are compared. Otherwise `concordance_is_current` tokenizes the text in the source
/// and compares the result with what the engine has stored about the tokens of the row: their number in each field and
/// a 32-bit hash.
struct IndexComparison {
    let plan: IndexPlan
    let db: Database

    /// The number of differing rows that ends a part, so that they can be repaired before the next one.
    private static let differenceLimit = 200

    /// - Parameters:
    ///   - deadline: When to stop, but after at least one row. Nil for never.
    ///   - report: Receives the findings.
    /// - Returns: The rowid to continue from, nil when all rows are done, and the ids of the rows that differ.
    func run(
        from position: Int64?, until deadline: ContinuousClock.Instant?, report: inout IndexReport
    ) throws -> (next: Int64?, differing: [Int64]) {
        let table = plan.names.table.quotedDatabaseIdentifier
        let rows = try statement(plan.names.source, plan.readsTexts ? "rowid" : plan.columns, from: position)
        let compared = plan.readsTexts ? "rowid, concordance_is_current(\(table))" : plan.columns
        let entries = try statement(plan.names.table, compared, from: position)
        defer {
            rows.reset()
            entries.reset()
        }
        var differing: [Int64] = []
        var row = try rows.step() ? rows.int64(at: 0) : nil
        var entry = try entries.step() ? entries.int64(at: 0) : nil
        while let id = [row, entry].compactMap(\.self).min() {
            report.rowsCompared += 1
            let count = differing.count
            if row != id {
                report.surplus.append(id)
                differing.append(id)
            } else if entry != id {
                report.missing.append(id)
                differing.append(id)
            } else if !(plan.readsTexts ? entries.int64(at: 1) == 1 : haveEqualFields(rows, entries)) {
                report.stale.append(id)
                differing.append(id)
            }
            let isOver = deadline.map { ContinuousClock.now >= $0 } ?? false
            if isOver || differing.count > count && differing.count >= Self.differenceLimit {
                let (next, isLast) = id.addingReportingOverflow(1)
                return (isLast ? nil : next, differing)
            }
            if row == id { row = try rows.step() ? rows.int64(at: 0) : nil }
            if entry == id { entry = try entries.step() ? entries.int64(at: 0) : nil }
        }
        return (nil, differing)
    }

    private func statement(_ table: String, _ columns: String, from position: Int64?) throws -> Statement {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM \(table.quotedDatabaseIdentifier) WHERE rowid >= ? ORDER BY rowid")
        try statement.setArguments([position ?? Int64.min])
        return statement
    }

    /// Whether two rows have the same values after the rowid, of the same types and with the same bytes.
    private func haveEqualFields(_ left: Statement, _ right: Statement) -> Bool {
        plan.schema.definition.fields.indices.allSatisfy { field in
            let column = field + 1
            let storage = left.storageClass(at: column)
            guard storage == right.storageClass(at: column) else { return false }
            switch storage {
            case .null: return true
            case .integer: return left.int64(at: column) == right.int64(at: column)
            case .real: return left.double(at: column).bitPattern == right.double(at: column).bitPattern
            case .text, .blob:
                return left.withBytes(at: column) { bytes in
                    right.withBytes(at: column) { other in
                        guard bytes.count == other.count else { return false }
                        guard let first = bytes.baseAddress, let second = other.baseAddress else { return true }
                        return memcmp(first, second, bytes.count) == 0
                    }
                }
            }
        }
    }
}
