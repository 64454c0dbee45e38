import Concordance

/// What an extraction thread hands to the writer: some documents of a file, and how the file ended if these are its last.
struct Parcel: Sendable {
    enum Ending: Sendable {
        case indexed(Extractor.Summary)
        case skipped(ExtractionProblem)
        /// The content is that of last time.
        case same(FileStamp)
    }

    var candidate: Candidate
    var documents: [Document] = []
    /// Whether these are the file's first: what the index has of it is out of date.
    var isFirst = false
    var ending: Ending?
}

/// A file that has to be read.
struct Candidate: Sendable {
    var path: String
    var relativePath: String
    var stamp: FileStamp
    var known: KnownFile?
}

/// What the index knows of a file.
struct KnownFile: Equatable, Sendable {
    var id: Int64
    var stamp: FileStamp
    var hash: UInt64?
    var isComplete: Bool
}

/// Writes documents into the index, in transactions of bounded size.
final class IndexWriter {
    /// Bytes of text that go into one transaction: enough for FTS5 to write few segments, little enough to lose.
    private static let transactionBytes = 32 << 20

    private let database: Database
    private let insertPart: Statement
    private let insertDocument: Statement
    /// Whether the full-text table has the values of documents, beside `parts`.
    private let storesValues: Bool
    private var pendingBytes = 0
    private(set) var isInsideTransaction = false

    init(_ database: Database) throws {
        self.database = database
        storesValues = try SearchEngine.keeping("documents", in: database) == .concordance
        insertPart = try database.makeStatement(
            sql:
                "INSERT INTO parts(file, line, entry, page, kind, folder, year, modified) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        )
        insertDocument = try database.makeStatement(
            sql: storesValues
                ? """
                INSERT INTO documents(rowid, title, path, body, kind, folder, year, modified)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """ : "INSERT INTO documents(rowid, title, path, body) VALUES (?, ?, ?, ?)")
        try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536")
    }

    func write(_ parcel: Parcel) throws {
        try begin()
        if case .same(let stamp) = parcel.ending {
            let file = try identifier(of: parcel.candidate.path)
            let old = try IndexFile.number(database, "SELECT modified FROM files WHERE id = ?", [file])
            try database.execute(
                sql: "UPDATE files SET size = ?, modified = ?, changed = ? WHERE id = ?",
                arguments: [stamp.size, stamp.modified, stamp.changed, file])
            // Documents that say when they were written keep that.
            let known = DocumentValues.seconds(nanoseconds: old)
            try update(["year", "modified"], DocumentValues(stamp: stamp), of: file, where: "modified = \(known)")
            return
        }
        let file = parcel.isFirst ? try start(parcel.candidate) : try identifier(of: parcel.candidate.path)
        let values = DocumentValues(parcel)
        var bytes = 0
        for document in parcel.documents {
            let values = values.of(document)
            // A document of several pages is on none of them.
            let page = document.body.utf8.contains(Document.pageBreak) ? nil : document.page
            try insertPart.execute(
                arguments: [
                    file, document.line, document.entry, page, values.kind, values.folder, values.year,
                    values.modified,
                ])
            try insertDocument.bind(.int64(database.lastInsertedRowID), at: 1)
            try insertDocument.bind(.text(document.title), at: 2)
            try insertDocument.bind(.text(document.path(in: parcel.candidate.relativePath)), at: 3)
            try insertDocument.bind(.text(document.body), at: 4)
            if storesValues {
                for (index, value) in values.databaseValues.enumerated() {
                    try insertDocument.bind(value, at: 5 + index)
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
            // What a file is turns out with its last documents; those of a long one have been written before.
            if !parcel.isFirst, values.kind != nil { try update(["kind"], values, of: file, where: "kind IS NULL") }
            try finish(file, parcel.candidate, ending)
        }
        pendingBytes += bytes
        if pendingBytes >= Self.transactionBytes { try commit() }
    }

    /// Takes files out of the index.
    func remove(_ files: [Int64]) throws {
        try begin()
        for file in files {
            try deleteDocuments(of: file)
            try database.execute(sql: "DELETE FROM files WHERE id = ?", arguments: [file])
        }
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
    }

    /// The row of a file of which nothing is in the index, or nothing any more.
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
        case .same: break
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
            // A file that may be readable next time gets a size that no file has, so that it is tried again.
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

    /// Gives the documents of a file that a condition on `parts` holds for these of the values.
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

    private func deleteDocuments(of file: Int64) throws {
        try database.execute(
            sql: "DELETE FROM documents WHERE rowid IN (SELECT document FROM parts WHERE file = ?)", arguments: [file])
        try database.execute(sql: "DELETE FROM parts WHERE file = ?", arguments: [file])
    }
}
