import Concordance
import ConcordanceSearch
import Foundation

/// A document that was found.
struct Hit: Equatable, Sendable {
    var title: HighlightedText
    var path: String
    var line: Int?
    /// The page, slide, sheet or chapter of the snippet's first match.
    var page: Int?
    var kind: String
    var language: String?
    var author: String?
    var snippet: HighlightedText
    /// How well it matches: higher is better.
    var score: Double
    /// Further documents with nearly the same content.
    var similarCount = 0
}

/// A word that was found with typos.
struct SimilarWord: Equatable, Sendable {
    /// The word as typed.
    var typed: String
    /// The word that most of the hits have instead.
    var found: String
}

/// The result of a search.
struct SearchResult: Equatable, Sendable {
    var hits: [Hit] = []
    /// How many documents match in all.
    var total = 0
    /// How strictly the query was taken when it found something; nil if nothing was found.
    var strictness: Strictness?
    /// How many of these have words that differ by typos, while others have the exact words.
    var similarCount = 0
    /// How many of these have only some of the words, while others have all of them.
    var looseCount = 0
    /// The words that were found with typos, in the order of the query.
    var similarWords: [SimilarWord] = []
    /// The words that the query excludes, without their signs.
    var excludedWords: [String] = []
    var seconds = 0.0
}

/// Which documents may be found, and how many are wanted.
struct SearchOptions: Equatable, Sendable {
    var limit = 10
    var offset = 0
    /// Only documents of this kind, or in archives.
    var kind: String?
    /// Only documents whose path contains this.
    var path: String?
    /// Only documents last changed in this year.
    var year: Int?
    /// Only documents in the language with this tag.
    var language: String?
    /// Only documents in this folder or archive, at any depth.
    var folder: String?
    var order = DocumentOrder.relevance
    /// Whether documents with nearly the same content are one hit.
    var foldsCopies = true
    /// The number of words in a snippet.
    var snippetWords = 32

    /// The kind that the documents themselves have; nil for all. Those in archives have the kinds of the archives' entries.
    var documentKind: String? { kind == DocumentKind.archive.rawValue ? nil : kind }

    /// Conditions on the files of the documents, and on their paths, which lead into archives.
    var fileConditions: [SQL] {
        var conditions: [SQL] = []
        let path: SQL = "coalesce(path || '/' || parts.entry, path)"
        if let folder {
            // "0" is the character after "/".
            let base = folder == "/" ? "" : folder
            conditions.append("\(path) > \(base + "/") AND \(path) < \(base + "0")")
        }
        if let part = self.path { conditions.append("instr(\(path), \(part)) > 0") }
        if kind != documentKind { conditions.append("files.kind = \(kind)") }
        return conditions.map { "EXISTS (SELECT 1 FROM files WHERE id = parts.file AND \($0))" }
    }
}

/// In which order documents are shown.
enum DocumentOrder: String, CaseIterable, Sendable {
    case relevance, newest, oldest

    var terms: [SearchOrdering] {
        let modified = SearchExpression { _, table in "\(identifier: table).modified" }
        switch self {
        case .relevance: return []
        case .newest: return [SearchOrdering(modified, isDescending: true)]
        case .oldest: return [SearchOrdering(modified)]
        }
    }
}

extension IndexFile {
    /// A title says more about a document than its path, and the path more than the body; a long body does not devalue
    /// a match in the title.
    private static var ranking: Ranking {
        var ranking = Ranking.recommended
        ranking.lengths = .fields
        return ranking
    }

    /// The documents as a search index over `parts`.
    static func searchIndex(engine: SearchEngine, analyzer: Analyzer) -> SearchIndex<Row> {
        SearchIndex("documents", in: "parts", engine: engine) {
            Field("title", weight: 12)
            Field("path", weight: 4)
            Field("author", weight: 4)
            Field("body")
            Analysis(analyzer)
            ranking
            if engine == .concordance { for name in valueNames { Value(name) } }
        }
    }
}

/// Why a document ranks where it does.
struct DocumentExplanation: Equatable, Sendable {
    /// Its place, from 0; nil if it is not among the first hits, or not found.
    var place: Int?
    /// The path of the document with nearly the same content that has the place and stands for it.
    var standIn: String?
    var total: FoundTotal
    /// Nil if the search does not find it.
    var score: Double?
    /// How its words add up to a score, as a tree.
    var words: String?
    /// The factors for its name, title and place.
    var factors: [DocumentRanking.Factor]
}

/// Answers queries from an index. Any text is a valid query.
final class Searcher {
    private let file: IndexFile
    private let index: SearchIndex<Row>

    init(_ file: IndexFile) {
        self.file = file
        index = IndexFile.searchIndex(engine: file.engine, analyzer: file.analyzer)
    }

    /// Searches for documents as `QueryLadder` does.
    ///
    /// - Parameters:
    ///   - asYouType: Whether to treat the last word as half typed from the start.
    ///   - receivePlace: Called with each match in the bodies of the hits, while these are read one after the other; with
    ///     nil for a hit that was found by its title or its name.
    func search(
        _ text: String, options: SearchOptions = SearchOptions(), asYouType: Bool = false,
        receivePlace: ((Hit, MatchPlace?) throws -> Void)? = nil
    ) throws -> SearchResult {
        let start = DispatchTime.now()
        var result = SearchResult()
        var ranked: [RankedHit] = []
        // Reads one state of the index, even if another process is writing to it.
        try file.database.inTransaction(.deferred) {
            let found = try QueryLadder(index).search(wanted(text, options, asYouType: asYouType), in: file.database)
            result.strictness = found.strictness
            result.total = found.total.count
            result.similarCount = found.similarCount
            result.similarWords = found.similarWords
            result.looseCount = found.looseCount
            result.excludedWords = SearchQuery(text, for: index).excludedWords
            result.hits = try found.hits.map { try hit($0, options) }
            if receivePlace != nil { ranked = found.hits }
            return .commit
        }
        result.seconds = Indexer.seconds(since: start)
        // Outside of the transaction, which would keep others from writing while a reader takes its time.
        if let receivePlace {
            var places = HitPlaces(file.database)
            for (hit, ranked) in zip(result.hits, ranked) {
                try places.forEach(of: ranked.hit, in: hit.path, kind: hit.kind) { try receivePlace(hit, $0) }
            }
        }
        return result
    }

    /// Why a document ranks where it does among those that a search finds; nil if the index has no such file.
    func explanation(of text: String, path: String) throws -> DocumentExplanation? {
        var explanation: DocumentExplanation?
        try file.database.inTransaction(.deferred) {
            let ids = try Int64.fetchAll(
                file.database,
                literal: """
                    SELECT document FROM parts JOIN files ON files.id = parts.file
                    WHERE path = \(path) OR path || '/' || entry = \(path)
                    """)
            guard !ids.isEmpty else { return .commit }
            var wanted = wanted(text, SearchOptions(limit: RankedWindow.greatestCount), asYouType: false)
            let ladder = QueryLadder(index)
            let found = try ladder.search(wanted, in: file.database)
            let place = found.hits.firstIndex { hit in ids.contains { hit.hit.id == $0 || hit.similar.contains($0) } }
            let standIn = place.map { found.hits[$0].hit.id }.flatMap { ids.contains($0) ? nil : $0 }
            wanted.filters.append(
                "parts.document IN \(values: standIn == nil ? place.map { [found.hits[$0].hit.id] } ?? ids : ids)")
            wanted.isExplained = true
            wanted.limit = 1
            // For the document alone, the words might be taken less strictly than the search takes them.
            guard try place != nil || ladder.finds(wanted, asIn: found, in: file.database) else {
                explanation = DocumentExplanation(total: found.total, factors: [])
                return .commit
            }
            let hit = try ladder.search(wanted, in: file.database).hits.first
            let standings = DocumentStandings(query: text)
            let document = hit.flatMap { try? DocumentStandings.documents([$0.hit.id], in: file.database)[$0.hit.id] }
            explanation = DocumentExplanation(
                place: place,
                standIn: try standIn.flatMap {
                    try DocumentStandings.documents([$0], in: file.database)[$0]?.candidate.path
                },
                total: found.total,
                score: standIn == nil ? place.map { found.hits[$0].score } ?? hit?.score : hit?.score,
                words: hit?.hit.explanation?.description,
                factors: document.map { standings.ranking.factors(of: $0.candidate) } ?? [])
            return .commit
        }
        return explanation
    }

    private func wanted(_ text: String, _ options: SearchOptions, asYouType: Bool) -> LadderQuery {
        var wanted = LadderQuery(text)
        wanted.isTyping = asYouType
        wanted.limit = options.limit
        wanted.offset = options.offset
        wanted.counting = .exact
        wanted.order = options.order.terms
        let standings = DocumentStandings(query: text)
        wanted.standings = { hits, database in
            let known = try standings(hits, in: database)
            return options.foldsCopies ? known : known.map { DocumentStanding(factor: $0.factor) }
        }
        if let kind = options.documentKind { wanted.filters.append("parts.kind = \(kind)") }
        if let language = options.language { wanted.filters.append("parts.language = \(language)") }
        if let year = options.year { wanted.filters.append("parts.year = \(year)") }
        wanted.filters += options.fileConditions
        return wanted
    }

    private func hit(_ ranked: RankedHit, _ options: SearchOptions) throws -> Hit {
        let hit = ranked.hit
        let id: Int64? = hit.record["file"]
        let source = try Row.fetchOne(file.database, literal: "SELECT path, kind FROM files WHERE id = \(id)")
        let entry: String? = hit.record["entry"]
        let path: String = source?["path"] ?? ""
        let leftOut = MarkedWords.leftOut(in: hit.record["language"])
        func snippet(_ field: String, _ options: SnippetOptions) throws -> HighlightedText {
            try hit.highlighter(of: field, leavingOut: leftOut).snippet(of: hit.text(field) ?? "", options)
        }
        let body = try hit.text("body") ?? ""
        let found = try snippet("body", SnippetOptions(length: .words(options.snippetWords)))
        let kind: String? = hit.record["kind"]
        return Hit(
            title: try snippet("title", Self.wholeTitle), path: entry.map { "\(path)/\($0)" } ?? path,
            line: Document.line(of: found, in: body, from: hit.record["line"], kind: kind),
            page: Document.page(of: found, in: body, from: hit.record["page"]),
            kind: kind ?? source?["kind"] ?? "", language: hit.record["language"],
            author: hit.record["author"], snippet: found, score: ranked.score, similarCount: ranked.similarCount)
    }

    /// A title is shown on one line; hardly any is longer than this.
    static let wholeTitle = SnippetOptions(length: .characters(1000))
}
