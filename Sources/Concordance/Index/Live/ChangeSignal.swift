/// A flag that one task waits for: raised by any thread, any number of times, lowered by the task that sees it.
///
/// However often it is raised between two waits, the second one returns once: that is how bursts of commits coalesce.
final class ChangeSignal: Sendable {
    private struct State: Sendable {
        var isRaised = false
        var isCancelled = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    /// Lets the waiting task go on, or the next wait return at once.
    func raise() {
        let waiter = state.withLock { state in
            state.isRaised = state.waiter == nil
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Forgets what was raised so far: what is read from now on includes it.
    func lower() { state.withLock { $0.isRaised = false } }

    /// Waits until the flag is raised, and lowers it; throws `CancellationError` once the task is cancelled.
    func wait() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let goesOn = state.withLock { state in
                    if state.isRaised || state.isCancelled {
                        state.isRaised = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.isCancelled = true
                return state.waiter.take()
            }
            waiter?.resume()
        }
        try Task.checkCancellation()
    }
}

extension Optional {
    /// The value, which is nil afterwards.
    fileprivate mutating func take() -> Wrapped? {
        defer { self = nil }
        return self
    }
}
