import BenchmarkSupport
import Concordance
import Foundation

/// The index that is measured.
let documentTexts = SearchIndex("documentTexts", of: Document.self, in: "documents") {
    Field(\.title, weight: 10)
    Field(\.body)
    Field("tags").joined("tags", \.title, through: "documentTags", separator: ",")
    Analysis(.unicode61)
}

/// The same, with the texts in the index too.
let keptTexts = SearchIndex("documentTexts", of: Document.self, in: "documents") {
    Field(\.title, weight: 10)
    Field(\.body)
    Field("tags").joined("tags", \.title, through: "documentTags", separator: ",")
    Analysis(.unicode61)
    Content(.kept)
}

/// The first one, with the library's own analyzer.
let changedTexts = SearchIndex("documentTexts", of: Document.self, in: "documents") {
    Field(\.title, weight: 10)
    Field(\.body)
    Field("tags").joined("tags", \.title, through: "documentTags", separator: ",")
    Analysis(.standard)
}

/// Files that hold the documents.
struct Databases {
    let folder: BenchmarkFolder
    let documents: Documents

    /// A copy of the documents under that name, which replaces an existing one.
    func copy(_ name: String) throws -> DatabasePool {
        let path = try folder.newPath(name)
        try copy(to: path)
        return try DatabasePool(path: path)
    }

    /// A copy of the documents at a path.
    func copy(to path: String) throws {
        let plain = try folder.path("documents-\(documents.count)", build: build)
        try FileManager.default.copyItem(atPath: plain, toPath: path)
    }

    /// The documents without any index. Each has one of a hundred tags, so that 1,000 of 100,000 have the same one.
    private func build(_ path: String) throws {
        let db = try Database(path: path)
        try db.inTransaction {
            try db.execute(
                sql: """
                    CREATE TABLE documents(
                      id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL, category TEXT NOT NULL,
                      isRead INTEGER NOT NULL, views INTEGER NOT NULL);
                    CREATE TABLE tags(id INTEGER PRIMARY KEY, title TEXT NOT NULL);
                    CREATE TABLE documentTags(
                      documentID INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
                      tagID INTEGER NOT NULL REFERENCES tags(id) ON DELETE CASCADE,
                      PRIMARY KEY (documentID, tagID));
                    CREATE INDEX documentTagsByTag ON documentTags(tagID);
                    """)
            for tag in 0..<100 { try db.execute("INSERT INTO tags VALUES (\(tag), \("tag\(tag)"))") }
            let insert = try db.makeStatement(sql: Self.insertSQL)
            let tag = try db.makeStatement(sql: "INSERT INTO documentTags VALUES (?, ?)")
            for index in 0..<documents.count {
                let document = Document(documents[index])
                try insert.execute(arguments: document.arguments)
                try tag.execute(arguments: [document.id, document.id % 100])
            }
            return .commit
        }
        try db.close()
    }

    static let insertSQL = "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)"

    /// The full-text table that people write triggers for.
    static func createTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE documentTexts USING fts5(title, body, tags, tokenize = 'unicode61');
                INSERT INTO documentTexts(documentTexts, rank) VALUES ('rank', 'bm25(10.0, 1.0, 1.0)');
                """)
    }

    static let fillSQL = """
        INSERT INTO documentTexts(rowid, title, body, tags)
        SELECT id, title, body, ifnull((
          SELECT group_concat(tags.title, ',') FROM documentTags JOIN tags ON tags.id = documentTags.tagID
          WHERE documentTags.documentID = documents.id), '')
        FROM documents
        """

    /// Triggers as people write them: one for each event, sufficient for the statements that the app runs.
    static func createTriggers(_ db: Database) throws {
        func tags(of id: String) -> String {
            """
            UPDATE documentTexts SET tags = ifnull((
              SELECT group_concat(tags.title, ',') FROM documentTags JOIN tags ON tags.id = documentTags.tagID
              WHERE documentTags.documentID = documentTexts.rowid), '')
            WHERE rowid \(id);
            """
        }
        try db.execute(
            sql: """
                CREATE TRIGGER documentInserted AFTER INSERT ON documents BEGIN
                  INSERT INTO documentTexts(rowid, title, body, tags) VALUES (NEW.id, NEW.title, NEW.body, '');
                END;
                CREATE TRIGGER documentUpdated AFTER UPDATE OF title, body ON documents BEGIN
                  UPDATE documentTexts SET title = NEW.title, body = NEW.body WHERE rowid = NEW.id;
                END;
                CREATE TRIGGER documentDeleted AFTER DELETE ON documents BEGIN
                  DELETE FROM documentTexts WHERE rowid = OLD.id;
                END;
                CREATE TRIGGER tagAdded AFTER INSERT ON documentTags BEGIN \(tags(of: "= NEW.documentID")) END;
                CREATE TRIGGER tagRemoved AFTER DELETE ON documentTags BEGIN \(tags(of: "= OLD.documentID")) END;
                CREATE TRIGGER tagRenamed AFTER UPDATE OF title ON tags BEGIN
                  \(tags(of: "IN (SELECT documentID FROM documentTags WHERE tagID = NEW.id)"))
                END;
                """)
    }
}
