/// A database that can be read: a queue, a pool, or a snapshot.
///
/// The closures get a `Database` that is theirs until they return, and must not keep it.
///
/// Synchronous methods block the calling thread until their turn. Asynchronous methods suspend, run the closure on a
/// thread outside the cooperative pool, and honour cancellation: a task cancelled while it waits leaves the line, one
/// cancelled while its closure runs has its SQLite statement interrupted and its open transaction rolled back; both
/// throw `CancellationError`. All throw `DatabaseError` from SQLite, and any error of the closure as it is.
///
/// Calling one method from within the closure of another throws a `DatabaseError` (`SQLITE_MISUSE`) rather than wait
/// forever; see `unsafeReentrantRead(_:)`.
public protocol DatabaseReader: ConnectionReader {
    /// What the connections were opened with.
    var configuration: Configuration { get }
    /// The path of the file, or SQLite's name for a database in memory.
    var path: String { get }

    /// Reads in one transaction, hence from one unchanging state of the database. Writing throws `SQLITE_READONLY`.
    ///
    /// ```swift
    /// let count = try await reader.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM player") }
    /// // BEGIN DEFERRED; SELECT count(*) FROM player; COMMIT
    /// ```
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value
    /// Reads in one transaction; see the synchronous `read(_:)`.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value

    /// Reads without a transaction: two statements may see two states of the database.
    func unsafeRead<Value>(_ body: (Database) throws -> Value) throws -> Value
    /// Reads without a transaction; see the synchronous `unsafeRead(_:)`.
    func unsafeRead<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
    /// Reads without a transaction of its own; inside another access of this database on the same thread, with that
    /// access's connection, so that it sees the uncommitted changes of an enclosing `write`.
    func unsafeReentrantRead<Value>(_ body: (Database) throws -> Value) throws -> Value

    /// Gives `setup` every connection: those open now before their next use (at once where the calling closure is using
    /// one), those opened later when they open. Functions, collations, tokenizers and modules are added so.
    ///
    /// When `setup` throws, the access that needed the connection throws its error, and the next one tries again.
    func configureEachConnection(_ setup: @escaping @Sendable (Database) throws -> Void)

    /// Interrupts the statements that run now on any connection; they throw `SQLITE_INTERRUPT`.
    func interrupt()
    /// Waits for the accesses under way, then closes all connections. Later accesses throw `SQLITE_MISUSE`.
    func close() throws
}

extension DatabaseReader {
    /// Copies this database into `destination`, which holds the same content afterwards and nothing else.
    ///
    /// The copy is of one state: it is made in a read transaction. See `Database.backup(to:pagesPerStep:progress:)`.
    public func backup(
        to destination: some DatabaseWriter, pagesPerStep: Int = -1,
        progress: ((DatabaseBackupProgress) throws -> Void)? = nil
    ) throws {
        try destination.barrierWriteWithoutTransaction { target in
            try read { source in
                try source.takeSnapshot()
                try source.backup(to: target, pagesPerStep: pagesPerStep, progress: progress)
            }
        }
    }

    /// Copies this database into `destination`; cancelling the task stops it between two steps.
    public func backup(
        to destination: some DatabaseWriter, pagesPerStep: Int = 1024,
        progress: (@Sendable (DatabaseBackupProgress) throws -> Void)? = nil
    ) async throws {
        try await destination.barrierWriteWithoutTransaction { target in
            try self.read { source in
                try source.takeSnapshot()
                try source.backup(to: target, pagesPerStep: pagesPerStep, progress: progress)
            }
        }
    }
}
