import Concordance
import ConcordanceSearch
import Foundation

/// How strictly a query is taken.
enum Strictness: String, Equatable, Sendable {
    /// All words, exactly.
    case exact
    /// All words, of which the last one may be half typed.
    case prefix
    /// All words, or others that differ by typos.
    case similar
    /// The same, with the parts of names such as `pthread_create` as separate words, since a phrase allows no typos, and pairs of
    /// characters in scripts without spaces.
    case apart
    /// Any of the words, or others that differ by typos.
    case any

    var allowsTypos: Bool { self == .similar || self == .apart || self == .any }
}

/// A search in a table, and how much of its results is wanted.
struct LadderQuery: Sendable {
    /// What a person typed.
    var text: String
    /// Whether to treat the last word as half typed from the start.
    var isTyping = false
    /// Conditions on the columns of the indexed table, all of which must hold.
    var filters: [SQL] = []
    /// The order, in which relevance comes last.
    var order: [SearchOrdering] = []
    var limit = 20
    /// How many of the first hits to skip.
    var offset = 0
    /// Where the page begins, if it follows another one.
    var cursor: LadderCursor?
    var counting = SearchCounting.upTo(1000)
    /// Columns whose values are counted, and how many values are wanted.
    var facets: [(column: String, limit: Int)] = []
    /// Whether hits explain their scores.
    var isExplained = false
    /// Whether hits come with their texts.
    fileprivate var readsTexts = true
    /// Returns the standing of each hit's document; nil leaves hits in the engine's order.
    var standings: (@Sendable ([SearchHit<Row>], Database) throws -> [DocumentStanding])?

    init(_ text: String) { self.text = text }

    /// Whether the first hits are ordered by the standing of their documents.
    var isRanked: Bool { standings != nil && order.isEmpty }
}

/// How many rows match, or a lower bound.
struct FoundTotal: Equatable, Sendable, CustomStringConvertible {
    var count: Int
    var isExact: Bool

    /// `12`, or `1000+`
    var description: String { isExact ? "\(count)" : "\(count)+" }
}

/// The result of a ladder.
struct LadderResult {
    /// The engine's first page, with the facets and the query that found something.
    var page: SearchPage<Row>
    /// The wanted hits, in the order in which they are shown.
    var hits: [RankedHit] = []
    /// How strictly the query was taken when it found something; nil if nothing was found.
    var strictness: Strictness?
    var hasTypos: Bool
    var total = FoundTotal(count: 0, isExact: true)
    /// How many of these have words that differ by typos, while others have the exact words.
    var similarCount = 0
    /// How many of the first hits have the exact words.
    fileprivate var exactCount = Int.max
    /// How many of these have only some of the words, while others have all of them.
    var looseCount = 0
    /// The words that were found with typos, in the order of the query.
    var similarWords: [SimilarWord] = []
    /// Where the next page begins.
    var next: LadderCursor?
}

/// Searches for what a person typed, less and less strictly until something is found: all words; the last one half
/// typed; words with typos; any of the words. If rows with the exact words do not fill the page, rows with words that
/// differ by typos follow.
///
/// If the standing of documents is known, the first hits are ordered by it (`RankedWindow`), together with some that
/// have only part of the words of a long query.
struct QueryLadder {
    private let index: SearchIndex<Row>

    init(_ index: SearchIndex<Row>) { self.index = index }

    /// - Throws: What `SearchRequest.fetch(_:)` throws.
    func search(_ wanted: LadderQuery, in database: Database) throws -> LadderResult {
        if let cursor = wanted.cursor { return try follow(cursor, wanted, in: database) }
        let isRanked = wanted.isRanked
        var first = wanted
        if isRanked {
            first.offset = 0
            first.limit = RankedWindow.size
            first.readsTexts = false
        }
        var tried: Set<Attempt> = []
        var last: SearchPage<Row>?
        for strictness in wanted.isTyping
            ? [Strictness.prefix, .similar, .apart, .any] : [.exact, .prefix, .similar, .apart, .any]
        {
            let query = query(wanted.text, strictness)
            var hasTypos = strictness.allowsTypos
            guard tried.insert(Attempt(query: query, hasTypos: hasTypos)).inserted else { continue }
            var page = try page(query, hasTypos: hasTypos, first, in: database)
            last = page
            guard let total = page.total?.count, total > 0 else { continue }
            var similarCount: Int?
            if !hasTypos, total < wanted.offset + wanted.limit {
                hasTypos = true
                page = try self.page(query, hasTypos: true, first, in: database)
                similarCount = max((page.total?.count ?? total) - total, 0)
            }
            var found = result(page, strictness, hasTypos: hasTypos)
            if let similarCount { (found.exactCount, found.similarCount) = (total, similarCount) }
            if isRanked { try rank(&found, from: max(wanted.offset, 0), wanted, in: database) }
            return found
        }
        let nothing = try last ?? page(query(wanted.text, .exact), hasTypos: false, wanted, in: database)
        return result(nothing, nil, hasTypos: false)
    }

    /// Whether the query, taken as strictly as when it found something, finds any row that passes the filters of `wanted`.
    func finds(_ wanted: LadderQuery, asIn found: LadderResult, in database: Database) throws -> Bool {
        guard let strictness = found.strictness else { return false }
        var any = wanted
        any.facets = []
        any.isExplained = false
        any.readsTexts = false
        any.counting = .none
        return try !request(query(wanted.text, strictness), hasTypos: found.hasTypos, any).limit(1).fetch(database).hits
            .isEmpty
    }

    /// The page that begins at a cursor.
    private func follow(_ cursor: LadderCursor, _ wanted: LadderQuery, in database: Database) throws -> LadderResult {
        let query = query(wanted.text, cursor.strictness)
        switch cursor.place {
        case .hit(let place):
            let request = request(query, hasTypos: cursor.hasTypos, wanted)
            return result(
                try request.limit(wanted.limit).after(place).fetch(database), cursor.strictness,
                hasTypos: cursor.hasTypos)
        case .window(let count, let text):
            guard wanted.isRanked, text == LadderCursor.mark(of: wanted.text) else {
                throw SearchIndexError.foreignCursor(index: index.definition.name)
            }
            var first = wanted
            first.offset = 0
            first.limit = RankedWindow.size
            first.readsTexts = false
            var found = result(
                try page(query, hasTypos: cursor.hasTypos, first, in: database), cursor.strictness,
                hasTypos: cursor.hasTypos)
            if cursor.hasTypos, !cursor.strictness.allowsTypos {
                let exact = request(query, hasTypos: false, first).counting(.upTo(RankedWindow.size)).limit(0)
                found.exactCount = try exact.fetch(database).total?.count ?? 0
            }
            try rank(&found, from: count, wanted, in: database)
            return found
        }
    }

    // MARK: Ranking

    /// Orders the first hits by the standing of their documents, and cuts out the wanted ones.
    ///
    /// - Parameter found: The engine's first `RankedWindow.size` hits.
    private func rank(_ found: inout LadderResult, from offset: Int, _ wanted: LadderQuery, in database: Database)
        throws
    {
        guard let strictness = found.strictness, let standings = wanted.standings else { return }
        if found.hasTypos { found.similarWords = try similarWords(strictness, wanted, in: database) }
        let loose = try looseHits(beside: found, wanted, in: database)
        let window = try RankedWindow(strict: found.page.hits, exactCount: found.exactCount, loose: loose) {
            try standings($0, database)
        }
        found.looseCount = window.looseCount
        found.total.count += window.looseCount
        found.hits = try readingTexts(
            of: Array(window.hits.dropFirst(offset).prefix(wanted.limit)), strictness, wanted, in: database)
        func cursor(_ place: LadderCursor.Place) -> LadderCursor {
            LadderCursor(strictness: strictness, hasTypos: found.hasTypos, place: place)
        }
        found.next = nil
        if offset + wanted.limit < window.hits.count {
            found.next = cursor(
                .window(offset + wanted.limit, text: LadderCursor.mark(of: wanted.text)))
        } else if found.page.hasMore, let end = try end(of: found, wanted, in: database) {
            // The hits after the window are in the engine's order.
            var behind = wanted
            behind.facets = []
            behind.counting = .none
            behind.limit = wanted.limit - found.hits.count
            behind.offset = max(offset - window.hits.count, 0)
            let request = request(query(wanted.text, strictness), hasTypos: found.hasTypos, behind).after(end)
            guard behind.limit > 0 else {
                found.next = cursor(.hit(end))
                return
            }
            let following = try page(request, behind, in: database)
            found.hits += following.hits.map { RankedHit(hit: $0, score: $0.score) }
            found.next = following.next.map { cursor(.hit($0)) }
        }
    }

    /// Hits of the window with their texts, which most of it is never asked for.
    private func readingTexts(
        of ranked: [RankedHit], _ strictness: Strictness, _ wanted: LadderQuery, in database: Database
    ) throws -> [RankedHit] {
        let request = index.query(query(wanted.text, strictness))
        return zip(ranked, try request.readTexts(of: ranked.map(\.hit), database)).map { ranked, hit in
            var ranked = ranked
            ranked.hit = hit
            return ranked
        }
    }

    /// Where the window ends in the engine's order.
    private func end(of found: LadderResult, _ wanted: LadderQuery, in database: Database) throws -> SearchCursor? {
        guard let strictness = found.strictness else { return nil }
        var first = wanted
        first.facets = []
        first.counting = .none
        return try request(query(wanted.text, strictness), hasTypos: found.hasTypos, first)
            .limit(RankedWindow.size).fetch(database).next
    }

    /// How many of the engine's first hits are explained to learn which words were found with typos: explaining a whole
    /// window takes longer than finding it.
    private static let explainedCount = 10

    /// The words that were found with typos.
    private func similarWords(_ strictness: Strictness, _ wanted: LadderQuery, in database: Database) throws
        -> [SimilarWord]
    {
        var explained = wanted
        explained.isExplained = true
        explained.readsTexts = false
        explained.facets = []
        explained.counting = .none
        let request = request(query(wanted.text, strictness), hasTypos: true, explained)
        return Self.similarWords(try request.limit(Self.explainedCount).fetch(database))
    }

    /// Hits that join those with all words.
    ///
    /// - Hits with any words of a long query: "report file system disk space" is about `df`, whose manual lacks one of
    ///   these words.
    /// - Hits with a word that begins with the last one, if few have that exact word: "systemd tim" otherwise finds
    ///   only a person called Tim.
    private func looseHits(beside found: LadderResult, _ wanted: LadderQuery, in database: Database) throws
        -> [SearchHit<Row>]
    {
        guard let strictness = found.strictness, strictness != .any else { return [] }
        var loose = wanted
        loose.facets = []
        loose.readsTexts = false
        loose.counting = .none
        func hits(_ query: SearchQuery) throws -> [SearchHit<Row>] {
            try request(query, hasTypos: false, loose).limit(RankedWindow.looseSize).fetch(database).hits
        }
        let exact = query(wanted.text, .exact)
        var added: [SearchHit<Row>] = []
        if strictness == .exact, found.total.count < RankedWindow.looseSize {
            let half = query(wanted.text, .prefix)
            if half != exact { added = try hits(half) }
        }
        // Quotation marks, fields and exclusions are taken literally.
        let isPlain = wanted.text.allSatisfy { $0.isLetter || $0.isNumber || $0.isWhitespace || ",.'?!/-".contains($0) }
        if isPlain, DocumentRanking(query: wanted.text).subjectWords.count >= 3 {
            let any = exact.matchingAny
            if any != exact {
                let known = Set(added.map(\.id))
                added += try hits(any).filter { !known.contains($0.id) }
            }
        }
        return added
    }

    /// Finds all rows that pass the filters, whatever their words.
    func browse(_ wanted: LadderQuery, in database: Database) throws -> LadderResult {
        var request = configured(index.all(), wanted)
        for facet in wanted.facets { request = request.facet(facet.column, limit: facet.limit) }
        var place: SearchCursor?
        if case .hit(let cursor)? = wanted.cursor?.place { place = cursor }
        let page = try request.limit(wanted.limit).after(place).fetch(database)
        return result(page, .exact, hasTypos: false)
    }

    /// Counts the rows found by a search by the values of a column, ignoring the filters that `wanted` leaves out.
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
        // If the filters have left nothing, fewer filters may leave something.
        guard let strictness = found.strictness else {
            wanted.counting = .upTo(1000)
            return try search(wanted, in: database).page.facet(column)
        }
        let query = query(wanted.text, strictness)
        return try request(query, hasTypos: found.hasTypos, wanted).limit(wanted.limit).fetch(database).facet(column)
    }

    private func result(_ page: SearchPage<Row>, _ strictness: Strictness?, hasTypos: Bool) -> LadderResult {
        var result = LadderResult(
            page: page, hits: page.hits.map { RankedHit(hit: $0, score: $0.score) }, strictness: strictness,
            hasTypos: hasTypos)
        result.total =
            page.total.map { FoundTotal(count: $0.count, isExact: $0.isExact) }
            ?? FoundTotal(count: page.hits.count, isExact: false)
        result.similarWords = Self.similarWords(page)
        if let strictness, let next = page.next {
            result.next = LadderCursor(strictness: strictness, hasTypos: hasTypos, place: .hit(next))
        }
        return result
    }

    /// A search that has already been tried.
    private struct Attempt: Hashable {
        var query: SearchQuery
        var hasTypos: Bool
    }

    private func query(_ text: String, _ strictness: Strictness) -> SearchQuery {
        let query = SearchQuery(text, for: index.definition, isTyping: strictness != .exact)
        return switch strictness {
        case .exact, .prefix, .similar: query
        case .apart: query.replacingWords(WordParts.apart)
        case .any: query.replacingWords(WordParts.paired).matchingAny
        }
    }

    /// How many hits are skipped at once on the way to the first wanted one.
    private static let skippedAtOnce = 500

    private func page(
        _ query: SearchQuery, hasTypos: Bool, _ wanted: LadderQuery, in database: Database
    ) throws -> SearchPage<Row> {
        try page(request(query, hasTypos: hasTypos, wanted), wanted, in: database)
    }

    private func page(
        _ request: SearchRequest<Row>, _ wanted: LadderQuery, in database: Database
    ) throws -> SearchPage<Row> {
        var request = request
        var offset = max(wanted.offset, 0)
        while offset > 0 {
            let skipped = min(offset, Self.skippedAtOnce)
            let page = try request.limit(skipped).counting(.none).fetch(database)
            // There are no hits after the last one, but the total is still needed.
            guard let next = page.next else { return try request.limit(0).counting(.exact).fetch(database) }
            request = request.after(next)
            offset -= skipped
        }
        return try request.limit(wanted.limit).fetch(database)
    }

    private func request(_ query: SearchQuery, hasTypos: Bool, _ wanted: LadderQuery) -> SearchRequest<Row> {
        var request = configured(index.query(query), wanted).typos(hasTypos ? .automatic : .none).explained(
            wanted.isExplained || hasTypos && !wanted.isRanked)
        for facet in wanted.facets { request = request.facet(facet.column, limit: facet.limit) }
        return wanted.readsTexts ? request : request.withoutTexts()
    }

    private func configured(_ request: SearchRequest<Row>, _ wanted: LadderQuery) -> SearchRequest<Row> {
        var request = request.counting(wanted.counting).order(wanted.order)
        for filter in wanted.filters { request = request.filter(filter) }
        return request
    }

    /// The words of a page's query that were found with typos, each with the word that most hits have instead.
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
