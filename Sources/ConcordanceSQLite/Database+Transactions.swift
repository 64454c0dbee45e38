import CConcordanceSQLite

/// How a transaction begins.
public enum TransactionKind: String, CaseIterable, Sendable {
    /// Takes its locks when it first reads or writes.
    case deferred
    /// Takes the write lock at once.
    case immediate
    /// Keeps other connections from reading, too, except in WAL mode.
    case exclusive
}

/// How a transaction ends.
public enum TransactionCompletion: Sendable {
    /// Keeps its changes: `COMMIT TRANSACTION`.
    case commit
    /// Undoes its changes: `ROLLBACK TRANSACTION`.
    case rollback
}

extension Database {
    /// Runs `block` in a transaction, which is committed or rolled back as the block says, and rolled back if the block
    /// or the COMMIT throws.
    ///
    /// - Parameters:
    ///   - kind: By default immediate; deferred on a read-only connection.
    ///   - block: Makes changes, and returns whether they are committed or rolled back.
    /// - Throws: the error of `block`; SQLITE_ERROR if a transaction is already open (see `inSavepoint`);
    ///   SQLITE_CONSTRAINT_FOREIGNKEY if a deferred foreign key is violated; SQLITE_ABORT if an error has made SQLite
    ///   roll back in the middle, after which no statement of the block is executed.
    ///
    /// SQL: `BEGIN IMMEDIATE TRANSACTION`, then `COMMIT TRANSACTION` or `ROLLBACK TRANSACTION`.
    public func inTransaction(_ kind: TransactionKind? = nil, _ block: () throws -> TransactionCompletion) throws {
        let kind = kind ?? (isReadOnly ? .deferred : .immediate)
        try control("BEGIN \(kind.rawValue.uppercased()) TRANSACTION")
        isInTransactionBlock = true
        hasFailedUndo = false
        defer { isInTransactionBlock = false }
        do {
            let completion = try block()
            try checkTransactionBlock(nil)
            try control(completion == .commit ? "COMMIT TRANSACTION" : "ROLLBACK TRANSACTION")
        } catch {
            hasFailedUndo = false
            if isInsideTransaction { try? control("ROLLBACK TRANSACTION") }
            throw error
        }
    }

    /// Runs `block` in a savepoint. Savepoints can be nested in each other and in a transaction; outside a transaction,
    /// this is `inTransaction(_:_:)`. What the block did is undone if it says so or throws.
    ///
    /// SQL: `SAVEPOINT concordance`, then `RELEASE SAVEPOINT concordance`, preceded by `ROLLBACK TRANSACTION TO
    /// SAVEPOINT concordance` to undo it.
    public func inSavepoint(_ block: () throws -> TransactionCompletion) throws {
        guard isInsideTransaction else { return try inTransaction(nil, block) }
        try control("SAVEPOINT concordance")
        do {
            let completion = try block()
            if completion == .rollback { try control("ROLLBACK TRANSACTION TO SAVEPOINT concordance") }
            try control("RELEASE SAVEPOINT concordance")
        } catch {
            // SQLite may have rolled back the whole transaction, and the savepoint with it.
            if isInsideTransaction {
                do {
                    try control("ROLLBACK TRANSACTION TO SAVEPOINT concordance")
                    try control("RELEASE SAVEPOINT concordance")
                } catch {
                    // After an interrupt SQLite executes nothing while another statement is in the middle of its rows.
                    hasFailedUndo = true
                }
            }
            throw error
        }
    }

    /// Throws SQLITE_ABORT in a transaction block whose transaction has ended, so that its statements do not take
    /// effect one by one, or in which the changes of a savepoint could not be undone.
    func checkTransactionBlock(_ sql: String?) throws {
        if isInTransactionBlock && hasFailedUndo {
            throw DatabaseError(
                resultCode: .SQLITE_ABORT, message: "a savepoint of the transaction could not be undone", sql: sql,
                advice: "The rollback was interrupted while another statement was reading. Let the block end.")
        }
        if isInTransactionBlock && !isInsideTransaction {
            throw DatabaseError(
                resultCode: .SQLITE_ABORT, message: "the transaction ended before its block did", sql: sql,
                advice: "An error, or the block itself, committed it or rolled it back. Let the block end.")
        }
    }

    private func control(_ sql: String) throws { try cachedStatement(sql: sql).execute() }
}
