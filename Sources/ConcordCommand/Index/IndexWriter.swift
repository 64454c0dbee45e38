import Concordance
import ConcordanceSQLite
import ConcordanceSearch
import Foundation

/// What an extraction thread passes to the writer: some documents of a file and, with the last of them, the outcome for
/// the file.
struct Parcel: Sendable {
    enum Ending: Sendable {
        case indexed(Extractor.Summary)
        case skipped(ExtractionProblem)
        /// The content is unchanged.
        case same(FileStamp)
        /// The content is that of another file, which no longer exists.
        case moved(FileStamp)
    }

    var candidate: Candidate
    var documents: [Document] = []
    /// Whether these are the file's first documents, which replace those in the index.
    var isFirst = false
    var ending: Ending?
}

/// A file that has to be read.
struct Candidate: Sendable {
    var path: String
    var relativePath: String
    var stamp: FileStamp
    var known: KnownFile?
    /// If the path is not known, the file that this one may have been.
    var origin: MovedFiles.Origin?
    /// Whether the watch saw the known file move here.
    var wasSeenMoving = false
}

/// What the index knows about a file.
struct KnownFile: Equatable, Sendable {
    var id: Int64
    var stamp: FileStamp
    var hash: UInt64?
    var isComplete: Bool
}

/// Writes documents into the index, in transactions of bounded size.
final class IndexWriter {
    /// The bytes of text in one transaction: enough for few segments, yet not too much to lose.
    private static let transactionBytes = 32 << 20
    private static let transactionSeconds = 3.0

    private let database: Database
    private let insertPart: Statement
    private let insertDocument: Statement
    /// Whether the full-text table also stores the values of documents, like `parts`.
    private let storesValues: Bool
    private var pendingBytes = 0
    private var begunAt = DispatchTime.now()
    private(set) var isInsideTransaction = false

    init(_ database: Database) throws {
        self.database = database
        storesValues = try SearchEngine.keeping("documents", in: database) == .concordance
        insertPart = try database.makeStatement(
            sql:
                """
                INSERT INTO parts(file, line, entry, page, author, kind, folder, year, modified, language, signature)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        insertDocument = try database.makeStatement(
            sql: storesValues
                ? """
                INSERT INTO documents(rowid, title, path, author, body, kind, folder, year, modified, language)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """ : "INSERT INTO documents(rowid, title, path, author, body) VALUES (?, ?, ?, ?, ?)")
        try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536")
    }

    func write(_ parcel: Parcel) throws {
        try begin()
        if case .moved(let stamp) = parcel.ending { return try move(parcel.candidate, stamp) }
        if case .same(let stamp) = parcel.ending {
            let file = try identifier(of: parcel.candidate.path)
            let old = try IndexFile.number(database, "SELECT modified FROM files WHERE id = ?", [file])
            try database.execute(
                sql: "UPDATE files SET size = ?, modified = ?, changed = ? WHERE id = ?",
                arguments: [stamp.size, stamp.modified, stamp.changed, file])
            // Documents that state their own date keep it. The plus sign keeps SQLite from looking for all documents with that date.
            let known = DocumentValues.seconds(nanoseconds: old)
            try update(["year", "modified"], DocumentValues(stamp: stamp), of: file, where: "+modified = \(known)")
            return
        }
        let file = parcel.isFirst ? try start(parcel.candidate) : try identifier(of: parcel.candidate.path)
        let values = DocumentValues(parcel)
        var bytes = 0
        for document in parcel.documents {
            let values = values.of(document)
            try insertPart.execute(
                arguments: [
                    file, document.line, document.entry, document.page, document.author, values.kind,
                    values.folder, values.year, values.modified, values.language,
                    document.signature.map { DatabaseValue.blob($0.stored) } ?? .null,
                ])
            try insertDocument.bind(.int64(database.lastInsertedRowID), at: 1)
            try insertDocument.bind(.text(document.title), at: 2)
            try insertDocument.bind(.text(document.path(in: parcel.candidate.relativePath)), at: 3)
            try insertDocument.bind(document.author.map { .text($0) } ?? .null, at: 4)
            try insertDocument.bind(.text(document.body), at: 5)
            if storesValues {
                for (index, value) in values.databaseValues.enumerated() {
                    try insertDocument.bind(value, at: 6 + index)
                }
            }
            try insertDocument.execute()
            bytes += document.body.utf8.count + document.title.utf8.count
        }
        if !parcel.documents.isEmpty {
            try database.execute(
                sql: "UPDATE files SET bytes = bytes + ?, document_count = document_count + ? WHERE id = ?",
                arguments: [bytes, parcel.documents.count, file])
        }
        if let ending = parcel.ending {
            // The kind of a file is known only with its last documents; earlier ones of a long file have already been
            // written.
            if !parcel.isFirst, values.kind != nil {
                try update(["kind"], values, of: file, where: "kind IS NULL")
                if !values.hasLanguage { try update(["language"], values, of: file, where: "entry IS NULL") }
            }
            try finish(file, parcel.candidate, ending)
        }
        pendingBytes += bytes
        if pendingBytes >= Self.transactionBytes { try commit() }
    }

    /// Removes files from the index.
    func remove(_ files: [Int64]) throws {
        try begin()
        for file in files {
            try deleteDocuments(of: file)
            try database.execute(sql: "DELETE FROM files WHERE id = ?", arguments: [file])
        }
    }

    /// Commits if the transaction is older than a few seconds, so that searches find its documents.
    func commitIfDue() throws {
        if isInsideTransaction, Indexer.seconds(since: begunAt) > Self.transactionSeconds { try commit() }
    }

    func commit() throws {
        guard isInsideTransaction else { return }
        try database.execute(sql: "COMMIT")
        isInsideTransaction = false
        pendingBytes = 0
    }

    private func begin() throws {
        guard !isInsideTransaction else { return }
        try database.execute(sql: "BEGIN IMMEDIATE")
        isInsideTransaction = true
        begunAt = .now()
    }

    /// Creates the row of a file, or empties that of a known file.
    private func start(_ candidate: Candidate) throws -> Int64 {
        let arguments: StatementArguments = [candidate.path]
        if let known = try Int64.fetchOne(database, sql: "SELECT id FROM files WHERE path = ?", arguments: arguments) {
            try deleteDocuments(of: known)
            try database.execute(
                sql:
                    "UPDATE files SET hash = NULL, bytes = 0, document_count = 0, problem = NULL, complete = 0 WHERE id = ?",
                arguments: [known])
            return known
        }
        try database.execute(
            sql: """
                INSERT INTO files(path, size, modified, changed, bytes, document_count, complete)
                VALUES (?, -1, 0, 0, 0, 0, 0)
                """, arguments: arguments)
        return database.lastInsertedRowID
    }

    private func identifier(of path: String) throws -> Int64 {
        try IndexFile.number(database, "SELECT id FROM files WHERE path = ?", [path])
    }

    private func finish(_ file: Int64, _ candidate: Candidate, _ ending: Parcel.Ending) throws {
        switch ending {
        case .same, .moved: break
        case .indexed(let summary):
            try database.execute(
                sql: """
                    UPDATE files SET kind = ?, size = ?, modified = ?, changed = ?, hash = ?, problem = ?, complete = 1
                    WHERE id = ?
                    """,
                arguments: [
                    summary.kind.rawValue, summary.stamp.size, summary.stamp.modified, summary.stamp.changed,
                    Int64(bitPattern: summary.hash), summary.remark, file,
                ])
        case .skipped(let problem):
            try deleteDocuments(of: file)
            // A file that may be readable next time gets an impossible size, so that it is tried again.
            let stamp = candidate.stamp
            try database.execute(
                sql: """
                    UPDATE files SET kind = NULL, size = ?, modified = ?, changed = ?, hash = NULL, bytes = 0, document_count = 0,
                    problem = ?, complete = 1 WHERE id = ?
                    """,
                arguments: [
                    problem.isLasting ? stamp.size : -1, stamp.modified, stamp.changed, problem.description, file,
                ])
        }
    }

    /// Has files read again that were skipped, or read in part, for their size, if an earlier run had a lower limit.
    func noteLimit(_ byteCount: Int) throws {
        let known = try Int.fetchOne(
            database, sql: "SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'largest file'")
        let previous = known ?? ExtractionLimits().fileBytes
        guard byteCount != previous else { return }
        try database.inTransaction(.immediate) {
            if byteCount > previous {
                try database.execute(
                    sql: """
                        UPDATE files SET size = -1, hash = NULL
                        WHERE problem LIKE 'larger than %' OR problem LIKE '%read in part: larger than %'
                        """)
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO settings VALUES ('largest file', ?)", arguments: [String(byteCount)])
            return .commit
        }
    }

    /// Sets the named values of those documents of a file that fulfil a condition on `parts`.
    private func update(_ names: [String], _ values: DocumentValues, of file: Int64, where condition: String) throws {
        let assignments = names.map { "\($0) = ?" }.joined(separator: ", ")
        let arguments = StatementArguments(names.map { values[$0] } + [.int64(file)])
        if storesValues {
            try database.execute(
                sql:
                    "UPDATE documents SET \(assignments) WHERE rowid IN (SELECT document FROM parts WHERE file = ? AND \(condition))",
                arguments: arguments)
        }
        try database.execute(
            sql: "UPDATE parts SET \(assignments) WHERE file = ? AND \(condition)", arguments: arguments)
    }

    // MARK: Moves

    /// Gives a file that no longer exists the path at which its content has been found.
    private func move(_ candidate: Candidate, _ stamp: FileStamp) throws {
        guard let origin = candidate.origin,
            try String.fetchOne(database, literal: "SELECT path FROM files WHERE id = \(origin.file.id)")
                == origin.path,
            try rename(origin.file.id, from: origin.path, to: candidate.path, candidate.relativePath)
        else {
            // The file has meanwhile been removed from the index; the next run reads the new one.
            _ = try start(candidate)
            return
        }
        try database.execute(
            "UPDATE files SET modified = \(stamp.modified), changed = \(stamp.changed) WHERE id = \(origin.file.id)")
    }

    /// Changes the paths of the files at or below a path that was seen to move.
    ///
    /// - Parameter others: Roots below the old path. They are missing now, and keep their documents as any missing root does.
    /// - Returns: The number of these files.
    func rename(_ old: String, to new: String, below root: IndexRoot, except others: [IndexRoot] = []) throws
        -> Int
    {
        let rows = try Row.fetchAll(
            database,
            literal: """
                SELECT id, path FROM files
                WHERE path = \(old) OR (path > \(old + "/") AND path < \(old + "0"))
                """)
        var count = 0
        for row in rows {
            guard let id: Int64 = row["id"], let path: String = row["path"],
                !others.contains(where: { $0.covers(path) })
            else { continue }
            try begin()
            let target = new + path.dropFirst(old.count)
            if try rename(id, from: path, to: target, root.relative(target)) {
                try database.execute(
                    "UPDATE files SET changed = \(FileStamp.movedHere) WHERE id = \(id)")
                count += 1
            }
            if count % Self.renamedAtOnce == 0 { try commit() }
        }
        return count
    }

    /// Moved files that were also written to count as changed.
    func distrustMoves(to paths: some Sequence<String>) throws {
        for path in paths {
            try begin()
            try database.execute(
                """
                UPDATE files SET changed = \(FileStamp.distrusted)
                WHERE path = \(path) AND changed = \(FileStamp.movedHere)
                """)
        }
    }

    private static let renamedAtOnce = 200

    /// - Returns: False if the indexed documents depend on the old name.
    private func rename(_ file: Int64, from old: String, to new: String, _ relativePath: String) throws -> Bool {
        let title = try MovedNames(database).newTitle(of: file, from: old, to: new)
        if title == .unknown { return false }
        let replaced = try Int64.fetchAll(
            database, literal: "SELECT id FROM files WHERE path = \(new) AND id <> \(file)")
        if !replaced.isEmpty { try remove(replaced) }
        let folder = DocumentValues.folder(of: new, relativePath: relativePath)
        let documents = try Row.fetchAll(
            database, literal: "SELECT document, entry FROM parts WHERE file = \(file)")
        for row in documents {
            guard let id: Int64 = row["document"] else { continue }
            let entry: String? = row["entry"]
            let path = entry.map { "\(relativePath)/\($0)" } ?? relativePath
            if storesValues {
                try database.execute(
                    "UPDATE documents SET path = \(path), folder = \(folder) WHERE rowid = \(id)")
            } else {
                try database.execute("UPDATE documents SET path = \(path) WHERE rowid = \(id)")
            }
            if case .replacing(let before, let after) = title {
                try database.execute(
                    "UPDATE documents SET title = \(after) WHERE rowid = \(id) AND title = \(before)")
            }
        }
        if case .replacing = title {
            try database.execute(
                """
                UPDATE files SET bytes = (
                  SELECT sum(length(CAST(documents.title AS BLOB)) + length(CAST(documents.body AS BLOB)))
                  FROM parts JOIN documents ON documents.rowid = parts.document WHERE parts.file = files.id)
                WHERE id = \(file)
                """)
        }
        try database.execute("UPDATE parts SET folder = \(folder) WHERE file = \(file)")
        try database.execute("UPDATE files SET path = \(new) WHERE id = \(file)")
        return true
    }

    private func deleteDocuments(of file: Int64) throws {
        try database.execute(
            sql: "DELETE FROM documents WHERE rowid IN (SELECT document FROM parts WHERE file = ?)", arguments: [file])
        try database.execute(sql: "DELETE FROM parts WHERE file = ?", arguments: [file])
    }
}
