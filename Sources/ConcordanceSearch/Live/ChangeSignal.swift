import ConcordanceSQLite

/// A flag that a task waits for: raised by any thread, any number of times, lowered by the task that sees it.
///
/// However often it is raised between two waits, the second one returns once: that is how bursts of commits coalesce.
final class ChangeSignal: Sendable {
    private struct State: Sendable {
        var isRaised = false
        /// More than one where copies of an iterator wait.
        var waiters: [CheckedContinuation<Void, Never>] = []

        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Locked(State())

    /// Lets the waiting task go on, or the next wait return at once.
    func raise() {
        let waiters = state.withLock { state in
            state.isRaised = state.waiters.isEmpty
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Forgets what was raised so far: what is read from now on includes it.
    func lower() { state.withLock { $0.isRaised = false } }

    /// Waits until the flag is raised, and lowers it; throws `CancellationError` once the task is cancelled.
    func wait() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let goesOn = state.withLock { state in
                    // A task is cancelled before its handler runs, which so either comes later or is seen here.
                    if state.isRaised || Task.isCancelled {
                        state.isRaised = false
                        return true
                    }
                    state.waiters.append(continuation)
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            // One that was not cancelled looks once more in vain.
            for waiter in state.withLock({ $0.takeWaiters() }) { waiter.resume() }
        }
        try Task.checkCancellation()
    }
}
