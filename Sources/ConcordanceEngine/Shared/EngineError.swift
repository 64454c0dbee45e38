import ConcordanceSQLite

/// The error for stored bytes that are not what the format says: SQLITE_CORRUPT_VTAB with a sentence.
func corrupt(_ sentence: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT_VTAB, message: sentence)
}

/// The error for what a statement asks wrongly: SQLITE_ERROR with FTS5's message where FTS5 has one.
func failure(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_ERROR, message: message)
}
