import ConcordanceSQLite

/// A flag that a task waits for: any thread raises it, any number of times, and the task that sees it lowers it.
///
/// However often it is raised between two waits, the second wait returns once; so bursts of commits coalesce.
final class ChangeSignal: Sendable {
    private struct State: Sendable {
        var isRaised = false
        /// More than one if copies of an iterator wait.
        var waiters: [CheckedContinuation<Void, Never>] = []

        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Locked(State())

    /// Resumes the waiting task, or lets the next wait return at once.
    func raise() {
        let waiters = state.withLock { state in
            state.isRaised = state.waiters.isEmpty
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Lowers the flag: what is read from now on includes what raised it.
    func lower() { state.withLock { $0.isRaised = false } }

    /// Waits until the flag is raised, and lowers it; throws `CancellationError` once the task is cancelled.
    func wait() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let goesOn = state.withLock { state in
                    // A task is marked cancelled before its handler runs: either this check sees it, or the handler
                    // comes later and wakes the waiter.
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
            // Waiters that were not cancelled check once more and wait again.
            for waiter in state.withLock({ $0.takeWaiters() }) { waiter.resume() }
        }
        try Task.checkCancellation()
    }
}
