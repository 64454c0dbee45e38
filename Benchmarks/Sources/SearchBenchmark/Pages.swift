import BenchmarkSupport
import Concordance

/// Pages of 20 hits by the documented calls, compared with FTS5's statements for the same.
struct Pages {
    let database: PageDatabase
    let classes: [(name: String, queries: [DocumentationTexts.Query])]

    func run() throws {
        let hand = try HandWrittenPages(database.db)
        var bare = [Self.heading + ["FTS5 hits", "hits"]]
        var shown = [Self.heading]
        for (name, queries) in classes {
            let times = try queries.map { query in
                let request = query.request
                return try time([
                    { try hand.bare(query.match) }, { _ = try database.pool.search(request) },
                    { try hand.shown(query.match) }, { try show(database.pool.search(request)) },
                ])
            }
            guard let target = Target.all[name] else { continue }
            let hits = try [
                queries.map { try hand.count($0.match) },
                queries.map { query in try database.pool.read { try query.request.fetchCount($0) } },
            ]
            bare.append(
                row(name, times.map { ($0[0], $0[1]) }, target.bare)
                    + hits.map { "\(Int(median($0.map(Double.init))))" })
            shown.append(row(name, times.map { ($0[2], $0[3]) }, target.shown))
        }
        print("\n## A page of 20 hits with records and count, beside FTS5's rowids\n\n" + markdown(bare))
        print("\n## The same, each title highlighted, each body as a snippet, beside FTS5's\n\n" + markdown(shown))
    }

    private static let heading = [
        "class", "FTS5 ms", "95 %", "Concordance ms", "95 %", "times faster", "target", "",
    ]

    private func row(_ name: String, _ times: [(fts5: Double, ours: Double)], _ target: Target.Limit) -> [String] {
        let fts5 = times.map(\.fts5)
        let ours = times.map(\.ours)
        return [
            name, milliseconds(median(fts5)), milliseconds(quantile(0.95, of: fts5)), milliseconds(median(ours)),
            milliseconds(quantile(0.95, of: ours)), short(median(fts5) / median(ours)), target.description,
            target.isMet(fts5: median(fts5), ours: median(ours)) ? "met" : "MISSED",
        ]
    }

    /// What an app does with a page.
    private func show(_ page: SearchPage<Document>) {
        var byteCount = 0
        for hit in page.hits {
            byteCount += hit.highlights(\.title).html(tag: "b").utf8.count
            byteCount += hit.snippet(\.body).html(tag: "b").utf8.count
        }
        withExtendedLifetime(byteCount) {}
    }
}

/// How a class of queries must compare with FTS5.
private struct Target {
    enum Limit: CustomStringConvertible {
        /// At least this many times as fast.
        case timesFaster(Double)
        /// At most this many seconds slower.
        case plus(seconds: Double)

        var description: String {
            switch self {
            case .timesFaster(let factor): ">= \(short(factor)) x"
            case .plus(let seconds): "<= \(milliseconds(seconds)) ms more"
            }
        }

        func isMet(fts5: Double, ours: Double) -> Bool {
            switch self {
            case .timesFaster(let factor): fts5 >= factor * ours
            case .plus(let seconds): ours <= fts5 + seconds
            }
        }
    }

    let bare: Limit
    let shown: Limit

    private init(bare: Limit, shown: Double) {
        self.bare = bare
        self.shown = .timesFaster(shown)
    }

    private init(bare: Double, shown: Double) { self.init(bare: .timesFaster(bare), shown: shown) }

    static let all: [String: Target] = [
        "rare1": Target(bare: .plus(seconds: 0.00015), shown: 0.8), "mid1": Target(bare: 1, shown: 1),
        "common1": Target(bare: 60, shown: 20), "and2": Target(bare: 1, shown: 1),
        "or2": Target(bare: 25, shown: 5), "or3-5": Target(bare: 60, shown: 20),
        "phrase": Target(bare: 1, shown: 1), "prefix1": Target(bare: 60, shown: 20),
        "prefix2": Target(bare: 40, shown: 12), "prefix3": Target(bare: 25, shown: 8),
        "and_prefix": Target(bare: 1, shown: 1),
    ]
}

extension DocumentationTexts.Query {
    /// The page as the documentation requests it: prefixes as a person types them, the rest as a program composes them.
    var request: SearchRequest<Document> {
        let request =
            switch op {
            case "or": pageTexts.query(terms.map(SearchQuery.word).reduce(SearchQuery(anyWordOf: ""), ||))
            case "phrase": pageTexts.query(.phrase(terms.joined(separator: " ")))
            case "prefix", "andprefix": pageTexts.query(terms.joined(separator: " "))
            default: pageTexts.query(terms.dropFirst().map(SearchQuery.word).reduce(.word(terms[0]), &&))
            }
        return request.limit(20)
    }
}
