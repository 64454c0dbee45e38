@testable import Concordance
@testable import ConcordanceSearch
import TestSupport
import Testing

@Suite("What is found is what matches by definition")
struct QueryOracleTests {
    static let analyzers: [Analyzer] = [
        .standard, .unicode61, .trigram, .english, .japanese, .standard.appending(.stop(.english)),
        .standard.appending(.ngrams(2...3)),
    ]

    @Test(arguments: analyzers)
    func `random corpora, random queries`(_ analyzer: Analyzer) throws {
        var matches = 0
        for seed in 0..<4 {
            var queries = RandomQueries(seed: UInt64(seed) + 100)
            let rows = (0..<12).map { _ in
                (queries.words(0...5).joined(separator: " "), queries.words(0...5).joined(separator: ", "))
            }
            let db = try QueryCompilationTests.database(analyzer, rows)
            let oracle = QueryOracle(analyzer, of: rows.flatMap { [$0.0, $0.1] })
            for _ in 0..<40 {
                let query = SearchQuery(queries.node(depth: 3))
                let found = try QueryCompilationTests.find(query, in: db, analyzer).sorted()
                let expected = rows.indices.filter {
                    oracle.matches(query, ["title": rows[$0].0, "body": rows[$0].1])
                }
                matches += found.count
                #expect(found == expected.map { $0 + 1 }, "\(query) in \(rows)")
            }
        }
        #expect((100...1_800).contains(matches), "the queries say nothing")
    }
}
