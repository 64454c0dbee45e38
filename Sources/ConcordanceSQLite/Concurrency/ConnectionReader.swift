/// Lends connections of one database for reading: what a search index needs of a library that opens databases.
///
/// `DatabaseQueue`, `DatabasePool` and `DatabaseSnapshot` are such readers. An adapter makes another library's queues and
/// pools readers too, with the `sqlite3 *` that they lend to their own users.
///
/// Asynchronous methods run the closure outside of Swift's cooperative pool; they may ignore that their task is cancelled. A
/// closure uses its connection on one thread, does not keep it, and calls no method of the object that lends it.
public protocol ConnectionReader: AnyObject, Sendable {
    /// Lends a connection in a read transaction, hence in one unchanging state of the database.
    func withReadConnection<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value
    /// Lends a connection in a read transaction; cancelled with its task.
    func withReadConnection<Value: Sendable>(
        _ body: @escaping @Sendable (OpaquePointer) throws -> Value
    ) async throws -> Value

    /// Calls `handler` after every commit of this object's connections, on any thread, as long as the token that it
    /// returns lives; once more if some may have gone by before it was ready. Commits of others need not be told. The handler
    /// returns at once, and uses no connection, so that it may be called under a lock.
    func observeCommits(_ handler: @escaping @Sendable () -> Void) -> any Sendable

    /// Opens one more connection to the same database, prepared like the others, which fails with SQLITE_BUSY where it
    /// would wait for a lock; nil where a second one cannot reach the database, as in memory.
    func openSeparately(readOnly: Bool) throws -> (any ConnectionWriter)?

    /// Gives `setup` every connection, those that are open now before their next use, where this object can do so once it
    /// is made. By default nothing: then connections are set up when they are lent.
    func prepareConnections(_ setup: @escaping @Sendable (OpaquePointer) throws -> Void)

    /// Whether nothing can be written through this object.
    var isReadOnly: Bool { get }

    /// Whether every read sees the same state of the database for ever.
    var isSnapshot: Bool { get }
}

extension ConnectionReader {
    public func prepareConnections(_ setup: @escaping @Sendable (OpaquePointer) throws -> Void) {}

    public var isSnapshot: Bool { false }
}

/// Lends connections of one database for reading and for writing; see `ConnectionReader`.
public protocol ConnectionWriter: ConnectionReader {
    /// Lends the connection that writes, with no transaction open; `body` ends those that it begins.
    func withWriteConnection<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value
    /// Lends the connection that writes; cancelled with its task.
    func withWriteConnection<Value: Sendable>(
        _ body: @escaping @Sendable (OpaquePointer) throws -> Value
    ) async throws -> Value

    /// Lends the connection that writes where that can be done at once, and does nothing where others use it. Writes for
    /// which another program's lock is in the way fail rather than wait. An error of `body` may be thrown or not: nobody relies
    /// on what it does.
    func offerWriteConnection(_ body: @escaping @Sendable (OpaquePointer) throws -> Void) throws
    /// Lends the connection that writes where that can be done at once.
    func offerWriteConnection(_ body: @escaping @Sendable (OpaquePointer) throws -> Void) async throws

    /// Whether other users of this object wait for the connection that writes.
    var hasWaitingWriters: Bool { get }
}

extension ConnectionWriter {
    public var hasWaitingWriters: Bool { false }
}
