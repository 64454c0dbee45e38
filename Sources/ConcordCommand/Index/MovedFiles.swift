import Concordance
import ConcordanceSQLite
import Foundation

/// For a new file, finds the indexed file that may have moved there.
struct MovedFiles {
    /// An indexed file whose path no longer exists.
    struct Origin: Equatable, Sendable {
        var file: KnownFile
        var path: String
    }

    /// The most files of the same size and time that are examined.
    private static let candidates = 16

    private let lookup: Statement
    private let names: MovedNames

    init(_ database: Database) throws {
        lookup = try database.makeStatement(
            sql: """
                SELECT id, path, changed, hash FROM files
                WHERE size = ? AND modified = ? AND complete = 1 AND hash IS NOT NULL LIMIT \(Self.candidates)
                """)
        names = MovedNames(database)
    }

    /// The file that a new one at `path` may be. Only their content can tell for certain.
    func origin(of path: String, _ stamp: FileStamp) throws -> Origin? {
        guard stamp.size > 0 else { return nil }
        try lookup.setArguments([stamp.size, stamp.modified])
        defer { lookup.reset() }
        while try lookup.step() {
            guard let old = lookup.string(at: 1), access(old, F_OK) != 0, errno == ENOENT || errno == ENOTDIR else {
                continue
            }
            let id = lookup.int64(at: 0)
            guard try names.newTitle(of: id, from: old, to: path) != .unknown else { continue }
            let known = KnownFile(
                id: id, stamp: FileStamp(size: stamp.size, modified: stamp.modified, changed: lookup.int64(at: 2)),
                hash: UInt64(bitPattern: lookup.int64(at: 3)), isComplete: true)
            return Origin(file: known, path: old)
        }
        return nil
    }
}

/// How the indexed documents of a file depend on its name.
struct MovedNames {
    enum NewTitle: Equatable {
        /// Its documents keep their titles.
        case none
        /// Documents with the first title, which was the file's name, get the second one.
        case replacing(String, by: String)
        /// The file must be read to find out.
        case unknown
    }

    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Kinds whose documents, if they have no title of their own, can be recognized by their body.
    private static let plainKinds = ["text", "log", "json"]

    /// How the titles change when a file gets another path.
    func newTitle(of file: Int64, from old: String, to new: String) throws -> NewTitle {
        let (oldName, newName) = (PathText.name(old), PathText.name(new))
        if oldName == newName { return .none }
        guard DocumentKind.isSame(oldName, newName) else { return .unknown }
        let row = try Row.fetchOne(
            database,
            literal: """
                SELECT files.kind, document_count AS count, documents.title, documents.body FROM files
                JOIN parts ON parts.file = files.id JOIN documents ON documents.rowid = parts.document
                WHERE files.id = \(file) ORDER BY parts.document LIMIT 1
                """)
        guard let row else { return .none }
        let title = DocumentKind.unpacked(oldName)
        let isNamed = try Int.fetchOne(
            database,
            literal: """
                SELECT 1 FROM parts JOIN documents ON documents.rowid = parts.document
                WHERE parts.file = \(file) AND title IN (\(Extraction.title(oldName)), \(Extraction.title(title))) LIMIT 1
                """)
        guard isNamed != nil else { return .none }
        // A document's own title may equal the name of its file.
        let (kind, body): (String?, String?) = (row["kind"], row["body"])
        guard Self.plainKinds.contains(kind ?? ""), row["title"] == Extraction.title(title),
            PlainText.heading(of: (body ?? "").utf8).map(Extraction.title) != Extraction.title(title)
        else { return .unknown }
        return .replacing(Extraction.title(title), by: Extraction.title(DocumentKind.unpacked(newName)))
    }
}
