import Concordance
import Foundation

/// A document that was found.
struct Hit: Equatable, Sendable {
    var title: HighlightedText
    var path: String
    var line: Int?
    var kind: String
    var snippet: HighlightedText
    /// How well it matches: bm25 with the sign turned, so that more is better.
    var score: Double
}

/// A word that was found with typos.
struct SimilarWord: Equatable, Sendable {
    /// As it was typed.
    var typed: String
    /// What most of the hits have instead.
    var found: String
}

/// What came of a search.
struct SearchResult: Equatable, Sendable {
    var hits: [Hit] = []
    /// How many documents match in all.
    var total = 0
    /// How the query had to be read to find something; nil if nothing was found.
    var strictness: Strictness?
    /// How many of these have other words, which differ by typos, though some have the very words.
    var similarCount = 0
    /// The words that were found with typos, in the order of the query.
    var similarWords: [SimilarWord] = []
    var seconds = 0.0
}

/// Which documents may be found, and how many are wanted.
struct SearchOptions: Equatable, Sendable {
    var limit = 10
    var offset = 0
    /// Only files of this kind.
    var kind: String?
    /// Only files whose path contains this.
    var path: String?
    /// Only files that changed last in this year.
    var year: Int?
    /// Only files in this folder, at whatever depth.
    var folder: String?
    var order = DocumentOrder.relevance
    /// Words that a snippet has.
    var snippetWords = 32
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
    /// The documents as a search index over `parts`.
    static func searchIndex(engine: SearchEngine, analyzer: Analyzer) -> SearchIndex<Row> {
        SearchIndex("documents", in: "parts", engine: engine) {
            Field("title")
            Field("path")
            Field("body")
            Analysis(analyzer)
            if engine == .concordance { for name in valueNames { Value(name) } }
        }
    }
}

/// Answers queries from an index. Any text is answered.
final class Searcher {
    private let file: IndexFile
    private let index: SearchIndex<Row>

    init(_ file: IndexFile) {
        self.file = file
        index = IndexFile.searchIndex(engine: file.engine, analyzer: file.analyzer)
    }

    /// What completes begun queries, from the words of the index.
    func completions() throws -> Completions { try Completions(file, index: index) }

    /// Looks for documents with the words, as `QueryLadder` does.
    ///
    /// - Parameter asYouType: The last word is half typed from the beginning on.
    func search(_ text: String, options: SearchOptions = SearchOptions(), asYouType: Bool = false) throws
        -> SearchResult
    {
        let start = DispatchTime.now()
        var result = SearchResult()
        // One state of the index, though another process may be writing to it.
        try file.database.inTransaction(.deferred) {
            let found = try QueryLadder(index).search(wanted(text, options, asYouType: asYouType), in: file.database)
            result.strictness = found.strictness
            result.total = found.total.count
            result.similarCount = found.similarCount
            result.similarWords = found.similarWords
            result.hits = try found.page.hits.map { try hit($0, options) }
            return .commit
        }
        result.seconds = Indexer.seconds(since: start)
        return result
    }

    private func wanted(_ text: String, _ options: SearchOptions, asYouType: Bool) -> LadderQuery {
        var wanted = LadderQuery(text)
        wanted.isTyping = asYouType
        wanted.limit = options.limit
        wanted.offset = options.offset
        wanted.counting = .exact
        wanted.order = options.order.terms
        if let kind = options.kind { wanted.filters.append("parts.kind = \(kind)") }
        if let year = options.year { wanted.filters.append("parts.year = \(year)") }
        if let folder = options.folder {
            // "0" is the character after "/".
            let base = folder == "/" ? "" : folder
            wanted.filters.append(
                """
                EXISTS (SELECT 1 FROM files WHERE id = parts.file AND path > \(base + "/") AND path < \(base + "0"))
                """)
        }
        if let path = options.path {
            wanted.filters.append("EXISTS (SELECT 1 FROM files WHERE id = parts.file AND instr(path, \(path)) > 0)")
        }
        return wanted
    }

    private func hit(_ hit: SearchHit<Row>, _ options: SearchOptions) throws -> Hit {
        let id: Int64? = hit.record["file"]
        let source = try Row.fetchOne(file.database, literal: "SELECT path, kind FROM files WHERE id = \(id)")
        return Hit(
            title: try hit.snippet("title", Self.wholeTitle), path: source?["path"] ?? "", line: hit.record["line"],
            kind: source?["kind"] ?? "",
            snippet: try hit.snippet("body", SnippetOptions(length: .words(options.snippetWords))), score: hit.score)
    }

    /// A title is shown on one line, and hardly one is longer than this.
    static let wholeTitle = SnippetOptions(length: .characters(1000))
}
