import Concordance
import ConcordanceSearch
import TestSupport

/// An index of titles and bodies in a folder of its own.
struct TemporaryIndex {
    let folder: TemporaryFolder
    let index: ObjectIndex

    init() throws {
        folder = try TemporaryFolder()
        index = try Self.open(folder["index.sqlite"])
    }

    static func open(_ path: String, configuration: Configuration = .patient) throws -> ObjectIndex {
        try ObjectIndex(path: path, configuration: configuration) {
            Field("title", weight: 10)
            Field("body")
            Analysis(.standard)
        }
    }

    var path: String { folder["index.sqlite"] }
}

extension ObjectIndex {
    /// The ids of the objects that a pattern in FTS5's language finds, by plain SQL.
    func ids(matching pattern: String) throws -> [String] {
        try database.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT object_id FROM objects WHERE object_number IN
                    (SELECT rowid FROM objectTexts WHERE objectTexts MATCH ?) ORDER BY object_id
                    """, arguments: [pattern])
        }
    }

    /// Whether the full-text table holds the texts of all objects and of nothing else.
    func isConsistent() throws -> Bool {
        try database.write { db in
            try db.execute(sql: "INSERT INTO objectTexts(objectTexts) VALUES ('integrity-check')")
            let columns = try db.columns(in: "objectTexts", schema: "main").filter { $0.kind == .ordinary }
                .map(\.name.quotedDatabaseIdentifier).joined(separator: ", ")
            return try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM (
                      SELECT * FROM (SELECT rowid, \(columns) FROM objectTexts
                        EXCEPT SELECT object_number, \(columns) FROM objects)
                      UNION ALL
                      SELECT * FROM (SELECT object_number, \(columns) FROM objects
                        EXCEPT SELECT rowid, \(columns) FROM objectTexts))
                    """) == 0
        }
    }

    /// A number that every commit with changes alters.
    func fileChangeCount(_ other: Database) throws -> Int? {
        try Int.fetchOne(other, sql: "PRAGMA data_version")
    }
}
