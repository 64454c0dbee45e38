import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// A query as SQL for one index.
///
/// Use it in SQL of your own, also over a full-text table that no index maintains, if the definition has its name, its
/// columns and its analyzer:
///
/// ```
/// let compiled = try SearchQuery(text, for: reminderTexts).compiled(for: reminderTexts.definition)
/// let ids = try Int64.fetchAll(
///     db, literal: "SELECT rowid FROM reminderTexts WHERE \(compiled.condition) ORDER BY rank LIMIT 20")
/// ```
package struct CompiledQuery: Sendable {
    /// The condition on rows of the full-text table, for `SELECT rowid, rank FROM "index" WHERE <condition>`. It is
    /// always valid SQL: `"index" MATCH ?`, `NOT "index".rowid IN (SELECT …)`, `0`.
    ///
    /// The argument of `MATCH` is what the definition's engine accepts: for Concordance's engine the query itself, a
    /// `PointerArgument`, which must not be wrapped in a function or a subquery; for FTS5 a text in its language.
    package let condition: SQL
    /// What the engine is asked at the top of the condition; nil if the condition has no `MATCH` there.
    let tree: QueryTree?
    /// The table whose rows are searched.
    let table: MatchedTable
    /// The rest of the condition, beside the `MATCH` at its top.
    let rest: SQL?
    /// The words and phrases that are looked for, in the order of the query and as often as they occur in it, without
    /// excluded ones.
    package let phrases: [MatchPhrase]
    /// Whether the query asks for nothing: an empty text. (A query of stop words alone asks for words that no index
    /// has.)
    let isEmpty: Bool
    /// The words whose typos depend on whether the index has them, with their tokens in the engine: one for each way in
    /// which fields are analyzed.
    let tokensByWord: [String: Set<[UInt8]>]
    /// Conditions on stored values, which the engine gets with the query.
    private(set) var conditions: [StoredCondition] = []

    /// Whether the rows have a meaningful `rank`: the condition has a `MATCH` at its top. Exclusions alone, and words
    /// too short for the trigrams of an index, are searched without one.
    package var isRanked: Bool { tree != nil }

    /// The texts of the phrases that explain a row's score, in their order.
    var explainedTexts: [String] { tree?.phraseTexts.map(FieldMarker.removed) ?? [] }

    /// The words that had no token in the index when the query ran, and were replaced by others.
    var replacedWords: Set<String> {
        if tokensByWord.isEmpty { return [] }
        let unknown = table.report.unknown
        return unknown.isEmpty ? [] : Set(tokensByWord.filter { $0.value.isSubset(of: unknown) }.keys)
    }

    /// Rows that match this and do not match `other`, which has no condition beside its `MATCH`.
    func excluding(_ other: CompiledQuery) throws(QueryTooDeep) -> CompiledQuery {
        guard let tree, let otherTree = other.tree else { return self }
        let rows = tree.excluding(otherTree)
        let match = try table.matches(rows)
        return CompiledQuery(
            condition: rest.map { "\(match) AND \($0)" } ?? match, tree: rows, table: table, rest: rest,
            phrases: phrases, isEmpty: false, tokensByWord: [:])
    }

    /// The same query for rows with these values. It must be one to which the engine can add conditions (`takesRows`).
    func limited(to conditions: [StoredCondition]) throws(QueryTooDeep) -> CompiledQuery {
        guard let tree, !conditions.isEmpty else { return self }
        let match = try table.matches(tree, where: conditions)
        var query = CompiledQuery(
            condition: rest.map { "\(match) AND \($0)" } ?? match, tree: tree, table: table, rest: rest,
            phrases: phrases,
            isEmpty: isEmpty, tokensByWord: tokensByWord)
        query.conditions = conditions
        return query
    }

    /// The query as an argument of `concordance_facets`; nil if the engine is asked for anything else.
    var facetArgument: SQL? {
        guard takesRows, rest == nil, let tree else { return nil }
        return "\(MatchQuery(tree, where: conditions, report: table.report).argument)"
    }

    /// Whether the engine accepts a set of rows with the query.
    var takesRows: Bool { tree != nil && table.engine == .concordance }

    /// The condition, for these rows only; nil if the query does not take rows.
    func condition(in rows: RowSet) -> SQL? {
        guard takesRows, let tree else { return nil }
        let match: SQL =
            "\(identifier: table.name) MATCH \(MatchQuery(tree, in: rows, where: conditions, report: table.report).argument)"
        return rest.map { "\(match) AND \($0)" } ?? match
    }
}

extension SearchQuery {
    /// The query as SQL for an index.
    ///
    /// Applies the definition's rules. Leaves out words of which the analyzer makes no token. Looks for words of one or
    /// two characters, which have no trigrams, in the texts of the rows that the rest of the query leaves, or of all
    /// rows if there is no rest; at most 16 of them. Words match with typos only if they say so.
    ///
    /// - Throws: `SearchIndexError.noSuchField` for a field that the index lacks or does not search;
    ///   `SearchIndexError.queryTooDeep` for a query that a program nested too deeply: 256 operators, 24 if some of
    ///   them become SQL; with FTS5 as the engine, the limit of its parser.
    package func compiled(for definition: IndexDefinition) throws -> CompiledQuery {
        try compiled(for: definition, keptBy: definition.engine)
    }

    /// The query as SQL for an index that another engine than the definition's may keep until it is rebuilt.
    ///
    /// - Parameters:
    ///   - machines: The analyzers' machines; cached ones need not be created.
    ///   - wordTypos: How many typos a word may have.
    ///   - languages: Those that are asked of fields in several; none for all.
    func compiled(
        for definition: IndexDefinition, keptBy engine: SearchEngine, _ machines: AnalyzerMachines = AnalyzerMachines(),
        wordTypos: TypoTolerance = .none, languages: [TextLanguage] = []
    ) throws -> CompiledQuery {
        var resolver = QueryResolver(definition, engine, machines, wordTypos: wordTypos, languages: languages)
        return try resolver.resolve(definition.rules.applied(to: self, for: definition, machines))
    }
}
