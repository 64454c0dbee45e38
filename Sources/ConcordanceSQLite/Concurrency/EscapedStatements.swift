/// The statements of a queue's or pool's connection that threads have released that do not hold it. The next thread that does
/// frees them.
///
/// Sendable because the statements are passed only to a thread that holds their connection.
final class EscapedStatements: Sendable {
    /// Nil once the connection is closed.
    private let statements = Locked<[PreparedStatement]?>([])

    /// Keeps a statement until it can be freed; false once the connection is closed.
    func keep(_ statement: PreparedStatement) -> Bool {
        statements.withLock { statements in
            statements?.append(statement)
            return statements != nil
        }
    }

    /// Removes and returns them. The caller holds the connection, and frees them once nothing is locked: freeing a statement can
    /// free a virtual table, which releases statements.
    func take() -> [PreparedStatement] {
        statements.withLock { statements in
            defer { if statements?.isEmpty == false { statements = [] } }
            return statements ?? []
        }
    }

    /// Keeps no more of them, and returns those that are left.
    func close() -> [PreparedStatement] {
        statements.withLock { statements in
            defer { statements = nil }
            return statements ?? []
        }
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
