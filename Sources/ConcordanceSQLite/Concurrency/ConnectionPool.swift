import Dispatch

/// A fixed number of connections, each lent to one access at a time, first come, first served.
///
///     acquire ─▶ [idle: c0 c2] ─▶ run ─▶ release
///        └── none idle ─▶ [line: t7 t8 t9] ──┘
///
/// Synchronous callers block their own thread in line. Asynchronous ones hold no thread there, and run on the
/// connection's Dispatch queue, never on the cooperative pool. Both wait in the same line. Each operation takes
/// constant time, except for compaction after cancellations, which is amortized.
final class ConnectionPool: Sendable {
    typealias Lease = [PooledConnection]
    typealias Turn = @Sendable (Result<Lease, any Error>) -> Void

    private struct State: Sendable {
        /// Used as a stack, so that the caches in use stay warm.
        var idle: [PooledConnection]
        var line = WaitingLine()
        var nextTicket: UInt64 = 0
        var isClosed = false
    }

    let connections: [PooledConnection]
    private let name: String
    private let state: Locked<State>

    /// - Parameters:
    ///   - setups: What to run on each connection before its next use.
    ///   - keepsTransaction: Whether a transaction that is open at the end of an access stays open.
    ///   - open: Opens a connection; called when a connection is first needed.
    init(
        name: String, count: Int, setups: ConnectionSetups, keepsTransaction: Bool = false,
        open: @escaping @Sendable () throws -> Database
    ) {
        self.name = name
        connections = (0..<max(1, count)).map { _ in
            PooledConnection(name: name, setups: setups, keepsTransaction: keepsTransaction, open: open)
        }
        state = Locked(State(idle: connections.reversed()))
    }

    /// The connection of this pool that the current thread is using.
    var heldConnection: PooledConnection? {
        HeldConnection.first { held in connections.contains { $0 === held } }
    }

    /// Whether waiting for a connection would be waiting for the current thread.
    var isHeldByThisThread: Bool {
        HeldConnection.first(includingBarriers: true) { held in connections.contains { $0 === held } } != nil
    }

    /// The number of accesses waiting in line.
    var waitingCount: Int { state.withLock { $0.line.count } }

    /// The number of lent connections.
    var heldCount: Int { connections.count - state.withLock { $0.idle.count } }

    // MARK: - The line

    /// Borrows `count` connections, waiting on this thread for its turn.
    ///
    /// - Throws: `DatabaseError` if this thread would wait for itself, or the pool is closed; `CancellationError` if
    ///   `access` is cancelled.
    func acquire(_ count: Int = 1, for access: Access? = nil) throws -> Lease {
        guard !isHeldByThisThread else { throw DatabaseError.reentrantAccess(to: name) }
        let semaphore = DispatchSemaphore(value: 0)
        let turn = Locked<Result<Lease, any Error>?>(nil)
        let outcome = enter(count, for: access) { outcome in
            turn.withLock { $0 = outcome }
            semaphore.signal()
        }
        if let outcome { return try outcome.get() }
        semaphore.wait()
        return try turn.withLock { turn in
            defer { turn = nil }
            return try (turn ?? .failure(CancellationError())).get()
        }
    }

    /// Takes `count` connections if they are free and nobody is waiting; otherwise joins the line, and later calls
    /// `turn` once, on whichever thread makes it this caller's turn.
    private func enter(_ count: Int, for access: Access?, turn: @escaping Turn) -> Result<Lease, any Error>? {
        state.withLock { state in
            if state.isClosed { return .failure(DatabaseError.closedConnection(name)) }
            let ticket = state.nextTicket
            state.nextTicket &+= 1
            if let access, !access.wait(in: self, ticket: ticket) { return .failure(CancellationError()) }
            if state.line.isEmpty, let lease = state.idle.popLast(count) { return .success(lease) }
            state.line.append(WaitingLine.Waiter(count: count, turn: turn), ticket: ticket)
            return nil
        }
    }

    /// Returns connections, and lets those at the front of the line have their turn.
    func release(_ lease: Lease) {
        giveTurns { $0.idle.append(contentsOf: lease) }
    }

    /// Removes a waiting access from the line; its turn is a `CancellationError`. No effect if it has had its turn.
    func leave(_ ticket: UInt64) {
        var turn: Turn?
        // The leaving access may have wanted several connections, and so kept accesses waiting that want fewer.
        giveTurns { turn = $0.line.remove(ticket)?.turn }
        turn?(.failure(CancellationError()))
    }

    private func giveTurns(after change: (inout State) -> Void) {
        let turns = state.withLock { state in
            change(&state)
            var turns: [(Turn, Lease)] = []
            while let count = state.line.first?.count, let lease = state.idle.popLast(count),
                let waiter = state.line.popFirst()
            {
                turns.append((waiter.turn, lease))
            }
            return turns
        }
        for (turn, lease) in turns { turn(.success(lease)) }
    }

    // MARK: - Running

    /// Runs `body` with a connection, on this thread.
    func run<Value>(access: Access? = nil, _ body: (Database) throws -> Value) throws -> Value {
        let lease = try acquire(for: access)
        defer { release(lease) }
        return try lease[0].run(for: access, body)
    }

    /// Runs `body` with a connection on one of Dispatch's threads, and suspends until then. Cancelling the task removes
    /// the access from the line, or interrupts its connection.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (Database, Access) throws -> Value
    ) async throws -> Value {
        let access = Access()
        let quality = DispatchQoS(Task.currentPriority)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
                let turn: Turn = { outcome in
                    switch outcome {
                    case .failure(let error): continuation.resume(throwing: error)
                    case .success(let lease):
                        lease[0].dispatchQueue.async(qos: quality) {
                            let result = Result { try lease[0].run(for: access) { try body($0, access) } }
                            self.release(lease)
                            continuation.resume(with: result)
                        }
                    }
                }
                if let outcome = enter(1, for: access, turn: turn) { turn(outcome) }
            }
        } onCancel: {
            access.cancel()
        }
    }

    /// Runs `body` on this thread while nobody uses any connection of the pool; later accesses wait.
    func barrier<Value>(access: Access? = nil, _ body: () throws -> Value) throws -> Value {
        let lease = try acquire(connections.count, for: access)
        defer { release(lease) }
        return try HeldConnection.holding(lease[0], isBarrier: true, body)
    }

    /// Runs `body` on one of Dispatch's threads with a connection that this caller has acquired, and releases it.
    func spawn(_ lease: Lease, _ body: @escaping @Sendable (PooledConnection) -> Void) {
        lease[0].dispatchQueue.async {
            body(lease[0])
            self.release(lease)
        }
    }

    // MARK: - All connections

    /// Interrupts the statements that run now.
    func interrupt() {
        for connection in connections { connection.interrupt() }
    }

    /// Refuses new accesses, waits for those in line and those running, and closes the connections.
    ///
    /// Closing twice has no effect.
    func close() throws {
        guard !isHeldByThisThread else { throw DatabaseError.reentrantAccess(to: name) }
        let lease: Lease
        do {
            lease = try acquire(connections.count)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_MISUSE {
            return
        }
        // Accesses that joined the line between the barrier and here are refused when their turn comes.
        let refused = state.withLock { state in
            state.isClosed = true
            return state.line.removeAll()
        }
        for waiter in refused { waiter.turn(.failure(DatabaseError.closedConnection(name))) }
        var failure: (any Error)?
        for connection in lease {
            do { try connection.close() } catch { failure = failure ?? error }
        }
        release(lease)
        if let failure { throw failure }
    }

    /// Closes the unused connections; they open again when needed.
    func closeIdle() {
        let lease = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for connection in lease { try? connection.close() }
        release(lease)
    }
}

extension Array where Element == PooledConnection {
    /// Removes and returns the last `count` elements; nil if there are fewer.
    fileprivate mutating func popLast(_ count: Int) -> [PooledConnection]? {
        guard self.count >= count else { return nil }
        defer { removeLast(count) }
        return Array(suffix(count))
    }
}

extension DispatchQoS {
    fileprivate init(_ priority: TaskPriority) {
        switch priority {
        case .high...: self = .userInitiated
        case .medium...: self = .default
        case .low...: self = .utility
        default: self = .background
        }
    }
}
