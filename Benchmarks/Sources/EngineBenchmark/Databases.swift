import BenchmarkSupport
import Concordance

/// The databases that hold the indexes.
struct Databases {
    let folder: BenchmarkFolder

    /// A path without a database.
    func newPath(_ name: String) throws -> String { try folder.newPath(name) }

    /// The path of a database whose table `t` indexes the documents, without their texts; built in one transaction if it
    /// does not exist.
    func index(_ module: Module, _ documents: Documents, prefix: Bool = false) throws -> String {
        try path(module, documents, prefix ? "-prefix" : "") { db in
            try Self.createTable(module, prefix: prefix, db)
            try Self.fill(db, documents)
        }
    }

    /// The path of a database, which `build` fills if it does not exist.
    func path(
        _ module: Module, _ documents: Documents, _ suffix: String, build: (Database) throws -> Void
    ) throws -> String {
        try folder.path("\(module.rawValue)-\(documents.count)\(suffix)") { path in
            let db = try module.open(path)
            try build(db)
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
            try db.close()
        }
    }

    /// Opens the index that `index` builds.
    func open(_ module: Module, _ documents: Documents, prefix: Bool = false) throws -> Database {
        try open(module, index(module, documents, prefix: prefix))
    }

    /// Opens a database with a page cache that holds most of it, as suits FTS5.
    func open(_ module: Module, _ path: String) throws -> Database {
        let db = try module.open(path)
        try db.execute(sql: "PRAGMA cache_size = -131072")
        return db
    }

    static func createTable(_ module: Module, prefix: Bool = false, storesTexts: Bool = false, _ db: Database) throws {
        let options = (storesTexts ? "" : ", content = ''") + (prefix ? ", prefix = '1 2 3'" : "")
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING \(module.rawValue)(title, body\(options))")
    }

    /// Inserts the documents in one transaction.
    static func fill(_ db: Database, _ documents: Documents) throws {
        try db.inTransaction {
            let insert = try db.makeStatement(sql: insertSQL)
            for index in 0..<documents.count {
                let text = documents[index]
                try insert.execute(arguments: [text.id, text.title, text.body])
            }
            return .commit
        }
    }

    static let insertSQL = "INSERT INTO t(rowid, title, body) VALUES (?, ?, ?)"
}

/// Bytes of a database's pages that are in use, or of all its pages.
func byteCount(_ db: Database, includingFree: Bool = false) throws -> Int {
    func pragma(_ name: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
    let free = try includingFree ? 0 : pragma("freelist_count")
    return try (pragma("page_count") - free) * pragma("page_size")
}
