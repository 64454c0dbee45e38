import CConcordanceSQLite
import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A database file in WAL mode (https://www.sqlite.org/wal.html): one connection writes, and up to
/// `configuration.maximumReaderCount` connections read at the same time, each from a snapshot, without waiting for the
/// writer.
///
/// ```swift
/// let dbPool = try DatabasePool(path: "/path/to/database.sqlite")
/// try await dbPool.write { db in try db.execute(sql: "INSERT INTO player VALUES (?)", arguments: ["Arthur"]) }
/// let count = try await dbPool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM player") }
/// ```
///
/// Readers are read-only connections, opened when first needed. A read within a write on the same thread sees the last
/// committed state; a write within a read throws, since waiting in that order could deadlock.
public final class DatabasePool: DatabaseWriter, WriteAccess {
    package let configuration: Configuration
    package let path: String
    public var access: DatabaseAccess { DatabaseAccess(self) }
    public var writeAccess: DatabaseWriteAccess { DatabaseWriteAccess(self) }
    private let setups = ConnectionSetups([])
    private let writer: ConnectionPool
    private let readers: ConnectionPool

    /// Opens the database file at `path`, creating it if there is none, and puts it in WAL mode, with
    /// `PRAGMA synchronous = NORMAL`: a power failure may cost the last transactions, never the file's integrity.
    ///
    /// - Throws: `DatabaseError` if SQLite cannot open it, or it cannot have a WAL: a database in memory, or on a file
    ///   system without shared memory.
    public init(path: String, configuration: Configuration = Configuration()) throws {
        self.configuration = configuration
        self.path = path
        let name = configuration.label ?? "DatabasePool \(path)"
        var writerConfiguration = configuration
        if !configuration.readonly {
            // Before the app's own setup, which may choose another `synchronous`; but after it if the setup provides
            // the key without which nothing can be read.
            let isRelaxed = Locked(false)
            writerConfiguration.preparations.insert({ db in isRelaxed.withLock { $0 = db.relaxSynchronous() } }, at: 0)
            writerConfiguration.preparations.append { db in
                try db.useWriteAheadLog(timeout: configuration.busyTimeout)
                if !isRelaxed.withLock({ $0 }) { _ = db.relaxSynchronous() }
            }
        }
        writer = ConnectionPool(name: name, count: 1, setups: setups) { [writerConfiguration] in
            try Database(path: path, configuration: writerConfiguration)
        }
        var readerConfiguration = configuration
        readerConfiguration.readonly = true
        readers = ConnectionPool(
            name: name, count: min(configuration.maximumReaderCount, 1000), setups: setups
        ) { [readerConfiguration] in
            try Database(path: path, configuration: readerConfiguration)
        }
        try writer.run { _ in }
    }

    deinit {
        // Readers first: the last connection to close checkpoints and removes the WAL, which only a writer can do.
        readers.closeIdle()
    }

    // MARK: - Reading

    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try readers.run { try $0.inTransaction(.deferred, for: nil, body) }
    }

    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await readers.run { try $0.inTransaction(.deferred, for: $1, body) }
    }

    package func unsafeRead<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try readers.run(body)
    }

    package func unsafeRead<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await readers.run { db, _ in try body(db) }
    }

    package func unsafeReentrantRead<Value>(_ body: (Database) throws -> Value) throws -> Value {
        if let held = readers.heldConnection ?? writer.heldConnection { return try body(held.readyDatabase()) }
        return try readers.run(body)
    }

    /// Creates a read-only view of the database as it is now, which later writes do not change.
    ///
    /// It has a connection of its own. As long as it lives, the WAL file cannot start over, and grows with each write.
    public func makeSnapshot() throws -> DatabaseSnapshot {
        try DatabaseSnapshot(path: path, configuration: configuration, setups: setups)
    }

    // MARK: - Writing

    package func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writing { try $0.inTransaction(.immediate, for: nil, body) }
    }

    package func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await writer.run { try $0.inTransaction(.immediate, for: $1, body) }
    }

    /// The number of accesses waiting for the connection that writes.
    var writerLineCount: Int { writer.waitingCount }
    /// Whether nobody is using the connection that writes, and this thread may.
    var isWriterFree: Bool { writer.heldCount == 0 && !readers.isHeldByThisThread }

    package func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writing(body)
    }

    package func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await writer.run { db, _ in try body(db) }
    }

    package func barrierWriteWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writing { db in
            try readers.barrier { try body(db) }
        }
    }

    package func barrierWriteWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await writer.run { [readers] db, access in
            // This waits on one of Dispatch's threads, at most one, as there is one writer.
            try readers.barrier(access: access) { try body(db) }
        }
    }

    package func unsafeReentrantWrite<Value>(_ body: (Database) throws -> Value) throws -> Value {
        if let held = writer.heldConnection { return try body(held.readyDatabase()) }
        return try writing(body)
    }

    private func writing<Value>(_ body: (Database) throws -> Value) throws -> Value {
        guard !readers.isHeldByThisThread else {
            throw DatabaseError.reentrantAccess(to: configuration.label ?? "DatabasePool \(path)")
        }
        return try writer.run(body)
    }

    package func spawnConcurrentRead(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void) {
        do {
            guard let writing = writer.heldConnection else {
                throw DatabaseError.noWriteAccess(spawnConcurrentRead: path)
            }
            try writing.readyDatabase().requireNoTransaction()
            let lease = try readers.acquire()
            let snapshotTaken = DispatchSemaphore(value: 0)
            readers.spawn(lease) { reader in
                let hasBegun = Locked(false)
                do {
                    try reader.run(for: nil) { db in
                        try db.inTransaction(.deferred, for: nil) { db in
                            try db.takeSnapshot()
                            hasBegun.withLock { $0 = true }
                            snapshotTaken.signal()
                            body(.success(db))
                        }
                    }
                } catch {
                    guard !hasBegun.withLock({ $0 }) else { return }
                    snapshotTaken.signal()
                    body(.failure(error))
                }
            }
            // The writer continues once the reader has fixed the state that it reads.
            snapshotTaken.wait()
        } catch {
            body(.failure(error))
        }
    }

    // MARK: - The connections

    package func configureEachConnection(_ setup: @escaping @Sendable (Database) throws -> Void) {
        setups.withLock { $0.append(setup) }
        writer.heldConnection?.catchUpSetups()
        readers.heldConnection?.catchUpSetups()
    }

    package func interrupt() {
        readers.interrupt()
        writer.interrupt()
    }

    package func close() throws {
        guard !writer.isHeldByThisThread else {
            throw DatabaseError.reentrantAccess(to: configuration.label ?? "DatabasePool \(path)")
        }
        try readers.close()
        try writer.close()
    }

    /// Closes the unused readers, and frees the memory that the writer's caches do not need.
    public func releaseMemory() throws {
        readers.closeIdle()
        try unsafeReentrantWrite { _ = csqlite_db_release_memory(try $0.sqliteConnection) }
    }

    /// Copies the content of the WAL into the database file.
    ///
    /// - Parameter mode: How much of the WAL to copy, and whom to wait for; see
    ///   https://www.sqlite.org/c3ref/wal_checkpoint_v2.html.
    /// - Throws: `DatabaseError` (`SQLITE_BUSY`) if readers or other processes keep it from finishing.
    public func checkpoint(_ mode: CheckpointMode = .passive) throws {
        try writeWithoutTransaction { try $0.checkpoint(mode) }
    }

    /// Copies the content of the WAL into the database file; see the synchronous `checkpoint(_:)`.
    public func checkpoint(_ mode: CheckpointMode = .passive) async throws {
        try await writeWithoutTransaction { try $0.checkpoint(mode) }
    }
}

/// How much a checkpoint copies, and what it waits for.
public enum CheckpointMode: Int32, Sendable {
    /// Copies as much as is possible without waiting.
    case passive = 0
    /// Copies the whole WAL, waiting for the writer.
    case full = 1
    /// Does what `full` does, and waits until the next writer can start the WAL over.
    case restart = 2
    /// Does what `restart` does, and truncates the WAL file.
    case truncate = 3
}

extension Database {
    fileprivate func checkpoint(_ mode: CheckpointMode) throws {
        try check(csqlite_wal_checkpoint_v2(try sqliteConnection, nil, mode.rawValue, nil, nil))
    }

    /// Waits for the disk only at checkpoints, which is enough with a WAL; returns whether that could be set.
    fileprivate func relaxSynchronous() -> Bool { (try? execute(sql: "PRAGMA synchronous = NORMAL")) != nil }

    /// Puts the file in WAL mode, which the file itself stores.
    ///
    /// If two processes open a new file at once, one of them finds it locked in ways that do not reach SQLite's busy
    /// handler; so this tries again until `timeout`, in seconds.
    fileprivate func useWriteAheadLog(timeout: Double) throws {
        let start = DispatchTime.now().uptimeNanoseconds
        while true {
            do {
                let mode = try String.fetchOne(self, sql: "PRAGMA journal_mode = WAL")
                guard mode == "wal" else {
                    throw DatabaseError(
                        resultCode: .SQLITE_CANTOPEN,
                        message: "the database cannot have a write-ahead log: its journal mode is \(mode ?? "unknown")",
                        advice: "Use a file, and not one on a network; or use DatabaseQueue.")
                }
                return
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                let waited = Double(DispatchTime.now().uptimeNanoseconds &- start) / 1e9
                guard waited < timeout else { throw error }
                usleep(5000)
            }
        }
    }
}
