/// A database that can be read and written: a queue or a pool. See `DatabaseReader` for what applies to all its
/// methods.
public protocol DatabaseWriter: DatabaseReader, ConnectionWriter {
    /// The connection that writes, which only this package's queues and pools have.
    var writeAccess: DatabaseWriteAccess { get }
}

extension DatabaseWriter {
    /// Writes in one transaction, which is committed when `body` returns and rolled back when it throws.
    ///
    /// ```swift
    /// try await writer.write { db in try db.execute(sql: "DELETE FROM player") }
    /// // BEGIN IMMEDIATE; DELETE FROM player; COMMIT
    /// ```
    ///
    /// The transaction is immediate: at its start it waits for other processes' writes, up to the configuration's busy
    /// timeout, so it never finds out half-way that it has read a state that others have changed since. (A deferred
    /// transaction can: its first write then fails with `SQLITE_BUSY`, and waiting does not help.)
    public func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writeAccess.writing.write(body)
    }

    /// Writes in one transaction; see the synchronous `write(_:)`. A task cancelled before the commit begins rolls
    /// back.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await writeAccess.writing.write(body)
    }

    /// Writes without a transaction; `body` begins and ends its own. A transaction that it leaves open is rolled back,
    /// and a `DatabaseError` reports it.
    public func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writeAccess.writing.writeWithoutTransaction(body)
    }

    /// Writes without opening a transaction; see the synchronous `writeWithoutTransaction(_:)`. A cancelled task throws
    /// `CancellationError` only if `body` throws: what is committed stays committed.
    public func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await writeAccess.writing.writeWithoutTransaction(body)
    }

    /// Writes without opening a transaction, while no reader of this object reads: for `VACUUM` and schema changes.
    public func barrierWriteWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writeAccess.writing.barrierWriteWithoutTransaction(body)
    }

    /// Writes while nobody reads; see the synchronous `barrierWriteWithoutTransaction(_:)`.
    public func barrierWriteWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await writeAccess.writing.barrierWriteWithoutTransaction(body)
    }

    /// Writes without a transaction of its own. Inside another write access of this database on the same thread it uses
    /// that access's connection, and so its transaction.
    public func unsafeReentrantWrite<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writeAccess.writing.unsafeReentrantWrite(body)
    }

    /// Reads the database's present state, if possible concurrently with later writes.
    ///
    /// Call it within `writeWithoutTransaction(_:)`, outside a transaction. `body` runs on another thread, in a read
    /// transaction, or receives the error that prevents it.
    package func spawnConcurrentRead(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void) {
        writeAccess.writing.spawnConcurrentRead(body)
    }
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
    /// - Parameters:
    ///   - kind: `.immediate` by default; see `write(_:)` for why.
    ///   - body: Makes changes, and returns whether they are committed or rolled back.
    public func inTransaction(
        _ kind: TransactionKind = .immediate, _ body: (Database) throws -> TransactionCompletion
    ) throws {
        try writeWithoutTransaction { db in
            try db.inTransaction(kind) { try body(db) }
        }
    }

    /// Writes in a transaction of the given kind, outside Swift's cooperative pool; see the synchronous
    /// `inTransaction(_:_:)`.
    public func inTransaction(
        _ kind: TransactionKind = .immediate,
        _ body: @escaping @Sendable (Database) throws -> TransactionCompletion
    ) async throws {
        try await writeWithoutTransaction { db in
            try db.inTransaction(kind) { try body(db) }
        }
    }

    /// Rebuilds the database file, which returns unused pages to the file system: `VACUUM`.
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
