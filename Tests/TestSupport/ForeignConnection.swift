import CConcordanceSQLite

/// A connection as another library opens it; it is closed with this object.
public final class ForeignConnection {
    public struct Failure: Error {
        public let code: Int32
    }

    public let pointer: OpaquePointer

    /// Opens a database file, and creates it if there is none.
    public init(path: String = ":memory:") throws {
        var connection: OpaquePointer?
        let code = csqlite_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        guard code == SQLITE_OK, let connection else {
            _ = csqlite_close_v2(connection)
            throw Failure(code: code)
        }
        pointer = connection
    }

    deinit { _ = csqlite_close_v2(pointer) }
}
