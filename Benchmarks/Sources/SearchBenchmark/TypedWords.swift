import BenchmarkSupport
import Concordance

/// Pages of 20 hits while a person types a word: a query for each number of letters, as `search` gets it.
struct TypedWords {
    let database: PageDatabase
    let classes: [(name: String, queries: [DocumentationTexts.Query])]

    func run() throws {
        let pairs = classes.filter { $0.name == "and2" }.flatMap(\.queries).map { ($0.terms[0], $0.terms[1]) }
        var rows = [["letters that are typed", "FTS5 ms", "95 %", "Concordance ms", "95 %", "times faster"]]
        for count in [1, 2, 3, nil] {
            let queries = pairs.map { ("\"\($0)\" AND ", "\($0) ", typed($1, count)) }
            try rows.append(row("\(count.map(String.init) ?? "all") of the second of two words", queries))
        }
        for count in [4, nil] {
            let queries = pairs.map(\.1).filter { $0.count > 4 }.map { ("", "", typed($0, count)) }
            try rows.append(row("\(count.map(String.init) ?? "all") of one word", queries))
        }
        print("\n## A page of 20 hits with records and count while a word is typed\n\n" + markdown(rows))
    }

    private func typed(_ word: String, _ count: Int?) -> String { count.map { String(word.prefix($0)) } ?? word }

    /// - Parameter queries: What comes before the typed word, for FTS5 and for `search`, and the typed word.
    private func row(_ name: String, _ queries: [(hand: String, before: String, typed: String)]) throws -> [String] {
        let hand = try HandWrittenPages(database.db)
        let times = try queries.map { query in
            let request = pageTexts.query(query.before + query.typed).limit(20)
            return try time([
                { try hand.bare("\(query.hand)\"\(query.typed)\"*") }, { _ = try database.pool.search(request) },
            ])
        }
        let (fts5, ours) = (times.map { $0[0] }, times.map { $0[1] })
        return [
            name, milliseconds(median(fts5)), milliseconds(quantile(0.95, of: fts5)), milliseconds(median(ours)),
            milliseconds(quantile(0.95, of: ours)), short(median(fts5) / median(ours)),
        ]
    }
}
