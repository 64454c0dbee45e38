import ConcordanceSQLite
import ConcordanceSearch

extension QueryInterfaceRequest {
    /// Restricts the request to the rows that a search finds.
    ///
    /// ```swift
    /// let request = Reminder.all().matching(reminderTexts.query("week"))
    ///     .order(Column("isCompleted"), Column.rank)
    /// // SELECT "reminders".* FROM "reminders" JOIN (SELECT id, score, …) AS "reminderTexts"
    /// // ON "reminderTexts"."id" = "reminders"."rowid" ORDER BY "reminders"."isCompleted", "reminderTexts"."rank"
    /// ```
    /// The request's `Column.rank` is that of the search; lower is better, as in FTS5. The filters and boosts of the
    /// search apply; its order, limit and cursor do not.
    ///
    /// - Parameter search: A search of an index over the request's table; if it is over another table, fetching throws
    ///   `SearchIndexError.otherTable`.
    public func matching<Record>(_ search: SearchRequest<Record>) -> Self {
        let definition = search.definition
        guard definition.table.equalsIgnoringASCIICase(query.source.table) else {
            let error = SearchIndexError.otherTable(
                query.source.table, index: definition.name, indexed: definition.table)
            return filter(SQLExpression(.invalid(error)))
        }
        return with { query in
            let condition =
                SQLExpression(.column("id", alias: definition.name))
                == SQLExpression(.column(Column.rowID.name, alias: query.source.name))
            let matches = SelectQuery.Source(table: definition.name) { db in
                let (table, rowID) = try search.source(in: db)
                guard rowID == Column.rowID.name else {
                    throw SearchIndexError.unsupportedTable(
                        table, index: definition.name, reason: "its column rowid is not the rowid; use matchesSQL")
                }
                return "(SELECT id, score, -score AS rank FROM \(try search.matchesSQL(db)))"
            }
            query.joins.append(SelectQuery.Join(kind: .inner, source: matches, condition: condition))
            query.matchAlias = definition.name
        }
    }

    /// Restricts the request to the rows that match what a person has typed; see `matching(_:)`.
    public func matching<Record>(_ index: SearchIndex<Record>, _ text: String) -> Self { matching(index.query(text)) }
}

extension TableRecord {
    /// Returns a request for the rows that a search finds; see `QueryInterfaceRequest.matching(_:)`.
    public static func matching<Record>(_ search: SearchRequest<Record>) -> QueryInterfaceRequest<Self> {
        all().matching(search)
    }

    /// Returns a request for the rows that match what a person has typed; see `QueryInterfaceRequest.matching(_:)`.
    public static func matching<Record>(_ index: SearchIndex<Record>, _ text: String) -> QueryInterfaceRequest<Self> {
        all().matching(index, text)
    }
}
