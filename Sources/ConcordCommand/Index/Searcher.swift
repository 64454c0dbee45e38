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

/// What came of a search.
struct SearchResult: Equatable, Sendable {
    var hits: [Hit] = []
    /// How many documents match in all.
    var total = 0
    /// How the query had to be read to find something; nil if nothing was found.
    var strictness: Query.Strictness?
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
    private let tokenizer: any Tokenizer

    init(_ file: IndexFile) {
        self.file = file
        tokenizer = file.analyzer.makeTokenizer()
    }

    /// Looks for all words; if no document has them, takes the last one for half typed; then looks for any of them.
    ///
    /// - Parameter asYouType: The last word is half typed from the beginning on.
    func search(_ text: String, options: SearchOptions = SearchOptions(), asYouType: Bool = false) throws
        -> SearchResult
    {
        let start = DispatchTime.now()
        let query = Query(text)
        var result = SearchResult()
        var tried: Set<String> = []
        for strictness in asYouType ? [Query.Strictness.prefix, .any] : [.exact, .prefix, .any] {
            guard let expression = query.expression(strictness, hasTokens: hasTokens), tried.insert(expression).inserted
            else { continue }
            result.total = try count(expression, options)
            guard result.total > 0 else { continue }
            result.strictness = strictness
            result.hits = try hits(expression, options, query.phrases(strictness))
            break
        }
        result.seconds = Indexer.seconds(since: start)
        return result
    }

    private func hasTokens(_ text: String) -> Bool { !tokenizer.tokens(in: text, for: .query).isEmpty }

    private func count(_ expression: String, _ options: SearchOptions) throws -> Int {
        guard options.kind != nil || options.path != nil else {
            let sql = "SELECT count(*) FROM documents WHERE documents MATCH ?"
            return Int(try IndexFile.number(file.database, sql, [expression]))
        }
        let arguments: StatementArguments = ["query": expression, "kind": options.kind, "path": options.path]
        return Int(try IndexFile.number(file.database, "SELECT count(*) \(Self.source)", arguments))
    }

    /// The matching documents with their files. CROSS JOIN keeps SQLite from beginning with the files.
    private static let source = """
        FROM documents CROSS JOIN parts ON parts.document = documents.rowid CROSS JOIN files ON files.id = parts.file
        WHERE documents MATCH :query AND (:kind IS NULL OR files.kind = :kind)
        AND (:path IS NULL OR instr(files.path, :path) > 0)
        """

    private func hits(_ expression: String, _ options: SearchOptions, _ phrases: [MatchPhrase]) throws -> [Hit] {
        let statement = try file.database.cachedStatement(
            sql: """
                SELECT documents.title, files.path, parts.line, files.kind, documents.body, rank
                \(Self.source)
                ORDER BY rank LIMIT :limit OFFSET :offset
                """)
        let titles = Highlighter(file.analyzer, phrases: phrases, field: "title")
        let bodies = Highlighter(file.analyzer, phrases: phrases, field: "body")
        let snippet = SnippetOptions(length: .words(options.snippetWords))
        var hits: [Hit] = []
        let arguments: StatementArguments = [
            "query": expression, "kind": options.kind, "path": options.path, "limit": options.limit,
            "offset": options.offset,
        ]
        try statement.forEachRow(arguments: arguments) { row in
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
