import BenchmarkSupport
import Concordance
import Foundation

/// So many documents: those of the corpus, and from then on new ones that are mixed from them, each half from one and half
/// from another, so that lengths and frequencies of words stay what they are in real text.
struct Documents {
    let count: Int
    private let texts: [DocumentationTexts.Text]

    init(_ data: DocumentationTexts, count: Int) {
        texts = data.texts
        self.count = count
    }

    subscript(index: Int) -> DocumentationTexts.Text {
        let round = index / texts.count
        var text = texts[index % texts.count]
        guard round > 0 else { return text }
        // Steps that share no factor with 100,000 pair every text with another one in every round.
        let other = texts[(index % texts.count + round * 12_347) % texts.count]
        text.id = Int64(index + 1)
        text.title = texts[(index % texts.count + round * 7_919) % texts.count].title
        text.body = text.body[..<Self.middle(of: text.body)] + " " + other.body[Self.middle(of: other.body)...]
        return text
    }

    private static func middle(of text: String) -> String.Index {
        var index = text.utf8.index(text.startIndex, offsetBy: text.utf8.count / 2)
        while index < text.endIndex, index.samePosition(in: text.unicodeScalars) == nil {
            index = text.utf8.index(after: index)
        }
        return index
    }
}

/// Files with indexes in them, in a folder of their own.
struct Databases {
    private let folder: URL
    private let isKept: Bool

    init(folder: URL?) throws {
        isKept = folder != nil
        self.folder =
            folder ?? FileManager.default.temporaryDirectory.appendingPathComponent("engine-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    }

    /// Deletes the files, unless they are kept.
    func remove() { if !isKept { try? FileManager.default.removeItem(at: folder) } }

    /// A path where no database is.
    func newPath(_ name: String) throws -> String {
        let path = self.path(name)
        for suffix in ["", "-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
        return path
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name + ".sqlite").path }

    /// The path of a database whose table `t` indexes the documents, without their texts; built in one transaction if it is
    /// not there.
    func index(_ module: Module, _ documents: Documents, prefix: Bool = false) throws -> String {
        let name = "\(module.rawValue)-\(documents.count)\(prefix ? "-prefix" : "")"
        let path = self.path(name)
        if FileManager.default.fileExists(atPath: path) { return path }
        let unfinished = try newPath(name + "-unfinished")
        let db = try module.open(unfinished)
        try Self.createTable(module, prefix: prefix, db)
        try Self.fill(db, documents)
        try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
        try db.close()
        try FileManager.default.moveItem(atPath: unfinished, toPath: path)
        return path
    }

    /// Opens the index that `index` makes, with a page cache that holds most of it, as suits FTS5.
    func open(_ module: Module, _ documents: Documents, prefix: Bool = false) throws -> Database {
        let db = try module.open(index(module, documents, prefix: prefix))
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

/// Bytes of a database's pages that are in use.
func byteCount(_ db: Database) throws -> Int {
    func pragma(_ name: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
    return try (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
}
