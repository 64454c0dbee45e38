import CConcordanceSQLite

/// Stops, from any thread, what a connection is doing; harmless once the connection is closed.
///
/// The connection is reachable only under the lock, which closing it takes too. SQLite allows `sqlite3_interrupt` from
/// any thread while the connection is open.
public final class InterruptHandle: Sendable {
    /// The pointer never leaves the lock, under which alone it is used.
    private struct Target: @unchecked Sendable {
        var connection: OpaquePointer?
    }
    private let target: Locked<Target>

    init(_ connection: OpaquePointer) { target = Locked(Target(connection: connection)) }

    /// Makes the statements that run now fail with SQLITE_INTERRUPT; those begun later are not concerned.
    public func interrupt() {
        target.withLock {
            if let connection = $0.connection { csqlite_interrupt(connection) }
        }
    }

    /// Called before the connection is closed or given back.
    func invalidate() { target.withLock { $0.connection = nil } }
}
