/// Statements of a queue's or pool's connection, released by threads that do not hold it.
///
/// The next thread that holds it frees them. Once it is closed, one thread at a time does, since SQLite keeps a closed connection
/// until its last statement is freed.
final class EscapedStatements: Sendable {
    private struct State {
        var statements: [PreparedStatement] = []
        var isClosed = false
        /// Whether a thread frees those of the closed connection.
        var isFreeing = false
    }

    // The statements are passed only to the thread that frees them.
    private let state = Locked(State())

    /// Keeps a statement until it can be freed.
    func keep(_ statement: PreparedStatement) {
        state.withLock { $0.statements.append(statement) }
        freeIfClosed()
    }

    /// Removes and returns them. The caller holds the connection, and frees them once nothing is locked: freeing a statement can
    /// free a virtual table, which releases statements.
    func take() -> [PreparedStatement] {
        state.withLock { state in
            if state.statements.isEmpty { return [] }
            defer { state.statements = [] }
            return state.statements
        }
    }

    /// Frees them. The connection has been closed.
    func close() {
        state.withLock { $0.isClosed = true }
        freeIfClosed()
    }

    private func freeIfClosed() {
        let isFirst = state.withLock { state in
            guard state.isClosed, !state.isFreeing else { return false }
            state.isFreeing = true
            return true
        }
        guard isFirst else { return }
        while freeSome() {}
    }

    /// Frees those that are there; false, with an end to freeing, if there are none.
    private func freeSome() -> Bool {
        let statements = state.withLock { state in
            defer { state.statements = [] }
            if state.statements.isEmpty { state.isFreeing = false }
            return state.statements
        }
        return !statements.isEmpty
    }
}

extension Database {
    /// Whether this thread may use the connection: it is not a queue's or pool's, or the thread holds it.
    var isHeld: Bool {
        escapedStatements == nil || HeldConnection.first(includingBarriers: true) { $0.database === self } != nil
    }

    /// Frees the statements that were released by threads that did not hold the connection.
    func freeEscapedStatements() {
        guard let statements = escapedStatements?.take() else { return }
        for statement in statements { reset(statement.handle) }
    }
}
