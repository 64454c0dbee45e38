import Foundation
import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

/// Notes with a title, a body and tags, and indexes over them.
enum NotesFixture {
    struct Note: Codable, Sendable {
        var id: Int64
        var title: String
        var body: String
        var tags: String
    }

    static func index(_ analyzer: Analyzer = .standard) -> SearchIndex<Note> {
        SearchIndex("noteTexts", of: Note.self, in: "notes") {
            Field(\.title, weight: 10)
            Field(\.body)
            Field(\.tags).holdingTags()
            Analysis(analyzer)
        }
    }

    static let notes = [
        ("Get groceries", "Milk, eggs, apples, oatmeal and groceries for Großmann", "weekend"),
        ("Get laundry", "From the cleaner's in the grove", "easy"),
        ("Visit Herr Großmann", "Großmann lives in the Große Straße; Großmann paints", "weekend"),
        ("Doctor appointment", "Ask about groats and running shoes", "health"),
        ("Send weekly emails", "The weekly report goes to accountants", "work"),
        ("漢字の本", "これは日本語の文章です。", "本"),
    ]

    static func queue(_ index: SearchIndex<Note> = index()) throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in try fill(db, index) }
        return queue
    }

    static func fill(_ db: Database, _ index: SearchIndex<Note> = index()) throws {
        try db.execute(
            sql:
                "CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL, tags TEXT NOT NULL)"
        )
        for (title, body, tags) in notes { try insert(title, body, tags, in: db) }
        try db.install(index)
    }

    static func insert(_ title: String, _ body: String = "", _ tags: String = "", in db: Database) throws {
        try db.execute(sql: "INSERT INTO notes(title, body, tags) VALUES (?, ?, ?)", arguments: [title, body, tags])
    }
}

@Suite("Suggestions complete what is typed with words of the texts")
struct SuggestionTests {
    private typealias Notes = NotesFixture

    @Test(arguments: [
        ("gro", ["Großmann", "groceries", "groats", "Große", "grove"]),
        ("GRO", ["Großmann", "groceries", "groats", "Große", "grove"]),
        ("get gro", ["get groceries", "get Großmann", "get grove"]), ("get la", ["get laundry"]),
        ("title:gro", ["title:Großmann", "title:groceries"]), ("#we", ["#weekend"]),
        ("#weekend gro", ["#weekend Großmann", "#weekend groceries", "#weekend Große"]), ("gro -get", []),
        ("\"send wee", ["\"send weekly"]), ("\"weekly re", ["\"weekly report"]),
        ("laundry OR gro", ["laundry OR Großmann"]),
        ("-milk gro", ["-milk Großmann"]), ("zebra gro", []), ("gro ", []), ("", []), ("groceries", []), ("xyz", []),
        ("漢", []), ("これ", []), ("12", []), ("\0", []), ("title:", []), ("\"", []), ("((((", []), ("get -", []),
    ])
    func `the last word is completed by words that go with those before`(typed: String, expected: [String]) throws {
        let found = try Notes.queue().suggestions(for: typed, in: Notes.index()).map(\.text)
        switch typed {
        // Others follow; their order does not matter here.
        case "laundry OR gro", "-milk gro": #expect(found.first == expected.first && found.count > 1, "\(found)")
        default: #expect(found == expected, "\(typed)")
        }
    }

    @Test(arguments: [Analyzer.standard, .english, .german, .trigram, .unicode61, .japanese])
    func `words are shown as people wrote them, whatever the index holds`(analyzer: Analyzer) throws {
        let index = Notes.index(analyzer)
        let queue = try Notes.queue(index)
        #expect(try queue.suggestions(for: "runn", in: index).map(\.word) == ["running"])
        #expect(try queue.suggestions(for: "emai", in: index).map(\.word) == ["emails"])
        #expect(try queue.suggestions(for: "groß", in: index, limit: 1).map(\.word) == ["Großmann"])
        #expect(try queue.suggestions(for: "漢字", in: index).isEmpty)
    }

    @Test func `counts are those of the rows that match the words before`() throws {
        let queue = try Notes.queue()
        let all = try queue.suggestions(for: "großm", in: Notes.index())
        let some = try queue.suggestions(for: "milk großm", in: Notes.index())
        #expect(all.map(\.count) == [4] && some.map(\.count) == [1])
    }

    @Test func `a word is suggested after the commit that adds it, and not after the one that removes it`() async throws
    {
        let queue = try Notes.queue()
        let index = Notes.index()
        #expect(try await queue.suggestions(for: "zeb", in: index).isEmpty)
        try await queue.write { db in try Notes.insert("Zebra crossing", in: db) }
        #expect(try await queue.suggestions(for: "zeb", in: index).map(\.text) == ["Zebra"])
        try await queue.write { db in try db.execute(sql: "UPDATE notes SET title = 'Zebu' WHERE title LIKE 'Zebra%'") }
        #expect(try await queue.suggestions(for: "zeb", in: index).map(\.text) == ["Zebu"])
        try await queue.write { db in try db.execute(sql: "DELETE FROM notes") }
        #expect(try await queue.suggestions(for: "zeb", in: index).isEmpty)
        #expect(try await queue.suggestions(for: "gro", in: index).isEmpty)
    }

    @Test func `commits by another connection count too`() throws {
        let folder = try TemporaryFolder()
        let pool = try DatabasePool(path: folder["notes.sqlite"])
        try pool.write { db in try Notes.fill(db) }
        #expect(try pool.suggestions(for: "zeb", in: Notes.index()).isEmpty)
        let other = try DatabaseQueue(path: folder["notes.sqlite"])
        SearchSupport.enable(on: other)
        try other.write { db in try Notes.insert("Zebra crossing", in: db) }
        #expect(try pool.suggestions(for: "zeb", in: Notes.index()).map(\.text) == ["Zebra"])
    }

    @Test func `an index that is not there is an error that says so`() throws {
        let queue = try DatabaseQueue()
        #expect(throws: SearchIndexError.notInstalled("noteTexts")) {
            try queue.suggestions(for: "gro", in: Notes.index())
        }
        #expect(throws: SearchIndexError.notInstalled("noteTexts")) {
            try queue.didYouMean("gro", in: Notes.index())
        }
    }

    @Test(arguments: [0, -1, Int.min, Int.max])
    func `any limit will do`(limit: Int) throws {
        let found = try Notes.queue().suggestions(for: "gro", in: Notes.index(), limit: limit)
        #expect(found.count == (limit > 0 ? 5 : 0))
    }

    @Test func `a text of megabytes has no suggestions`() throws {
        let queue = try Notes.queue()
        for text in [String(repeating: "get gro", count: 200_000), String(repeating: "a", count: 2_000_000)] {
            #expect(try queue.suggestions(for: text, in: Notes.index()).isEmpty)
        }
    }

    @Test(arguments: 0..<UInt64(12))
    func `after any history, what is suggested is what the texts have`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let queue = try Notes.queue()
        let definition = Notes.index().definition
        // However slow the machine is: otherwise new words may come later.
        let vocabulary = IndexVocabulary(definition, patience: .seconds(3600))
        let letters = ["a", "b", "c"]
        func words() -> String {
            (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                "q" + (0..<3).map { _ in letters.randomElement(using: &generator) ?? "a" }.joined()
            }.joined(separator: " ")
        }
        for step in 0..<25 {
            try queue.write { db in
                switch Int.random(in: 0..<4, using: &generator) {
                case 0:
                    try db.execute(sql: "DELETE FROM notes WHERE id = (SELECT id FROM notes ORDER BY random() LIMIT 1)")
                case 1:
                    try db.execute(
                        sql: "UPDATE notes SET body = ? WHERE id = (SELECT id FROM notes ORDER BY random() LIMIT 1)",
                        arguments: [words()])
                default: try Notes.insert(words(), words(), "", in: db)
                }
            }
            let texts = try queue.read { db in try String.fetchAll(db, sql: "SELECT title || ' ' || body FROM notes") }
            let expected = Set(texts.flatMap { $0.split(separator: " ").map(String.init) }.filter { $0.hasPrefix("q") })
            let dictionary = try vocabulary.dictionary(for: queue)
            let found = try queue.read { db in
                try SuggestionSearch(definition, dictionary, in: db).suggestions(for: "q", limit: 100).map(\.word)
            }
            #expect(Set(found) == expected && found.count == expected.count, "seed \(seed), step \(step)")
        }
    }
}
