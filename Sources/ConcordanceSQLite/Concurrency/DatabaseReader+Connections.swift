extension DatabaseReader {
    public func withReadConnection<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value {
        try read { try body($0.sqliteConnection) }
    }

    public func withReadConnection<Value: Sendable>(
        _ body: @escaping @Sendable (OpaquePointer) throws -> Value
    ) async throws -> Value {
        try await read { try body($0.sqliteConnection) }
    }

    public func observeCommits(_ handler: @escaping @Sendable () -> Void) -> any Sendable {
        let token = CommitObservation(handler)
        configureEachConnection { [weak token] db in
            if let token { try db.add(transactionObserver: token.relay, extent: .databaseLifetime) }
        }
        return token
    }

    public func openSeparately(readOnly: Bool) throws -> (any ConnectionWriter)? {
        guard SharedPath.canBeShared(path) else { return nil }
        // Keeps the app's own preparations, which may provide the key of the file, or attach other databases.
        var configuration = configuration
        configuration.readonly = readOnly
        configuration.busyTimeout = 0
        configuration.trace = nil
        configuration.statementCacheCapacity = 8
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    public func prepareConnections(_ setup: @escaping @Sendable (OpaquePointer) throws -> Void) {
        configureEachConnection { try setup($0.sqliteConnection) }
    }

    public var isReadOnly: Bool { configuration.readonly }
}

extension DatabaseWriter {
    public func withWriteConnection<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value {
        try writeWithoutTransaction { try body($0.sqliteConnection) }
    }

    public func withWriteConnection<Value: Sendable>(
        _ body: @escaping @Sendable (OpaquePointer) throws -> Value
    ) async throws -> Value {
        try await writeWithoutTransaction { try body($0.sqliteConnection) }
    }

    public func offerWriteConnection(_ body: @escaping @Sendable (OpaquePointer) throws -> Void) throws {
        guard isWriterFree else { return }
        try writeWithoutTransaction { try $0.impatiently(body) }
    }

    public func offerWriteConnection(_ body: @escaping @Sendable (OpaquePointer) throws -> Void) async throws {
        guard isWriterFree else { return }
        try await writeWithoutTransaction { try $0.impatiently(body) }
    }

    public var hasWaitingWriters: Bool {
        ((self as? DatabasePool)?.writerLineCount ?? (self as? DatabaseQueue)?.writerLineCount ?? 0) > 0
    }

    /// Whether a write would start at once, as far as this object can tell.
    private var isWriterFree: Bool {
        (self as? DatabasePool)?.isWriterFree ?? (self as? DatabaseQueue)?.isWriterFree ?? true
    }
}

extension Database {
    /// Runs `body` with a connection that does not wait for locks.
    fileprivate func impatiently(_ body: (OpaquePointer) throws -> Void) throws {
        isImpatient = true
        defer { isImpatient = false }
        try body(sqliteConnection)
    }
}

/// Calls a handler after commits, as long as it lives.
private final class CommitObservation: Sendable {
    private let handler: @Sendable () -> Void

    init(_ handler: @escaping @Sendable () -> Void) { self.handler = handler }

    /// What a connection stores.
    var relay: CommitRelay { CommitRelay(self) }

    fileprivate func didCommit() { handler() }

    final class CommitRelay: TransactionObserver {
        private weak var observation: CommitObservation?
        init(_ observation: CommitObservation) { self.observation = observation }
        func databaseDidCommit(_ db: Database) { observation?.didCommit() }
    }
}

/// Paths by which several connections can reach one database.
private enum SharedPath {
    static func canBeShared(_ path: String) -> Bool {
        if path.isEmpty || path == ":memory:" { return false }
        guard path.hasPrefix("file:") else { return true }
        let isInMemory = path.rest(after: "mode=memory") != nil && path.rest(after: "cache=shared") == nil
        return !path.hasPrefix("file::memory:") && !isInMemory
    }
}
