import CConcordanceSQLite

/// The five types of SQLite's values.
@usableFromInline
package enum StorageClass: Int32, Sendable {
    /// An integer of up to 64 bits.
    case integer = 1
    /// A floating-point number of 64 bits.
    case real = 2
    /// A text.
    case text = 3
    /// Bytes.
    case blob = 4
    /// NULL.
    case null = 5
}

/// The columns of the current row, from 0. Without a row, and for a column that the row does not have, they are NULL.
extension Statement {
    /// The type of a value, before any reading that converts it.
    @inlinable
    package func storageClass(at index: Int) -> StorageClass {
        StorageClass(rawValue: csqlite_column_type(handle, Int32(clamping: index))) ?? .null
    }

    /// Returns whether a value is NULL.
    @inlinable
    public func isNull(at index: Int) -> Bool { csqlite_column_type(handle, Int32(clamping: index)) == SQLITE_NULL }

    /// Returns an integer, converted from other types as by CAST; 0 for NULL.
    @inlinable
    public func int64(at index: Int) -> Int64 { csqlite_column_int64(handle, Int32(clamping: index)) }

    /// Returns a real number, converted from other types as by CAST; 0 for NULL.
    @inlinable
    public func double(at index: Int) -> Double { csqlite_column_double(handle, Int32(clamping: index)) }

    /// Returns a text, with invalid UTF-8 repaired, converted from other types as by CAST; nil for NULL.
    @inlinable
    public func string(at index: Int) -> String? {
        let index = Int32(clamping: index)
        guard let text = csqlite_column_text(handle, index) else { return nil }
        let count = Int(csqlite_column_bytes(handle, index))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// Calls `body` with the bytes of a blob, or of a text as they are in the file; with none for NULL. The bytes are
    /// valid only for the current row. For numbers, they are those of their text.
    @inlinable
    public func withBytes<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let index = Int32(clamping: index)
        let bytes = csqlite_column_blob(handle, index)
        return try body(
            UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(csqlite_column_bytes(handle, index))))
    }

    /// Returns a copy of a value.
    public func databaseValue(at index: Int) -> DatabaseValue {
        switch storageClass(at: index) {
        case .integer: .int64(int64(at: index))
        case .real: .double(double(at: index))
        case .text: .text(string(at: index) ?? "")
        case .blob: .blob(withBytes(at: index) { Array($0) })
        case .null: .null
        }
    }

    /// Returns the value of a column as a `Value`.
    /// - Throws: SQLITE_MISMATCH if it is not one, SQLITE_RANGE if there is no such column.
    @inlinable
    public func decode<Value: DatabaseValueConvertible>(_ type: Value.Type = Value.self, at index: Int) throws -> Value
    {
        if let value = Value.fromStatement(self, at: index) { return value }
        throw decodingError(type, at: index)
    }

    @usableFromInline
    func decodingError(_ type: Any.Type, at index: Int) -> DatabaseError {
        guard index >= 0 && index < columnCount else {
            return DatabaseError(
                resultCode: .SQLITE_RANGE, message: "no column \(index): the row has \(columnCount)", sql: sql)
        }
        return .decoding(databaseValue(at: index), as: type, column: columnNames[index], sql: sql)
    }
}

extension DatabaseError {
    static func decoding(
        _ value: DatabaseValue, as type: Any.Type, column: String, sql: String? = nil
    ) -> DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_MISMATCH,
            message: "\(value) in column \(column.quotedDatabaseIdentifier) is not a valid \(type)",
            sql: sql, advice: value.isNull ? "Decode \(type)? where NULL can occur." : nil)
    }
}
