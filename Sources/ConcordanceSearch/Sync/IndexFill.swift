import ConcordanceSQLite

/// Inserts rows of the source into a full-text table, from a rowid on, until a deadline.
///
/// The triggers follow the tables from the beginning. Rows that they have inserted are skipped, so filling ends no
/// matter how many rows are added meanwhile.
struct IndexFill {
    let plan: IndexPlan
    let db: Database

    /// The number of consecutive rows that are skipped without looking at the clock.
    private static let passedCount = 250
    /// How many rows are inserted even if the time is up, unless that takes `grace` longer. Each transaction has a cost
    /// of its own, so a few rows each would take forever on a slow or busy machine.
    private static let leastRowCount = 50
    private static let grace = Duration.milliseconds(100)

    /// - Parameter deadline: When to stop, but after at least one row, or more; see `leastRowCount`. Nil for never.
    /// - Returns: The rowid to continue from, nil when all rows are done, and the number of rows inserted.
    func run(from position: Int64?, until deadline: ContinuousClock.Instant?) throws -> (next: Int64?, rows: Int) {
        let table = plan.names.table.quotedDatabaseIdentifier
        let columnCount = plan.schema.definition.fields.count + 1
        let select = try db.cachedStatement(
            sql:
                "SELECT \(plan.columns) FROM \(plan.names.source.quotedDatabaseIdentifier) WHERE rowid >= ? ORDER BY rowid"
        )
        // Read alongside the rows, in the same order. It returns none of the rows inserted here, since it is past them.
        let entries = try db.cachedStatement(sql: "SELECT rowid FROM \(table) WHERE rowid >= ? ORDER BY rowid")
        let parameters = Array(repeating: "?", count: columnCount).joined(separator: ", ")
        let insert = try db.cachedStatement(sql: "INSERT INTO \(table)(\(plan.columns)) VALUES (\(parameters))")
        defer {
            select.reset()
            entries.reset()
        }
        try select.setArguments([position ?? Int64.min])
        try entries.setArguments([position ?? Int64.min])
        var entry = try entries.step() ? entries.int64(at: 0) : nil
        var rows = 0
        var passed = 0
        var first = position ?? Int64.min
        while try step(select, from: first) {
            let id = select.int64(at: 0)
            first = id == .max ? id : id + 1
            while let present = entry, present < id { entry = try entries.step() ? entries.int64(at: 0) : nil }
            if entry == id {
                passed += 1
                if passed < Self.passedCount { continue }
            } else {
                for column in 0..<columnCount { try insert.bind(column: column, of: select, at: column + 1) }
                try insert.execute()
                rows += 1
            }
            passed = 0
            if let deadline, isOver(deadline, rows) {
                let (next, isLast) = id.addingReportingOverflow(1)
                return (isLast ? nil : next, rows)
            }
        }
        return (nil, rows)
    }

    /// Steps to the next row.
    ///
    /// - Parameter first: Where to look for the row if its texts cannot be read, as where an expression fails.
    private func step(_ select: Statement, from first: Int64) throws -> Bool {
        do {
            return try select.step()
        } catch let error as DatabaseError where error.isOfIndex {
            let rowID = plan.schema.rowID.quotedDatabaseIdentifier
            let row = try Int64.fetchOne(
                db,
                literal: """
                    SELECT \(raw: rowID) FROM main.\(identifier: plan.schema.source) WHERE \(raw: rowID) >= \(first)
                    ORDER BY \(raw: rowID) LIMIT 1
                    """)
            throw row.map { error.naming($0, of: plan.schema.definition.name) } ?? error
        }
    }

    private func isOver(_ deadline: ContinuousClock.Instant, _ rows: Int) -> Bool {
        let now = ContinuousClock.now
        return now >= (rows < Self.leastRowCount ? deadline + Self.grace : deadline)
    }
}
