import ConcordanceSQLite
import ConcordanceText

/// The hits of several searches, fused into one list.
public struct FusedPage<Record: Sendable>: Sendable {
    /// A hit of one or more of the searches.
    public struct Hit: Sendable {
        /// The hit, from the search that contributes most to its score.
        public let hit: SearchHit<Record>
        /// The number of that search among those that were fused, from 0.
        public let search: Int
        /// The name of its index.
        public let index: String
        /// The fused score: higher is better.
        public let score: Double

        /// The row.
        public var record: Record { hit.record }
    }

    /// The hits of all searches, best first.
    public let hits: [Hit]
    /// The page of each search, in the order of the searches, with totals, facets and cursors.
    public let pages: [SearchPage<Record>]
}

/// Reciprocal rank fusion: scores of different indexes cannot be compared, but ranks can.
///
/// A hit at rank r of a search, from 1, gets `weight / (60 + r)`, summed over the searches that have it. The constant
/// keeps the first ranks of one search from outdoing hits that several searches agree on (Cormack, Clarke, Büttcher:
/// Reciprocal Rank Fusion outperforms Condorcet and individual rank learning methods, SIGIR 2009).
enum ReciprocalRankFusion {
    static let constant = 60.0

    /// A row, whichever index finds it.
    struct RowKey: Hashable {
        let table: String
        let id: Int64
    }

    struct Fused {
        /// The search, and the rank in it from 0, to which the row owes the largest share.
        var search: Int
        var place: Int
        var share: Double
        var score: Double
    }

    /// The rows of several lists, best first; equal ones in the order of the searches, then by rank.
    static func fuse(_ lists: [[RowKey]], weights: [Double]) -> [Fused] {
        var fused: [RowKey: Fused] = [:]
        for (search, list) in lists.enumerated() {
            for (place, key) in list.enumerated() {
                let share = weights[search] / (constant + Double(place + 1))
                guard var row = fused[key] else {
                    fused[key] = Fused(search: search, place: place, share: share, score: share)
                    continue
                }
                row.score += share
                if share > row.share { (row.search, row.place, row.share) = (search, place, share) }
                fused[key] = row
            }
        }
        return fused.values.sorted { ($1.score, $0.search, $0.place) < ($0.score, $1.search, $1.place) }
    }
}

extension ConnectionReader {
    /// Runs several searches in one read transaction and fuses their hits into one list.
    ///
    /// ```swift
    /// enum Found: Sendable { case reminder(Reminder), list(RemindersList) }
    /// let page = try await dbPool.search(fusing: [
    ///     reminderTexts.query(text).map(Found.reminder), listTexts.query(text).map(Found.list),
    /// ])
    /// ```
    /// Fuses the hits of the searches' pages by rank (see `SearchRequest.weighted(_:)`), because scores of different
    /// indexes cannot be compared. A row that several indexes of its table find is one hit, and ranks higher for it. To
    /// show lists below one another, use `search(_:_:_:)`. The fused list has no next page, but each of the `pages` has
    /// a cursor.
    ///
    /// - Parameters:
    ///   - requests: The searches, each with its own limit.
    ///   - limit: The most hits to return; by default all hits of the pages.
    /// - Throws: See `SearchRequest.fetch(_:)`.
    public func search<Record>(
        fusing requests: [SearchRequest<Record>], limit: Int? = nil
    ) throws -> FusedPage<Record> {
        try reading(requests.map(\.definition)) {
            try FusedPage(requests, limit: limit, in: $0)
        }
    }

    /// Runs several searches in one read transaction and fuses their hits; cancelled with its task.
    public func search<Record>(
        fusing requests: [SearchRequest<Record>], limit: Int? = nil
    ) async throws -> FusedPage<Record> {
        try await reading(requests.map(\.definition)) {
            try FusedPage(requests, limit: limit, in: $0)
        }
    }

    /// Runs several searches in one read transaction, and returns a page for each.
    ///
    /// ```swift
    /// let (reminders, lists) = try await dbPool.search(reminderTexts.query(text), listTexts.query(text).limit(5))
    /// ```
    /// - Throws: See `SearchRequest.fetch(_:)`.
    public func search<First, Second, each Other>(
        _ first: SearchRequest<First>, _ second: SearchRequest<Second>, _ other: repeat SearchRequest<each Other>
    ) throws -> (SearchPage<First>, SearchPage<Second>, repeat SearchPage<each Other>) {
        var definitions = [first.definition, second.definition]
        repeat definitions.append((each other).definition)
        return try reading(definitions) {
            (try first.fetch($0), try second.fetch($0), repeat try (each other).fetch($0))
        }
    }

    /// Runs several searches in one read transaction; cancelled with its task.
    public func search<First, Second, each Other>(
        _ first: SearchRequest<First>, _ second: SearchRequest<Second>, _ other: repeat SearchRequest<each Other>
    ) async throws -> (SearchPage<First>, SearchPage<Second>, repeat SearchPage<each Other>) {
        var definitions = [first.definition, second.definition]
        repeat definitions.append((each other).definition)
        return try await reading(definitions) {
            (try first.fetch($0), try second.fetch($0), repeat try (each other).fetch($0))
        }
    }
}

extension FusedPage {
    /// Runs several searches in the open transaction, or else in one read transaction; see
    /// `ConnectionReader.search(fusing:limit:)`.
    public init(_ requests: [SearchRequest<Record>], limit: Int? = nil, in db: Database) throws {
        pages = try db.inReadTransaction { try requests.map { try $0.fetch(db) } }
        let lists = zip(requests, pages).map { request, page in
            page.hits.map {
                ReciprocalRankFusion.RowKey(table: request.parameters.definition.table.lowercasedASCII, id: $0.id)
            }
        }
        let fused = ReciprocalRankFusion.fuse(lists, weights: requests.map(\.parameters.weight))
        hits = fused.prefix(max(limit ?? .max, 0)).map { [pages] row in
            Hit(
                hit: pages[row.search].hits[row.place], search: row.search,
                index: requests[row.search].parameters.definition.name, score: row.score)
        }
    }
}

extension SearchRequest {
    /// Sets how much the hits of this search count if several searches are fused; 1 by default.
    ///
    /// A hit at rank r, from 1, gets `weight / (60 + r)`, summed over the searches that have it: reciprocal rank fusion
    /// (Cormack, Clarke, Büttcher, SIGIR 2009).
    public func weighted(_ weight: Double) -> Self { with { $0.weight = weight } }

    /// The same search for any kind of record, so that it can be fused with others.
    package var erased: SearchRequest<any Sendable> { map { $0 } }
}
