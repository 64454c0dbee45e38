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

/// How strictly a query is taken.
enum Strictness: Equatable, Sendable {
    /// All words, as they are.
    case exact
    /// All words, the last one perhaps half typed.
    case prefix
    /// Any of the words.
    case any
}

/// What came of a search.
struct SearchResult: Equatable, Sendable {
    var hits: [Hit] = []
    /// How many documents match in all.
    var total = 0
    /// How the query had to be read to find something; nil if nothing was found.
    var strictness: Strictness?
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
    /// Words that a snippet has.
    var snippetWords = 32
}

/// Answers queries from an index. Any text is answered.
final class Searcher {
    private let file: IndexFile
    /// What queries need to know of the full-text table.
    private let definition: IndexDefinition

    init(_ file: IndexFile) {
        self.file = file
        let index = SearchIndex("documents", in: "parts") {
            Field("title")
            Field("path")
            Field("body")
            Analysis(file.analyzer)
        }
        definition = index.definition
    }

    /// Looks for all words; if no document has them, takes the last one for half typed; then looks for any of them.
    ///
    /// - Parameter asYouType: The last word is half typed from the beginning on.
    func search(_ text: String, options: SearchOptions = SearchOptions(), asYouType: Bool = false) throws
        -> SearchResult
    {
        let start = DispatchTime.now()
        var result = SearchResult()
        var tried: Set<SearchQuery> = []
        for strictness in asYouType ? [Strictness.prefix, .any] : [.exact, .prefix, .any] {
            let query = query(text, strictness)
            guard tried.insert(query).inserted else { continue }
            let compiled = try query.compiled(for: definition)
            result.total = try count(compiled.condition, options)
            guard result.total > 0 else { continue }
            result.strictness = strictness
            result.hits = try hits(compiled, options)
            break
        }
        result.seconds = Indexer.seconds(since: start)
        return result
    }

    private func query(_ text: String, _ strictness: Strictness) -> SearchQuery {
        let query = SearchQuery(text, for: definition, isTyping: strictness != .exact)
        return strictness == .any ? query.matchingAny : query
    }

    private func count(_ condition: SQL, _ options: SearchOptions) throws -> Int {
        let source: SQL =
            options.kind == nil && options.path == nil
            ? "FROM documents WHERE \(condition)" : Self.source(condition, options)
        return try Int.fetchOne(file.database, literal: "SELECT count(*) \(source)") ?? 0
    }

    /// The matching documents with their files. CROSS JOIN keeps SQLite from beginning with the files.
    private static func source(_ condition: SQL, _ options: SearchOptions) -> SQL {
        """
        FROM documents CROSS JOIN parts ON parts.document = documents.rowid CROSS JOIN files ON files.id = parts.file
        WHERE \(condition) AND (\(options.kind) IS NULL OR files.kind = \(options.kind))
        AND (\(options.path) IS NULL OR instr(files.path, \(options.path)) > 0)
        """
    }

    private func hits(_ query: CompiledQuery, _ options: SearchOptions) throws -> [Hit] {
        let sql: SQL = """
            SELECT documents.title, files.path, parts.line, files.kind, documents.body, rank
            \(Self.source(query.condition, options))
            ORDER BY rank LIMIT \(options.limit) OFFSET \(options.offset)
            """
        let titles = Highlighter(file.analyzer, phrases: query.phrases, field: "title")
        let bodies = Highlighter(file.analyzer, phrases: query.phrases, field: "body")
        let snippet = SnippetOptions(length: .words(options.snippetWords))
        var hits: [Hit] = []
        let statement = try file.database.cachedStatement(sql: sql.sql)
        try statement.forEachRow(arguments: sql.arguments) { row in
            hits.append(
                Hit(
                    title: titles.snippet(of: row.string(at: 0) ?? "", Self.wholeTitle),
                    path: row.string(at: 1) ?? "", line: row.isNull(at: 2) ? nil : Int(clamping: row.int64(at: 2)),
                    kind: row.string(at: 3) ?? "", snippet: bodies.snippet(of: row.string(at: 4) ?? "", snippet),
                    score: -row.double(at: 5)))
        }
        return hits
    }

    /// A title is shown on one line, and hardly one is longer than this.
    private static let wholeTitle = SnippetOptions(length: .characters(1000))
}
