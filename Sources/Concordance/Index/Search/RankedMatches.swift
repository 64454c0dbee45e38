extension SearchRequest {
    /// The matches as a subquery for SQL of your own: `(SELECT id, score …)`, where `id` is the row's rowid and `score` is
    /// better the higher it is.
    ///
    /// ```swift
    /// let matches = try reminderTexts.query("week").matchesSQL(db)
    /// let rows = try Row.fetchAll(db, literal: """
    ///     SELECT reminders.*, json_group_array(tags.title) FILTER (WHERE tags.id IS NOT NULL) AS tags
    ///     FROM \(matches) AS matches
    ///     JOIN reminders ON reminders.id = matches.id
    ///     LEFT JOIN reminderTags ON reminderTags.reminderID = reminders.id
    ///     LEFT JOIN tags ON tags.id = reminderTags.tagID
    ///     GROUP BY reminders.id ORDER BY reminders.isCompleted, max(matches.score) DESC
    ///     """)
    /// ```
    /// It may stand beside aggregates, groups, joins and windows: the scores are computed before any of them is. The
    /// request's filters and boosts count; its order, limit and cursor do not.
    ///
    /// - Throws: As `fetch(_:)`, apart from what SQLite says of the request's SQL, which it says when the query is run.
    public func matchesSQL(_ db: Database) throws -> SQL {
        try db.reading(parameters.definition) { "(\(try SearchContext(self, $0, in: db).sql.matchesSQL))" }
    }
}

extension QueryInterfaceRequest {
    /// The rows that a search finds, among those of the request.
    ///
    /// ```swift
    /// let request = Reminder.all().matching(reminderTexts.query("week"))
    ///     .order(Column("isCompleted"), Column.rank)
    /// // SELECT "reminders".* FROM "reminders" JOIN (SELECT id, score, …) AS "reminderTexts"
    /// // ON "reminderTexts"."id" = "reminders"."rowid" ORDER BY "reminders"."isCompleted", "reminderTexts"."rank"
    /// ```
    /// `Column.rank` of the request is the search's, lower is better as in FTS5. The filters and boosts of the search
    /// count; its order, limit and cursor do not.
    ///
    /// - Parameter search: A search of an index over the request's table; of another table, fetching throws
    ///   `SearchIndexError.otherTable`.
    public func matching<Record>(_ search: SearchRequest<Record>) -> Self {
        let definition = search.parameters.definition
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
                let (table, rowID) = try SearchedTables.current(db).table(of: definition, in: db)
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

    /// The rows that match what a person has typed, among those of the request; see `matching(_:)`.
    public func matching<Record>(_ index: SearchIndex<Record>, _ text: String) -> Self { matching(index.query(text)) }
}

extension TableRecord {
    /// The rows that a search finds; see `QueryInterfaceRequest.matching(_:)`.
    public static func matching<Record>(_ search: SearchRequest<Record>) -> QueryInterfaceRequest<Self> {
        all().matching(search)
    }

    /// The rows that match what a person has typed; see `QueryInterfaceRequest.matching(_:)`.
    public static func matching<Record>(_ index: SearchIndex<Record>, _ text: String) -> QueryInterfaceRequest<Self> {
        all().matching(index, text)
    }
}
