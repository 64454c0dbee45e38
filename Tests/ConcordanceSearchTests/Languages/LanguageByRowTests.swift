import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

/// Rows in several languages, which a column names or the text reveals.
@Suite("Rows in several languages")
struct LanguageByRowTests {
    struct Note: Codable, Sendable {
        var id: Int64
        var language: String?
        var title: String
        var body: String
    }

    static let guessing = Analyzer.guessing(.english, .german, .french, .russian)

    static let notes = [
        Note(
            id: 1, language: "en", title: "Old houses",
            body: "The carpenters were mending the roofs of the houses by the river."),
        Note(
            id: 2, language: "de-AT", title: "Alte Häuser",
            body: "Die Zimmerleute besserten die Dächer der Häuser am Flusse aus."),
        Note(
            id: 3, language: "FR", title: "Vieux chevaux",
            body: "Les chevaux de l'écurie nationale étaient fatigués après les courses."),
        Note(id: 4, language: "ru_RU", title: "Поезда", body: "Поезда прибывали на станции с опозданием из-за снега."),
        Note(
            id: 5, language: nil, title: "Neue Bücher",
            body: "In den Regalen der Büchereien standen die neuen Bücher der Verlage."),
        Note(
            id: 6, language: "xx", title: "Les journaux",
            body: "Les journaux régionaux annonçaient les nouvelles des villages."),
        Note(id: 7, language: "Russian", title: "node", body: "house"),
    ]

    static func index(_ language: String?, _ engine: SearchEngine = .concordance) -> SearchIndex<Note> {
        SearchIndex("noteTexts", of: Note.self, in: "notes", engine: engine) {
            Field(\.title, weight: 5)
            Field(\.body)
            Analysis(guessing, language: language)
        }
    }

    private static func filled(_ index: SearchIndex<Note>) throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE notes(id INTEGER PRIMARY KEY, language TEXT, title TEXT, body TEXT)")
            try db.install(index)
            for note in notes {
                try db.execute(
                    "INSERT INTO notes VALUES (\(note.id), \(note.language), \(note.title), \(note.body))")
            }
        }
        return queue
    }

    private static func found(_ query: String, _ index: SearchIndex<Note>, in queue: DatabaseQueue) throws -> Set<Int64>
    {
        Set(try queue.search(index.query(query, isTyping: false).typos(.none)).hits.map(\.id))
    }

    @Test(
        arguments: [nil, "language"] as [String?], [SearchEngine.concordance, .fts5])
    func `a query finds the forms of its words in each row's language`(language: String?, engine: SearchEngine) throws {
        let index = Self.index(language, engine)
        let queue = try Self.filled(index)
        for (query, ids) in [
            ("carpenter", [1]), ("roof mended", [1]), ("Dach", [2]), ("haus", [2]), ("hauser", [2]), ("cheval", [3]),
            ("поездами", [4]), ("станция", [4]), ("Buch", [5]), ("journal", [6]), ("village", [6]),
            ("\"alte haus\"", [2]),
        ] as [(String, Set<Int64>)] {
            #expect(try Self.found(query, index, in: queue) == ids, "\(query)")
        }
        #expect(try Self.found("house", index, in: queue) == [1, 7])
        #expect(try queue.verify(index).isClean)
    }

    @Test func `the language that a row names counts, not its text`() throws {
        let queue = try Self.filled(Self.index("language"))
        let index = Self.index("language")
        try queue.write { db in
            try db.execute(
                sql: "INSERT INTO notes VALUES (8, 'de', 'running', 'running'), (9, 'en', 'running', 'running')")
            let terms = "CREATE VIRTUAL TABLE temp.terms USING concordancevocab(main, noteTexts, instance)"
            try db.execute(sql: terms)
        }
        func terms(_ id: Int64) throws -> Set<String> {
            Set(
                try queue.write {
                    try String.fetchAll($0, sql: "SELECT term FROM terms WHERE doc = ?", arguments: [id])
                })
        }
        #expect(try terms(8) == Set(Analyzer.german.makeTokenizer().tokens(in: "running").map(\.text)))
        #expect(try terms(9) == Set(Analyzer.english.makeTokenizer().tokens(in: "running").map(\.text)))
        #expect(try terms(8) != terms(9))
        try queue.write { try $0.execute(sql: "UPDATE notes SET language = 'en' WHERE id = 8") }
        #expect(try terms(8) == terms(9))
        #expect(try queue.verify(index).isClean)
    }

    @Test(arguments: [nil, "language", "lower(language)"] as [String?])
    func `highlights and snippets mark what matched in the row's language`(language: String?) throws {
        let index = Self.index(language)
        let queue = try Self.filled(index)
        func marked(_ query: String) throws -> [String] {
            try queue.search(index.query(query, isTyping: false).typos(.none)).hits.map {
                $0.highlights(\.title).marked(open: "[", close: "]") + "|"
                    + $0.snippet(\.body).marked(open: "[", close: "]")
            }
        }
        #expect(
            try marked("haus") == ["Alte [Häuser]|Die Zimmerleute besserten die Dächer der [Häuser] am Flusse aus."])
        #expect(
            try marked("cheval nationales") == [
                "Vieux [chevaux]|Les [chevaux] de l'écurie [nationale] étaient fatigués après les courses."
            ])
        #expect(
            try marked("станция") == ["Поезда|Поезда прибывали на [станции] с опозданием из-за снега."])
        let texts = try queue.search(index.query("haus")).hits.map { $0.text(\.body) }
        #expect(texts.contains("Die Zimmerleute besserten die Dächer der Häuser am Flusse aus."))
    }

    @Test func `another language column is another index, and one that is missing is an error`() throws {
        let queue = try Self.filled(Self.index(nil))
        let index = Self.index("language")
        try queue.write { try $0.install(index) }
        #expect(try queue.verify(index).isClean)
        #expect(try Self.found("haus", index, in: queue) == [2])
        #expect(throws: SearchIndexError.self) { try queue.write { try $0.install(Self.index("lang")) } }
        #expect(throws: SearchIndexError.self) {
            try queue.write { try $0.install(Self.index("(SELECT name FROM sqlite_schema)")) }
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `the index follows texts and languages through any history`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let index = Self.index("language")
        let queue = try Self.filled(index)
        let languages = ["'en'", "'de'", "'fr-CA'", "NULL", "'ru'", "42", "x'ff'", "'-'", "''"]
        for _ in 0..<60 {
            let id = Int.random(in: 1...9, using: &generator)
            let language = languages.randomElement(using: &generator) ?? "NULL"
            let text = Self.notes.randomElement(using: &generator)?.body ?? ""
            try queue.write { db in
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: try db.execute(sql: "DELETE FROM notes WHERE id = \(id)")
                case 1: try db.execute(sql: "UPDATE notes SET language = \(language) WHERE id = \(id)")
                case 2: try db.execute(sql: "UPDATE notes SET body = ? WHERE id = \(id)", arguments: [text])
                default:
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO notes VALUES (\(id), \(language), 'title', ?)", arguments: [text])
                }
            }
        }
        #expect(try queue.verify(index).isClean)
    }

    @Test(
        arguments: [nil, "language"] as [String?], [SearchEngine.concordance, .fts5])
    func `a query is asked in the languages that it names`(language: String?, engine: SearchEngine) throws {
        let index = Self.index(language, engine)
        let queue = try Self.filled(index)
        func found(_ query: String, _ languages: [TextLanguage]) throws -> Set<Int64> {
            let request = index.query(query, isTyping: false).typos(.none).languages(languages)
            return Set(try queue.search(request).hits.map(\.id))
        }
        for (query, language, id) in [
            ("mended", .english, 1), ("Dächern", .german, 2), ("écuries", .french, 3), ("поездами", .russian, 4),
            ("\"écuries nationales\"", .french, 3),
        ] as [(String, TextLanguage, Int64)] {
            let others = [.english, .german, .french, .russian].filter { $0 != language }
            #expect(try found(query, []) == [id], "\(query)")
            #expect(try found(query, [language]) == [id], "\(query)")
            #expect(try found(query, [.tamil, language] + others) == [id], "\(query)")
            #expect(try found(query, others) == [], "\(query)")
            // The index knows no text in Tamil: as without it.
            #expect(try found(query, [.tamil]) == [id], "\(query)")
        }
        let typing = index.query("nationales ch", isTyping: true).languages([.french])
        #expect(try queue.search(typing).hits.map(\.id) == [3])
        let explained = try queue.search(index.query("Dächern", isTyping: false).languages([.german]).explained())
        let explanation = explained.hits.first?.explanation?.description ?? ""
        #expect(explanation.contains("Dächern") && !explanation.unicodeScalars.contains("\u{1FFFE}"), "\(explanation)")
    }

    @Test func `a property names the column`() throws {
        let analysis = Analysis(Self.guessing, language: \Note.language)
        #expect(analysis == Analysis(Self.guessing, language: "language"))
        let wrong = SearchIndex("wrongTexts", of: Note.self, in: "notes") {
            Field(\.title)
            Analysis(Self.guessing, language: \Note.title.count)
        }
        let queue = try Self.filled(Self.index(nil))
        #expect(throws: SearchIndexError.self) { try queue.write { try $0.install(wrong) } }
    }

    @Test func `a table by SQL guesses as well`() throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(body, tokenize='concordance guess en de fr')")
            for note in Self.notes {
                try db.execute("INSERT INTO t(rowid, body) VALUES (\(note.id), \(note.body))")
            }
        }
        let marked = try queue.read { db in
            try String.fetchAll(db, sql: "SELECT highlight(t, 0, '[', ']') FROM t WHERE t MATCH 'haus OR cheval'")
        }
        #expect(
            marked == [
                "Die Zimmerleute besserten die Dächer der [Häuser] am Flusse aus.",
                "Les [chevaux] de l'écurie nationale étaient fatigués après les courses.",
            ])
        try queue.write { try $0.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')") }
    }
}
