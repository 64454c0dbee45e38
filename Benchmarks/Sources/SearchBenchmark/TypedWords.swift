import BenchmarkSupport
import Concordance

/// Pages of 20 hits while a person types the second of two words: a query for each letter, as `search` gets it.
struct TypedWords {
    /// How many letters of the second word are typed; nil for all.
    private static let letterCounts: [Int?] = [1, 2, 3, nil]

    let database: PageDatabase
    let classes: [(name: String, queries: [DocumentationTexts.Query])]

    func run() throws {
        let hand = try HandWrittenPages(database.db)
        var rows = [["letters of the second word", "FTS5 ms", "95 %", "Concordance ms", "95 %", "times faster"]]
        for letterCount in Self.letterCounts {
            let times = try classes.filter { $0.name == "and2" }.flatMap(\.queries).map { query in
                let second = letterCount.map { String(query.terms[1].prefix($0)) } ?? query.terms[1]
                let request = pageTexts.query("\(query.terms[0]) \(second)").limit(20)
                return try time([
                    { try hand.bare("\"\(query.terms[0])\" AND \"\(second)\"*") },
                    { _ = try database.pool.search(request) },
                ])
            }
            let (fts5, ours) = (times.map { $0[0] }, times.map { $0[1] })
            rows.append([
                letterCount.map(String.init) ?? "all", milliseconds(median(fts5)),
                milliseconds(quantile(0.95, of: fts5)), milliseconds(median(ours)),
                milliseconds(quantile(0.95, of: ours)), short(median(fts5) / median(ours)),
            ])
        }
        print("\n## A page of 20 hits with records and count while a second word is typed\n\n" + markdown(rows))
    }
}
