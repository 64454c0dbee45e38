/// A query as SQL for one index.
///
/// It serves SQL of your own, also over a full-text table that no index keeps, if the definition has its name, its columns
/// and its analyzer:
///
/// ```swift
/// let compiled = try SearchQuery(text, for: reminderTexts.definition).compiled(for: reminderTexts.definition)
/// let ids = try Int64.fetchAll(
///     db, literal: "SELECT rowid FROM reminderTexts WHERE \(compiled.condition) ORDER BY rank LIMIT 20")
/// ```
public struct CompiledQuery: Sendable {
    /// What rows of the full-text table fulfil, in `SELECT rowid, rank FROM "index" WHERE <condition>`. Always SQL that
    /// runs: `"index" MATCH ?`, `NOT "index".rowid IN (SELECT …)`, `0`.
    public let condition: SQL
    /// What the engine is asked for at the top of the condition; nil where the condition has no `MATCH` there.
    let pattern: FTS5Pattern?
    /// The words and phrases that are looked for, in the order of the query and as often as they stand in it, without
    /// those that are excluded.
    public let phrases: [MatchPhrase]

    /// Whether `rank` means something for the rows: the condition has a `MATCH` at its top. Rows without something, and
    /// words too short for the trigrams of an index, are found without one.
    public var isRanked: Bool { pattern != nil }
}

extension SearchQuery {
    /// The query as SQL for an index.
    ///
    /// Words of which the analyzer makes no token, such as stop words, are left out. Words of one or two characters, which
    /// have no trigrams, are looked for in the texts of the rows that the rest of the query leaves, or of all rows where
    /// there is no rest; 16 of them count.
    ///
    /// - Throws: `SearchIndexError.noSuchField` for a field that the index does not have or does not search;
    ///   `SearchIndexError.queryTooDeep` for one that a program nested deeper than the engine can parse.
    public func compiled(for definition: IndexDefinition) throws -> CompiledQuery {
        try compiled(for: definition, AnalyzerMachines())
    }

    /// The same, by machines that are kept.
    func compiled(for definition: IndexDefinition, _ machines: AnalyzerMachines) throws -> CompiledQuery {
        var compiler = QueryCompiler(definition, machines)
        return try compiler.compile(self)
    }
}
