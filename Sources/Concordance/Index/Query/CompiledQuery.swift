/// A query as SQL for one index.
struct CompiledQuery: Sendable {
    /// What rows of the full-text table fulfil, in `SELECT rowid, rank FROM "index" WHERE <condition>`. Always SQL that
    /// runs: `"index" MATCH ?`, `"index".rowid NOT IN (SELECT …)`, `0`.
    var condition: SQL
    /// What the engine is asked for at the top of the condition; nil where the condition has no `MATCH` there.
    var pattern: FTS5Pattern?
    /// The words and phrases that are looked for, in the order of the query and as often as they stand in it, without
    /// those that are excluded.
    var phrases: [MatchPhrase]

    /// Whether `rank` means something for the rows: the condition has a `MATCH` at its top.
    var isRanked: Bool { pattern != nil }
}

extension SearchQuery {
    /// The query as SQL for an index.
    ///
    /// - Throws: `SearchIndexError.noSuchField` for a field that the index does not have or does not search;
    ///   `SearchIndexError.queryTooDeep` for one that a program nested deeper than the engine can parse.
    func compiled(for definition: IndexDefinition) throws -> CompiledQuery {
        var compiler = QueryCompiler(definition)
        return try compiler.compile(self)
    }
}
