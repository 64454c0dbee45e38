import ConcordanceFTS5

extension QueryInterfaceRequest where RowDecoder: TableRecord {
    /// Selects the rows of a full-text table that match a pattern; a nil pattern matches no row.
    ///
    /// ```swift
    /// import ConcordanceFTS5
    ///
    /// let pattern = FTS5Pattern(matchingAnyTokenIn: "full text search")
    /// let documents = try Document.matching(pattern).order(Column.rank).fetchAll(db)
    /// // SELECT "documents".* FROM "documents" WHERE "documents"."documents" MATCH ? ORDER BY "documents"."rank"
    /// ```
    public func matching(_ pattern: FTS5Pattern?) -> Self {
        guard let pattern else { return none() }
        return filter(SQLExpression.matching(pattern, table: query.source.table, alias: query.source.name))
    }

    /// Selects the rows whose text in a full-text table matches a pattern; a nil pattern matches no row.
    ///
    /// The full-text table holds the text of this request's table, row for row: it has `content='books'`, or is filled
    /// with the same rowids. The request's `Column.rank` is that of the full-text table.
    ///
    /// ```swift
    /// let books = try Book.matching(pattern, in: "booksFts").order(Column.rank).limit(10).fetchAll(db)
    /// // SELECT "books".* FROM "books" JOIN "booksFts" ON "booksFts"."rowid" = "books"."rowid"
    /// // WHERE "booksFts"."booksFts" MATCH ? ORDER BY "booksFts"."rank" LIMIT 10
    /// ```
    ///
    /// - Parameters:
    ///   - pattern: What to look for; nil finds no rows.
    ///   - table: The full-text table.
    ///   - column: The column of this request's table that holds the full-text table's rowid (`content_rowid`).
    public func matching(_ pattern: FTS5Pattern?, in table: String, on column: Column = .rowID) -> Self {
        guard let pattern else { return none() }
        return with { query in
            let condition =
                SQLExpression(.column(Column.rowID.name, alias: table))
                == SQLExpression(.column(column.name, alias: query.source.name))
            let source = SelectQuery.Source(table: table)
            query.joins.append(SelectQuery.Join(kind: .inner, source: source, condition: condition))
            query.matchAlias = table
            query.addFilter(.matching(pattern, table: table, alias: table))
        }
    }
}

extension TableRecord {
    /// Selects the rows of a full-text table that match a pattern; a nil pattern matches no row.
    ///
    /// ```swift
    /// import ConcordanceFTS5
    ///
    /// let pattern = FTS5Pattern(matchingAnyTokenIn: "full text search")
    /// let documents = try Document.matching(pattern).fetchAll(db)
    /// ```
    public static func matching(_ pattern: FTS5Pattern?) -> QueryInterfaceRequest<Self> { all().matching(pattern) }

    /// Returns a request for the rows whose text in a full-text table matches a pattern; see
    /// `QueryInterfaceRequest.matching(_:in:on:)`.
    public static func matching(
        _ pattern: FTS5Pattern?, in table: String, on column: Column = .rowID
    ) -> QueryInterfaceRequest<Self> { all().matching(pattern, in: table, on: column) }
}

extension SQLExpression {
    static func matching(_ pattern: FTS5Pattern, table: String, alias: String) -> SQLExpression {
        .binary(
            .match, SQLExpression(.matchTarget(table: table, alias: alias)),
            SQLExpression(pattern))
    }
}
