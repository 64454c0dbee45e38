/// Puts rows of the view into a full-text table, from one rowid on, until a deadline.
///
/// Rows that are there already were put in by the triggers, which watch the table from the beginning. A table that keeps
/// texts would refuse them, so they are passed over; one that keeps none takes them again.
struct IndexFill {
    let plan: IndexPlan
    let db: Database

    /// - Parameter deadline: When to stop; after at least one row. Nil for never.
    /// - Returns: Where to go on, nil when all rows are done, and how many rows were put in.
    func run(from position: Int64?, until deadline: ContinuousClock.Instant?) throws -> (next: Int64?, rows: Int) {
        let table = plan.names.table.quotedDatabaseIdentifier
        let view = plan.names.view.quotedDatabaseIdentifier
        let columnCount = plan.schema.definition.fields.count + 1
        let isNew =
            plan.readsTexts
            ? "" : " AND NOT EXISTS (SELECT 1 FROM \(table) WHERE \(table).rowid = \(view).rowid)"
        let select = try db.cachedStatement(
            sql: "SELECT \(plan.columns) FROM \(view) WHERE rowid >= ?\(isNew) ORDER BY rowid")
        let parameters = Array(repeating: "?", count: columnCount).joined(separator: ", ")
        let insert = try db.cachedStatement(sql: "INSERT INTO \(table)(\(plan.columns)) VALUES (\(parameters))")
        try select.setArguments([position ?? Int64.min])
        defer { select.reset() }
        var rows = 0
        while try select.step() {
            let id = select.int64(at: 0)
            for column in 0..<columnCount { try insert.bind(column: column, of: select, at: column + 1) }
            try insert.execute()
            rows += 1
            if let deadline, ContinuousClock.now >= deadline {
                let (next, isLast) = id.addingReportingOverflow(1)
                return (isLast ? nil : next, rows)
            }
        }
        return (nil, rows)
    }
}
