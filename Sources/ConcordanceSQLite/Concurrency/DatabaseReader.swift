/// A database that can be read: a queue, a pool, or a snapshot.
///
/// The closures receive a `Database` that is theirs until they return, and must not keep it.
///
/// Synchronous methods block the calling thread until their turn. Asynchronous methods suspend, run the closure on a
/// thread outside the cooperative pool, and honour cancellation: a task cancelled while it waits leaves the line; if it
/// is cancelled while its closure runs, its SQLite statement is interrupted and its open transaction rolled back. Both
/// throw `CancellationError`. All methods throw SQLite's errors as `DatabaseError`, and any error of the closure
/// unchanged.
///
/// Calling a method within the closure of another one throws a `DatabaseError` (`SQLITE_MISUSE`) rather than wait
/// forever; see `unsafeReentrantRead(_:)`.
public protocol DatabaseReader: ConnectionReader {
    /// The configuration of the connections.
    var configuration: Configuration { get }
    /// The path of the file, or SQLite's name for a database in memory.
    var path: String { get }

    /// Reads in one transaction, and so from a single state of the database. Writing throws `SQLITE_READONLY`.
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
    /// Reads without a transaction of its own. Inside another access of this database on the same thread it uses that
    /// access's connection, so it sees the uncommitted changes of an enclosing `write`.
    func unsafeReentrantRead<Value>(_ body: (Database) throws -> Value) throws -> Value

    /// Runs `setup` on every connection: on open ones before their next use (at once if the calling closure is using
    /// one), on others when they open. Use it to add functions, collations, tokenizers and modules.
    ///
    /// If `setup` throws, the access that needed the connection throws its error, and the next one tries again.
    func configureEachConnection(_ setup: @escaping @Sendable (Database) throws -> Void)

    /// Interrupts the statements currently running on any connection; they throw `SQLITE_INTERRUPT`.
    func interrupt()
    /// Waits for the current accesses, then closes all connections. Later accesses throw `SQLITE_MISUSE`.
    func close() throws
}

extension DatabaseReader {
    /// Copies this database into `destination`, replacing all of its content.
    ///
    /// The copy has a single state, because it is made in a read transaction. See
    /// `Database.backup(to:pagesPerStep:progress:)`.
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
