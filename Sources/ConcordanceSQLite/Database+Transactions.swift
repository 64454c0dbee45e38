import CConcordanceSQLite

/// How a transaction begins.
public enum TransactionKind: String, CaseIterable, Sendable {
    /// Takes its locks when it first reads, or writes.
    case deferred
    /// Takes the lock for writing at once.
    case immediate
    /// Keeps other connections from reading too, unless in WAL mode.
    case exclusive
}

/// How a transaction ends.
public enum TransactionCompletion: Sendable {
    /// Its changes stay: `COMMIT TRANSACTION`.
    case commit
    /// Its changes are undone: `ROLLBACK TRANSACTION`.
    case rollback
}

extension Database {
    /// Runs `block` in a transaction, and commits or rolls it back as the block returns; rolls it back when `block`, or
    /// the COMMIT, throws.
    ///
    /// - Parameter kind: Default: immediate, on a read-only connection deferred.
    /// - Throws: what `block` throws; SQLITE_ERROR where a transaction is open already (see `inSavepoint`);
    ///   SQLITE_CONSTRAINT_FOREIGNKEY where a deferred foreign key is violated; SQLITE_ABORT where an error has made SQLite
    ///   roll back in the middle, after which no statement of the block is executed.
    ///
    /// SQL: `BEGIN IMMEDIATE TRANSACTION`, then `COMMIT TRANSACTION` or `ROLLBACK TRANSACTION`.
    public func inTransaction(_ kind: TransactionKind? = nil, _ block: () throws -> TransactionCompletion) throws {
        let kind = kind ?? (isReadOnly ? .deferred : .immediate)
        try control("BEGIN \(kind.rawValue.uppercased()) TRANSACTION")
        isInTransactionBlock = true
        defer { isInTransactionBlock = false }
        do {
            let completion = try block()
            try checkTransactionBlock(nil)
            try control(completion == .commit ? "COMMIT TRANSACTION" : "ROLLBACK TRANSACTION")
        } catch {
            if isInsideTransaction { try? control("ROLLBACK TRANSACTION") }
            throw error
        }
    }

    /// Runs `block` in a savepoint, of which there can be several in one another and in a transaction; outside of a
    /// transaction, in one. What the block did is undone when it says so or throws.
    ///
    /// SQL: `SAVEPOINT concordance`, then `RELEASE SAVEPOINT concordance`, before it
    /// `ROLLBACK TRANSACTION TO SAVEPOINT concordance` where it is undone.
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
                try? control("ROLLBACK TRANSACTION TO SAVEPOINT concordance")
                try? control("RELEASE SAVEPOINT concordance")
            }
            throw error
        }
    }

    /// Throws SQLITE_ABORT in a transaction block whose transaction is gone, so that its statements do not take effect
    /// one by one.
    func checkTransactionBlock(_ sql: String?) throws {
        if isInTransactionBlock && !isInsideTransaction {
            throw DatabaseError(
                resultCode: .SQLITE_ABORT, message: "the transaction ended before its block did", sql: sql,
                advice: "An error, or the block itself, rolled it back or committed it: let the block end.")
        }
    }

    private func control(_ sql: String) throws { try cachedStatement(sql: sql).execute() }
}
