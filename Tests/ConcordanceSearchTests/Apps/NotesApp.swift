import Concordance
import Foundation
import TestSupport

/// A notes app, as its developer writes it from the documentation: tables, records, the index.
enum NotesApp {
    struct Folder: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
        static let databaseTableName = "folders"
        var id: Int64?
        var name: String
        var parentID: Int64?

        mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }

    struct Note: Codable, Sendable, Identifiable, FetchableRecord, MutablePersistableRecord {
        static let databaseTableName = "notes"
        var id: Int64?
        var folderID: Int64
        var title: String
        var body: String
        var isPinned = false
        var modified: Date

        mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }

    struct Tag: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
        static let databaseTableName = "tags"
        var id: Int64?
        var name: String

        mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }

    struct NoteTag: Codable, Sendable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "noteTags"
        var noteID: Int64
        var tagID: Int64
    }

    static let schema = """
        CREATE TABLE IF NOT EXISTS folders (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL,
          parentID INTEGER REFERENCES folders(id) ON DELETE CASCADE);
        CREATE TABLE IF NOT EXISTS notes (
          id INTEGER PRIMARY KEY, folderID INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
          title TEXT NOT NULL, body TEXT NOT NULL, isPinned BOOLEAN NOT NULL DEFAULT 0, modified DATETIME NOT NULL);
        CREATE TABLE IF NOT EXISTS tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE IF NOT EXISTS noteTags (
          noteID INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE ON UPDATE CASCADE,
          tagID INTEGER NOT NULL REFERENCES tags(id) ON DELETE CASCADE,
          PRIMARY KEY (noteID, tagID)) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS foldersParent ON folders(parentID);
        CREATE INDEX IF NOT EXISTS notesFolder ON notes(folderID);
        CREATE INDEX IF NOT EXISTS noteTagsTag ON noteTags(tagID);
        """

    static let index = SearchIndex("noteTexts", of: Note.self) {
        Field(\.title, weight: 10)
        Field(\.body)
        Field("folder").joined("folders", \.name)
        Field("shelf").joined(Relation.Step("folders", on: "id", equals: "parentID"), \.name, through: "folders")
        Field("tags").joined("tags", \.name, through: "noteTags", separator: ", ").holdingTags()
        Ranking.recommended
    }

    /// What an app does at every launch, before it installs its index.
    static func open(_ path: String) throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: .patient)
        try pool.write { try $0.execute(sql: schema) }
        return pool
    }

    // MARK: - Data

    /// Words of which only a few share a beginning, and no two of which are a single mistake apart.
    static let vocabulary = [
        "lantern", "lanternfish", "harvest", "harbour", "meadow", "thimble", "copper", "violin", "granite", "whistle",
        "pumpkin", "saddle", "orchard", "blanket", "compass", "feather", "kitchen", "marble", "puzzle", "ribbon",
        "teapot", "umbrella", "vinegar", "walnut", "yoghurt",
    ]
    static let tagNames = ["urgent", "someday", "family", "paper", "secret"]
    /// Folders, each with its parent.
    static let folderNames: [(name: String, parent: String?)] = [
        ("work", nil), ("home", nil), ("projects", "work"), ("travel", "work"), ("garden", "home"),
        ("recipes", "home"),
    ]

    static func date(_ hours: Int) -> Date { Date(timeIntervalSince1970: 1_700_000_000 + Double(hours) * 3600) }

    static func folder(_ name: String, _ db: Database) throws -> Int64 {
        let id: Int64? = try Folder.filter { $0.name == name }.fetchOne(db)?.id
        return id ?? -1
    }

    static func tag(_ name: String, _ db: Database) throws -> Int64 {
        let id: Int64? = try Tag.filter { $0.name == name }.fetchOne(db)?.id
        return id ?? -1
    }

    static func addFoldersAndTags(_ db: Database) throws {
        for (name, parent) in folderNames {
            var folder = Folder(name: name, parentID: try parent.map { try self.folder($0, db) })
            try folder.insert(db)
        }
        for name in tagNames {
            var tag = Tag(name: name)
            try tag.insert(db)
        }
    }

    /// Adds notes of random words, each an hour newer than the one before, and returns their ids.
    @discardableResult
    static func addNotes(_ count: Int, seed: UInt64, _ db: Database) throws -> [Int64] {
        var random = SeededGenerator(seed: seed)
        func words(_ range: ClosedRange<Int>) -> String {
            (0..<Int.random(in: range, using: &random)).map { _ in
                // The first words are more frequent.
                vocabulary[min(index(&random), index(&random))]
            }.joined(separator: " ")
        }
        let folders = try Int64.fetchAll(db, sql: "SELECT id FROM folders ORDER BY id")
        let tags = try Int64.fetchAll(db, sql: "SELECT id FROM tags ORDER BY id")
        let first = try Int.fetchOne(db, sql: "SELECT count(*) FROM notes") ?? 0
        var ids: [Int64] = []
        for number in 0..<count {
            var note = Note(
                folderID: folders[Int.random(in: folders.indices, using: &random)], title: words(2...4),
                body: words(8...40), isPinned: Int.random(in: 0..<5, using: &random) == 0,
                modified: date(first + number))
            try note.insert(db)
            guard let id = note.id else { continue }
            ids.append(id)
            for tag in tags where Int.random(in: 0..<4, using: &random) == 0 {
                try NoteTag(noteID: id, tagID: tag).insert(db)
            }
        }
        return ids
    }

    private static func index(_ random: inout SeededGenerator) -> Int {
        Int.random(in: vocabulary.indices, using: &random)
    }
}

/// What the app's tables hold, read by plain SQL: what a search must find is found here by looking at every word.
struct NotesOracle {
    struct Entry {
        let id: Int64
        let folderID: Int64
        let isPinned: Bool
        let modified: Date
        /// The texts of the fields: those of related rows one by one.
        let texts: [String: [String]]

        /// The words of these fields, or of all.
        func words(_ fields: [String] = []) -> [String] {
            texts.filter { fields.isEmpty || fields.contains($0.key) }.flatMap { $0.value.flatMap(NotesOracle.words) }
        }

        func has(_ word: String, in fields: String...) -> Bool { words(fields).contains(word) }

        func has(prefix: String, in fields: String...) -> Bool { words(fields).contains { $0.hasPrefix(prefix) } }

        /// Whether the words stand in a row in one text.
        func has(phrase: [String]) -> Bool {
            texts.values.joined().contains { text in
                let words = NotesOracle.words(text)
                return words.indices.contains { Array(words[$0...].prefix(phrase.count)) == phrase }
            }
        }
    }

    let entries: [Entry]

    init(_ db: Database) throws {
        func texts(_ sql: String) throws -> [Int64: [String]] {
            var texts: [Int64: [String]] = [:]
            for row in try Row.fetchAll(db, sql: sql) {
                texts[try row.decode(Int64.self, at: 0), default: []].append(try row.decode(String.self, at: 1))
            }
            return texts
        }
        let folders = try texts("SELECT notes.id, folders.name FROM notes JOIN folders ON folders.id = folderID")
        let shelves = try texts(
            """
            SELECT notes.id, shelf.name FROM notes JOIN folders AS folder ON folder.id = notes.folderID
            JOIN folders AS shelf ON shelf.id = folder.parentID
            """)
        let tags = try texts("SELECT noteID, name FROM noteTags JOIN tags ON tags.id = tagID")
        entries = try Row.fetchAll(db, sql: "SELECT id, folderID, title, body, isPinned, modified FROM notes").map {
            let id = try $0.decode(Int64.self, at: "id")
            return Entry(
                id: id, folderID: try $0.decode(at: "folderID"), isPinned: try $0.decode(at: "isPinned"),
                modified: try $0.decode(at: "modified"),
                texts: [
                    "title": [try $0.decode(at: "title")], "body": [try $0.decode(at: "body")],
                    "folder": folders[id] ?? [], "shelf": shelves[id] ?? [], "tags": tags[id] ?? [],
                ])
        }
    }

    func ids(_ isMatch: (Entry) -> Bool) -> [Int64] { entries.filter(isMatch).map(\.id).sorted() }

    /// Words in lower case, without diacritics, and ß as ss.
    static func words(_ text: String) -> [String] {
        text.replacingOccurrences(of: "ß", with: "ss")
            .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// A query as it is typed, and whether it matches a row.
    struct Question: Sendable {
        let typed: String
        let isMatch: @Sendable (Entry) -> Bool

        init(_ typed: String, _ isMatch: @escaping @Sendable (Entry) -> Bool) {
            self.typed = typed
            self.isMatch = isMatch
        }
    }

    /// The queries in the documentation's table, over these notes.
    static let questions: [Question] = [
        Question("lantern ") { $0.has("lantern") },
        Question("lantern") { $0.has(prefix: "lantern") },
        Question("har") { $0.has(prefix: "har") },
        Question("copper viol") { $0.has("copper") && $0.has(prefix: "viol") },
        Question("copper OR violin ") { $0.has("copper") || $0.has("violin") },
        Question("meadow copper OR thimble ") { $0.has("meadow") && ($0.has("copper") || $0.has("thimble")) },
        Question("meadow -harvest") { $0.has(prefix: "meadow") && !$0.has("harvest") },
        Question("title:har") { $0.has(prefix: "har", in: "title") },
        Question("\"copper violin\"") { $0.has(phrase: ["copper", "violin"]) },
        Question("granite* whistle ") { $0.has(prefix: "granite") && $0.has("whistle") },
        Question("#urgent") { $0.has(prefix: "urgent", in: "tags") },
        Question("lantern #family ") { $0.has("lantern") && $0.has("family", in: "tags") },
        Question("folder:projects lantern ") { $0.has("projects", in: "folder") && $0.has("lantern") },
        Question("shelf:home #someday ") { $0.has("home", in: "shelf") && $0.has("someday", in: "tags") },
        Question("work har") { $0.has("work") && $0.has(prefix: "har") },
        Question("HARVEST ") { $0.has("harvest") },
        Question("nowhere ") { $0.has("nowhere") },
    ]
}
