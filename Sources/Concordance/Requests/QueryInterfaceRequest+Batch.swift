/// A column and its new value, for `updateAll`.
public struct ColumnAssignment: Sendable {
    let column: String
    let value: SQLExpression
}

extension Column {
    /// `column = value`, NULL for nil.
    public func set(to value: (any DatabaseValueConvertible)?) -> ColumnAssignment {
        ColumnAssignment(column: name, value: SQLExpression(value))
    }

    /// `column = expression`
    public func set(to expression: some SQLExpressible) -> ColumnAssignment {
        ColumnAssignment(column: name, value: expression.sqlExpression)
    }

    /// `column = column + value`
    public static func += (column: Column, value: any DatabaseValueConvertible) -> ColumnAssignment {
        column.set(to: column + value)
    }

    /// `column = column - value`
    public static func -= (column: Column, value: any DatabaseValueConvertible) -> ColumnAssignment {
        column.set(to: column - value)
    }
}

extension QueryInterfaceRequest {
    /// Deletes the rows of the request, and returns their number.
    ///
    /// `DELETE FROM table WHERE …`; if the request joins, groups, limits or names selections, `… WHERE key IN (SELECT …)`.
    @discardableResult
    public func deleteAll(_ db: Database) throws -> Int {
        var context = SQLGenerationContext(db, scope: query.rowScope)
        context.append("DELETE FROM \(query.source.sql)")
        try query.renderRowCondition(into: &context)
        return try context.execute()
    }

    /// Sets columns in the rows of the request, and returns the number of rows.
    ///
    /// ```swift
    /// try Book.filter { $0.year < 1950 }.updateAll(db, Column("shelf").set(to: "old"), Column("moves") += 1)
    /// // UPDATE "books" SET "shelf" = ?, "moves" = "books"."moves" + ? WHERE "books"."year" < ?
    /// ```
    @discardableResult
    public func updateAll(_ db: Database, _ assignments: ColumnAssignment...) throws -> Int {
        try updateAll(db, assignments)
    }

    /// Sets columns in the rows of the request, and returns the number of rows; 0 without assignments.
    @discardableResult
    public func updateAll(_ db: Database, _ assignments: [ColumnAssignment]) throws -> Int {
        if assignments.isEmpty { return 0 }
        var context = SQLGenerationContext(db, scope: query.rowScope)
        context.append("UPDATE \(query.source.sql) SET ")
        for (index, assignment) in assignments.enumerated() {
            context.append("\(index > 0 ? ", " : "")\(assignment.column.quotedDatabaseIdentifier) = ")
            try assignment.value.render(into: &context)
        }
        try query.renderRowCondition(into: &context)
        return try context.execute()
    }
}

extension QueryInterfaceRequest where RowDecoder: TableRecord {
    /// Sets columns in the rows of the request, and returns the number of rows.
    ///
    /// ```swift
    /// try Book.filter { $0.year < 1950 }.updateAll(db) { [$0.shelf.set(to: .locked), $0.price += 1.5] }
    /// // UPDATE "books" SET "shelf" = ?, "price" = "books"."price" + ? WHERE "books"."year" < ?
    /// ```
    @discardableResult
    public func updateAll(
        _ db: Database, _ assignments: (TableAlias<RowDecoder>) -> [ColumnAssignment]
    ) throws -> Int { try updateAll(db, assignments(root)) }
}

extension SQLGenerationContext {
    /// Runs the statement, and returns the number of rows that it changed.
    fileprivate func execute() throws -> Int {
        let statement = try db.cachedStatement(sql: sql)
        try statement.execute(arguments: arguments)
        return db.changesCount
    }
}

extension TableRecord {
    /// Deletes all rows of the table, and returns their number: `DELETE FROM table`.
    @discardableResult
    public static func deleteAll(_ db: Database) throws -> Int { try all().deleteAll(db) }

    /// Sets columns in all rows of the table, and returns their number.
    @discardableResult
    public static func updateAll(_ db: Database, _ assignments: ColumnAssignment...) throws -> Int {
        try all().updateAll(db, assignments)
    }
}
