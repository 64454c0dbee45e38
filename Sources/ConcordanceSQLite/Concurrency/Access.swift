/// One use of a database by a task. It carries the task's cancellation to wherever the use currently is.
///
///     waiting in line ──▶ running ──▶ committing, done
///      cancel: leaves      cancel: interrupts      cancel: no effect
final class Access: Sendable {
    private struct Place: Sendable {
        let pool: ConnectionPool
        let ticket: UInt64
    }

    private struct State: Sendable {
        var isCancelled = false
        /// Nothing is undone any more: the transaction is about to be committed, or the use has ended.
        var isDecided = false
        var place: Place?
        var running: InterruptHandle?
    }

    private let state = Locked(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Leaves the line, or interrupts the statement that runs on this access's connection.
    func cancel() {
        let place: Place? = state.withLock { state in
            guard !state.isDecided else { return nil }
            state.isCancelled = true
            // Under the lock that `end` takes before the connection goes to the next access, so an interrupt never
            // comes late.
            state.running?.interrupt()
            return state.place
        }
        if let place { place.pool.leave(place.ticket) }
    }

    /// Notes the place in line. Returns false if the access is already cancelled and must not wait.
    func wait(in pool: ConnectionPool, ticket: UInt64) -> Bool {
        state.withLock { state in
            state.place = Place(pool: pool, ticket: ticket)
            return !state.isCancelled
        }
    }

    /// From here to `end`, a cancellation interrupts `handle`'s connection.
    func begin(_ handle: InterruptHandle) throws {
        try state.withLock { state in
            state.place = nil
            if state.isCancelled { throw CancellationError() }
            state.running = handle
        }
    }

    /// The last moment at which a cancellation counts: throws if there was one, and makes later ones ineffective.
    func decide() throws {
        try state.withLock { state in
            if state.isCancelled { throw CancellationError() }
            state.isDecided = true
            state.running = nil
        }
    }

    func end() {
        state.withLock { $0.running = nil }
    }
}
