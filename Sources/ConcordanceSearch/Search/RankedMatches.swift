import ConcordanceSQLite

extension SearchRequest {
    /// Returns the matches as a subquery for SQL of your own: `(SELECT id, score …)`, where `id` is the row's rowid,
    /// and a higher `score` is better.
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
    /// You can combine it with aggregates, groups, joins and windows: the scores are computed before any of them. The
    /// request's filters and boosts apply; its order, limit and cursor do not.
    ///
    /// - Throws: the errors of `fetch(_:)`, except SQLite's errors about the request's SQL, which the query throws when
    ///   it runs.
    public func matchesSQL(_ db: Database) throws -> SQL {
        try db.reading(parameters.definition) { "(\(try SearchContext(limit(0), $0, in: db).sql.matchesSQL))" }
    }
}

extension SearchIndex where Record == Row {
    /// The table that an installed index is of, by what the database says of it; nil for a full-text table that no index
    /// keeps.
    package static func indexedTable(of name: String, in db: Database) throws -> String? {
        try IndexRecord.fetch(name, in: db)?.source
    }
}

extension SearchRequest {
    /// The index that is searched.
    package var definition: IndexDefinition { parameters.definition }

    /// The name of the indexed table, and of its rowid.
    ///
    /// - Throws: `SearchIndexError.noSuchTable`, `unsupportedTable`.
    package func source(in db: Database) throws -> (table: String, rowID: String) {
        let (name, rowID) = try SearchedTables.current(db).table(of: definition, in: db)
        return (name, rowID)
    }
}
