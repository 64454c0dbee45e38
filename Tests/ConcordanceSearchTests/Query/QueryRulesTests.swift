import Concordance
import Testing

@Suite struct `Synonyms and stop words of queries` {
    struct Place: Codable, Sendable {
        var id: Int64
        var name: String
        var body: String
    }

    private static let rules = QueryRules(
        synonyms: Synonyms("nyc, new york, big apple; computer => laptop; runner, jogger") ?? Synonyms(groups: []),
        stopWords: ["the", "of", "in", "and"])

    private static func index(_ analyzer: Analyzer = .english, _ rules: QueryRules = rules) -> SearchIndex<Place> {
        SearchIndex("placeTexts", of: Place.self, in: "places") {
            Field(\.name)
            Field(\.body)
            Analysis(analyzer)
            rules
        }
    }

    private static let places = [
        (1, "New York", "the harbour of the city"), (2, "NYC", "taxis"), (3, "York", "a new bridge"),
        (4, "The Big Apple", "and its theatres"), (5, "Shop", "computers and laptops"), (6, "Shop", "laptops"),
        (7, "Park", "runners in the park"), (8, "Park", "joggers"),
    ]

    private static func database(_ index: SearchIndex<Place> = index()) throws -> Database {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE places(id INTEGER PRIMARY KEY, name TEXT, body TEXT)")
        for (id, name, body) in places {
            try db.execute("INSERT INTO places VALUES (\(id), \(name), \(body))")
        }
        try db.install(index)
        return db
    }

    private static func ids(_ request: SearchRequest<Place>, _ db: Database) throws -> [Int64] {
        try request.fetch(db).map(\.record.id).sorted()
    }

    @Test(arguments: [
        ("nyc", [1, 2, 4]), ("new york", [1, 2, 3, 4]), ("\"new york\"", [1, 2, 4]), ("york new", [1, 3]),
        ("big apple theatres", [4]), ("nyc harbour", [1]), ("new york taxis", [2]), ("name:nyc", [1, 2, 4]),
        ("body:nyc", []), ("nyc -taxis", [1, 4]), ("park OR nyc", [1, 2, 4, 7, 8]), ("harbour -nyc", []),
        // One way: a query for laptops also finds computers.
        ("laptop", [5, 6]), ("laptops", [5, 6]), ("computer", [5]),
        // Forms of the words of a rule.
        ("runner", [7, 8]), ("joggers park", [7, 8]),
        // Stop words.
        ("the harbour of", [1]), ("taxis of the harbour", []), ("in the park", [7, 8]), ("the", [1, 4, 7]),
        ("the and", [4]), ("\"runners in the park\"", [7]), ("theatres THE", [4]), ("zebra OR the", []),
    ])
    func `a query finds what its words mean`(text: String, expected: [Int64]) throws {
        let db = try Self.database()
        #expect(try Self.ids(Self.index().query(text, isTyping: false), db) == expected)
    }

    @Test func `a half-typed stop word is the beginning of a word`() throws {
        let db = try Self.database()
        #expect(try Self.ids(Self.index().query("the"), db) == [1, 4, 7])
        #expect(try Self.ids(Self.index().query("taxis the"), db) == [])
        #expect(try Self.ids(Self.index().query("taxis the "), db) == [2])
        #expect(try Self.ids(Self.index().query("new yor"), db) == [1, 3])
        #expect(try Self.ids(Self.index().query("new york"), db) == [1, 2, 3, 4])
    }

    @Test func `rules change from one search to the next, and the index stays`() throws {
        let plain = Self.index(.english, QueryRules())
        let db = try Self.database(plain)
        let before = try DatabaseDump.of(db)
        #expect(try Self.ids(plain.query("nyc", isTyping: false), db) == [2])
        let changed = plain.rules(Self.rules)
        #expect(try Self.ids(changed.query("nyc", isTyping: false), db) == [1, 2, 4])
        #expect(try Self.ids(changed.rules(QueryRules()).query("nyc", isTyping: false), db) == [2])
        try db.install(changed)
        try db.install(plain)
        #expect(try DatabaseDump.of(db) == before)
    }

    @Test func `what stands for a word is marked, and the query shows what was typed`() throws {
        let db = try Self.database()
        let page = try Self.index().query("nyc", isTyping: false).fetch(db)
        #expect(page.query.description == "nyc")
        let marked = try page.map { try $0.highlights("name").marked(open: "[", close: "]") }.sorted()
        #expect(marked == ["The [Big Apple]", "[NYC]", "[New York]"])
    }

    @Test func `synonyms are relaxed with their word`() throws {
        let db = try Self.database()
        let page = try Self.index().query("nyc zebra the", isTyping: false).relaxed().fetch(db)
        #expect(page.droppedWords == ["zebra"])
        #expect(page.map(\.record.id).sorted() == [1, 2, 4])
    }

    @Test(arguments: [Analyzer.standard, .trigram, .unicode61, .japanese])
    func `with each analyzer`(analyzer: Analyzer) throws {
        let db = try Self.database(Self.index(analyzer))
        #expect(try Self.ids(Self.index(analyzer).query("nyc", isTyping: false), db) == [1, 2, 4])
        #expect(try Self.ids(Self.index(analyzer).query("new york taxis", isTyping: false), db) == [2])
        #expect(try Self.ids(Self.index(analyzer).query("the taxis of", isTyping: false), db) == [2])
    }

    @Test func `many synonyms of many words are bounded`() throws {
        let groups = (0..<200).map { group in (0..<200).map { "w\(group)x\($0)" } }
        let index = Self.index(.standard, QueryRules(synonyms: Synonyms(groups: groups)))
        let db = try Self.database(index)
        let text = (0..<200).map { "w\($0)x0" }.joined(separator: " ")
        let compiled = try SearchQuery(text, for: index.definition).compiled(for: index.definition)
        #expect(compiled.phrases.count == 200 + 1_024)
        if TestEngine.current == .concordance { #expect(try index.query(text).fetch(db).isEmpty) }
    }
}

@Suite struct `Fields without prefixes` {
    struct Page: Codable, Sendable {
        var id: Int64
        var title: String
        var body: String
    }

    private static let index = SearchIndex("pageTexts", of: Page.self, in: "pages") {
        Field(\.title)
        Field(\.body).withoutPrefixes()
    }

    @Test(arguments: [
        ("groc", [1]), ("groceries", [1, 2]), ("body:groc", []), ("title:groc", [1]), ("buy groc", [1]),
        ("\"buy groc", [1]), ("milk -groc*", [2]),
    ])
    func `find whole words only`(text: String, expected: [Int64]) throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE pages(id INTEGER PRIMARY KEY, title TEXT, body TEXT);
                INSERT INTO pages VALUES (1, 'Buy groceries', 'milk'), (2, 'Milk', 'buy groceries');
                """)
        try db.install(Self.index)
        #expect(try Self.index.query(text).fetch(db).map(\.record.id).sorted() == expected)
    }

    @Test func `mark whole words only`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE pages(id INTEGER PRIMARY KEY, title TEXT, body TEXT);
                INSERT INTO pages VALUES (1, 'Groceries', 'groc and groceries');
                """)
        try db.install(Self.index)
        let hit = try #require(try Self.index.query("groc").fetch(db).first)
        #expect(try hit.highlights("title").html() == "<mark>Groceries</mark>")
        #expect(try hit.highlights("body").html() == "<mark>groc</mark> and groceries")
    }
}
