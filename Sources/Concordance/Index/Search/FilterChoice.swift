/// How a search comes by the rows that pass its filter, chosen by counts.
///
/// A look-up of a match in the indexed table costs about as much as four rows that an index of the filter gives, or a
/// match that is ranked as much as sixteen: `matchPrice`. So the filter's rows are counted no further than they would
/// be worth it, and what a wrong estimate costs is bounded by what has been spent already.
final class FilterChoice {
    private let sql: SearchSQL
    private let db: Database
    /// Rows that pass, as far as they were counted.
    private var counted: (rows: Int, isAll: Bool) = (0, false)
    /// Whether SQLite would read the whole table to find the rows that pass.
    private var needsScan: Bool?
    /// Which part of the best matches has passed; nil where none was looked up.
    private var passingPart: Double?

    /// How many rows of a set a match that is looked up is worth, and one that is ranked too.
    private static let matchPrice = 4
    private static let rankedMatchPrice = 16
    /// How many ranked matches are looked up before there is anything to choose by.
    private static let sampleSize = 64

    init(_ sql: SearchSQL, in db: Database) {
        self.sql = sql
        self.db = db
    }

    /// Whether the engine takes a set of rowids whole, and gives matches by relevance one by one.
    private var hasChoice: Bool { sql.filter != nil && sql.parameters.definition.engine == .concordance }

    // MARK: - Pages

    /// The first matches by relevance behind a place that pass the filter.
    ///
    /// They are looked up in the order of relevance. Where too few of the first ones pass, and the rows that pass can be
    /// had for less, the search goes on behind the last one among these only.
    func page(
        after place: SearchCursor.Place?, without seen: [Int64], limit: Int
    ) throws -> [(id: Int64, score: Double)] {
        var found: [(id: Int64, score: Double)] = []
        guard limit > 0 else { return found }
        guard hasChoice, sql.isRanked, let stream = sql.stream(after: place, without: seen) else {
            return try matches(sql.page(after: place, without: seen, limit: limit, .lookup))
        }
        var visited = 0
        var nextLook = Self.sampleSize
        var last: SearchCursor.Place?
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
            if try isSetWorth(Int(min(expected, 1e9)) * Self.rankedMatchPrice) {
                last = SearchCursor.Place(values: [], score: match.score, id: match.id)
                break
            }
        }
        statement.reset()
        passingPart = visited == 0 ? nil : Double(found.count) / Double(visited)
        if let last {
            found += try matches(
                sql.page(after: last, without: seen, limit: limit == .max ? limit : limit - found.count, .set))
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

    /// How to come by the matches that pass, of which all are needed, or so many.
    func access(limit: Int?) throws -> FilterAccess {
        guard hasChoice else { return .lookup }
        var visits = Int(Int32.max)
        if let limit {
            visits = passingPart.map { Int(min(Double(limit) / max($0, 1e-6), 1e9)) } ?? limit
        }
        if limit == nil || passingPart ?? 1 < 0.5 {
            let matches = sql.unfilteredCount(limit: min(visits, 1 << 20))
            visits = min(visits, try Int.fetchOne(db, literal: matches) ?? 0)
        }
        return try isSetWorth(visits * Self.matchPrice) ? .set : .lookup
    }

    /// Whether the rows that pass are found for less than the price of so many rows.
    private func isSetWorth(_ price: Int) throws -> Bool {
        if counted.isAll { return counted.rows < price }
        if counted.rows >= price { return false }
        if try scansTable(), try count("SELECT 1 FROM \(sql.source) LIMIT \(price)") >= price {
            return false
        }
        guard let rows = sql.filteredRows else { return false }
        let count = try count("\(rows) LIMIT \(price)")
        counted = (count, count < price)
        return counted.isAll
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
