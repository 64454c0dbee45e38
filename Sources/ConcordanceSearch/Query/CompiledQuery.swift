import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

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
    ///
    /// The argument of `MATCH` is what the definition's engine takes: for Concordance's engine the query itself, a
    /// `PointerArgument`, which no function and no subquery may stand around; for FTS5 a text in its language.
    public let condition: SQL
    /// What the engine is asked for at the top of the condition; nil where the condition has no `MATCH` there.
    let tree: QueryTree?
    /// The table whose rows are asked for.
    let table: MatchedTable
    /// What the condition has beside the `MATCH` at its top.
    let rest: SQL?
    /// The words and phrases that are looked for, in the order of the query and as often as they stand in it, without
    /// those that are excluded.
    public let phrases: [MatchPhrase]
    /// Whether the query asks for nothing: an empty text. (One of stop words alone asks for words that no index has.)
    let isEmpty: Bool
    /// The words whose typos depend on whether the index has them, with the tokens that the engine knows them as: one for
    /// each way in which fields are analyzed.
    let tokensByWord: [String: Set<[UInt8]>]
    /// Conditions on stored values, which the engine is given with the query.
    private(set) var conditions: [StoredCondition] = []

    /// Whether `rank` means something for the rows: the condition has a `MATCH` at its top. Rows without something, and
    /// words too short for the trigrams of an index, are found without one.
    public var isRanked: Bool { tree != nil }

    /// The texts of the phrases that a row's score is explained by, in their order.
    var explainedTexts: [String] { tree?.phraseTexts.map(FieldMarker.removed) ?? [] }

    /// The words of which the index had no token when the query ran, and that others were found for.
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

    /// The same query for rows with such values. It must be one that the engine takes with more (`takesRows`).
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

    /// The query as an argument of `concordance_facets`; nil unless it is all that the engine is asked for.
    var facetArgument: SQL? {
        guard takesRows, rest == nil, let tree else { return nil }
        return "\(MatchQuery(tree, where: conditions, report: table.report).argument)"
    }

    /// Whether the engine takes a set of rows with what it is asked for.
    var takesRows: Bool { tree != nil && table.engine == .concordance }

    /// The condition, for these rows only; nil unless the query takes rows.
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
    /// The definition's rules are applied. Words of which the analyzer makes no token are left out. Words of one or two
    /// characters, which have no trigrams, are looked for in the texts of the rows that the rest of the query leaves, or of
    /// all rows where there is no rest; 16 of them count. Words have no typos unless they say so.
    ///
    /// - Throws: `SearchIndexError.noSuchField` for a field that the index does not have or does not search;
    ///   `SearchIndexError.queryTooDeep` for one that a program nested deeper than the engine or SQLite goes: 256
    ///   operators one in another, 24 where some of them become SQL; with FTS5 as the engine, what its parser takes.
    public func compiled(for definition: IndexDefinition) throws -> CompiledQuery {
        try compiled(for: definition, keptBy: definition.engine)
    }

    /// The query as SQL for an index that another engine may keep than the definition names, until it is built anew.
    ///
    /// - Parameters:
    ///   - machines: The analyzers' machines; those that are kept need not be made.
    ///   - wordTypos: How many typos words may have.
    func compiled(
        for definition: IndexDefinition, keptBy engine: SearchEngine, _ machines: AnalyzerMachines = AnalyzerMachines(),
        wordTypos: TypoTolerance = .none
    ) throws -> CompiledQuery {
        var resolver = QueryResolver(definition, engine, machines, wordTypos: wordTypos)
        return try resolver.resolve(definition.rules.applied(to: self, for: definition, machines))
    }
}
