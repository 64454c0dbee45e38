/// What queues and pools wrap around the closures they run.
extension Database {
    /// Runs `body` in a transaction, committed when it returns, unless `access` was cancelled by then.
    func inTransaction<Value>(
        _ kind: TransactionKind, for access: Access?, _ body: (Database) throws -> Value
    ) throws -> Value {
        var result: Result<Value, any Error>?
        try inTransaction(kind) {
            let value = try body(self)
            try access?.decide()
            result = .success(value)
            return .commit
        }
        guard let result else {
            throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "a transaction did not run")
        }
        return try result.get()
    }

    /// Runs `body` in a read transaction in which statements that would write throw `SQLITE_READONLY`.
    func refusingWrites<Value>(
        inTransactionFor access: Access?, _ body: (Database) throws -> Value
    ) throws -> Value {
        try inTransaction(.deferred, for: access) { db in
            refusesWrites = true
            defer { refusesWrites = false }
            return try body(db)
        }
    }

    /// Fixes the state that the open deferred transaction reads, which its first statement would otherwise do.
    func takeSnapshot() throws {
        _ = try Int.fetchOne(self, sql: "SELECT count(*) FROM (SELECT 1 FROM sqlite_schema LIMIT 1)")
    }

    /// Throws in code that kept a `Database` longer than the closure that received it.
    func checkAccess() throws {
        guard isAtRest else { return }
        throw DatabaseError.misuse(
            "a Database, or a Statement, was used after the closure that received it had returned",
            advice: "Use it only within the closure, and return values from there.")
    }

    func requireNoTransaction() throws {
        guard isInsideTransaction else { return }
        throw DatabaseError.misuse(
            "a concurrent read was requested inside a transaction, whose changes it could not see",
            advice: "Request it after the commit, within writeWithoutTransaction { }.")
    }

    /// Throws `CancellationError` if the task for which a queue or a pool runs this access has been cancelled: for long
    /// computations between statements. (SQLite's statements are interrupted without it.)
    package func checkCancellation() throws {
        if HeldConnection.first(where: \.isCancelled) != nil { throw CancellationError() }
    }
}

extension DatabaseError {
    static func reentrantAccess(to name: String) -> DatabaseError {
        misuse(
            "\(name) was accessed from within another access on the same thread, which would wait for itself",
            advice: "Use the closure's own db, or unsafeReentrantRead / unsafeReentrantWrite.")
    }

    static func closedConnection(_ name: String) -> DatabaseError {
        misuse("\(name) is closed", advice: "Open the database again.")
    }

    static func noWriteAccess(spawnConcurrentRead path: String) -> DatabaseError {
        misuse(
            "spawnConcurrentRead was called outside a write access to \(path)",
            advice: "Call it within writeWithoutTransaction { }.")
    }
}
