import CConcordanceSQLite

extension Database {
    /// Throws the error of a failed call that returned `code`.
    package func check(_ code: Int32, sql: String? = nil) throws {
        if code != SQLITE_OK { throw error(code, sql: sql) }
    }

    /// The error of a call of SQLite that has just returned `code`: the unchanged error that a callback threw in it;
    /// otherwise SQLite's own.
    package func error(_ code: Int32, sql: String? = nil, offset: Int? = nil) -> any Error {
        if let pending = state.pendingError {
            state.pendingError = nil
            return pending
        }
        return databaseError(code, sql: sql, offset: offset)
    }

    private func databaseError(_ code: Int32, sql: String?, offset: Int?) -> DatabaseError {
        // The connection describes only its latest error, which may be a different one.
        guard let handle, csqlite_errcode(handle) & 0xFF == code & 0xFF else {
            let message = csqlite_errstr(code).map { String(cString: $0) }
            return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql, offset: offset)
        }
        let extended = csqlite_extended_errcode(handle)
        return DatabaseError(
            resultCode: ResultCode(rawValue: extended & 0xFF == code & 0xFF ? extended : code),
            message: csqlite_errmsg(handle).map { String(cString: $0) }, sql: sql, offset: offset)
    }

    /// Stores the error that a callback threw before returning SQLITE_ERROR: the statement that fails with that code
    /// rethrows it. Each execution starts without a stored error; for a connection without a `Database`, nothing is
    /// stored.
    package static func setPendingCallbackError(_ error: any Error, on connection: OpaquePointer?) {
        guard let connection else { return }
        ConnectionState.of(connection)?.pendingError = (error as? CallbackError)?.cause ?? error
    }

    /// Call this before SQLite calls in which callbacks may fail, if no execution of this library has started: the
    /// running statement may be another library's.
    package static func forgetPendingCallbackError(on connection: OpaquePointer) {
        ConnectionState.of(connection)?.pendingError = nil
    }
}

/// An error of a callback for which SQLite's message differs from Swift's: programs in other languages match on the
/// message, while the statement's caller gets the cause.
package struct CallbackError: Error {
    package var message: String
    package var cause: any Error

    package init(message: String, cause: any Error) {
        self.message = message
        self.cause = cause
    }
}
