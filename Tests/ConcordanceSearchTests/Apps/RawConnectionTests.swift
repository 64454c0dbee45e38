import Concordance
import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSearch
import Foundation
import TestSupport
import Testing

/// The texts of an app with its own SQL, and what it searches in them.
enum RawApp {
    struct Recipe: Codable, Sendable, Identifiable {
        var id: Int64
        var title: String
        var steps: String
        var cuisineID: Int64?
    }

    static let schema = """
        CREATE TABLE cuisines (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE ingredients (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE recipes (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL, steps TEXT NOT NULL,
          cuisineID INTEGER REFERENCES cuisines(id) ON DELETE SET NULL);
        CREATE TABLE recipeIngredients (
          recipeID INTEGER NOT NULL REFERENCES recipes(id) ON DELETE CASCADE ON UPDATE CASCADE,
          ingredientID INTEGER NOT NULL REFERENCES ingredients(id) ON DELETE CASCADE,
          UNIQUE (recipeID, ingredientID));
        CREATE INDEX recipesCuisine ON recipes(cuisineID);
        CREATE INDEX recipeIngredientsIngredient ON recipeIngredients(ingredientID);
        """

    static let index = SearchIndex("recipeTexts", of: Recipe.self, in: "recipes") {
        Field(\.title, weight: 5)
        Field(\.steps)
        Field("cuisine").joined("cuisines", \.name)
        Field("ingredients").joined("ingredients", \.name, through: "recipeIngredients", separator: ", ")
    }

    static let words = [
        "whisk", "simmer", "braise", "knead", "fold", "saucepan", "oven", "skillet", "butter", "lemon", "garlic",
        "garlicky", "thyme", "saffron", "vanilla", "pepper", "onion", "barley", "lentil", "walnut",
    ]
    static let cuisines = ["basque", "korean", "lebanese", "tuscan"]
    static let ingredients = ["butter", "lemon", "garlic", "saffron", "onion", "walnut"]

    static func texts(_ count: Int, seed: UInt64) -> [(title: String, steps: String)] {
        var random = SeededGenerator(seed: seed)
        func text(_ range: ClosedRange<Int>) -> String {
            (0..<Int.random(in: range, using: &random)).map { _ in
                words[
                    min(
                        Int.random(in: words.indices, using: &random), Int.random(in: words.indices, using: &random))]
            }.joined(separator: " ")
        }
        return (0..<count).map { _ in (text(2...4), text(6...30)) }
    }

    static func fill(_ db: RawDatabase, count: Int = 120, seed: UInt64 = 1) throws {
        try db.execute(schema)
        for name in cuisines { try db.rows("INSERT INTO cuisines(name) VALUES (?)", name) }
        for name in ingredients { try db.rows("INSERT INTO ingredients(name) VALUES (?)", name) }
        for (number, text) in texts(count, seed: seed).enumerated() {
            let cuisine = number % 5 == 0 ? "NULL" : "\(1 + number % 4)"
            try db.rows(
                "INSERT INTO recipes(title, steps, cuisineID) VALUES (?, ?, \(cuisine))", text.title, text.steps)
        }
        try db.execute(
            """
            INSERT INTO recipeIngredients SELECT recipes.id, ingredients.id FROM recipes, ingredients
            WHERE (recipes.id * 7 + ingredients.id * 11) % 5 = 0
            """)
    }

    // MARK: - What must be found

    static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// The texts of each row of a query: an id and the texts.
    static func rows(_ db: RawDatabase, _ sql: String) throws -> [Int64: [[String]]] {
        var rows: [Int64: [[String]]] = [:]
        for row in try db.rows(sql) {
            guard let id = row.first.flatMap({ Int64($0) }) else { continue }
            rows[id] = row.dropFirst().map(words)
        }
        return rows
    }

    /// The rows of the typed index, by the app's own SQL.
    static func recipes(_ db: RawDatabase) throws -> [Int64: [[String]]] {
        try rows(
            db,
            """
            SELECT id, title, steps, ifnull((SELECT name FROM cuisines WHERE cuisines.id = cuisineID), ''), ifnull((
              SELECT group_concat(name, ', ') FROM recipeIngredients JOIN ingredients
              ON ingredients.id = ingredientID WHERE recipeID = recipes.id), '') FROM recipes
            """)
    }

    /// Queries as they are typed, and whether they match the words of a row's fields.
    static let questions: [(typed: String, isMatch: @Sendable ([[String]]) -> Bool)] = [
        ("garlic ", { $0.joined().contains("garlic") }),
        ("garl", { $0.joined().contains { $0.hasPrefix("garl") } }),
        ("saffron korea", { $0.joined().contains("saffron") && $0[2].contains("korean") }),
        ("ingredients:walnut -whisk", { $0[3].contains("walnut") && !$0.joined().contains("whisk") }),
        ("title:lemon OR title:oven ", { $0[0].contains("lemon") || $0[0].contains("oven") }),
        ("tuscan ", { $0[2].contains("tuscan") }), ("zucchini ", { $0.joined().contains("zucchini") }),
    ]

    static func ids(_ rows: [Int64: [[String]]], _ isMatch: ([[String]]) -> Bool) -> [Int64] {
        rows.filter { isMatch($0.value) }.keys.sorted()
    }
}

@Suite struct `Full-text tables in an app with SQL of its own` {
    private typealias App = RawApp

    /// FTS5's queries, and whether they match the words of title and steps.
    static let queries: [(match: String, isMatch: @Sendable ([[String]]) -> Bool)] = [
        ("garlic", { $0.joined().contains("garlic") }),
        ("garl*", { $0.joined().contains { $0.hasPrefix("garl") } }),
        ("w*", { $0.joined().contains { $0.hasPrefix("w") } }),
        ("title : whisk", { $0[0].contains("whisk") }),
        ("whisk NOT simmer", { $0.joined().contains("whisk") && !$0.joined().contains("simmer") }),
        (
            "lemon OR (thyme AND oven)",
            { row in
                let words = Set(row.joined())
                return words.contains("lemon") || words.isSuperset(of: ["thyme", "oven"])
            }
        ),
        ("\"whisk simmer\"", { $0.contains { zip($0, $0.dropFirst()).contains { $0 == ("whisk", "simmer") } } }),
        (
            "NEAR(braise knead, 2)",
            { row in
                row.contains { words in
                    words.indices.contains { first in
                        words.indices.contains {
                            words[first] == "braise" && words[$0] == "knead" && abs(first - $0) <= 3
                        }
                    }
                }
            }
        ),
        ("^fold", { $0.contains { $0.first == "fold" } }), ("nothing", { _ in false }),
    ]

    /// A table of the engine and one of FTS5 with the same rows.
    private func tables(_ options: String = "prefix='1 2 3'") throws -> RawDatabase {
        let db = try RawDatabase()
        try ConcordanceModule.register(on: db.handle)
        for (table, module) in [("docs", "concordance"), ("twin", "fts5")] {
            try db.execute("CREATE VIRTUAL TABLE \(table) USING \(module)(title, steps, \(options))")
            for text in App.texts(200, seed: 7) {
                try db.rows("INSERT INTO \(table)(title, steps) VALUES (?, ?)", text.title, text.steps)
            }
        }
        return db
    }

    private func check(_ db: RawDatabase, _ table: String = "docs", _ comment: Comment? = nil) throws {
        let rows = try App.rows(db, "SELECT rowid, title, steps FROM \(table)")
        for (match, isMatch) in Self.queries {
            let found = try db.numbers("SELECT rowid FROM \(table) WHERE \(table) MATCH ? ORDER BY rowid", match)
            #expect(found == App.ids(rows, isMatch), "\(match) \(comment ?? "")")
        }
        try db.execute("INSERT INTO \(table)(\(table)) VALUES ('integrity-check')")
    }

    @Test func `MATCH finds what the texts say, with FTS5's order, scores and snippets`() throws {
        let db = try tables()
        try check(db)
        for (match, _) in Self.queries {
            let answers = try ["docs", "twin"].map { table in
                try db.rows(
                    """
                    SELECT rowid, printf('%.6f', rank), printf('%.6f', bm25(\(table), 5.0, 1.0)),
                      highlight(\(table), 0, '<b>', '</b>'), snippet(\(table), 1, '[', ']', '…', 8)
                    FROM \(table) WHERE \(table) MATCH ? ORDER BY rank, rowid
                    """, match)
            }
            #expect(answers[0] == answers[1], "\(match)")
            let best = try db.rows(
                "SELECT printf('%.6f', rank) FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT 10", match)
            #expect(best.map { $0[0] } == answers[0].prefix(10).map { $0[1] }, "\(match)")
        }
    }

    @Test func `highlight marks the words that match, in texts as they were written`() throws {
        let db = try tables()
        for row in try db.rows("SELECT steps, highlight(docs, 1, '[', ']') FROM docs WHERE docs MATCH 'steps : garlic'")
        {
            let expected = row[0].split(separator: " ").map { $0 == "garlic" ? "[\($0)]" : "\($0)" }
            #expect(row[1] == expected.joined(separator: " "))
        }
        // The README's table, whose tokenizer needs no more than the module.
        try db.execute(
            """
            CREATE VIRTUAL TABLE book
            USING concordance(author, title, tokenize='concordance standard', prefix='1 2 3')
            """
        )
        try db.rows("INSERT INTO book VALUES (?, ?)", "Hans Großmann", "Encyclopædia")
        let found = try db.rows(
            "SELECT highlight(book, 0, '[', ']'), title FROM book('encyclopaedia gro*') ORDER BY rank LIMIT 10")
        #expect(found == [["Hans [Großmann]", "Encyclopædia"]])
    }

    @Test func `rows are changed, replaced, deleted and rolled back by the app's SQL`() throws {
        let db = try tables()
        for sql in [
            "UPDATE docs SET title = 'garlic oven' WHERE rowid % 7 = 0", "DELETE FROM docs WHERE rowid % 5 = 1",
            "REPLACE INTO docs(rowid, title, steps) VALUES (14, 'fold', 'braise knead'), (1000, 'w', 'whisk')",
            "UPDATE docs SET rowid = 2000 WHERE rowid = 1000",
            "SAVEPOINT a; DELETE FROM docs; INSERT INTO docs VALUES ('garlic', 'garlic'); ROLLBACK TO a; RELEASE a",
            "BEGIN; UPDATE docs SET steps = 'nothing'; ROLLBACK",
            "BEGIN; DELETE FROM docs WHERE docs MATCH 'saffron'; INSERT INTO docs VALUES ('fold', ''); COMMIT",
            "INSERT INTO docs(docs) VALUES ('optimize')",
        ] {
            try db.execute(sql)
            try check(db, "docs", "\(sql)")
        }
        try db.execute("DELETE FROM docs")
        #expect(try db.numbers("SELECT count(*) FROM docs") == [0])
    }

    @Test func `a table without content follows the app's own triggers`() throws {
        let db = try RawDatabase()
        try ConcordanceModule.register(on: db.handle)
        try db.execute(
            """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, steps TEXT);
            CREATE VIRTUAL TABLE texts USING concordance(title, steps, content='notes', content_rowid='id');
            CREATE TRIGGER notesInsert AFTER INSERT ON notes BEGIN
              INSERT INTO texts(rowid, title, steps) VALUES (NEW.id, NEW.title, NEW.steps);
            END;
            CREATE TRIGGER notesDelete AFTER DELETE ON notes BEGIN
              INSERT INTO texts(texts, rowid, title, steps) VALUES ('delete', OLD.id, OLD.title, OLD.steps);
            END;
            CREATE TRIGGER notesUpdate AFTER UPDATE ON notes BEGIN
              INSERT INTO texts(texts, rowid, title, steps) VALUES ('delete', OLD.id, OLD.title, OLD.steps);
              INSERT INTO texts(rowid, title, steps) VALUES (NEW.id, NEW.title, NEW.steps);
            END;
            """)
        for text in App.texts(100, seed: 9) {
            try db.rows("INSERT INTO notes(title, steps) VALUES (?, ?)", text.title, text.steps)
        }
        try check(db, "texts")
        try db.execute(
            "UPDATE notes SET steps = 'whisk simmer fold' WHERE id % 3 = 0; DELETE FROM notes WHERE id % 4 = 0")
        try check(db, "texts", "after changes")
        try db.execute(
            "INSERT INTO texts(texts) VALUES ('rebuild'); INSERT INTO texts(texts, rank) VALUES ('integrity-check', 1)")
        try check(db, "texts", "rebuilt")
    }

    @Test func `an FTS5 table becomes one of the engine in place`() throws {
        let db = try tables("tokenize='porter'")
        let before = try db.rows(
            "SELECT rowid, printf('%.6f', rank) FROM twin('garlic OR simmering') ORDER BY rank, rowid")
        try db.rows("SELECT concordance_convert('twin')")
        let sql = try db.rows("SELECT sql FROM sqlite_schema WHERE name = 'twin'")
        #expect(sql.first?.first?.contains("USING fts5concordance(") == true)
        let after = try db.rows(
            "SELECT rowid, printf('%.6f', rank) FROM twin('garlic OR simmering') ORDER BY rank, rowid")
        #expect(before == after && !after.isEmpty)
        try db.execute("INSERT INTO twin(title, steps) VALUES ('zucchini', 'garlic')")
        #expect(try db.numbers("SELECT rowid FROM twin('zucchini')") == [201])
    }

    @Test func `a connection that was given nothing uses everything else in the file`() throws {
        let folder = try TemporaryFolder()
        let db = try RawDatabase(path: folder["app.sqlite"])
        try ConcordanceModule.register(on: db.handle)
        try db.execute(
            "CREATE TABLE plain (a); CREATE VIRTUAL TABLE docs USING concordance(a); INSERT INTO docs VALUES ('garlic')"
        )
        let other = try RawDatabase(path: folder["app.sqlite"])
        try other.execute("INSERT INTO plain VALUES (1)")
        #expect(throws: RawDatabase.Failure.self) { try other.rows("SELECT * FROM docs") }
        try SearchSupport.enable(on: other.handle)
        #expect(try other.rows("SELECT a FROM docs('garlic')") == [["garlic"]])
    }
}

@Suite struct `A typed index on a connection of an app with SQL of its own` {
    private typealias App = RawApp

    private let folder: TemporaryFolder
    private let path: String
    private let db: RawDatabase

    init() throws {
        folder = try TemporaryFolder()
        path = folder["recipes.sqlite"]
        db = try RawDatabase(path: path)
        try App.fill(db)
    }

    /// The app's SQL, one statement after another.
    static let changes = [
        "INSERT INTO recipes(id, title, steps, cuisineID) VALUES (500, 'zucchini', 'garlic', 2)",
        "UPDATE recipes SET title = 'lemon', steps = 'oven' WHERE id % 9 = 0",
        "INSERT OR REPLACE INTO recipes VALUES (8, 'garlicky zucchini', 'saffron', NULL)",
        "UPDATE cuisines SET name = 'tuscan' WHERE name = 'basque'", "DELETE FROM cuisines WHERE name = 'korean'",
        "UPDATE OR REPLACE ingredients SET name = 'walnut' WHERE name = 'onion'",
        "DELETE FROM recipes WHERE id BETWEEN 20 AND 50", "UPDATE recipes SET id = id + 10000 WHERE id % 11 = 0",
        "BEGIN; DELETE FROM recipes; INSERT INTO cuisines(name) VALUES ('zucchini'); ROLLBACK",
        "SAVEPOINT a; UPDATE ingredients SET name = name || ' zucchini'; ROLLBACK TO a; RELEASE a",
    ]

    private func checkAll(_ database: Database, _ comment: Comment? = nil) throws {
        let recipes = try App.recipes(db)
        for (typed, isMatch) in App.questions {
            let page = try App.index.query(typed).counting(.exact).limit(10_000).fetch(database)
            #expect(page.isComplete, "\(typed) \(comment ?? "")")
            #expect(page.hits.map(\.id).sorted() == App.ids(recipes, isMatch), "\(typed) \(comment ?? "")")
        }
    }

    @Test func `is installed, and follows what the app's own SQL does`() throws {
        let database = try SearchSupport.database(of: db.handle)
        #expect(throws: SearchIndexError.notInstalled("recipeTexts")) { try App.index.query("garlic").fetch(database) }
        try database.install(App.index)
        #expect(try database.indexState(of: App.index) == .ready)
        try checkAll(database, "at first")
        for sql in Self.changes {
            try db.execute(sql)
            try checkAll(database, "\(sql)")
        }
        // In a transaction of the app's own.
        try db.execute("BEGIN; UPDATE recipes SET title = 'zucchini' WHERE id % 13 = 0")
        try checkAll(database, "in a transaction")
        try db.execute("ROLLBACK")
        try checkAll(database, "after the transaction")
        let hit = try #require(try App.index.query("title:lemon ").limit(1).fetch(database).hits.first)
        #expect(hit.highlights(\.title).description.contains("[lemon]") && hit.record.id == hit.id)
    }

    @Test func `its table answers MATCH and highlight in SQL, best first as typed searches`() throws {
        let database = try SearchSupport.database(of: db.handle)
        try database.install(App.index)
        let recipes = try App.recipes(db)
        for word in ["garlic", "saffron", "lebanese"] {
            let typed = try App.index.query(word + " ").limit(10_000).fetch(database)
            let rows = try db.rows(
                "SELECT rowid, -rank FROM recipeTexts WHERE recipeTexts MATCH ? ORDER BY rank, rowid", word)
            #expect(rows.map { Int64($0[0]) } == typed.hits.map(\.id))
            for (row, hit) in zip(rows, typed.hits) {
                #expect(abs((Double(row[1]) ?? 0) - hit.score) <= 1e-9 * abs(hit.score))
            }
            let joined = try db.rows(
                """
                SELECT recipes.id, highlight(recipeTexts, 1, '[', ']') FROM recipeTexts
                JOIN recipes ON recipes.id = recipeTexts.rowid WHERE recipeTexts MATCH ? AND recipes.cuisineID IS NULL
                """, word)
            #expect(
                joined.compactMap { Int64($0[0]) }.sorted()
                    == App.ids(recipes) { $0.joined().contains(word) && $0[2].isEmpty })
            for row in joined {
                let steps = try #require(try db.rows("SELECT steps FROM recipes WHERE id = \(row[0])").first?.first)
                #expect(
                    row[1]
                        == steps.split(separator: " ").map { $0 == word ? "[\($0)]" : "\($0)" }.joined(separator: " "))
            }
        }
    }

    @Test func `changes by connections that know nothing are noted, and followed by those that do`() throws {
        let database = try SearchSupport.database(of: db.handle)
        try database.install(App.index)
        let other = try RawDatabase(path: path)
        for sql in Self.changes.prefix(4) { try other.execute(sql) }
        #expect(try !App.index.query("zucchini").fetch(database).isComplete)
        try database.install(App.index)
        try checkAll(database, "after install")
        try SearchSupport.enable(on: other.handle)
        for sql in Self.changes.dropFirst(4) {
            try other.execute(sql)
            try checkAll(database, "\(sql)")
        }
        // The first change by a connection that follows the tables takes in the changes that others left.
        let third = try RawDatabase(path: path)
        try third.execute("UPDATE cuisines SET name = 'zucchini' WHERE name = 'lebanese'")
        try other.execute("UPDATE recipes SET steps = 'zucchini' WHERE id = 1")
        try checkAll(database, "what a third connection has left")
    }

    @Test func `a pool over the same file finds what the app's connection writes, and the other way round`() throws {
        try db.execute("PRAGMA journal_mode = WAL")
        let pool = try DatabasePool(path: path, configuration: .patient)
        try pool.install(App.index)
        for sql in Self.changes {
            try db.execute(sql)
            let recipes = try App.recipes(db)
            for (typed, isMatch) in App.questions {
                var page = try pool.search(App.index.query(typed).limit(10_000))
                while !page.isComplete { page = try pool.search(App.index.query(typed).limit(10_000)) }
                #expect(page.hits.map(\.id).sorted() == App.ids(recipes, isMatch), "\(typed) \(sql)")
            }
        }
        #expect(try pool.verify(App.index, thorough: true).isClean)
        let database = try SearchSupport.database(of: db.handle)
        try pool.write { try $0.execute(sql: "UPDATE recipes SET title = 'zucchini' WHERE id % 6 = 0") }
        try checkAll(database, "what the pool has written")
    }

    @Test func `uninstalling leaves the app's schema as it was, and the connection is the app's again`() throws {
        let schema = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'concordance_%' ORDER BY name"
        let before = try db.rows(schema)
        do {
            let database = Database(borrowing: db.handle)
            try SearchSupport.enable(on: database)
            try database.install(App.index)
            try checkAll(database)
            #expect(try db.rows(schema).count > before.count)
            try database.uninstall(App.index)
            try database.close()
        }
        #expect(try db.rows(schema) == before)
        for sql in Self.changes { try db.execute(sql) }
        #expect(try db.rows("PRAGMA integrity_check") == [["ok"]])
    }

    // MARK: - The app's own connection holder

    @Test func `an app whose connection holder lends its connection has all that pools have`() async throws {
        let library = try RawLibrary(path: path)
        try await library.install(App.index)
        #expect(try await library.indexState(of: App.index) == .ready)
        for sql in Self.changes.prefix(8) {
            let recipes = try library.write { db in
                try db.execute(sql)
                return try App.recipes(db)
            }
            for (typed, isMatch) in App.questions {
                let page = try await library.search(App.index.query(typed).limit(10_000))
                #expect(page.isComplete && page.hits.map(\.id).sorted() == App.ids(recipes, isMatch), "\(typed) \(sql)")
            }
        }
        // Another connection writes, and the next searches take it in.
        try db.execute("UPDATE recipes SET steps = 'barley zucchini' WHERE id % 17 = 0")
        var page = try await library.search(App.index.query("zucchini ").limit(10_000))
        while !page.isComplete { page = try await library.search(App.index.query("zucchini ").limit(10_000)) }
        let recipes = try App.recipes(db)
        #expect(page.hits.map(\.id).sorted() == App.ids(recipes) { $0.joined().contains("zucchini") })

        #expect(try await library.suggestions(for: "zuc", in: App.index).map(\.word) == ["zucchini"])
        #expect(try await library.didYouMean("zuchcini", in: App.index)?.text == "zucchini")
        try library.write { try $0.execute("DELETE FROM recipeTexts WHERE rowid = 1") }
        let report = try await library.repair(App.index)
        #expect(report.missing.ids == [1] && report.stale.count == 0 && report.surplus.count == 0)
        #expect(try await library.verify(App.index, thorough: true).isClean)
    }

    @Test func `live results follow an app's own connection holder and other connections`() async throws {
        let library = try RawLibrary(path: path)
        try await library.install(App.index)
        var pages = library.results(of: App.index.query("zucchini ").limit(10_000)).makeAsyncIterator()
        #expect(try await pages.next()?.hits.isEmpty == true)
        try library.write { try $0.execute("UPDATE recipes SET title = 'zucchini' WHERE id < 10") }
        #expect(try await pages.next()?.hits.map(\.id).sorted() == Array(1..<10))
        try library.write { try $0.execute("UPDATE cuisines SET name = 'zucchini' WHERE name = 'tuscan'") }
        var expected = App.ids(try App.recipes(db)) { $0.joined().contains("zucchini") }
        #expect(try await pages.next()?.hits.map(\.id).sorted() == expected)
        try db.execute("DELETE FROM recipes WHERE id % 2 = 0")
        expected = App.ids(try App.recipes(db)) { $0.joined().contains("zucchini") }
        while let page = try await pages.next() { if page.hits.map(\.id).sorted() == expected { break } }
    }
}
