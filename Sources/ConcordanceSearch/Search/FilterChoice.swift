import ConcordanceEngine
import ConcordanceSQLite

/// Chooses, by counts, how a search finds the rows that pass its filter.
///
/// Looking a match up in the indexed table costs about as much as reading four rows from an index of the filter;
/// ranking the match, too, as much as sixteen (`matchPrice`). No more of the filter's rows are read than they are worth
/// to this search and to earlier ones with the same filter (`FilterSets`), so a wrong estimate costs at most as much as
/// has been spent already. Rows that were read serve the page, the count, the facets and, until something changes,
/// later searches.
final class FilterChoice {
    private let sql: SearchSQL
    private let db: Database
    /// What is known about the rows that pass; nil if there is nothing to choose.
    private let entry: FilterSets.Entry?
    /// Whether SQLite would read the whole table to find the rows that pass.
    private var needsScan: Bool?
    /// The fraction of the best matches that passed; nil if none was looked up.
    private var passingPart: Double?
    /// The choice, once it is final.
    private var settled: FilterAccess?

    /// The price of looking a match up, in rows of a set, and of ranking it, too.
    private static let matchPrice = 4
    private static let rankedMatchPrice = 16
    /// The number of ranked matches that are looked up before a choice is made.
    private static let sampleSize = 64

    init(_ sql: SearchSQL, in db: Database) throws {
        self.sql = sql
        self.db = db
        entry =
            if let rows = sql.filteredRows, sql.query.table.engine == .concordance, !sql.browses {
                try FilterSets.of(db).entry(for: rows, in: db)
            } else {
                nil
            }
        if let rows = entry?.rows { settled = access(rows) }
    }

    // MARK: - Pages

    /// The first matches by relevance after a position that pass the filter.
    ///
    /// Without a set, matches are looked up in the order of relevance. If too few of the first ones pass and the set
    /// costs less, the search continues after the last one within the set.
    func page(
        after place: SearchCursor.Place?, without seen: [Int64], limit: Int
    ) throws -> [(id: Int64, score: Double)] {
        var found: [(id: Int64, score: Double)] = []
        guard limit > 0 else { return found }
        guard let entry, sql.isRanked, let stream = sql.stream(after: place, without: seen) else {
            return try matches(sql.page(after: place, without: seen, limit: limit, .lookup))
        }
        if let access = try settled ?? set(for: 0) {
            return try matches(sql.page(after: place, without: seen, limit: limit, access))
        }
        var visited = 0
        var nextLook = Self.sampleSize
        var last: (place: SearchCursor.Place, access: FilterAccess)?
        let statement = try db.cachedStatement(sql: stream.sql)
        try statement.setArguments(stream.arguments)
        while found.count < limit, try statement.step() {
            visited += 1
            let match = (id: statement.int64(at: 0), score: statement.double(at: 1))
            if statement.int64(at: 2) != 0 { found.append(match) }
            guard visited == nextLook, found.count < limit else { continue }
            nextLook *= 4
            let wanted = limit == .max ? Int(Int32.max) : limit - found.count
            let expected = Double(wanted) * Double(visited) / max(Double(found.count), 0.5)
            if let access = try set(for: Int(min(expected, 1e9)) * Self.rankedMatchPrice) {
                last = (SearchCursor.Place(values: [], score: match.score, id: match.id), access)
                break
            }
        }
        statement.reset()
        entry.spent += visited * Self.matchPrice
        passingPart = visited == 0 ? nil : Double(found.count) / Double(visited)
        if let last {
            let rest = limit == .max ? limit : limit - found.count
            found += try matches(sql.page(after: last.place, without: seen, limit: rest, last.access))
        }
        return found
    }

    private func matches(_ sql: SQL) throws -> [(id: Int64, score: Double)] {
        var matches: [(id: Int64, score: Double)] = []
        try db.cachedStatement(sql: sql.sql).forEachRow(arguments: sql.arguments) {
            matches.append(($0.int64(at: 0), $0.double(at: 1)))
        }
        return matches
    }

    // MARK: - Counts

    /// How to find the matches that pass: all of them, or a number of them.
    func access(limit: Int?) throws -> FilterAccess {
        guard let entry else { return .lookup }
        if let settled { return settled }
        var visits = Int(Int32.max)
        if let limit {
            visits = passingPart.map { Int(min(Double(limit) / max($0, 1e-6), 1e9)) } ?? limit
        }
        if limit == nil || passingPart ?? 1 < 0.5 {
            let matches = sql.unfilteredCount(limit: min(visits, 1 << 20))
            visits = min(visits, try Int.fetchOne(db, literal: matches) ?? 0)
        }
        if let access = try set(for: visits * Self.matchPrice) { return access }
        entry.spent += visits * Self.matchPrice
        return .lookup
    }

    // MARK: - Sets

    private func access(_ rows: RowSet) -> FilterAccess {
        sql.query.condition(in: rows).map { .set($0) } ?? .subquery
    }

    /// The set of rows that pass; nil if it costs more than the price of so many rows plus what it was worth to earlier
    /// searches.
    private func set(for price: Int) throws -> FilterAccess? {
        if let settled { return settled }
        guard let entry else { return nil }
        let spent = try entry.spent > 0 && entry.isLasting(in: db) ? entry.spent : 0
        let price = price + spent
        // Each attempt may cost twice as much as the one before, so all attempts together cost at most twice the last.
        guard price > 2 * entry.refusedPrice else { return nil }
        if try scansTable(), try count("SELECT 1 FROM \(sql.source) LIMIT \(price)") >= price {
            entry.refusedPrice = price
            return nil
        }
        guard let rows = try FilterSets.of(db).read(entry, limit: price, in: db) else {
            entry.refusedPrice = price
            return nil
        }
        let access = access(rows)
        settled = access
        return access
    }

    private func count(_ rows: SQL) throws -> Int {
        try Int.fetchOne(db, literal: "SELECT count(*) FROM (\(rows))") ?? 0
    }

    private func scansTable() throws -> Bool {
        if let needsScan { return needsScan }
        guard let rows = sql.filteredRows else { return false }
        // The first line is the outermost loop.
        let plan = try Row.fetchOne(db, literal: "EXPLAIN QUERY PLAN \(rows)")
        let detail: String = plan?["detail"] ?? ""
        needsScan = detail.hasPrefix("SCAN")
        return detail.hasPrefix("SCAN")
    }
}
