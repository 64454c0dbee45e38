import Concordance
import ConcordanceFTS5
import Foundation
import Testing

/// A word and its synonyms share a place in the index; queries look for the word that was typed.
final class SynonymTokenizer: FTS5WrapperTokenizer {
    static let name = "synonyms"
    let wrappedTokenizer: any FTS5Tokenizer
    private let groups: [Set<String>] = [["first", "1st"], ["soup", "broth"]]

    init(db: Database, arguments: [String]) throws { wrappedTokenizer = try db.makeTokenizer(.unicode61()) }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws {
        let group = tokenization.contains(.query) ? nil : groups.first { $0.contains(token) }
        try tokenCallback(token, flags)
        for synonym in (group ?? []).subtracting([token]) { try tokenCallback(synonym, flags.union(.colocated)) }
    }
}

/// An application's model, and a search of it with everything that a search page shows.
struct Recipe: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "recipes"
    var id: Int64?
    var title: String
    var method: String
    var tags: [String] = []
    var cooked: Date?

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct RecipeHit: Decodable, FetchableRecord {
    var id: Int64
    var title: String
    var tags: [String]
    var excerpt: String
}

@Suite("A small application: records, a custom tokenizer, ranked and highlighted search")
struct ExampleApplicationTests {
    let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        queue.configureEachConnection { db in db.add(tokenizer: SynonymTokenizer.self) }
        try queue.write { db in
            try db.execute(
                sql:
                    "CREATE TABLE recipes (id INTEGER PRIMARY KEY, title TEXT, method TEXT, tags TEXT, cooked DATETIME)"
            )
            try db.create(virtualTable: "recipeTexts", using: FTS5()) { t in
                t.synchronize(withTable: "recipes")
                t.tokenizer = SynonymTokenizer.tokenizerDescriptor()
                t.column("title")
                t.column("method")
            }
            for (title, method, tags) in [
                ("Leek broth", "First wash the leeks. Serve the broth hot.", ["quick"]),
                ("Bread", "Leave it overnight; good with soup.", []),
                ("Fruit salad", "Cut the fruit.", ["quick", "cold"]),
            ] {
                var recipe = Recipe(title: title, method: method, tags: tags)
                try recipe.insert(db)
            }
        }
    }

    func search(_ typed: String) throws -> [RecipeHit] {
        try queue.read { db in
            let texts = try db.fts5Table("recipeTexts")
            return
                try Recipe
                .matching(FTS5Pattern(matchingAllTokensIn: typed, lastAsPrefix: true), in: "recipeTexts")
                .annotated(with: texts.snippet(open: "[", close: "]", tokenCount: 5).forKey("excerpt"))
                .order(texts.bm25(["title": 10]))
                .limit(20)
                .asRequest(of: RecipeHit.self)
                .fetchAll(db)
        }
    }

    @Test func rankedAndHighlighted() throws {
        let hits = try search("soup")
        #expect(hits.map(\.title) == ["Leek broth", "Bread"])
        #expect(hits.map(\.tags) == [["quick"], []])
        #expect(hits.map(\.excerpt) == ["…Serve the [broth] hot.", "…it overnight; good with [soup]."])
        #expect(try search("1st wa").map(\.excerpt) == ["[First] [wash] the leeks. Serve…"])
        #expect(try search("\"* (").isEmpty)
    }

    @Test func theIndexFollowsTheRecords() throws {
        try queue.write { db in
            var recipe = try Recipe.find(db, key: 2)
            recipe.method = "Leave it overnight."
            recipe.cooked = Date(timeIntervalSince1970: 1_000_000)
            try recipe.update(db)
        }
        #expect(try search("soup").map(\.title) == ["Leek broth"])
        try queue.write { db in _ = try Recipe.deleteOne(db, key: 1) }
        #expect(try search("soup").isEmpty)
        let cooked = try queue.read { db in try Recipe.filter { $0.cooked != nil }.order { $0.title.asc }.fetchAll(db) }
        #expect(cooked.map(\.title) == ["Bread"])
    }
}
