import BenchmarkSupport
import Concordance
import ConcordanceSQLite

/// A query of a database, compiled once.
struct PreparedQuery {
    private let db: Database
    private let statement: Statement

    init(_ db: Database, _ sql: String) throws {
        self.db = db
        statement = try db.makeStatement(sql: sql)
    }

    /// Runs it and reads the first column of each row.
    func run(_ match: String) throws {
        var sum: Int64 = 0
        try statement.forEachRow(arguments: [match]) { sum &+= $0.int64(at: 0) }
        withExtendedLifetime(sum) {}
    }

    /// Seconds that it takes when the index has changed since the last time, so that nothing is known of its phrases.
    func firstTime(_ match: String) throws -> Double {
        try db.execute(sql: "BEGIN")
        defer { try? db.execute(sql: "ROLLBACK") }
        return try time(
            after: {
                // The query has FTS5 write the row.
                try db.execute(sql: "INSERT INTO t(title) VALUES ('x'); SELECT rowid FROM t WHERE t MATCH 'x' LIMIT 1")
            },
            { try run(match) })
    }
}

/// A class of queries, and how they are timed.
struct QueryClass {
    let name: String
    let queries: [DocumentationTexts.Query]
    /// Whether the queries are timed when the index has changed. Otherwise the engine knows the rows of a phrase from
    /// the time before.
    let isFirst: Bool

    static func all(_ data: DocumentationTexts) -> [QueryClass] {
        data.classes.flatMap { name, queries in
            [QueryClass(name: name, queries: queries, isFirst: false)]
                + (name == "phrase" ? [QueryClass(name: "phrase, first", queries: queries, isFirst: true)] : [])
        }
    }

    /// Seconds of each query, each way.
    func times(_ ways: [PreparedQuery]) throws -> [[Double]] {
        try queries.map { query in
            isFirst
                ? try ways.map { try $0.firstTime(query.match) }
                : try time(ways.map { way in { try way.run(query.match) } })
        }
    }
}

/// The classes of queries, timed on both modules.
struct QueryClasses {
    /// How much faster than FTS5 a class of queries must be.
    private static let targets: [String: Double] = [
        "rare1": 1.5, "mid1": 20, "common1": 150, "and2": 8, "or2": 80, "or3-5": 150, "phrase": 5,
        "phrase, first": 5, "prefix1": 100, "prefix2": 60, "prefix3": 40, "and_prefix": 8,
    ]
    static let rankSQL = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10"
    private static let bm25SQL = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT 10"
    private static let countSQL = "SELECT count(*) FROM t WHERE t MATCH ?"
    private static let scanSQL = "SELECT rowid FROM t WHERE t MATCH ?"

    let data: DocumentationTexts
    let databases: Databases
    let documents: Documents

    /// Whether the class is of prefixes, which are measured with prefix indexes.
    static func usesPrefixIndex(_ name: String) -> Bool { name.hasPrefix("prefix") }

    private func open(_ module: Module, for name: String) throws -> Database {
        try databases.open(module, documents, prefix: Self.usesPrefixIndex(name))
    }

    /// The best ten of every query.
    func ranked() throws {
        var rows = [
            [
                "class", "hits", "FTS5 ms, ORDER BY rank", "FTS5 ms, ORDER BY bm25(t)", "engine ms", "ratio to rank",
                "ratio to bm25(t)", "target", "",
            ]
        ]
        for group in QueryClass.all(data) {
            let (name, queries) = (group.name, group.queries)
            let fts5 = try open(.fts5, for: name)
            let engine = try open(.concordance, for: name)
            let ways = try [
                PreparedQuery(fts5, Self.rankSQL), PreparedQuery(fts5, Self.bm25SQL),
                PreparedQuery(engine, Self.rankSQL),
            ]
            let times = try group.times(ways)
            let hits = try queries.map { query in
                Double(try Int.fetchOne(fts5, sql: Self.countSQL, arguments: [query.match]) ?? 0)
            }
            let medians = ways.indices.map { way in median(times.map { $0[way] }) }
            let ratio = medians[0] / medians[2]
            let target = Self.targets[name] ?? 0
            rows.append([
                name, "\(Int(median(hits)))", milliseconds(medians[0]), milliseconds(medians[1]),
                milliseconds(medians[2]), short(ratio), short(medians[1] / medians[2]), "\(short(target)) x",
                ratio >= target ? "met" : "MISSED",
            ])
        }
        print("\n## The best ten of a query, medians over the queries of a class\n\n" + markdown(rows))
        try report()
    }

    /// Reports the queries for which the two do not show the same rows with the same scores.
    private func report() throws {
        let rankSQL = Self.rankSQL.replacing("rowid", with: "rank")
        var others: [String] = []
        for (name, queries) in data.classes {
            let both = try Module.allCases.map { try open($0, for: name) }
            for query in queries {
                let rows = try both.map { try Int64.fetchAll($0, sql: Self.rankSQL, arguments: [query.match]) }
                let scores = try both.map { try Double.fetchAll($0, sql: rankSQL, arguments: [query.match]) }
                let isSame =
                    rows[0] == rows[1]
                    && zip(scores[0], scores[1]).allSatisfy { abs($0 - $1) <= 1e-9 * abs($0) }
                if !isSame { others.append("\(name) \(query.match)") }
            }
        }
        BenchmarkSupport.report(
            "queries with the same rows, order and scores",
            "\(data.queries.count - others.count) of \(data.queries.count)")
        if !others.isEmpty { BenchmarkSupport.report("with others", others.joined(separator: "; ")) }
    }

    /// The best ten of every query by `bm25` and by other rankings.
    func rankings() throws {
        for (rank, limit) in Self.rankings { try compare(with: rank, limit: limit) }
        try orders()
        try all()
    }

    private func compare(with rank: String, limit: Double) throws {
        let sql = "SELECT rowid FROM t WHERE t MATCH ? AND rank MATCH '\(rank)' ORDER BY rank LIMIT 10"
        var rows = [["class", "bm25 ms", "ms", "ratio", "target", ""]]
        for group in QueryClass.all(data) {
            let name = group.name
            let engine = try open(.concordance, for: name)
            let ways = try [PreparedQuery(engine, Self.rankSQL), PreparedQuery(engine, sql)]
            let times = try group.times(ways)
            let medians = ways.indices.map { way in median(times.map { $0[way] }) }
            let ratio = medians[1] / medians[0]
            rows.append([
                name, milliseconds(medians[0]), milliseconds(medians[1]), short(ratio),
                "<= \(short(limit)) x", ratio <= limit ? "met" : "MISSED",
            ])
        }
        print("\n## The best ten by another ranking: \(rank)\n\n" + markdown(rows))
    }

    /// The recommended ranking, and weights of columns: what each may cost, as multiples of `bm25`.
    private static let rankings = [("concordance_rank(1.2, 0.75, 2.0, 0.0, 0.3)", 2.5), ("bm25(10.0, 1.0)", 1.5)]

    /// An order by the function, which SQLite does not pass on to virtual tables: every match is scored and sorted.
    private func orders() throws {
        let sql = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t, 10.0, 1.0) LIMIT 10"
        var rows = [["class", "FTS5 ms", "engine ms", "ratio", "target", ""]]
        for group in QueryClass.all(data) {
            let name = group.name
            let ways = try Module.allCases.map { try PreparedQuery(open($0, for: name), sql) }
            let times = try group.times(ways)
            let medians = ways.indices.map { way in median(times.map { $0[way] }) }
            let ratio = medians[0] / medians[1]
            rows.append([
                name, milliseconds(medians[0]), milliseconds(medians[1]), short(ratio), "5 x",
                ratio >= 5 ? "met" : "MISSED",
            ])
        }
        print("\n## The best ten by ORDER BY bm25(t, 10.0, 1.0)\n\n" + markdown(rows))
    }

    /// All rows by rank and, for the minimum that SQLite's loop costs, all by rowid.
    private func all() throws {
        let ranked = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank"
        let floor = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid"
        var rows = [["class", "hits", "FTS5 ms", "engine ms", "engine by rowid, ms", "ratio", "target", ""]]
        for group in QueryClass.all(data) {
            let (name, queries) = (group.name, group.queries)
            let (fts5, engine) = (try open(.fts5, for: name), try open(.concordance, for: name))
            let ways = try [
                PreparedQuery(fts5, ranked), PreparedQuery(engine, ranked), PreparedQuery(engine, floor),
            ]
            let times = try group.times(ways)
            let hits = try queries.map { query in
                Double(try Int.fetchOne(engine, sql: Self.countSQL, arguments: [query.match]) ?? 0)
            }
            let medians = ways.indices.map { way in median(times.map { $0[way] }) }
            let ratio = medians[0] / medians[1]
            rows.append([
                name, "\(Int(median(hits)))", milliseconds(medians[0]), milliseconds(medians[1]),
                milliseconds(medians[2]), short(ratio), "10 x", ratio >= 10 ? "met" : "MISSED",
            ])
        }
        print("\n## All rows by rank, without LIMIT\n\n" + markdown(rows))
    }

    /// Counts, and all rowids, without ranking.
    func unranked() throws {
        var rows = [
            ["class", "FTS5 ms, count(*)", "engine ms", "ratio", "FTS5 ms, all rowids", "engine ms", "ratio", ""]
        ]
        for group in QueryClass.all(data) {
            let name = group.name
            let fts5 = try open(.fts5, for: name)
            let engine = try open(.concordance, for: name)
            let ways = try [Self.countSQL, Self.scanSQL].flatMap { sql in
                [try PreparedQuery(fts5, sql), try PreparedQuery(engine, sql)]
            }
            let times = try group.times(ways)
            let medians = ways.indices.map { way in median(times.map { $0[way] }) }
            let ratios = [medians[0] / medians[1], medians[2] / medians[3]]
            rows.append([
                name, milliseconds(medians[0]), milliseconds(medians[1]), short(ratios[0]), milliseconds(medians[2]),
                milliseconds(medians[3]), short(ratios[1]), ratios.allSatisfy { $0 >= 1 } ? "met" : "MISSED",
            ])
        }
        print("\n## Not ranked, medians over the queries of a class; target 1 x\n\n" + markdown(rows))
    }
}
