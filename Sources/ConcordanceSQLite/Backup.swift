import CConcordanceSQLite

/// The progress of a backup, in pages of the database file.
public struct DatabaseBackupProgress: Hashable, Sendable {
    /// The number of pages not yet copied.
    public let remainingPageCount: Int
    /// The number of pages of the source.
    public let totalPageCount: Int
    /// The number of pages copied.
    public var completedPageCount: Int { totalPageCount - remainingPageCount }
    /// Whether the copy is complete and committed.
    public let isCompleted: Bool
}

extension Database {
    /// Copies the main database of this connection into that of `destination`, replacing its content
    /// (https://www.sqlite.org/backup.html).
    ///
    /// If another connection changes a page between two steps, SQLite starts again; within a read transaction, or in
    /// one step, the copy has a single state. Neither connection may have an open write transaction.
    ///
    /// - Parameters:
    ///   - destination: The database that is replaced.
    ///   - pagesPerStep: How many pages to copy between two calls of `progress`; negative for all at once.
    ///   - progress: Called after each step. An error that it throws before the copy is complete cancels the copy, and
    ///     leaves `destination` unchanged.
    /// - Throws: `DatabaseError`, the error of `progress`, or `CancellationError` if a queue or pool runs this for a
    ///   task that is cancelled between two steps.
    public func backup(
        to destination: Database, pagesPerStep: Int = -1, progress: ((DatabaseBackupProgress) throws -> Void)? = nil
    ) throws {
        guard
            let backup = csqlite_backup_init(
                try destination.sqliteConnection, "main", try sqliteConnection, "main")
        else { throw destination.error(csqlite_errcode(try destination.sqliteConnection)) }
        var code: Int32
        do {
            // Steps of zero pages would go on forever.
            let pages = pagesPerStep == 0 ? 1 : Int32(clamping: pagesPerStep)
            while true {
                try checkCancellation()
                code = csqlite_backup_step(backup, pages)
                guard code == SQLITE_OK else { break }
                try progress?(DatabaseBackupProgress(backup, isCompleted: false))
            }
        } catch {
            csqlite_backup_finish(backup)
            throw error
        }
        let last = DatabaseBackupProgress(backup, isCompleted: true)
        // Repeats the error of the last step, if any, and describes it in the destination.
        code = csqlite_backup_finish(backup)
        try destination.check(code)
        try progress?(last)
    }
}

extension DatabaseBackupProgress {
    fileprivate init(_ backup: OpaquePointer, isCompleted: Bool) {
        remainingPageCount = Int(csqlite_backup_remaining(backup))
        totalPageCount = Int(csqlite_backup_pagecount(backup))
        self.isCompleted = isCompleted
    }
}
