@testable import Concordance
@testable import ConcordanceSearch
import ConcordanceEngine
import ConcordanceFTS5
import TestSupport
import Testing

@Suite("Queries become what the engine is asked")
struct QueryCompilationTests {
    static func index(_ analyzer: Analyzer) -> SearchIndex<Row> {
        SearchIndex("texts", in: "docs") {
            Field("title")
            Field("body")
            Field("id").unindexed()
            Analysis(analyzer)
        }
    }

    static func database(_ analyzer: Analyzer, _ rows: [(String, String)]) throws -> Database {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE docs(id INTEGER PRIMARY KEY, title TEXT, body TEXT)")
        for row in rows { try db.execute("INSERT INTO docs(title, body) VALUES (\(row.0), \(row.1))") }
        try db.install(index(analyzer))
        return db
    }

    static func find(_ query: SearchQuery, in db: Database, _ analyzer: Analyzer) throws -> [Int] {
        let compiled = try query.compiled(for: index(analyzer).definition)
        let order: SQL = compiled.isRanked ? "rank, rowid" : "rowid"
        return try Int.fetchAll(
            db,
            literal: "SELECT rowid FROM (SELECT rowid, rank FROM texts WHERE \(compiled.condition)) ORDER BY \(order)")
    }

    @Test(arguments: [
        ("milk", #""milk""#), ("groc*", #""groc" OR "groc" *"#), ("milk eggs", #""milk" AND "eggs""#),
        ("milk OR eggs", #""milk" OR "eggs""#), ("milk -eggs", #""milk" NOT "eggs""#),
        ("a b -c -d", #"("a" AND "b") NOT ("c" OR "d")"#), ("\"send weekly\"", #""send weekly""#),
        ("NEAR(a b, 3)", #"NEAR("a" "b", 3)"#), ("NEAR(a b*, 3)", #"NEAR("a" "b", 3) OR NEAR("a" "b" *, 3)"#),
        ("title:milk", #"{"title"} : ("milk")"#), ("title,body:milk", #""milk""#),
        ("title:groc*", #"{"title"} : ("groc" OR "groc" *)"#), ("\"a\"\"b\"", #""a""b""#),
        ("milk ⁂ ... eggs", #""milk" AND "eggs""#), ("milk milk", #""milk""#),
        ("x a OR b", #""x" AND ("a" OR "b")"#),
    ])
    func `patterns`(_ text: String, _ pattern: String) throws {
        let definition = Self.index(.standard).definition
        let compiled = try SearchQuery(text, for: definition, isTyping: false).compiled(for: definition)
        let tree = try #require(compiled.tree)
        #expect(try tree.pattern().rawPattern == pattern)
        #expect(compiled.isRanked)
        let argument: SQL = definition.engine == .fts5 ? "\(pattern)" : "\(MatchQuery(tree).argument)"
        #expect(compiled.condition == "\"texts\" MATCH \(argument)")
    }

    @Test(arguments: [
        ("", "0"), ("⁂", "0"), ("title:(body:a)", "0"),
        ("NOT a", #"NOT "texts".rowid IN (SELECT rowid FROM "texts" WHERE "texts" MATCH ?)"#),
        ("⁂ NOT a", #"NOT "texts".rowid IN (SELECT rowid FROM "texts" WHERE "texts" MATCH ?)"#),
    ])
    func `conditions without a rank`(_ text: String, _ sql: String) throws {
        let definition = Self.index(.standard).definition
        let compiled = try SearchQuery(text, for: definition, isTyping: false).compiled(for: definition)
        #expect(compiled.condition.sql == sql)
        #expect(!compiled.isRanked)
    }

    @Test func `phrases are noted for highlighting, without exclusions and dropped words`() throws {
        let definition = Self.index(.standard.appending(.stop(.english))).definition
        let query = SearchQuery(
            "the milk title:\"send week\"* -eggs -(x -y) NEAR(a b, 2)", for: definition, isTyping: false)
        #expect(
            try query.compiled(for: definition).phrases == [
                MatchPhrase("milk"), MatchPhrase("send week", isPrefix: true, fields: ["title"]), MatchPhrase("a"),
                MatchPhrase("b"),
            ])
    }

    @Test func `fields that are not searched cannot be named`() throws {
        let definition = Self.index(.standard).definition
        #expect(SearchQuery("id:5", for: definition, isTyping: false).root == .word("id:5", isPrefix: false))
        for name in ["id", "nope"] {
            #expect(throws: SearchIndexError.noSuchField(name, index: "texts", known: ["title", "body"])) {
                try SearchQuery.word("a").in(name).compiled(for: definition)
            }
        }
        #expect(try SearchQuery.word("a").in("TITLE").compiled(for: definition).isRanked)
    }

    @Test func `rows are found in many languages`() throws {
        let rows = [
            ("Großmann & Söhne", "Groceries: milk, eggs"), ("l'avion", "Vol à Paris"), ("東京駅", "東京の駅"),
            ("Привет мир", "Ёлка"), ("مرحبا", "بالعالم"), ("node.js e-mail", "don't"), ("Take a walk", "this week"),
        ]
        let db = try Self.database(.standard, rows)
        let cases: [(String, [Int])] = [
            ("grossmann", [1]), ("groc", [1]), ("groc -milk", []), ("avion", [2]), ("paris OR мир", [2, 4]),
            ("ПРИВЕТ", [4]),
            ("елка", [4]), ("مرحبا", [5]), ("e-mail", [6]), ("node", [6]), ("node.", [6]), ("dont", [6]),
            ("don’t", [6]),
            ("title:week", []), ("body:week", [7]), ("\"take a walk\"", [7]), ("\"a take\"", []),
            ("NEAR(take walk, 0)", []),
            ("NEAR(take walk, 1)", [7]), ("NOT week NOT milk", [2, 3, 4, 5, 6]),
            ("-week OR take", [1, 2, 3, 4, 5, 6, 7]),
            ("...", []), ("... week", [7]), ("wee ", []), ("wee", [7]), ("take -(week this)", []),
            ("take -(week that)", [7]),
        ]
        for (text, expected) in cases {
            let query = SearchQuery(text, for: Self.index(.standard).definition)
            #expect(try Self.find(query, in: db, .standard).sorted() == expected, "\(text)")
        }
    }

    @Test func `pairs of Chinese and Japanese characters are phrases`() throws {
        let rows = [("東京駅", ""), ("京東", ""), ("東海 京都", "東京")]
        let db = try Self.database(.japanese, rows)
        for (text, expected) in [("東京", [1, 3]), ("東京駅", [1]), ("京都", [3]), ("東京 京都", [3]), ("toukyou", [1, 3])] {
            let query = SearchQuery(text, isTyping: false)
            #expect(try Self.find(query, in: db, .japanese).sorted() == expected, "\(text)")
        }
    }

    @Test func `words too short for trigrams are found in the texts`() throws {
        let rows = [
            ("We go", "x 100%"), ("ab", "cd week"), ("Weekend", "ÄÖ"), ("東京", "äx a_b"), ("Take a walk", "this week"),
        ]
        let db = try Self.database(.trigram, rows)
        let cases: [(String, [Int])] = [
            ("we", [1, 2, 3, 5]), ("WE", [1, 2, 3, 5]), ("week we", [2, 3, 5]), ("wee", [2, 3, 5]), ("ab", [2]),
            ("ab week", [2]), ("ab OR walk", [2, 5]), ("NOT we", [4]), ("week -ab", [3, 5]),
            ("week -(ab OR xyz)", [3, 5]),
            ("東京", [4]), ("äö", [3]), ("Ä", [3, 4]), ("\"0%\"", [1]), ("\"_b\"", [4]), ("title:we", [1, 3]),
            ("a - b", [4, 2].sorted()),
            ("\"-\"", []), ("week -", [2, 3, 5]), ("(we OR walk) week", [2, 3, 5]), ("NEAR(we go, 3)", [1]),
        ]
        for (text, expected) in cases {
            let query = SearchQuery(text, for: Self.index(.trigram).definition)
            #expect(try Self.find(query, in: db, .trigram).sorted() == expected, "\(text)")
        }
        let ranked = try SearchQuery("week we", isTyping: false).compiled(for: Self.index(.trigram).definition)
        #expect(ranked.isRanked)
        #expect(try ranked.tree?.pattern().rawPattern == "\"week\"")
    }

    @Test func `the word itself comes before longer ones`() throws {
        let db = try Self.database(.standard, [("article", ""), ("articles", ""), ("art", ""), ("artist", "")])
        #expect(try Self.find(SearchQuery("art"), in: db, .standard).first == 3)
    }

    @Test func `repeated words count`() throws {
        let db = try Self.database(.standard, [("x y", ""), ("x", "z"), ("q", "")])
        func score(_ query: SearchQuery) throws -> Double? {
            let compiled = try query.compiled(for: Self.index(.standard).definition)
            return try Double.fetchOne(db, literal: "SELECT rank FROM texts WHERE \(compiled.condition) AND rowid = 1")
        }
        let once = try #require(try score(SearchQuery(anyWordOf: "x")))
        let twice = try #require(try score(SearchQuery(anyWordOf: "x x")))
        #expect(abs(twice - 2 * once) < 1e-12)
    }

    @Test func `pieces of words find the insides of others`() throws {
        let analyzer = Analyzer.standard.appending(.ngrams(4...4))
        let db = try Self.database(
            analyzer, [("hypophysectomized rats", ""), ("physiology of sheep", ""), ("a lamp", "")])
        func found(_ text: String) throws -> Set<Int> {
            Set(try Self.find(SearchQuery(anyPieceOf: text, length: 4), in: db, analyzer))
        }
        #expect(try found("hypophysis") == [1, 2])
        #expect(try found("Phýsics") == [1, 2])
        #expect(try found("rats!") == [1])
        #expect(try found("lamps") == [3])
        #expect(try found("xyz") == [])
    }

    @Test func `a thousand alternatives, and as many exclusions, are no problem`() throws {
        let db = try Self.database(.standard, [("w1 w2", ""), ("w5000", "")])
        let text = (0..<2_000).map { "w\($0)" }.joined(separator: " ")
        #expect(try Self.find(SearchQuery(anyWordOf: text), in: db, .standard) == [1])
        #expect(try Self.find(!SearchQuery(anyWordOf: text), in: db, .standard) == [2])
        #expect(try Self.find(SearchQuery(allWordsOf: text), in: db, .standard) == [])
    }

    @Test func `a program nests as deep as the engine goes, and no deeper`() throws {
        let index = Self.index(.standard)
        let tooDeep = SearchIndexError.queryTooDeep(index: "texts")
        var query = SearchQuery.word("a")
        for _ in 0..<127 { query = (query && .word("b")) || .word("c") }
        if TestEngine.current == .fts5 {
            #expect(throws: tooDeep) { try query.compiled(for: index.definition).isRanked }
        } else {
            let db = try Self.database(.standard, [("a b", ""), ("c", ""), ("b", "")])
            #expect(try Self.find(query, in: db, .standard).sorted() == [1, 2])
            query = (query && .word("b")) || .word("c")
            #expect(throws: tooDeep) { try query.compiled(for: index.definition).isRanked }
        }
        query = .word("a")
        for _ in 0..<40 { query = (query && .word("b")) || !SearchQuery.word("c") }
        #expect(throws: tooDeep) { try query.compiled(for: index.definition) }
    }

    @Test func `a program that nests without end gets an error`() throws {
        let definition = Self.index(.standard).definition
        for grow: (SearchQuery) -> SearchQuery in [
            { ($0 && .word("b")) || .word("c") }, { .word("b").excluding($0) },
            { $0.excluding(.word("b")).in("title") },
        ] {
            var query = SearchQuery.word("a")
            for _ in 0..<100_000 { query = grow(query) }
            #expect(throws: SearchIndexError.queryTooDeep(index: "texts")) { try query.compiled(for: definition) }
            #expect(!query.isEmpty)
            for other in [!query, query && .word("x"), .word("x").excluding(query), query.in("title")] {
                #expect(throws: SearchIndexError.queryTooDeep(index: "texts")) {
                    try other.compiled(for: definition)
                }
            }
        }
    }

    @Test func `a text without trigrams is asked for in few ways, however long it is`() throws {
        // With a filter, any text may have no tokens.
        let analyzer = Analyzer.trigram.appending(.length(99...100))
        let db = try Self.database(analyzer, [("Ямщик, не гони лошадей", ""), ("нечто", "")])
        let text = "ямщик, не гони лошадей"
        #expect(try Self.find(.phrase(text), in: db, analyzer) == [1])
        let long = SearchQuery.phrase(String(repeating: "я", count: 10_000))
        #expect(try Self.find(long, in: db, analyzer).isEmpty)
        let compiled = try long.compiled(for: Self.index(analyzer).definition)
        #expect(compiled.condition.sql.utf8.count < 10_000)
    }
}
