import CConcordanceSQLite
import ConcordanceSQLite
import Dispatch
import Foundation

/// Checkpoints a WAL while others write to it, on its own connection and thread.
///
/// By default SQLite checkpoints in the commit with which the WAL reaches 1000 pages (`PRAGMA wal_autocheckpoint`). The
/// committing connection copies them into the database file and waits until they are on disk, which takes 20 to 40 ms
/// and sometimes hundreds. A job of many short transactions leaves checkpoints to this object, which copies them in
/// small parts:
///
///     pages in the WAL    250           500           750           the next commit starts the WAL over
///                         copied in the background    the rest is copied while the job waits
///
/// Copying takes no lock for which readers or writers wait, and the job holds none while it waits, so others can write.
/// The WAL starts over only when all of it has been copied and nobody reads an older state from it. If a reader
/// prevents that until the WAL has four times the pages, commits checkpoint as SQLite does.
final class Checkpointer: Sendable {
    private struct Progress {
        /// The number of pages at which SQLite would checkpoint.
        var threshold = 0
        /// The number of pages in the WAL after the last commit.
        var pageCount = 0
        /// The number of them that are in the database file.
        var copiedCount = 0
        /// Whether a part is being copied, or about to be.
        var isCopying = false
        /// Whether this object can checkpoint the database.
        var isUsable = true
    }

    private enum Action { case nothing, begin, wait }

    private let open: @Sendable () throws -> (any ConnectionWriter)?
    private let progress = Locked(Progress())
    /// Accessed only by blocks on `queue`.
    private let connection = Locked<(any ConnectionWriter)?>(nil)
    private let queue: DispatchQueue

    /// Creates one for the database of a writer, which has a WAL.
    init(for writer: some ConnectionWriter) {
        open = { try writer.openSeparately(readOnly: false) }
        queue = DispatchQueue(label: "Concordance checkpoints")
    }

    // MARK: - In a transaction

    /// Whether commits of a connection with this checkpoint threshold may leave checkpoints to this object.
    func canReplace(threshold: Int) -> Bool {
        progress.withLock { progress in
            progress.threshold = threshold
            return progress.isUsable && threshold > 0
        }
    }

    /// Notes a commit after which the WAL has this many pages. Returns whether it has too many, so that the commit must
    /// checkpoint.
    func didCommit(pageCount: Int) -> Bool {
        progress.withLock { progress in
            if pageCount < progress.pageCount { progress.copiedCount = 0 }
            progress.pageCount = pageCount
            return pageCount >= 4 * progress.threshold
        }
    }

    // MARK: - Between transactions

    /// Copies pages if enough are waiting, on this thread or in the background.
    func advance() {
        switch nextAction() {
        case .nothing: break
        case .begin: queue.async { self.copy() }
        case .wait: queue.sync { copy() }
        }
    }

    /// Copies pages if enough are waiting, in the background or while the task waits.
    func advance() async {
        switch nextAction() {
        case .nothing: break
        case .begin: queue.async { self.copy() }
        case .wait: await perform { self.copy() }
        }
    }

    /// Waits for the copying to end, and closes the connection.
    func close() { queue.sync { connection.withLock { $0 = nil } } }

    /// Waits for the copying to end, and closes the connection.
    func close() async { await perform { self.connection.withLock { $0 = nil } } }

    private func perform(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                body()
                continuation.resume()
            }
        }
    }

    private func nextAction() -> Action {
        progress.withLock { progress in
            let left = progress.pageCount - progress.copiedCount
            guard progress.isUsable, left > 0, progress.pageCount < 4 * progress.threshold else { return .nothing }
            if progress.pageCount >= progress.threshold * 3 / 4 { return .wait }
            guard !progress.isCopying, left >= progress.threshold / 4 else { return .nothing }
            progress.isCopying = true
            return .begin
        }
    }

    /// Copies all pages that are in the WAL.
    private func copy() {
        var pageCount: Int32 = -1
        var copiedCount: Int32 = -1
        let code = connection.withLock { connection in
            do {
                let isNew = connection == nil
                guard let database = try connection ?? open() else { return SQLITE_CANTOPEN }
                connection = database
                return try database.withWriteConnection { connection in
                    // A connection does not know about the WAL until it has read something.
                    if isNew {
                        let sql = "SELECT count(*) FROM (SELECT 1 FROM sqlite_schema LIMIT 1)"
                        _ = try Int.fetchOne(Database.from(connection), sql: sql)
                    }
                    return csqlite_wal_checkpoint_v2(
                        connection, "main", CheckpointMode.passive.rawValue, &pageCount, &copiedCount)
                }
            } catch {
                return SQLITE_CANTOPEN
            }
        }
        progress.withLock { progress in
            progress.isCopying = false
            // Somebody else is checkpointing.
            if code & 0xFF == SQLITE_BUSY { return }
            guard code == SQLITE_OK, pageCount >= 0 else {
                progress.isUsable = false
                return
            }
            progress.pageCount = max(progress.pageCount, Int(pageCount))
            progress.copiedCount = Int(copiedCount)
        }
    }
}

extension Database {
    /// Whether the main database has a write-ahead log, which is beside the file as long as it is open. (`PRAGMA
    /// journal_mode` tells as well, but SQLite treats it as a statement that writes.)
    var hasWriteAheadLog: Bool {
        guard let connection = try? sqliteConnection, let path = csqlite_db_filename(connection, "main") else {
            return false
        }
        return FileManager.default.fileExists(atPath: String(cString: path) + "-wal")
    }

    /// Runs `body` in a transaction whose commit leaves checkpoints to `checkpointer`, unless the app manages them
    /// itself.
    func inTransaction<Value>(
        checkpointing checkpointer: Checkpointer?, _ body: (Database) throws -> Value
    ) throws -> Value {
        // 0 if the app has turned them off or has set a hook of its own.
        let threshold = try checkpointer.map { _ in
            try Int.fetchOne(cachedStatement(sql: "PRAGMA wal_autocheckpoint")) ?? 0
        }
        guard let checkpointer, let threshold, checkpointer.canReplace(threshold: threshold) else {
            return try inImmediateTransaction { try body(self) }
        }
        let connection = try sqliteConnection
        csqlite_wal_hook(
            connection,
            { context, connection, schema, pageCount in
                guard let context, let schema, strcmp(schema, "main") == 0 else { return SQLITE_OK }
                let checkpointer = Unmanaged<Checkpointer>.fromOpaque(context).takeUnretainedValue()
                if checkpointer.didCommit(pageCount: Int(pageCount)) {
                    csqlite_wal_checkpoint_v2(connection, schema, CheckpointMode.passive.rawValue, nil, nil)
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(checkpointer).toOpaque())
        defer { csqlite_wal_autocheckpoint(connection, Int32(clamping: threshold)) }
        return try inImmediateTransaction { try body(self) }
    }
}
