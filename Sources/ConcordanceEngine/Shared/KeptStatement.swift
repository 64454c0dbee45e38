import CConcordanceSQLite
import ConcordanceSQLite

/// A compiled statement that a virtual table keeps for its own storage.
///
/// It knows the connection only. A `Statement` keeps its `Database` alive, the connection of which keeps its virtual
/// tables alive: neither would ever go. A table's statements are finalized when SQLite disconnects the table, which is
/// before the connection is gone, so the pointer is good as long as the table is.
package final class KeptStatement {
    package let connection: OpaquePointer
    private let handle: OpaquePointer
    private let access: Access
    /// Whether it has been stepped since it was reset.
    private var isRunning = false

    /// What the SQL may read.
    package enum Access {
        /// Ordinary tables only: shadow tables, in whose names a hostile schema could put a virtual table.
        case tables
        /// Virtual tables and views too: the user's content.
        case anything
    }

    /// - Throws: what SQLite, or a virtual table that it asks, says of the SQL.
    package init(_ connection: OpaquePointer, _ sql: String, access: Access = .tables) throws {
        var handle: OpaquePointer?
        Self.begin(access, on: connection)
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT) | (access == .tables ? UInt32(SQLITE_PREPARE_NO_VTAB) : 0)
        let code = csqlite_prepare_v3(connection, sql, -1, flags, &handle, nil)
        guard code == SQLITE_OK, let handle else { throw Self.error(code, on: connection, access) }
        self.connection = connection
        self.handle = handle
        self.access = access
    }

    deinit { csqlite_finalize(handle) }

    /// What went wrong in the call that returned `code`, as SQLite or a callback of it says.
    static func error(_ code: Int32, on connection: OpaquePointer, _ access: Access = .anything) -> any Error {
        guard code != SQLITE_OK else { return failure("the statement is empty") }
        // Where no callback of ours can have failed, what one threw before, in a statement that another library
        // executed on the connection, is not the cause.
        if access == .tables {
            let isLatest = csqlite_errcode(connection) & 0xFF == code & 0xFF
            let text = isLatest ? csqlite_errmsg(connection) : csqlite_errstr(code)
            return DatabaseError(
                resultCode: ResultCode(rawValue: isLatest ? csqlite_extended_errcode(connection) : code),
                message: text.map { String(cString: $0) })
        }
        guard let database = try? Database.from(connection) else {
            return DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        return database.error(code)
    }

    /// What a callback threw in an earlier statement, which may be another library's, is not why this one fails.
    private static func begin(_ access: Access, on connection: OpaquePointer) {
        if access == .anything { Database.forgetPendingCallbackError(on: connection) }
    }

    // MARK: - Arguments, numbered from 1

    package func bind(_ value: Int64, at index: Int32) throws { try check(csqlite_bind_int64(handle, index, value)) }

    /// How many arguments it takes.
    package var parameterCount: Int { Int(csqlite_bind_parameter_count(handle)) }

    /// Binds a copy of a value, with its type.
    package func bind(_ value: BorrowedValue, at index: Int32) throws {
        try check(csqlite_bind_value(handle, index, value.pointer))
    }

    /// Binds a copy of a text.
    package func bind(_ text: String, at index: Int32) throws {
        var text = text
        try text.withUTF8 { utf8 in
            try utf8.withMemoryRebound(to: CChar.self) {
                try check(csqlite_bind_text_copy(handle, index, $0.baseAddress, UInt64($0.count)))
            }
        }
    }

    /// Binds bytes that stay where they are until the statement is reset.
    func bind(blob: UnsafeRawBufferPointer, at index: Int32) throws {
        guard let start = blob.baseAddress, blob.count > 0 else {
            return try check(csqlite_bind_zeroblob64(handle, index, 0))
        }
        try check(csqlite_bind_blob_static(handle, index, start, UInt64(blob.count)))
    }

    // MARK: - Execution

    /// Moves to the first or next row; false after the last one, when the statement is reset.
    package func step() throws -> Bool {
        if !isRunning {
            Self.begin(access, on: connection)
            isRunning = true
        }
        let code = csqlite_step(handle)
        if code == SQLITE_ROW { return true }
        let failure = code == SQLITE_DONE ? nil : Self.error(code, on: connection, access)
        reset()
        if let failure { throw failure }
        return false
    }

    /// Executes it, drops its rows, and resets it.
    package func execute() throws {
        while try step() {}
    }

    /// Ends the execution; the arguments stay.
    package func reset() {
        csqlite_reset(handle)
        isRunning = false
    }

    /// Ends the execution and releases the arguments, as a blob bound in place requires.
    package func clear() {
        reset()
        csqlite_clear_bindings(handle)
    }

    // MARK: - The row, columns numbered from 0

    package var columnCount: Int { Int(csqlite_column_count(handle)) }

    package func int64(at column: Int32) -> Int64 { csqlite_column_int64(handle, column) }

    /// A value, good until the next step.
    package func value(at column: Int32) -> BorrowedValue { BorrowedValue(csqlite_column_value(handle, column)) }

    /// Gives `body` the bytes of a blob or text; they are gone with the row.
    func withBytes<Result>(at column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let bytes = csqlite_column_blob(handle, column)
        let count = bytes == nil ? 0 : Int(csqlite_column_bytes(handle, column))
        return try body(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// The same for a blob only; throws SQLITE_CORRUPT_VTAB for any other value.
    func withBlob<Result>(at column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        guard csqlite_column_type(handle, column) == SQLITE_BLOB else {
            throw corrupt("a row of the index holds no blob")
        }
        return try withBytes(at: column) { bytes in
            // SQLite also returns no bytes of a blob when memory runs out.
            if bytes.isEmpty, csqlite_errcode(connection) == SQLITE_NOMEM {
                throw Self.error(SQLITE_NOMEM, on: connection, access)
            }
            return try body(bytes)
        }
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw Self.error(code, on: connection, access) }
    }
}
