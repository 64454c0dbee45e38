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
    /// The connections, of which only this package's queues, pools and snapshots have any.
    var access: DatabaseAccess { get }
}

extension DatabaseReader {
    /// The configuration of the connections.
    public var configuration: Configuration { access.reading.configuration }
    /// The path of the file, or SQLite's name for a database in memory.
    public var path: String { access.reading.path }

    /// Reads in one transaction, and so from a single state of the database. Writing throws `SQLITE_READONLY`.
    ///
    /// ```swift
    /// let count = try await reader.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM player") }
    /// // BEGIN DEFERRED; SELECT count(*) FROM player; COMMIT
    /// ```
    public func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try access.reading.read(body) }

    /// Reads in one transaction; see the synchronous `read(_:)`.
    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await access.reading.read(body)
    }

    /// Reads without a transaction: two statements may see two states of the database.
    package func unsafeRead<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try access.reading.unsafeRead(body)
    }

    /// Reads without a transaction; see the synchronous `unsafeRead(_:)`.
    package func unsafeRead<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await access.reading.unsafeRead(body)
    }

    /// Reads without a transaction of its own. Inside another access of this database on the same thread it uses that
    /// access's connection, so it sees the uncommitted changes of an enclosing `write`.
    public func unsafeReentrantRead<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try access.reading.unsafeReentrantRead(body)
    }

    /// Runs `setup` on every connection: on open ones before their next use (at once if the calling closure is using
    /// one), on others when they open. Use it to add functions, collations, tokenizers and modules.
    ///
    /// If `setup` throws, the access that needed the connection throws its error, and the next one tries again.
    public func configureEachConnection(_ setup: @escaping @Sendable (Database) throws -> Void) {
        access.reading.configureEachConnection(setup)
    }

    /// Interrupts the statements currently running on any connection; they throw `SQLITE_INTERRUPT`.
    public func interrupt() { access.reading.interrupt() }

    /// Waits for the current accesses, then closes all connections. Later accesses throw `SQLITE_MISUSE`.
    public func close() throws { try access.reading.close() }
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
