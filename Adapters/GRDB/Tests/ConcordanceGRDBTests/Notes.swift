import ConcordanceGRDB
import Foundation
import GRDB

/// A note as an app that uses GRDB declares it.
struct Note: Codable, Identifiable, Equatable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var folderID: Int64
    var title: String
    var body: String
    var modified: Date

    enum Columns {
        static let folderID = Column(CodingKeys.folderID)
        static let title = Column(CodingKeys.title)
        static let modified = Column(CodingKeys.modified)
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

let noteTexts = SearchIndex("noteTexts", of: Note.self) {
    Field(\.title, weight: 5)
    Field(\.body)
    Field("folder").joined("folder", \.name)
}

/// A database of an app, in a file.
struct NotesDatabase {
    let folder: URL
    let path: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ConcordanceGRDB-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("notes.sqlite").path
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("notes") { db in
            try db.create(table: "folder") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("name", .text).notNull()
            }
            try db.create(table: "note") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("folderID", .integer).notNull().references("folder", onDelete: .cascade)
                table.column("title", .text).notNull()
                table.column("body", .text).notNull()
                table.column("modified", .datetime).notNull()
            }
            try db.execute(sql: "INSERT INTO folder VALUES (1, 'Private'), (2, 'Work')")
        }
        return migrator
    }

    func pool(_ configuration: Configuration = Configuration()) throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: configuration)
        try Self.migrator.migrate(pool)
        return pool
    }

    func queue(_ configuration: Configuration = Configuration()) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try Self.migrator.migrate(queue)
        return queue
    }
}

@discardableResult
func insertNote(
    _ title: String, _ body: String = "", folder: Int64 = 1, modified: Date = Date(timeIntervalSince1970: 0),
    in db: Database
) throws -> Note {
    var note = Note(folderID: folder, title: title, body: body, modified: modified)
    try note.insert(db)
    return note
}
