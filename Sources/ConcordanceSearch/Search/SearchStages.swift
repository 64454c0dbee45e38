import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// Rows that a search finds by one query.
final class SearchStage {
    let compiled: CompiledQuery
    let sql: SearchSQL
    let filter: FilterChoice
    /// Whether words that are in the index may also match with typos.
    let isSimilar: Bool
    private let db: Database

    init(
        _ compiled: CompiledQuery, _ parameters: SearchParameters, _ tables: SearchedTables, isSimilar: Bool = false,
        in db: Database
    ) throws {
        self.compiled = compiled
        sql = try SearchSQL(parameters, compiled, tables, in: db)
        filter = try FilterChoice(sql, in: db)
        self.isSimilar = isSimilar
        self.db = db
    }

    /// The number of rows that match, or `limit` if there are more.
    func count(limit: Int?) throws -> Int {
        try Int.fetchOne(db, literal: sql.count(limit: limit, filter.access(limit: limit))) ?? 0
    }

    /// The words and phrases that were found, once the query has run.
    var phrases: [MatchPhrase] {
        if compiled.tokensByWord.isEmpty { return compiled.phrases }
        let replaced = compiled.replacedWords
        return compiled.phrases.map { phrase in
            var phrase = phrase
            switch phrase.typos {
            case .ifUnknown: phrase.typos = replaced.contains(phrase.text) ? .unknownWord : .none
            case .typed: phrase.typos = replaced.contains(phrase.text) ? .unknownWord : .knownWord
            default: break
            }
            return phrase
        }
    }
}

/// The two stages of a search. First come rows with the words of the query, in which words that the index lacks are
/// replaced by similar ones. If no word was replaced, or nothing was found, other rows with similar words follow.
final class SearchStages {
    /// Rows with the words of the query.
    let exact: SearchStage
    /// The query after dropping words that find nothing.
    let relaxed: RelaxedQuery
    /// Whether the search may look for other rows.
    let mayForgive: Bool

    private let parameters: SearchParameters
    private let tables: SearchedTables
    private let engine: SearchEngine
    private let machines: AnalyzerMachines
    private let db: Database
    private var similarStage: SearchStage?
    private var otherStage: SearchStage?

    init(_ query: SearchQuery, _ parameters: SearchParameters, _ tables: SearchedTables, in db: Database) throws {
        self.parameters = parameters
        self.tables = tables
        self.db = db
        machines = AnalyzerMachines.of(db)
        engine = try tables.engine(of: parameters.definition, in: db)
        let typos = engine.allowsTypos ? parameters.typos : .none
        relaxed =
            parameters.isRelaxed
            ? try query.relaxed(
                compiled: { [machines, engine] query in
                    try query.compiled(
                        for: parameters.definition, keptBy: engine, machines,
                        wordTypos: parameters.limit == 0 || typos == .none ? typos.ofExactStage : .typed,
                        languages: parameters.languages)
                },
                count: { query, limit in
                    let count = try SearchSQL(parameters, query, tables, in: db).count(limit: limit)
                    return try Int.fetchOne(db, literal: count) ?? 0
                }) : RelaxedQuery(query: query, dropped: [])
        let compiled = try relaxed.query.compiled(
            for: parameters.definition, keptBy: engine, machines, wordTypos: typos.ofExactStage,
            languages: parameters.languages)
        exact = try SearchStage(compiled, parameters, tables, in: db)
        mayForgive =
            typos == .automatic && !exact.sql.browses && compiled.rest == nil && relaxed.query.mayHaveTypos
            // Excluding it from another tree adds to the height.
            && compiled.tree.map { $0.height < QueryTree.heightLimit } == true
    }

    /// Whether other rows follow those with the words of the query, now that it has run and found this many: not if
    /// words were replaced and that was enough, or if all words were replaced.
    func hasOthers(behind count: Int) -> Bool {
        let replaced = exact.compiled.replacedWords
        return replaced.isEmpty || count == 0 && relaxed.query.mayHaveTypos { !replaced.contains($0) }
    }

    /// All rows with the words of the query or similar ones.
    func similar() throws -> SearchStage {
        if let similarStage { return similarStage }
        let compiled = try relaxed.query.compiled(
            for: parameters.definition, keptBy: engine, machines, wordTypos: .typed,
            languages: parameters.languages)
        let stage = try SearchStage(compiled, parameters, tables, isSimilar: true, in: db)
        similarStage = stage
        return stage
    }

    /// The same without the rows of `exact`.
    func others() throws -> SearchStage {
        if let otherStage { return otherStage }
        do {
            let compiled = try similar().compiled.excluding(exact.compiled)
            let stage = try SearchStage(compiled, parameters, tables, isSimilar: true, in: db)
            otherStage = stage
            return stage
        } catch is QueryTooDeep {
            throw SearchIndexError.queryTooDeep(index: parameters.definition.name)
        }
    }

    /// The query as it was understood, including which words were looked for with typos.
    ///
    /// - Parameter whole: The stage that has all matches.
    func understoodQuery(_ whole: SearchStage, found: Bool) -> SearchQuery {
        guard engine.allowsTypos, parameters.typos != .none else { return relaxed.query }
        if parameters.typos == .always || found && whole.isSimilar { return relaxed.query.withTypos() }
        if !found { return relaxed.query }
        let replaced = exact.compiled.replacedWords
        return replaced.isEmpty ? relaxed.query : relaxed.query.withTypos { replaced.contains($0) }
    }
}

extension SearchTypos {
    /// How many typos words may have in rows with the words of the query.
    fileprivate var ofExactStage: TypoTolerance {
        switch self {
        case .none: .none
        case .automatic: .ifUnknown
        case .always: .typed
        }
    }
}
