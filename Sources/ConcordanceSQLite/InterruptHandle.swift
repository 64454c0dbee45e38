import CConcordanceSQLite

/// Interrupts, from any thread, what a connection is doing; harmless once the connection is closed.
///
/// The connection is accessible only under the lock, which closing it also takes. SQLite allows `sqlite3_interrupt`
/// from any thread while the connection is open.
package final class InterruptHandle: Sendable {
    /// The pointer never leaves the lock, and is used only under it.
    private struct Target: @unchecked Sendable {
        var connection: OpaquePointer?
    }
    private let target: Locked<Target>

    init(_ connection: OpaquePointer) { target = Locked(Target(connection: connection)) }

    /// Makes the running statements fail with SQLITE_INTERRUPT; later ones are not affected.
    package func interrupt() {
        target.withLock {
            if let connection = $0.connection { csqlite_interrupt(connection) }
        }
    }

    /// Called before the connection is closed or returned.
    func invalidate() { target.withLock { $0.connection = nil } }
}
