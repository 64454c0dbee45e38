import Concordance
import Foundation

/// How strictly a query is taken.
enum Strictness: String, Equatable, Sendable {
    /// All words, as they are.
    case exact
    /// All words, the last one perhaps half typed.
    case prefix
    /// All words, or others that differ by typos.
    case similar
    /// Any of the words, or of others that differ by typos.
    case any
}

/// What is looked for in a table, and how much of what is found is wanted.
struct LadderQuery: Sendable {
    /// What a person typed.
    var text: String
    /// Whether the last word is half typed from the beginning on.
    var isTyping = false
    /// Conditions on the columns of the indexed table, which all have to hold.
    var filters: [SQL] = []
    /// Before relevance.
    var order: [SearchOrdering] = []
    var limit = 20
    /// How many of the first to leave out.
    var offset = 0
    /// Where a page begins that follows another one.
    var cursor: LadderCursor?
    var counting = SearchCounting.upTo(1000)
    /// Columns whose values are counted, and how many of these are wanted.
    var facets: [(column: String, limit: Int)] = []

    init(_ text: String) { self.text = text }
}

/// Where the next page of a search begins, and how strictly the pages before it took the query. Its description is a text
/// for clients; one that they have changed is refused, or refers to another place of the same results.
struct LadderCursor: Equatable, Sendable, LosslessStringConvertible {
    var strictness: Strictness
    /// Whether words with typos follow those as they are.
    var hasTypos: Bool
    var place: SearchCursor

    init(strictness: Strictness, hasTypos: Bool, place: SearchCursor) {
        self.strictness = strictness
        self.hasTypos = hasTypos
        self.place = place
    }

    init?(_ description: String) {
        let parts = description.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let strictness = Strictness(rawValue: parts[0]), ["0", "1"].contains(parts[1]),
            let place = SearchCursor(parts[2])
        else { return nil }
        self.init(strictness: strictness, hasTypos: parts[1] == "1", place: place)
    }

    var description: String { "\(strictness.rawValue).\(hasTypos ? 1 : 0).\(place)" }
}

/// How many rows match, or more than how many.
struct FoundTotal: Equatable, Sendable, CustomStringConvertible {
    var count: Int
    var isExact: Bool

    /// `12`, or `1000+`
    var description: String { isExact ? "\(count)" : "\(count)+" }
}

/// What a ladder has found.
struct LadderResult {
    var page: SearchPage<Row>
    /// How the query had to be read to find something; nil if nothing was found.
    var strictness: Strictness?
    var hasTypos: Bool
    var total = FoundTotal(count: 0, isExact: true)
    /// How many of these have other words, which differ by typos, though some have the very words.
    var similarCount = 0
    /// The words that were found with typos, in the order of the query.
    var similarWords: [SimilarWord] = []

    /// Where the next page begins.
    var next: LadderCursor? {
        guard let strictness, let place = page.next else { return nil }
        return LadderCursor(strictness: strictness, hasTypos: hasTypos, place: place)
    }
}

/// Looks for what a person typed, ever less strictly until something is found: for all words; with the last one half typed;
/// with words taken for typos of others; for any of them. Rows with the very words that do not fill the page are followed by
/// those with words that differ by typos.
struct QueryLadder {
    private let index: SearchIndex<Row>

    init(_ index: SearchIndex<Row>) { self.index = index }

    /// - Throws: What `SearchRequest.fetch(_:)` throws.
    func search(_ wanted: LadderQuery, in database: Database) throws -> LadderResult {
        if let cursor = wanted.cursor {
            let request = request(query(wanted.text, cursor.strictness), hasTypos: cursor.hasTypos, wanted)
            let page = try request.limit(wanted.limit).after(cursor.place).fetch(database)
            return result(page, cursor.strictness, hasTypos: cursor.hasTypos)
        }
        var tried: Set<Attempt> = []
        var last: SearchPage<Row>?
        for strictness in wanted.isTyping ? [Strictness.prefix, .similar, .any] : [.exact, .prefix, .similar, .any] {
            let query = query(wanted.text, strictness)
            var hasTypos = strictness == .similar || strictness == .any
            guard tried.insert(Attempt(query: query, hasTypos: hasTypos)).inserted else { continue }
            var page = try page(query, hasTypos: hasTypos, wanted, in: database)
            last = page
            guard let total = page.total?.count, total > 0 else { continue }
            var similarCount = 0
            if !hasTypos, total < wanted.offset + wanted.limit {
                hasTypos = true
                page = try self.page(query, hasTypos: true, wanted, in: database)
                similarCount = max((page.total?.count ?? total) - total, 0)
            }
            var found = result(page, strictness, hasTypos: hasTypos)
            found.similarCount = similarCount
            return found
        }
        let nothing = try last ?? page(query(wanted.text, .exact), hasTypos: false, wanted, in: database)
        return result(nothing, nil, hasTypos: false)
    }

    /// All rows that pass the filters, whatever their words.
    func browse(_ wanted: LadderQuery, in database: Database) throws -> LadderResult {
        var request = configured(index.all(), wanted)
        for facet in wanted.facets { request = request.facet(facet.column, limit: facet.limit) }
        let page = try request.limit(wanted.limit).after(wanted.cursor?.place).fetch(database)
        return result(page, .exact, hasTypos: false)
    }

    /// How many of the rows that a search has found have which value of a column, without regard to the filters that
    /// `wanted` leaves out.
    func facet(_ column: String, limit: Int, of found: LadderResult, _ wanted: LadderQuery, in database: Database)
        throws
        -> SearchFacet?
    {
        var wanted = wanted
        wanted.facets = [(column, limit)]
        wanted.cursor = nil
        wanted.counting = .none
        if wanted.text.isEmpty {
            wanted.limit = 0
            return try browse(wanted, in: database).page.facet(column)
        }
        // What the filters have left nothing of may be found without some of them.
        guard let strictness = found.strictness else {
            wanted.counting = .upTo(1000)
            return try search(wanted, in: database).page.facet(column)
        }
        let query = query(wanted.text, strictness)
        return try request(query, hasTypos: found.hasTypos, wanted).limit(wanted.limit).fetch(database).facet(column)
    }

    private func result(_ page: SearchPage<Row>, _ strictness: Strictness?, hasTypos: Bool) -> LadderResult {
        LadderResult(
            page: page, strictness: strictness, hasTypos: hasTypos,
            total: page.total.map { FoundTotal(count: $0.count, isExact: $0.isExact) }
                ?? FoundTotal(count: page.hits.count, isExact: false),
            similarWords: Self.similarWords(page))
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

    /// How many hits are passed over at once on the way to the first one that is wanted.
    private static let skippedAtOnce = 500

    private func page(
        _ query: SearchQuery, hasTypos: Bool, _ wanted: LadderQuery, in database: Database
    ) throws -> SearchPage<Row> {
        var request = request(query, hasTypos: hasTypos, wanted)
        var offset = max(wanted.offset, 0)
        while offset > 0 {
            let skipped = min(offset, Self.skippedAtOnce)
            let page = try request.limit(skipped).counting(.none).fetch(database)
            // Behind the last hit there is none, and the total counts all the same.
            guard let next = page.next else { return try request.limit(0).counting(.exact).fetch(database) }
            request = request.after(next)
            offset -= skipped
        }
        return try request.limit(wanted.limit).fetch(database)
    }

    private func request(_ query: SearchQuery, hasTypos: Bool, _ wanted: LadderQuery) -> SearchRequest<Row> {
        var request = configured(index.query(query), wanted).typos(hasTypos ? .automatic : .none).explained(hasTypos)
        for facet in wanted.facets { request = request.facet(facet.column, limit: facet.limit) }
        return request
    }

    private func configured(_ request: SearchRequest<Row>, _ wanted: LadderQuery) -> SearchRequest<Row> {
        var request = request.counting(wanted.counting).order(wanted.order)
        for filter in wanted.filters { request = request.filter(filter) }
        return request
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
}
