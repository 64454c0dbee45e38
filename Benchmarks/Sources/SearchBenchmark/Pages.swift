import BenchmarkSupport
import Concordance

/// Two ways or more to answer a query, timed in turn; per class of queries.
struct PageComparison {
    struct Way {
        let name: String
        let run: (Documents.Query) throws -> Void
    }

    let title: String
    let ways: [Way]
    /// How many queries of each class.
    var queryCount = Int.max
    private let clock = ContinuousClock()

    init(_ title: String, queryCount: Int = .max, _ ways: [Way]) {
        self.title = title
        self.ways = ways
        self.queryCount = queryCount
    }

    /// Prints the medians over the queries of a class: of each way, of what the last one takes more than the first, and of
    /// their ratio. The time of a query is the median of its rounds.
    func run(_ documents: Documents) throws {
        var rows = [["class"] + ways.map(\.name) + ["last - first", "last / first"]]
        for (name, queries) in documents.classes {
            let times = try queries.prefix(queryCount).map(time)
            var row = [name] + ways.indices.map { way in duration(median(times.map { $0[way] })) }
            row.append("\(short(median(times.map { ($0[ways.count - 1] - $0[0]) * 1e6 }))) us")
            row.append(short(median(times.map { $0[ways.count - 1] / $0[0] })))
            rows.append(row)
        }
        print("\n## \(title)\n\n" + markdown(rows))
    }

    private func time(_ query: Documents.Query) throws -> [Double] {
        let first = try ways.map { way in try clock.measure { try way.run(query) }.seconds }
        let slowest = first.max() ?? 0
        let rounds = slowest < 0.002 ? 21 : slowest < 0.02 ? 7 : 3
        var times = ways.map { _ in [Double]() }
        for round in 0..<rounds {
            for turn in ways.indices {
                let way = (turn + round) % ways.count
                times[way].append(try clock.measure { try ways[way].run(query) }.seconds)
            }
        }
        return times.map(median)
    }
}

/// Pages through the index against SQL written by hand over the same tables.
struct Pages {
    let documents: Documents
    let pool: DatabasePool
    let db: Database

    func run() throws {
        let bare = try handWritten(Self.bareSQL)
        let dressed = try handWritten(Self.dressedSQL)
        try check()
        try PageComparison(
            "A page of 20 hits", queryCount: 6,
            [
                .init(name: "FTS5: rowids", run: bare),
                .init(name: "FTS5: rows, highlight(), snippet()", run: dressed),
                .init(name: "hits, not counted", run: page { $0.counting(.none) }),
                .init(name: "and shown", run: shown { $0.counting(.none) }),
                .init(name: "as by default, shown", run: shown { $0 }),
            ]
        ).run(documents)
        for (name, sql, request) in variants {
            let hand = try sql.map(handWritten)
            try PageComparison(
                "20 hits \(name)", queryCount: 4,
                [
                    .init(name: "SQL by hand", run: { query in for run in hand { try run(query) } }),
                    .init(name: "Concordance", run: page(request)),
                ]
            ).run(documents)
        }
    }

    private static let bareSQL = "SELECT rowid FROM documentTexts WHERE documentTexts MATCH ? ORDER BY rank LIMIT 20"
    private static let dressedSQL = """
        SELECT documents.*, highlight(documentTexts, 0, '<b>', '</b>'), snippet(documentTexts, 1, '<b>', '</b>', '…', 24)
        FROM documentTexts JOIN documents ON documents.id = documentTexts.rowid
        WHERE documentTexts MATCH ? ORDER BY rank LIMIT 20
        """

    private typealias Request = SearchRequest<Document>

    private var variants: [(name: String, sql: [String], request: (Request) -> Request)] {
        let join = "FROM documentTexts JOIN documents ON documents.id = documentTexts.rowid WHERE documentTexts MATCH ?"
        return [
            (
                "filtered by a column", ["SELECT documents.* \(join) AND isRead = 0 ORDER BY rank LIMIT 20"],
                { $0.filter { $0.isRead == false }.counting(.none) }
            ),
            (
                "ordered by a column first",
                ["SELECT documents.* \(join) ORDER BY isRead, rank LIMIT 20"],
                { $0.order { $0.isRead }.counting(.none) }
            ),
            (
                "with a facet of a column",
                [
                    Self.bareSQL,
                    "SELECT category, count(*) \(join) GROUP BY category ORDER BY count(*) DESC, category LIMIT 10",
                ], { $0.facet("category").counting(.none) }
            ),
            (
                "with a facet of tags",
                [
                    Self.bareSQL,
                    """
                    SELECT tags.title, count(*) FROM documentTexts
                    JOIN documentTags ON documentTags.documentID = documentTexts.rowid
                    JOIN tags ON tags.id = documentTags.tagID
                    WHERE documentTexts MATCH ? GROUP BY tags.title ORDER BY count(*) DESC, tags.title LIMIT 10
                    """,
                ], { $0.facet("tags").counting(.none) }
            ),
            (
                "and their exact number",
                [Self.bareSQL, "SELECT count(*) FROM documentTexts WHERE documentTexts MATCH ?"],
                { $0.counting(.exact) }
            ),
        ]
    }

    /// Runs a statement, and reads the columns of each row as they are.
    private func handWritten(_ sql: String) throws -> (Documents.Query) throws -> Void {
        let statement = try db.makeStatement(sql: sql)
        return { query in
            var bytes = 0
            try statement.forEachRow(arguments: [query.match]) { row in
                for column in 0..<row.columnCount { row.withBytes(at: column) { bytes += $0.count } }
            }
        }
    }

    private func page(_ change: @escaping (Request) -> Request) -> (Documents.Query) throws -> Void {
        { query in _ = try pool.search(change(documentTexts.query(query.query))) }
    }

    private func shown(_ change: @escaping (Request) -> Request) -> (Documents.Query) throws -> Void {
        { query in
            var count = 0
            for hit in try pool.search(change(documentTexts.query(query.query))).hits {
                count += hit.highlights(\.title).ranges.count + hit.snippet(\.body).ranges.count
            }
        }
    }

    /// Says for which queries the two find hits with other ranks.
    private func check() throws {
        let select = try db.makeStatement(
            sql: "SELECT rank FROM documentTexts WHERE documentTexts MATCH ? ORDER BY rank LIMIT 20")
        var other: [String] = []
        for query in documents.queries {
            let ranks = try Double.fetchAll(select, arguments: [query.match])
            let scores = try pool.search(documentTexts.query(query.query).counting(.none)).hits.map(\.score)
            if ranks.map({ -$0 }) != scores { other.append(query.match) }
        }
        report("queries with the same ranks", "\(documents.queries.count - other.count) of \(documents.queries.count)")
        if !other.isEmpty { report("with others", other.joined(separator: ", ")) }
    }
}
