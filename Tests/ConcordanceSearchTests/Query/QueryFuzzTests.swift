@testable import Concordance
@testable import ConcordanceSearch
import ConcordanceFTS5
import TestSupport
import Testing

@Suite("Nothing that is typed fails")
struct QueryFuzzTests {
    /// Parses, prints, compiles and runs a text.
    static func check(_ text: String, in databases: [(Analyzer, Database)]) throws {
        for isTyping in [false, true] {
            let query = SearchQuery(text, isTyping: isTyping, fields: ["title", "body"], tags: "body")
            let printed = query.description
            let again = SearchQuery(printed, isTyping: false, fields: ["title", "body"], tags: "body")
            #expect(again == query, "\(text.debugDescription) printed as \(printed.debugDescription)")
            for (analyzer, db) in databases { try run(query, text: text, analyzer, db) }
        }
    }

    static func run(_ query: SearchQuery, text: String, _ analyzer: Analyzer, _ db: Database) throws {
        do {
            let compiled = try query.compiled(for: QueryCompilationTests.index(analyzer).definition)
            if let tree = compiled.tree { _ = try FTS5Pattern(rawPattern: tree.pattern().rawPattern) }
            _ = try Int.fetchAll(db, literal: "SELECT rowid FROM texts WHERE \(compiled.condition) ORDER BY rank")
        } catch {
            Issue.record("\(text.debugDescription) with \(analyzer): \("\(error)".prefix(300))")
        }
    }

    static func databases() throws -> [(Analyzer, Database)] {
        let rows = [("week title a b", "weekend ab abc"), ("東京 京都", "don't e-mail the week"), ("", "🍎 - \" %_\\")]
        return try [.standard, .trigram, .english.appending(.stop(.english)), .japanese, .unicode61].map {
            ($0, try QueryCompilationTests.database($0, rows))
        }
    }

    @Test func `random texts`() throws {
        let databases = try Self.databases()
        var queries = RandomQueries(seed: 1)
        for _ in 0..<60 {
            try Self.check(queries.grammaticalText(), in: databases)
            try Self.check(queries.wildText(), in: databases)
        }
    }

    @Test func `random queries of programs`() throws {
        let databases = try Self.databases()
        var queries = RandomQueries(seed: 2)
        for _ in 0..<60 {
            let query = SearchQuery(queries.node(depth: 5))
            let printed = query.description
            #expect(SearchQuery(printed, isTyping: false, fields: ["title", "body"]) == query, "\(printed)")
            for (analyzer, db) in databases { try Self.run(query, text: printed, analyzer, db) }
        }
    }

    @Test func `queries nested as deep as can be typed`() throws {
        let databases = try Self.databases()
        let levels = [
            "a (b OR (", "a OR (b AND NOT (", "-a -(b ", "title:(a OR -(b ", "NOT (a OR -b (",
            "a* title:(b* OR -c* -(d* ",
            "(-a OR (-b ", "(ab OR (-cd abc ", "title:(b -(c OR NEAR(a b*, 3) (d ", "(a | -b (",
        ]
        for level in levels {
            for count in 1...12 { try Self.check(String(repeating: level, count: count) + "x", in: databases) }
        }
    }

    @Test(arguments: [
        ("(", 100_000), (")", 100_000), ("()", 50_000), ("\"", 100_001), ("\" ", 50_000), ("-", 100_000),
        ("-(", 50_000),
        ("NOT ", 50_000), ("OR ", 50_000), ("NOT a ", 50_000), ("a OR ", 50_000), ("-a OR ", 50_000),
        ("title:", 50_000),
        ("title: ", 50_000), ("title,", 50_000), ("\"title\",", 50_000), ("NEAR(", 50_000), ("a NEAR/2 ", 50_000),
        ("NEAR(a b, ", 50_000), ("「", 100_000), ("a「", 50_000), ("\0", 100_000), ("x", 3_000_000), ("東", 1_000_000),
        ("word ", 600_000), ("a|", 100_000), ("#a ", 100_000), ("a* ", 100_000), ("-a* ", 100_000), ("é ", 100_000),
        ("\u{301}", 100_000), ("👩‍👩‍👧‍👦", 50_000), ("a -b (", 50_000), ("(a OR -", 50_000), ("abc (-ab OR ", 50_000),
    ])
    func `monstrous texts`(_ piece: String, _ count: Int) throws {
        let text = String(repeating: piece, count: count)
        for (analyzer, db) in try Self.databases() {
            let query = SearchQuery(text, fields: ["title", "body"], tags: "body")
            _ = query.description
            try Self.run(query, text: piece, analyzer, db)
        }
    }
}
