@testable import Concordance
@testable import ConcordanceSearch
import TestSupport
import Testing

@Suite("Queries are relaxed")
struct QueryRelaxationTests {
    static let analyzer = Analyzer.standard.appending(.stop(.english))

    @Test(arguments: [
        ("milk eggs", "milk eggs", []), ("milk zebra", "milk", ["zebra"]), ("zebra", "zebra", []),
        ("zebra giraffe", "zebra giraffe", []), ("the milk zebra", "the milk", ["zebra"]),
        ("milk week zebra", "week", ["milk", "zebra"]), ("milk week", "week", ["milk"]),
        ("milk -eggs", "milk -eggs", []),
        ("milk week -weekly", "week -weekly", ["milk"]), ("zebra milk -eggs", "zebra milk -eggs", []),
        ("milk OR zebra", "milk OR zebra", []), ("(zebra OR giraffe) milk", "milk", ["zebra OR giraffe"]),
        ("milk \"eggs milk\" title:zebra", "milk", ["\"eggs milk\"", "title:zebra"]), ("", "", []),
    ])
    func `words that find nothing are dropped`(_ text: String, _ expected: String, _ dropped: [String]) throws {
        let rows = [("milk eggs", ""), ("milk eggs", ""), ("week", ""), ("weekly", "")]
        let db = try QueryCompilationTests.database(Self.analyzer, rows)
        let definition = QueryCompilationTests.index(Self.analyzer).definition
        let relaxed = try SearchQuery(text, for: definition, isTyping: false).relaxed(for: definition, in: db)
        #expect(relaxed.query.description == expected)
        #expect(relaxed.dropped == dropped)
    }

    @Test func `what is relaxed finds something if any of its words does, in few searches`() throws {
        var queries = RandomQueries(seed: 4)
        queries.words = (0..<30).map { "w\($0)" }
        let rows = (0..<40).map { _ in (queries.words(0...4).joined(separator: " "), "") }
        let db = try QueryCompilationTests.database(.standard, rows)
        let definition = QueryCompilationTests.index(.standard).definition
        for _ in 0..<60 {
            let words = queries.words(1...40)
            let query = SearchQuery(words.joined(separator: " "), isTyping: false)
            var searches = 0
            let relaxed = try query.relaxed(compiled: { try $0.compiled(for: definition) }) { compiled, limit in
                searches += 1
                let sql: SQL = "SELECT count(*) FROM (SELECT 1 FROM texts WHERE \(compiled.condition) LIMIT \(limit))"
                return try Int.fetchOne(db, literal: sql) ?? 0
            }
            let found = try QueryCompilationTests.find(relaxed.query, in: db, .standard)
            let findable = try QueryCompilationTests.find(
                SearchQuery(anyWordOf: words.joined(separator: " ")), in: db, .standard)
            #expect(found.isEmpty == findable.isEmpty, "\(words)")
            #expect(searches <= words.count + 154, "\(words)")
        }
    }
}

extension SearchQuery {
    /// Relaxes the query by rows of the full-text table.
    func relaxed(for definition: IndexDefinition, in db: Database) throws -> RelaxedQuery {
        try relaxed(compiled: { try $0.compiled(for: definition) }) { query, limit in
            let sql: SQL = """
                SELECT count(*) FROM (SELECT 1 FROM \(identifier: definition.name) \
                WHERE \(query.condition) LIMIT \(limit))
                """
            return try Int.fetchOne(db, literal: sql) ?? 0
        }
    }
}
