import Concordance
import ConcordanceFTS5
import ConcordanceSearch
import TestSupport
import Testing

@Suite("Where an index has its texts")
struct ContentTests {
    private static func index(_ storage: Content.Storage, engine: SearchEngine = .concordance) -> SearchIndex<Row> {
        SearchIndex("noteTexts", in: "notes", engine: engine) {
            Field("title", weight: 2)
            Field("body").analyzed(by: .english)
            Field("isRead").unindexed()
            Analysis(.unicode61)
            Content(storage)
        }
    }

    private static func tables(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'noteTexts%' ORDER BY name")
    }

    @Test(arguments: [
        (Content.Storage.source, SearchEngine.concordance, false), (.kept, .concordance, true), (.source, .fts5, true),
    ])
    func `is said by the definition, and FTS5 keeps them always`(
        storage: Content.Storage, engine: SearchEngine, isKept: Bool
    ) throws {
        let notes = try ManyNotes(count: 50)
        let pool = try notes.pool()
        let index = Self.index(storage, engine: engine)
        try pool.install(index)
        #expect(try pool.read { try Self.tables($0).contains("noteTexts_content") } == isKept)
        try pool.write { try $0.execute(sql: "UPDATE notes SET body = 'Shells by the sea', isRead = 1 WHERE id = 7") }
        let page = try pool.search(index, "shell")
        #expect(page.hits.map(\.id) == [7])
        #expect(try page.hits.first?.highlights("body").marked(open: "[", close: "]") == "[Shells] by the sea")
        let row = try pool.read { try Row.fetchOne($0, sql: "SELECT * FROM noteTexts WHERE rowid = 7") }
        #expect(row?["title"] == "note 7" && row?["isRead"] == 1, "\(String(describing: row))")
        let marked = try pool.read {
            try String.fetchOne(
                $0, sql: "SELECT highlight(noteTexts, 0, '<', '>') FROM noteTexts('title : 7') ORDER BY rank LIMIT 1")
        }
        #expect(marked == "note <7>")
        #expect(try pool.verify(index, thorough: true).isClean)
    }

    @Test func `an index with kept texts becomes one without beside the old one, which serves until the swap`() throws {
        let notes = try ManyNotes(count: 2_000)
        let pool = try notes.pool()
        try pool.install(Self.index(.kept))
        let index = Self.index(.source)
        #expect(try pool.indexState(of: index) == .otherDefinition)
        var served = 0
        try pool.install(index) { _ in
            let id = Int64(2_000 - served)
            try pool.write { try $0.execute(sql: "UPDATE notes SET body = 'now \(id)' WHERE id = \(id)") }
            let hit = try #require(try pool.search(Self.index(.kept), "now \(id)").hits.first)
            #expect(try hit.id == id && hit.highlights("body").marked(open: "[", close: "]") == "[now] [\(id)]")
            if try pool.indexState(of: index) == .otherDefinition { served += 1 }
        }
        #expect(served > 0)
        #expect(try pool.indexState(of: index) == .ready)
        #expect(
            try pool.read(Self.tables) == [
                "noteTexts", "noteTexts_changes", "noteTexts_config", "noteTexts_data", "noteTexts_pending",
                "noteTexts_source",
            ])
        #expect(try pool.verify(index, thorough: true).isClean)
    }

    @Test func `an old index without texts serves on while another is built, after its source has lost a column`()
        throws
    {
        let notes = try ManyNotes(count: 200)
        let pool = try notes.pool()
        try pool.install(Self.index(.source))
        try pool.write {
            try $0.execute(
                sql: """
                    PRAGMA legacy_alter_table = ON;
                    CREATE TABLE fewer(id INTEGER PRIMARY KEY, title TEXT);
                    INSERT INTO fewer SELECT id, title FROM notes;
                    DROP TABLE notes;
                    ALTER TABLE fewer RENAME TO notes;
                    """)
        }
        let titles = SearchIndex("noteTexts", in: "notes", engine: .concordance) { Field("title") }
        var served = 0
        try pool.install(titles) { _ in
            guard try pool.indexState(of: titles) == .otherDefinition else { return }
            let found = try pool.read {
                try Row.fetchAll($0, sql: "SELECT rowid, body FROM noteTexts('note') ORDER BY rank LIMIT 3")
            }
            #expect(found.count == 3 && found.allSatisfy { $0["body"] as String? == nil })
            served += 1
        }
        #expect(served > 0)
        #expect(try pool.verify(titles, thorough: true).isClean)
    }

    @Test func `entries whose rows changed unnoticed are found by their tokens`() throws {
        let notes = try ManyNotes(count: 300)
        let pool = try notes.pool()
        let index = Self.index(.source)
        try pool.install(index)
        try pool.write { db in
            try db.execute(
                sql: """
                    DROP TRIGGER noteTexts_notes_update;
                    UPDATE notes SET body = replace(body, 'words', 'sword') WHERE id = 4;
                    UPDATE notes SET title = 'note 5 5' WHERE id = 5;
                    UPDATE notes SET title = 'NOTE, 6!' WHERE id = 6;
                    """)
        }
        // The last one has the same tokens, and so the same index.
        #expect(try pool.verify(index).stale.ids == [4, 5])
        try pool.repair(index)
        #expect(try pool.verify(index, thorough: true).isClean)
    }

    @Test func `objects are in their file once`() throws {
        let folder = try TemporaryFolder()
        let path = folder["objects.sqlite"]
        let index = try ObjectIndex(path: path, engine: .concordance) { Field("body") }
        try index.upsert(id: "a", texts: ["body": "unmistakable words"])
        #expect(try index.search("unmistakable").hits.first?.snippet("body").text.contains("words") == true)
        let db = try Database(path: path)
        let holders = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%\\_content' ESCAPE '\\'")
        #expect(holders.isEmpty)
    }
}
