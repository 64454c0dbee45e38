import BenchmarkSupport
import Concordance

/// The index of the documents, as the documentation defines one for searches while a person types; with the default engine.
let pageTexts = SearchIndex("pageTexts", of: Document.self, in: "documents") {
    Field(\.title, weight: 10)
    Field(\.body)
    Analysis(.standard, prefixes: [1, 2, 3])
    Ranking.recommended
}

/// A file with the documents, the index `pageTexts`, and FTS5's table `handTexts` over the same texts, with the same
/// prefixes and weights, as in an app that writes its SQL by hand.
struct PageDatabase {
    /// The pool whose searches are measured.
    let pool: DatabasePool
    /// The connection for the SQL written by hand.
    let db: Database

    /// Builds the file, unless an earlier run has kept it.
    init(_ databases: Databases) throws {
        let path = try databases.folder.path("pages-\(databases.documents.count)") { path in
            try databases.copy(to: path)
            try DatabasePool(path: path).install(pageTexts)
            let db = try Database(path: path)
            try db.execute(sql: Self.handSQL + "PRAGMA wal_checkpoint(TRUNCATE)")
            try db.close()
        }
        // Both get a page cache that holds most of an index, as suits FTS5.
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -131072") }
        pool = try DatabasePool(path: path, configuration: configuration)
        db = try Database(path: path, configuration: configuration)
    }

    private static let handSQL = """
        CREATE VIRTUAL TABLE handTexts USING fts5(
          title, body, content = 'documents', content_rowid = 'id', prefix = '1 2 3');
        INSERT INTO handTexts(handTexts, rank) VALUES ('rank', 'bm25(10.0, 1.0)');
        INSERT INTO handTexts(handTexts) VALUES ('rebuild');
        CREATE INDEX documentsByViews ON documents(views);
        """
}
