/// Lends connections to one database for reading: what a search index needs from a library that opens databases.
///
/// `DatabaseQueue`, `DatabasePool` and `DatabaseSnapshot` are such readers. An adapter turns another library's queues
/// and pools into readers too, with the `sqlite3 *` that they lend to their own users.
///
/// Asynchronous methods run the closure outside Swift's cooperative pool; they may ignore the cancellation of their
/// task. A closure uses its connection on one thread, does not keep it, and calls no method of the object that lends
/// it.
public protocol ConnectionReader: AnyObject, Sendable {
    /// Lends a connection in a read transaction, and so in a single state of the database.
    func withReadConnection<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value
    /// Lends a connection in a read transaction; cancelled with its task.
    func withReadConnection<Value: Sendable>(
        _ body: @escaping @Sendable (OpaquePointer) throws -> Value
    ) async throws -> Value

    /// Calls `handler` after every commit of this object's connections, on any thread, as long as the returned token
    /// lives; and once more if commits may have happened before it was ready. Commits of others need not be reported.
    /// The handler returns at once and uses no connection, so it may be called under a lock.
    func observeCommits(_ handler: @escaping @Sendable () -> Void) -> any Sendable

    /// Opens one more connection to the same database, prepared like the others, which fails with SQLITE_BUSY instead
    /// of waiting for a lock; nil if a second connection cannot reach the database, for instance in memory.
    func openSeparately(readOnly: Bool) throws -> (any ConnectionWriter)?

    /// Runs `setup` on every connection, on open ones before their next use, if this object can do so after its
    /// creation. By default it does nothing: then connections are set up when they are lent.
    func prepareConnections(_ setup: @escaping @Sendable (OpaquePointer) throws -> Void)

    /// Whether nothing can be written through this object.
    var isReadOnly: Bool { get }

    /// Whether every read sees the same state of the database forever.
    var isSnapshot: Bool { get }
}

extension ConnectionReader {
    public func prepareConnections(_ setup: @escaping @Sendable (OpaquePointer) throws -> Void) {}

    public var isSnapshot: Bool { false }
}

/// Lends connections of one database for reading and for writing; see `ConnectionReader`.
public protocol ConnectionWriter: ConnectionReader {
    /// Lends the connection that writes, with no transaction open; `body` ends the transactions that it begins.
    func withWriteConnection<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value
    /// Lends the connection that writes; cancelled with its task.
    func withWriteConnection<Value: Sendable>(
        _ body: @escaping @Sendable (OpaquePointer) throws -> Value
    ) async throws -> Value

    /// Lends the connection that writes if that is possible at once, and does nothing if others are using it. Writes
    /// blocked by another program's lock fail rather than wait. An error of `body` may be rethrown or not: nobody
    /// relies on what it does.
    func offerWriteConnection(_ body: @escaping @Sendable (OpaquePointer) throws -> Void) throws
    /// Lends the connection that writes if that is possible at once.
    func offerWriteConnection(_ body: @escaping @Sendable (OpaquePointer) throws -> Void) async throws

    /// Whether other users of this object are waiting for the connection that writes.
    var hasWaitingWriters: Bool { get }
}

extension ConnectionWriter {
    public var hasWaitingWriters: Bool { false }
}
