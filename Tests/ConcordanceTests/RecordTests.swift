import Concordance
import Testing

@Suite("Records are inserted, updated, saved and deleted")
struct RecordTests {
    /// One step on a library that holds the author 1, Ada, and the SQL that it runs.
    struct Step: CustomTestStringConvertible, Sendable {
        let name: String
        let sql: [String]
        let run: @Sendable (Database) throws -> Void
        var testDescription: String { name }

        init(_ name: String, _ sql: String..., run: @escaping @Sendable (Database) throws -> Void) {
            self.name = name
            self.sql = sql
            self.run = run
        }
    }

    static let steps: [Step] = [
        Step("insert", #"INSERT INTO "authors" ("id", "name", "born") VALUES (NULL, 'Bo', 1950)"#) {
            (db: Database) throws in
            var author = Author(name: "Bo", born: 1950)
            try author.insert(db)
            #expect(author.id == 2)
        },
        Step("insert or ignore", #"INSERT OR IGNORE INTO "authors" ("id", "name", "born") VALUES (NULL, 'Ada', NULL)"#)
        { (db: Database) throws in
            var author = Author(name: "Ada")
            try author.insert(db, onConflict: .ignore)
            #expect(author.id == nil)
        },
        Step(
            "insert or replace", #"INSERT OR REPLACE INTO "authors" ("id", "name", "born") VALUES (NULL, 'Ada', NULL)"#
        ) { (db: Database) throws in
            var author = Author(name: "Ada")
            try author.insert(db, onConflict: .replace)
            #expect(author.id == 2)
            #expect(try Author.fetchCount(db) == 1)
        },
        Step(
            "insert and fetch", #"INSERT INTO "authors" ("id", "name", "born") VALUES (NULL, 'Bo', NULL) RETURNING *"#
        ) { (db: Database) throws in
            let author = try Author(name: "Bo").insertAndFetch(db, as: Author.self)
            #expect(author == Author(id: 2, name: "Bo"))
        },
        Step("update", #"UPDATE "authors" SET "name" = 'Eve', "born" = NULL WHERE "id" = 1"#) { (db: Database) throws in
            try Author(id: 1, name: "Eve").update(db)
            #expect(try Author.fetchAll(db) == [Author(id: 1, name: "Eve")])
        },
        Step("update columns", #"UPDATE "authors" SET "born" = 1816 WHERE "id" = 1"#) { (db: Database) throws in
            try Author(id: 1, name: "unused", born: 1816).update(db, columns: ["born"])
            #expect(try Author.fetchAll(db) == [Author(id: 1, name: "Ada", born: 1816)])
        },
        Step("update changes", #"UPDATE "authors" SET "born" = 1816 WHERE "id" = 1"#) { (db: Database) throws in
            var author = Author(id: 1, name: "Ada", born: 1815)
            #expect(try author.updateChanges(db) { $0.born = 1816 })
            #expect(author.born == 1816)
        },
        Step("update without changes") { (db: Database) throws in
            var author = Author(id: 1, name: "Ada", born: 1815)
            #expect(try !author.updateChanges(db) { $0.born = 1815 })
        },
        Step(
            "upsert of a known name",
            #"INSERT INTO "authors" ("id", "name", "born") VALUES (NULL, 'Ada', 7) "#
                + #"ON CONFLICT DO UPDATE SET "name" = "excluded"."name", "born" = "excluded"."born" RETURNING "rowid""#
        ) { (db: Database) throws in
            var author = Author(name: "Ada", born: 7)
            try author.upsert(db)
            #expect(author.id == 1)
            #expect(try Author.fetchAll(db) == [Author(id: 1, name: "Ada", born: 7)])
        },
        Step(
            "upsert on a target",
            #"INSERT INTO "authors" ("id", "name", "born") VALUES (NULL, 'Ada', 7) "#
                + #"ON CONFLICT ("name") DO UPDATE SET "born" = "excluded"."born" RETURNING "rowid""#
        ) { (db: Database) throws in
            var author = Author(name: "Ada", born: 7)
            try author.upsert(db, on: ["name"])
            #expect(author.id == 1)
        },
        Step(
            "save of a new record", #"UPDATE "authors" SET "name" = 'Bo', "born" = NULL WHERE "id" = 9"#,
            #"INSERT INTO "authors" ("id", "name", "born") VALUES (9, 'Bo', NULL)"#
        ) { (db: Database) throws in
            var author = Author(id: 9, name: "Bo")
            try author.save(db)
            #expect(try Author.fetchOne(db, key: 9) == author)
        },
        Step("save of a known record", #"UPDATE "authors" SET "name" = 'Bo', "born" = NULL WHERE "id" = 1"#) {
            (db: Database) throws in
            var author = Author(id: 1, name: "Bo")
            try author.save(db)
        },
        Step(
            "save without a key", #"INSERT INTO "authors" ("id", "name", "born") VALUES (NULL, 'Bo', NULL)"#
        ) { (db: Database) throws in
            var author = Author(name: "Bo")
            try author.save(db)
            #expect(author.id == 2)
        },
        Step("delete", #"DELETE FROM "authors" WHERE "id" = 1"#) { (db: Database) throws in
            #expect(try Author(id: 1, name: "").delete(db))
            #expect(try Author.fetchCount(db) == 0)
        },
        Step("delete without a row", #"DELETE FROM "authors" WHERE "id" = 5"#) { (db: Database) throws in
            #expect(try !Author(id: 5, name: "").delete(db))
        },
        Step("exists", #"SELECT EXISTS (SELECT 1 FROM "authors" WHERE "id" = 1)"#) { (db: Database) throws in
            #expect(try Author(id: 1, name: "").exists(db))
        },
        Step("fetch by key", #"SELECT "authors".* FROM "authors" WHERE "authors"."id" = 1 LIMIT 1"#) {
            (db: Database) throws in
            #expect(try Author.fetchOne(db, key: 1) == Author(id: 1, name: "Ada", born: 1815))
        },
        Step("fetch by unique key", #"SELECT "authors".* FROM "authors" WHERE "authors"."name" = 'Ada' LIMIT 1"#) {
            (db: Database) throws in
            #expect(try Author.fetchOne(db, key: ["name": "Ada"])?.id == 1)
        },
        Step("fetch by keys", #"SELECT "authors".* FROM "authors" WHERE "authors"."id" IN (1, 2)"#) {
            (db: Database) throws in
            #expect(try Author.fetchAll(db, keys: [1, 2]).map(\.name) == ["Ada"])
        },
        Step("delete by key", #"DELETE FROM "authors" WHERE "authors"."id" = 1"#) { (db: Database) throws in
            #expect(try Author.deleteOne(db, key: 1))
        },
    ]

    @Test(arguments: steps)
    func sql(_ step: Step) throws {
        let db = try makeLibrary()
        var ada = Author(name: "Ada", born: 1815)
        try ada.insert(db)
        let run = try statements(of: db) { try step.run(db) }
        #expect(Array(run.prefix(step.sql.count)) == step.sql)
    }

    @Test func insertionsShareOneStatement() throws {
        let db = try makeLibrary()
        var compiled: Set<String> = []
        try db.inTransaction {
            for number in 0..<10_000 {
                var author = Author(name: "author \(number)")
                try author.insert(db)
                #expect(author.id == Int64(number + 1))
            }
            return .commit
        }
        db.trace { if $0.kind == .begin { compiled.insert($0.sql) } }
        var last = Author(name: "last")
        try last.insert(db)
        #expect(compiled == [#"INSERT INTO "authors" ("id", "name", "born") VALUES (?, ?, ?)"#])
        #expect(try Author.fetchCount(db) == 10_001)
    }

    @Test func anyNumberOfKeys() throws {
        let db = try makeLibrary()
        for number in 0..<1201 {
            var author = Author(name: "\(number)")
            try author.insert(db)
        }
        #expect(try Author.fetchAll(db, keys: 0..<50_000).count == 1201)
        #expect(try Author.fetchAll(db, keys: [] as [Int]).isEmpty)
        #expect(try Author.deleteAll(db, keys: 2...1_000) == 999)
        #expect(try Author.fetchCount(db) == 202)
    }

    @Test func compositeAndTextKeysWithoutRowID() throws {
        struct Place: Codable, Hashable, FetchableRecord, PersistableRecord {
            var country: String
            var code: String
            var name: String
        }
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: "CREATE TABLE place (country TEXT, code TEXT, name TEXT, PRIMARY KEY (country, code)) WITHOUT ROWID")
        var place = Place(country: "fr", code: "75", name: "Paris")
        try place.insert(db)
        place.name = "Lutetia"
        try place.update(db)
        try place.upsert(db)
        try place.save(db)
        #expect(try Place.fetchOne(db, key: ["code": "75", "country": "fr"]) == place)
        #expect(try Place.all().reversed().sql(db).hasSuffix(#"ORDER BY "place"."country" DESC, "place"."code" DESC"#))
        #expect(try Place.order(Column("name")).limit(1).deleteAll(db) == 1)
        #expect(try !place.exists(db))
        let error = #expect(throws: RecordError.self) { try Place.fetchOne(db, key: "fr") }
        #expect(error == .keyMismatch(table: "place", given: ["one value"], primaryKey: ["country", "code"]))
    }

    /// The usual way to get a row or create it.
    @Test func anUpsertOfNothingButKeysLeavesTheRowAsItIs() throws {
        struct Tag: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
            var id: Int64?
            var name: String
            mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
        }
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
                CREATE TABLE note(tagID INTEGER REFERENCES tag(id));
                INSERT INTO tag VALUES (3, 'x'), (5, 'y'); INSERT INTO note VALUES (3);
                """)
        for (id, name, expected) in [(nil, "x", 3), (7, "x", 3), (nil, "y", 5), (nil, "z", 6)]
            as [(Int64?, String, Int64)]
        {
            var tag = Tag(id: id, name: name)
            try tag.upsert(db, on: ["name"])
            #expect(tag.id == expected)
        }
        #expect(try Tag.fetchAll(db).map(\.id) == [3, 5, 6])
    }

    @Test func noSingleRowHasNULLInAUniqueKey() throws {
        struct Person: Codable, FetchableRecord, PersistableRecord {
            var email: String?
        }
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: "CREATE TABLE person(email TEXT UNIQUE); INSERT INTO person VALUES (NULL), (NULL), ('a@b')")
        let unknown: String? = nil
        #expect(try !Person.deleteOne(db, key: ["email": unknown]))
        #expect(try Person.fetchOne(db, key: ["email": unknown]) == nil)
        #expect(try Person.deleteOne(db, key: ["email": "a@b"]))
        #expect(try Person.fetchCount(db) == 2)
    }

    @Test func generatedColumnsAndDefaultsComeBack() throws {
        struct Word: Codable, FetchableRecord, PersistableRecord {
            var text: String
            enum CodingKeys: String, CodingKey { case text }
        }
        struct StoredWord: Decodable, FetchableRecord, Equatable {
            var text: String
            var length: Int
            var language: String
        }
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: "CREATE TABLE word (text TEXT, length INT AS (length(text)) STORED, language TEXT DEFAULT 'en')")
        let stored = try Word(text: "concordance").insertAndFetch(db, as: StoredWord.self)
        #expect(stored == StoredWord(text: "concordance", length: 11, language: "en"))
    }

    @Test func recordsOfATableWithoutKeyAreUpdatedByRowID() throws {
        struct Line: Codable, FetchableRecord, PersistableRecord {
            static var databaseSelection: [any SQLSelectable] { [SQLSelection.allColumns, Column.rowID] }
            var rowid: Int64?
            var text: String
        }
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE line (text TEXT)")
        try Line(text: "a").insert(db)
        var line = try #require(try Line.fetchOne(db, key: 1))
        line.text = "b"
        try line.update(db)
        #expect(try Line.fetchAll(db).map(\.text) == ["b"])
    }

    @Test func callbacksRun() throws {
        struct Note: Codable, PersistableRecord {
            var id: Int64
            func willInsert(_ db: Database) throws { try db.execute(sql: "INSERT INTO log VALUES ('willInsert')") }
            func willUpdate(_ db: Database) throws { try db.execute(sql: "INSERT INTO log VALUES ('willUpdate')") }
            func didUpdate(_ db: Database) throws { try db.execute(sql: "INSERT INTO log VALUES ('didUpdate')") }
            func willDelete(_ db: Database) throws { try db.execute(sql: "INSERT INTO log VALUES ('willDelete')") }
            func didDelete(_ db: Database, deleted: Bool) throws {
                try db.execute(sql: "INSERT INTO log VALUES (?)", arguments: ["didDelete \(deleted)"])
            }
        }
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY); CREATE TABLE log (text)")
        try Note(id: 1).insert(db)
        try Note(id: 1).update(db)
        try Note(id: 1).delete(db)
        let log = try String.fetchAll(db, sql: "SELECT text FROM log")
        #expect(log == ["willInsert", "willUpdate", "didUpdate", "willDelete", "didDelete true"])
    }

    @Test func aChangedSchemaIsNoticed() throws {
        let db = try Database(path: ":memory:")
        struct Item: Codable, PersistableRecord {
            var a: Int
            var b: Int
        }
        try db.execute(sql: "CREATE TABLE item (a INTEGER PRIMARY KEY, b INT); INSERT INTO item VALUES (1, 1)")
        try Item(a: 1, b: 2).update(db)
        try db.execute(sql: "DROP TABLE item; CREATE TABLE item (a INT, b INTEGER PRIMARY KEY);")
        try db.execute(sql: "INSERT INTO item VALUES (5, 2), (1, 3)")
        try Item(a: 7, b: 2).update(db)
        #expect(try Int.fetchAll(db, sql: "SELECT a FROM item ORDER BY b") == [7, 1])
    }

    @Test(arguments: [
        ("Book", "book"), ("HTTPRequest", "httpRequest"), ("URL", "url"), ("X", "x"), ("Ünit", "ünit"),
    ])
    func tableNamesFollowTypeNames(_ type: String, _ table: String) throws {
        struct Book: TableRecord {}
        struct HTTPRequest: TableRecord {}
        struct URL: TableRecord {}
        struct X: TableRecord {}
        struct Ünit: TableRecord {}
        let types: [any TableRecord.Type] = [Book.self, HTTPRequest.self, URL.self, X.self, Ünit.self]
        #expect(types.first { "\($0)" == type }?.databaseTableName == table)
    }
}
