import ConcordanceSQLite
import CSQLite

/// A statement over `<t>_data`, compiled at its first use and kept.
///
/// A `Statement` would keep its `Database` alive, and a table must not do that to the connection that it belongs to.
final class BlockStatement {
    private let connection: OpaquePointer
    private let sql: String
    private var handle: OpaquePointer?

    init(_ connection: OpaquePointer, _ sql: String) {
        self.connection = connection
        self.sql = sql
    }

    deinit { csqlite_finalize(handle) }

    /// Begins an execution with integers for the first parameters.
    func begin(_ first: Int64? = nil, _ second: Int64? = nil) throws {
        let handle = try compiled()
        if let first { try check(csqlite_bind_int64(handle, 1, first)) }
        if let second { try check(csqlite_bind_int64(handle, 2, second)) }
    }

    /// Binds bytes that stay where they are until `end()`.
    func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) throws {
        try check(
            bytes.isEmpty
                ? csqlite_bind_zeroblob64(handle, index, 0)
                : csqlite_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil))
    }

    /// Goes to the next row; false when there is none.
    func step() throws -> Bool {
        let code = csqlite_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        let failure = error(code)
        csqlite_reset(handle)
        throw failure
    }

    /// Ends the execution; harmless when there is none.
    func end() { csqlite_reset(handle) }

    /// An integer of the current row.
    func int64(at index: Int32) -> Int64 { csqlite_column_int64(handle, index) }

    /// Calls `body` with the bytes of a blob of the current row; throws SQLITE_CORRUPT_VTAB for any other value.
    func withBlob<Result>(at index: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        guard csqlite_column_type(handle, index) == SQLITE_BLOB else {
            throw corrupt("a row of the index holds no blob")
        }
        let start = csqlite_column_blob(handle, index)
        let count = Int(csqlite_column_bytes(handle, index))
        // SQLite gives a null pointer for an empty blob, and when memory runs out.
        guard start != nil || count == 0 else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
        return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    private func compiled() throws -> OpaquePointer {
        if let handle { return handle }
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT | SQLITE_PREPARE_NO_VTAB)
        try check(csqlite_prepare_v3(connection, sql, -1, flags, &handle, nil))
        guard let handle else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
        return handle
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw error(code) }
    }

    private func error(_ code: Int32) -> DatabaseError {
        let isLatest = csqlite_errcode(connection) & 0xFF == code & 0xFF
        let message = isLatest ? csqlite_errmsg(connection) : csqlite_errstr(code)
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message.map { String(cString: $0) })
    }
}
