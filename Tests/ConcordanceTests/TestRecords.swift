import Concordance
import Foundation

struct Author: Codable, Hashable, Identifiable, Sendable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "authors"
    var id: Int64?
    var name: String
    var born: Int?

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

enum Shelf: String, Codable, CaseIterable, DatabaseValueConvertible {
    case open, locked, lost
}

struct Book: Codable, Hashable, Identifiable, Sendable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "books"
    var id: Int64?
    var authorId: Int64?
    var title: String
    var year: Int?
    var price: Double = 0
    var isRare = false
    var shelf = Shelf.open

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// A database in memory with tables of authors and books.
func makeLibrary() throws -> Database {
    let db = try Database(path: ":memory:")
    try db.execute(
        sql: """
            CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, born INTEGER);
            CREATE TABLE books (
                id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES authors(id), title TEXT NOT NULL, year INTEGER,
                price REAL NOT NULL DEFAULT 0, isRare BOOLEAN NOT NULL DEFAULT FALSE, shelf TEXT NOT NULL DEFAULT 'open');
            """)
    return db
}

/// The statements that `body` runs, except the look-ups of the schema before some of them.
func statements(of db: Database, _ body: () throws -> Void) throws -> [String] {
    var statements: [String] = []
    db.trace { event in
        let isLookUp = event.sql.hasPrefix("PRAGMA") || event.sql.contains("pragma_")
        if event.kind == .begin, !isLookUp { statements.append(event.expandedSQL) }
    }
    defer { db.trace(nil) }
    try body()
    return statements
}
