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
    /// All words, or others that differ by typos.
    case similar
    /// Any of the words, or of others that differ by typos.
    case any
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
    /// Words that a snippet has.
    var snippetWords = 32
}

/// Answers queries from an index. Any text is answered.
final class Searcher {
    private let file: IndexFile
    private let index: SearchIndex<Row>

    init(_ file: IndexFile) {
        self.file = file
        index = SearchIndex("documents", in: "parts", engine: file.engine) {
            Field("title")
            Field("path")
            Field("body")
            Analysis(file.analyzer)
        }
    }

    /// What completes begun queries, from the words of the index.
    func completions() throws -> Completions { try Completions(file, index: index) }

    /// Looks for all words; if no document has them, takes the last one for half typed; then takes words for typos of
    /// others; then looks for any of them. Documents with the very words that do not fill the page are followed by those with
    /// words that differ by typos.
    ///
    /// - Parameter asYouType: The last word is half typed from the beginning on.
    func search(_ text: String, options: SearchOptions = SearchOptions(), asYouType: Bool = false) throws
        -> SearchResult
    {
        let start = DispatchTime.now()
        var result = SearchResult()
        var tried: Set<Attempt> = []
        // One state of the index, though another process may be writing to it.
        try file.database.inTransaction(.deferred) {
            for strictness in asYouType ? [Strictness.prefix, .similar, .any] : [.exact, .prefix, .similar, .any] {
                let query = query(text, strictness)
                let hasTypos = strictness == .similar || strictness == .any
                guard tried.insert(Attempt(query: query, hasTypos: hasTypos)).inserted else { continue }
                var page = try page(query, hasTypos: hasTypos, options)
                guard let total = page.total?.count, total > 0 else { continue }
                result.total = total
                if !hasTypos, total < options.offset + options.limit {
                    page = try self.page(query, hasTypos: true, options)
                    result.total = page.total?.count ?? total
                    result.similarCount = result.total - total
                }
                result.strictness = strictness
                result.similarWords = Self.similarWords(page)
                result.hits = try page.hits.map { try hit($0, options) }
                break
            }
            return .commit
        }
        result.seconds = Indexer.seconds(since: start)
        return result
    }

    /// What has been looked for.
    private struct Attempt: Hashable {
        var query: SearchQuery
        var hasTypos: Bool
    }

    private func query(_ text: String, _ strictness: Strictness) -> SearchQuery {
        let query = SearchQuery(text, for: index.definition, isTyping: strictness != .exact)
        return strictness == .any ? query.matchingAny : query
    }

    /// The words of a page's query that were found with typos, each with what most hits have for it, the best hit's first.
    private static func similarWords(_ page: SearchPage<Row>) -> [SimilarWord] {
        var words: [SimilarWord] = []
        let query = page.query.description
        let phrases = page.hits.flatMap { $0.explanation?.phrases ?? [] }
        for typed in page.hits.first?.explanation?.phrases.compactMap(\.text) ?? [] where query.contains("\(typed)~") {
            let found = phrases.filter { $0.text == typed }.compactMap(\.found).filter {
                $0.compare(typed, options: [.caseInsensitive, .diacriticInsensitive]) != .orderedSame
            }
            let counts = Dictionary(grouping: found, by: { $0.lowercased() }).mapValues(\.count)
            let most = counts.values.max()
            guard let best = found.first(where: { counts[$0.lowercased()] == most }),
                !words.contains(where: { $0.typed == typed })
            else { continue }
            words.append(SimilarWord(typed: typed, found: best))
        }
        return words
    }

    /// How many hits are passed over at once on the way to the first one that is wanted.
    private static let skippedAtOnce = 500

    private func page(_ query: SearchQuery, hasTypos: Bool, _ options: SearchOptions) throws -> SearchPage<Row> {
        var request = index.query(query).typos(hasTypos ? .automatic : .none).explained(hasTypos)
        if let kind = options.kind {
            request = request.filter("EXISTS (SELECT 1 FROM files WHERE id = parts.file AND kind = \(kind))")
        }
        if let path = options.path {
            request = request.filter("EXISTS (SELECT 1 FROM files WHERE id = parts.file AND instr(path, \(path)) > 0)")
        }
        var offset = max(options.offset, 0)
        while offset > 0 {
            let skipped = min(offset, Self.skippedAtOnce)
            let page = try request.limit(skipped).counting(.none).fetch(file.database)
            // Behind the last hit there is none, and the total counts all the same.
            guard let next = page.next else { return try request.limit(0).counting(.exact).fetch(file.database) }
            request = request.after(next)
            offset -= skipped
        }
        return try request.limit(options.limit).counting(.exact).fetch(file.database)
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
    private static let wholeTitle = SnippetOptions(length: .characters(1000))
}
