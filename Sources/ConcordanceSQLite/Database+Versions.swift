import CConcordanceSQLite

extension Database {
    /// A number that differs after each commit to the main database, by this connection or another
    /// (`SQLITE_FCNTL_DATA_VERSION`), for as long as the connection is open.
    ///
    /// nil if the connection may read something else than what was committed then: outside a read transaction, and
    /// while it writes to any of its databases.
    package var committedVersion: UInt32? {
        guard let handle, csqlite_txn_state(handle, "main") == SQLITE_TXN_READ,
            csqlite_txn_state(handle, nil) == SQLITE_TXN_READ
        else { return nil }
        var version: UInt32 = 0
        let code = csqlite_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return code == SQLITE_OK ? version : nil
    }
}

/// One compilation of a statement.
///
/// SQLite compiles a statement again if a schema has changed, or a function or collation was replaced; it notices this
/// at the first step of an execution.
package struct StatementCompilation {
    fileprivate weak var prepared: PreparedStatement?
    fileprivate let number: Int32
}

extension Statement {
    /// The compilation that the last step executed.
    package var compilation: StatementCompilation {
        StatementCompilation(prepared: prepared, number: compilationNumber)
    }

    /// Whether the last step executed exactly this compilation.
    package func isCompiled(as compilation: StatementCompilation) -> Bool {
        compilation.prepared === prepared && compilation.number == compilationNumber
    }

    private var compilationNumber: Int32 { csqlite_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0) }
}
