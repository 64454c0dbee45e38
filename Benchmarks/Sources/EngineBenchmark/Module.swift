import Concordance
import ConcordanceEngine

/// A full-text index, by the name of its virtual-table module.
enum Module: String, CaseIterable {
    case fts5
    case concordance

    /// Opens a database for the module.
    func open(_ path: String) throws -> Database {
        let db = try Database(path: path)
        if self == .concordance { try ConcordanceModule.register(on: db) }
        try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        return db
    }

    static func libraryVersion() throws -> String {
        try String.fetchOne(Database(path: ":memory:"), sql: "SELECT sqlite_version()") ?? ""
    }
}
