import CConcordanceSQLite

extension Database {
    /// Throws what the failed call that returned `code` deserves.
    package func check(_ code: Int32, sql: String? = nil) throws {
        if code != SQLITE_OK { throw error(code, sql: sql) }
    }

    /// What to throw for a call of SQLite that has just returned `code`: the error that a callback threw in it, as it
    /// was thrown; otherwise SQLite's own.
    package func error(_ code: Int32, sql: String? = nil, offset: Int? = nil) -> any Error {
        if let pending = state.pendingError {
            state.pendingError = nil
            return pending
        }
        return databaseError(code, sql: sql, offset: offset)
    }

    private func databaseError(_ code: Int32, sql: String?, offset: Int?) -> DatabaseError {
        // The connection describes its latest error only, which may be another than this one.
        guard let handle, csqlite_errcode(handle) & 0xFF == code & 0xFF else {
            let message = csqlite_errstr(code).map { String(cString: $0) }
            return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql, offset: offset)
        }
        let extended = csqlite_extended_errcode(handle)
        return DatabaseError(
            resultCode: ResultCode(rawValue: extended & 0xFF == code & 0xFF ? extended : code),
            message: csqlite_errmsg(handle).map { String(cString: $0) }, sql: sql, offset: offset)
    }

    /// Keeps what a callback threw, which then returns SQLITE_ERROR: the statement that fails with that throws it on.
    /// Each execution begins without; a connection that has no `Database` keeps nothing.
    package static func setPendingCallbackError(_ error: any Error, on connection: OpaquePointer?) {
        guard let connection else { return }
        ConnectionState.of(connection)?.pendingError = (error as? CallbackError)?.cause ?? error
    }

    /// Before a call in which callbacks may fail, where no execution of this library began: the statement that runs may be
    /// another library's.
    package static func forgetPendingCallbackError(on connection: OpaquePointer) {
        ConnectionState.of(connection)?.pendingError = nil
    }
}

/// An error of a callback that SQLite's message tells in other words than Swift: programs in other languages match on
/// the message, while the caller of the statement gets the cause.
package struct CallbackError: Error {
    package var message: String
    package var cause: any Error

    package init(message: String, cause: any Error) {
        self.message = message
        self.cause = cause
    }
}
