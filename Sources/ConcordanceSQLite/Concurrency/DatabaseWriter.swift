/// A database that can be read and written: a queue or a pool. See `DatabaseReader` for what holds for all its methods.
public protocol DatabaseWriter: DatabaseReader, ConnectionWriter {
    /// Writes in one transaction, committed when `body` returns and rolled back when it throws.
    ///
    /// ```swift
    /// try await writer.write { db in try db.execute(sql: "DELETE FROM player") }
    /// // BEGIN IMMEDIATE; DELETE FROM player; COMMIT
    /// ```
    ///
    /// The transaction is immediate: it waits for other processes' writes at its start, for the configuration's busy
    /// timeout, and cannot find out half-way that it read a state which others have changed since. (A deferred one can:
    /// its first write then fails with `SQLITE_BUSY`, which no waiting cures.)
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value
    /// Writes in one transaction; see the synchronous `write(_:)`. A task cancelled before the commit begins rolls back.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value

    /// Writes with no transaction but those that `body` begins and ends. One that it leaves open is rolled back, and a
    /// `DatabaseError` says so.
    func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value
    /// Writes with no transaction of its own; see the synchronous `writeWithoutTransaction(_:)`. A cancelled task throws
    /// `CancellationError` only when `body` throws: what is committed is committed.
    func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value

    /// Writes with no transaction of its own while no reader of this object reads: for `VACUUM`, schema changes.
    func barrierWriteWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value
    /// Writes while nobody reads; see the synchronous `barrierWriteWithoutTransaction(_:)`.
    func barrierWriteWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value

    /// Writes with no transaction of its own; inside another write access of this database on the same thread, with that
    /// access's connection, hence in its transaction.
    func unsafeReentrantWrite<Value>(_ body: (Database) throws -> Value) throws -> Value

    /// Reads, concurrently with later writes where this object can, the state that the database has now.
    ///
    /// To be called from within `writeWithoutTransaction(_:)`, outside of a transaction. `body` runs on another thread,
    /// in a read transaction, or gets the error that prevents it.
    func spawnConcurrentRead(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void)
}

extension DatabaseWriter {
    /// Writes in a transaction of the given kind, which ends as `body` says.
    ///
    /// ```swift
    /// try await writer.inTransaction { db in
    ///     try db.execute(sql: "DELETE FROM player")
    ///     return .commit
    /// }
    /// ```
    ///
    /// - Parameter kind: `.immediate` unless another is given; see `write(_:)` for why.
    public func inTransaction(
        _ kind: TransactionKind = .immediate, _ body: (Database) throws -> TransactionCompletion
    ) throws {
        try writeWithoutTransaction { db in
            try db.inTransaction(kind) { try body(db) }
        }
    }

    /// Writes in a transaction of the given kind, outside of Swift's cooperative pool; see the synchronous
    /// `inTransaction(_:_:)`.
    public func inTransaction(
        _ kind: TransactionKind = .immediate,
        _ body: @escaping @Sendable (Database) throws -> TransactionCompletion
    ) async throws {
        try await writeWithoutTransaction { db in
            try db.inTransaction(kind) { try body(db) }
        }
    }

    /// Rebuilds the database file, which gives unused pages back to the file system: `VACUUM`.
    public func vacuum() throws {
        try barrierWriteWithoutTransaction { try $0.execute(sql: "VACUUM") }
    }

    /// Rebuilds the database file; see the synchronous `vacuum()`.
    public func vacuum() async throws {
        try await barrierWriteWithoutTransaction { try $0.execute(sql: "VACUUM") }
    }

    /// Writes a compact copy of the database to a new file: `VACUUM INTO 'path'`.
    public func vacuum(into path: String) throws {
        try writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [path]) }
    }

    /// Writes a compact copy of the database to a new file: `VACUUM INTO 'path'`.
    public func vacuum(into path: String) async throws {
        try await writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [path]) }
    }
}
