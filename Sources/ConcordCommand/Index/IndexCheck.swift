import Concordance

/// Checks an index for damage, and repairs it.
struct IndexCheck {
    /// What is damaged, in short texts for the user.
    private(set) var problems: [String] = []
    /// The number of files whose indexing was interrupted. That is not damage; the next run reads them again.
    private(set) var unfinished = 0

    /// Whether SQLite can read all of the database.
    private(set) var isReadable = true

    /// An index that cannot be opened.
    init(unreadable why: String) {
        isReadable = false
        problems = ["database: \(why)"]
    }

    /// - Parameter stage: Called with a description of each stage as it begins.
    init(_ file: IndexFile, stage: (String) -> Void = { _ in }) throws {
        let database = file.database
        do {
            stage("Checking the database")
            try checkDatabase(database)
            guard isReadable else { return }
            stage("Checking the words of all documents")
            try checkFullText(database)
            stage("Checking documents and files")
            try checkTables(database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            isReadable = false
            problems.append("database: \(error.message ?? "damaged")")
        }
    }

    private mutating func checkDatabase(_ database: Database) throws {
        for line in try String.fetchAll(database, sql: "PRAGMA integrity_check(10)") where line != "ok" {
            isReadable = false
            problems.append("database: \(line)")
        }
    }

    /// Tokenizes every document again, and compares the tokens with the index.
    private mutating func checkFullText(_ database: Database) throws {
        do {
            try database.execute(sql: "INSERT INTO documents(documents, rank) VALUES ('integrity-check', 1)")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            problems.append("the full-text index does not agree with its documents")
        }
    }

    private mutating func checkTables(_ database: Database) throws {
        let counts = [
            (
                "document", " without a file",
                "SELECT count(*) FROM parts WHERE file NOT IN (SELECT id FROM files)"
            ),
            (
                "part", " without a document",
                "SELECT count(*) FROM parts WHERE document NOT IN (SELECT id FROM documents_content)"
            ),
            (
                "document", " without a part",
                "SELECT count(*) FROM documents_content WHERE id NOT IN (SELECT document FROM parts)"
            ),
            (
                "file", " with a wrong number of documents",
                """
                SELECT count(*) FROM files
                WHERE document_count <> (SELECT count(*) FROM parts WHERE parts.file = files.id)
                """
            ),
        ]
        for (noun, rest, sql) in counts {
            let count = Int(try IndexFile.number(database, sql))
            if count > 0 { problems.append(counted(count, noun) + rest) }
        }
        unfinished = Int(try IndexFile.number(database, "SELECT count(*) FROM files WHERE complete = 0"))
    }

    /// Makes files and documents agree again, and builds the full-text index again from its documents. If SQLite cannot read
    /// the database, the index is emptied instead.
    ///
    /// The next run reads all files again: whatever has damaged one row may have changed the texts of others.
    ///
    /// - Returns: The index to use from now on.
    func repair(_ file: IndexFile) throws -> IndexFile {
        guard isReadable else { return try file.emptied() }
        let database = file.database
        try database.inTransaction(.immediate) {
            try database.execute(
                sql: """
                    DELETE FROM parts WHERE file NOT IN (SELECT id FROM files);
                    DELETE FROM parts WHERE document NOT IN (SELECT id FROM documents_content);
                    INSERT INTO documents(documents) VALUES ('rebuild');
                    DELETE FROM documents WHERE rowid IN (
                      SELECT id FROM documents_content WHERE id NOT IN (SELECT document FROM parts));
                    UPDATE files SET complete = 0,
                      document_count = (SELECT count(*) FROM parts WHERE parts.file = files.id);
                    """)
            return .commit
        }
        return file
    }
}
