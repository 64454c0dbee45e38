import Foundation
import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("A definition checked against a database")
struct IndexSchemaTests {
    static let schema = """
        CREATE TABLE notes(id INTEGER PRIMARY KEY, title, body, folder REFERENCES folders(id), address, up AS (upper(title)));
        CREATE TABLE folders(id INTEGER PRIMARY KEY, name, parent REFERENCES folders, place);
        CREATE TABLE noteTags(note REFERENCES notes, tag REFERENCES tags, PRIMARY KEY(note, tag)) WITHOUT ROWID;
        CREATE TABLE tags(id INTEGER PRIMARY KEY, name);
        """

    private static func resolve(
        _ sql: String = schema, @SearchIndexBuilder<Row> _ content: () -> [IndexElement<Row>]
    ) throws -> IndexSchema {
        let db = try Database(path: ":memory:")
        try db.execute(sql: sql)
        return try IndexSchema(SearchIndex("texts", in: "NOTES", content: content).definition, in: db)
    }

    @Test func `the columns that the view reads are known, including those inside expressions`() throws {
        let schema = try Self.resolve {
            Field("Title")
            Field("tags").joined("TAGS", "NAME", through: ["notetags"])
            Field("folder").joined("folders", "name", orderedBy: "place")
            Field("x").computed("json_extract(Address, '$.x') || up || notes.id")
            Field("y").computed("rowid || (SELECT group_concat(value) FROM json_each(notes.body))")
        }
        #expect(
            schema.columnsRead == [
                "notes": ["rowid", "id", "title", "folder", "address", "up", "body"],
                "noteTags": ["note", "tag"], "tags": ["id", "name", "rowid"],
                "folders": ["id", "name", "place", "rowid"],
            ])
        #expect(schema.source == "notes")
        #expect(schema.relations.map { $0.steps.map(\.table) } == [["noteTags", "tags"], ["folders"]])
    }

    @Test func `the source reads as if written by hand`() throws {
        let schema = try Self.resolve {
            Field("title")
            Field("id").unindexed()
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ", ")
            Field("both").computed("title || body")
            Field("code").computed("address").analyzed(by: .trigram)
        }
        #expect(
            schema.createSourceSQL(name: "texts_source", waysBack: ["SELECT ?1"]) == """
                CREATE VIRTUAL TABLE "texts_source" USING concordancesource(
                "title", "id", "tags", "both", "code",
                (SELECT
                  "notes"."rowid",
                  ifnull(CAST("notes"."title" AS TEXT), ''),
                  "notes"."id",
                  ifnull((SELECT group_concat(text, ', ') FROM (
                    SELECT CAST(r2."name" AS TEXT) AS text FROM main."noteTags" AS r1 JOIN main."tags" AS r2 ON r2."id" = r1."tag"
                    WHERE r1."note" = "notes"."id" ORDER BY r1."note", r1."tag", r2."rowid")), ''),
                  ifnull(CAST((title || body
                  ) AS TEXT), ''),
                  char(64977) || ifnull(CAST((address
                  ) AS TEXT), '')
                FROM main."notes"),
                (SELECT ?1))
                """)
        #expect(
            schema.createTableSQL(name: "texts") == """
                CREATE VIRTUAL TABLE "texts" USING \(TestEngine.moduleName)(tokenize='concordance_fields \
                ''words parts fold latin scripts elision any possessive apostrophes'' trigram',\(TestEngine.contentOptions) title, id UNINDEXED, tags, both, code)
                """)
    }

    /// Definitions that differ in one thing, and whether the content of the index depends on it.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let matters: Bool
        let schema: String
        let elements: @Sendable () -> [IndexElement<Row>]

        init(
            _ name: String, matters: Bool, schema: String = IndexSchemaTests.schema,
            @SearchIndexBuilder<Row> _ elements: @escaping @Sendable () -> [IndexElement<Row>]
        ) {
            testDescription = name
            self.matters = matters
            self.schema = schema
            self.elements = elements
        }
    }

    @SearchIndexBuilder<Row>
    private static var plain: [IndexElement<Row>] {
        Field("title")
        Field("tags").joined("tags", "name", through: ["noteTags"], separator: ",")
        Analysis(.standard, prefixes: [2])
    }

    @Test(arguments: [
        Change("weights", matters: false) {
            Field("title", weight: 10)
            Field("tags", weight: 0).joined("tags", "name", through: ["noteTags"], separator: ",")
            Analysis(.standard, prefixes: [2])
        },
        Change("ranking", matters: false) {
            Field("title")
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ",")
            Analysis(.standard, prefixes: [2])
            Ranking(k1: 0.9, b: 0.4)
        },
        Change("names in another case, columns spelled out, prefixes twice", matters: false) {
            Field("TITLE").named("title")
            Field("tags").joined(
                Relation.Step("Tags", on: "ID", equals: "tag"), "Name",
                through: [Relation.Step("NoteTags", on: "note", equals: "id")], separator: ",")
            Analysis(.standard, prefixes: [2, 2])
        },
        Change("a table that has got another column", matters: false, schema: schema + "ALTER TABLE notes ADD COLUMN z")
        {
            Field("title")
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ",")
            Analysis(.standard, prefixes: [2])
        },
        Change("order of the fields", matters: true) {
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ",")
            Field("title")
            Analysis(.standard, prefixes: [2])
        },
        Change("name of a field", matters: true) {
            Field("title").named("heading")
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ",")
            Analysis(.standard, prefixes: [2])
        },
        Change("column", matters: true) {
            Field("body").named("title")
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ",")
            Analysis(.standard, prefixes: [2])
        },
        Change("expression for a column", matters: true) {
            Field("title").computed("title")
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ",")
            Analysis(.standard, prefixes: [2])
        },
        Change("no longer searched", matters: true) {
            Field("title").unindexed()
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ",")
            Analysis(.standard, prefixes: [2])
        },
        Change("separator", matters: true) {
            Field("title")
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ", ")
            Analysis(.standard, prefixes: [2])
        },
        Change("order of the texts", matters: true) {
            Field("title")
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ",", orderedBy: "name")
            Analysis(.standard, prefixes: [2])
        },
        Change("way to the texts", matters: true) {
            Field("title")
            Field("tags").joined("folders", "name", separator: ",")
            Analysis(.standard, prefixes: [2])
        },
        Change("prefixes", matters: true) {
            Field("title")
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ",")
            Analysis(.standard, prefixes: [2, 3])
        },
        Change("analyzer", matters: true) {
            Field("title")
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ",")
            Analysis(.english, prefixes: [2])
        },
        Change("kept texts", matters: TestEngine.current == .concordance) {
            Field("title")
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ",")
            Analysis(.standard, prefixes: [2])
            Content(.kept)
        },
        Change("analyzer of one field", matters: true) {
            Field("title").analyzed(by: .english)
            Field("tags").joined("tags", "name", through: ["noteTags"], separator: ",")
            Analysis(.standard, prefixes: [2])
        },
    ])
    func `the fingerprint changes with what the content depends on, and with nothing else`(_ change: Change) throws {
        let before = try Self.resolve { Self.plain }.fingerprint
        let after = try Self.resolve(change.schema) { change.elements() }.fingerprint
        #expect((before != after) == change.matters, "\(before)\n\(after)")
    }

    @Test func `two fields that change their analyzers change the fingerprint`() throws {
        let one = try Self.resolve {
            Field("title").analyzed(by: .english)
            Field("body").analyzed(by: .trigram)
        }
        let other = try Self.resolve {
            Field("title").analyzed(by: .trigram)
            Field("body").analyzed(by: .english)
        }
        #expect(one.fingerprint != other.fingerprint)
    }

    @Test(arguments: ["notes", "tags", "texts", "TEXTS_source", "texts_changes", "texts_pending"])
    func `a temporary table that hides one of main is reported`(name: String) throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: Self.schema)
        try db.execute(sql: "CREATE TEMP TABLE \(name)(id)")
        let error = #expect(throws: SearchIndexError.self) {
            try db.install(
                SearchIndex("texts", in: "notes") {
                    Field("title")
                    Field("tags").joined("tags", "name", through: ["noteTags"])
                })
        }
        #expect(error.map { "\($0)" }?.contains("temporary") == true, "\(String(describing: error))")
    }

    /// A record whose properties are not columns one by one.
    struct Track: Codable, Sendable, Equatable {
        enum Kind: String, Codable, CaseIterable { case song, talk }

        var id: UUID
        var name: String
        var artist: String?
        var recorded: Date?
        var kind: Kind
        var length: Double

        enum CodingKeys: String, CodingKey {
            case id, name = "title", artist, recorded, kind, length
        }
    }

    @Test func `properties of any type are fields by key path, and their stored values as text`() throws {
        let index = SearchIndex("trackTexts", of: Track.self, in: "tracks") {
            Field(\.name)
            Field(\.artist)
            Field(\.recorded)
            Field(\.kind)
            Field(\.length).unindexed()
            Field(\.id)
        }
        #expect(index.definition.fields.map(\.name) == ["title", "artist", "recorded", "kind", "length", "id"])
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE tracks(id TEXT PRIMARY KEY, title, artist, recorded, kind, length)")
        try db.install(index)
        let id = UUID()
        let date = Date(timeIntervalSince1970: 0)
        try db.execute("INSERT INTO tracks VALUES (\(id), 'Loud', NULL, \(date), 'talk', 1.5)")
        let row = try #require(try Row.fetchOne(db, sql: "SELECT * FROM trackTexts WHERE trackTexts MATCH 'talk'"))
        let stored = try #require(try String.fetchOne(db, sql: "SELECT CAST(id AS TEXT) FROM tracks"))
        #expect(row.databaseValues == ["Loud", "", "1970-01-01 00:00:00.000", "talk", 1.5, .text(stored)])
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `names of any characters are names`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func name(_ suffix: Int) -> String {
            let pieces = [
                "\"", "'", "`", "[", "]", " ", "select", "🙂", "é", ".", ";", "--", "/*", "\n", "a", "%", "\\", "$1",
                "?",
            ]
            let count = Int.random(in: 1...5, using: &generator)
            return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined() + "\(suffix)"
        }
        let names = (0..<9).map(name)
        func quoted(_ index: Int) -> String { names[index].quotedDatabaseIdentifier }
        let separator = name(0)
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE \(quoted(0))(id INTEGER PRIMARY KEY, \(quoted(1)), \(quoted(2)));
                CREATE TABLE \(quoted(3))(\(quoted(4)) REFERENCES \(quoted(0)), \(quoted(5)), \(quoted(6)));
                INSERT INTO \(quoted(0)) VALUES (1, 'one', 'uno'), (2, 'two', 'due');
                INSERT INTO \(quoted(3)) VALUES (1, 'b', 2), (1, 'a', 1);
                """)
        let index = SearchIndex(names[7], in: names[0]) {
            Field(names[1])
            Field(names[8]).computed("\(quoted(0)).\(quoted(2)) || \(quoted(2))")
            Field(names[2]).joined(Relation.Step(names[3]), names[5], separator: separator, orderedBy: names[6])
        }
        try db.install(index)
        try db.execute(sql: "UPDATE \(quoted(3)) SET \(quoted(5)) = 'c' WHERE \(quoted(6)) = 2")
        try db.execute(sql: "UPDATE \(quoted(0)) SET \(quoted(1)) = 'zwei', \(quoted(2)) = 'deux' WHERE id = 2")
        let rows = try Row.fetchAll(db, sql: "SELECT rowid, * FROM \(quoted(7)) ORDER BY rowid")
        #expect(
            rows.map(\.databaseValues) == [
                [1, "one", "unouno", .text("a\(separator)c")], [2, "zwei", "deuxdeux", ""],
            ], "\(names)")
    }

    @Test(arguments: ["UTF-16le", "UTF-16be"])
    func `databases in UTF-16 hold the same`(encoding: String) throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "PRAGMA encoding = '\(encoding)'")
        try db.execute(sql: Self.schema + "INSERT INTO notes(title, body) VALUES ('Großmann', 'l''avion 🙂')")
        let index = SearchIndex("texts", in: "notes") {
            Field("title")
            Field("body").analyzed(by: .french)
            Analysis(.german)
        }
        try db.install(index)
        let body = try #require(index.definition.field("body"))
        #expect(
            try Int.fetchAll(
                db, sql: "SELECT rowid FROM texts WHERE texts MATCH ?",
                arguments: ["title : grossmann AND body : \"\(index.definition.marker(of: body))avion\""]) == [1])
    }
}
