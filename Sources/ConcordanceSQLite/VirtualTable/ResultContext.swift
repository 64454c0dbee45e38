import CConcordanceSQLite

/// Where a callback stores its result: a column of a virtual table, or the value of a function. Valid until the
/// callback returns; the last result set counts, and without one the result is NULL.
@usableFromInline
package struct ResultContext {
    /// SQLite's `sqlite3_context *`.
    @usableFromInline
    package let pointer: OpaquePointer?

    /// Creates the context that SQLite passed to a callback.
    @inlinable
    package init(_ pointer: OpaquePointer?) { self.pointer = pointer }

    /// Sets NULL.
    @inlinable
    package func setNull() { csqlite_result_null(pointer) }

    /// Sets an integer.
    @inlinable
    package func set(_ value: Int64) { csqlite_result_int64(pointer, value) }

    /// Sets a real number; NaN becomes NULL.
    @inlinable
    package func set(_ value: Double) { csqlite_result_double(pointer, value) }

    /// Sets a text, which SQLite copies.
    @inlinable
    package func set(utf8: UnsafeBufferPointer<UInt8>) {
        guard let start = utf8.baseAddress else {
            csqlite_result_text_copy(pointer, "", 0)
            return
        }
        start.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
            csqlite_result_text_copy(pointer, $0, UInt64(utf8.count))
        }
    }

    /// Sets a text, which SQLite copies.
    @usableFromInline
    package func set(_ text: String) {
        var text = text
        text.withUTF8 { set(utf8: $0) }
    }

    /// Sets a blob, which SQLite copies.
    @inlinable
    package func set(blob: UnsafeRawBufferPointer) {
        if blob.isEmpty {
            _ = csqlite_result_zeroblob64(pointer, 0)
        } else {
            csqlite_result_blob_copy(pointer, blob.baseAddress, UInt64(blob.count))
        }
    }

    /// Sets a value, which SQLite copies.
    @usableFromInline
    package func set(_ value: DatabaseValue) { value.setResult(of: pointer) }

    /// Sets a copy of a value that SQLite lent.
    @inlinable
    package func set(_ value: BorrowedValue) { csqlite_result_value(pointer, value.pointer) }

    /// Sets a pointer that only `BorrowedValue.pointer(type:)` with the same type can read; SQL sees NULL
    /// (https://www.sqlite.org/bindptr.html).
    @inlinable
    package func set(pointer value: UnsafeMutableRawPointer, type: StaticString) {
        guard type.hasPointerRepresentation else { return }
        type.utf8Start.withMemoryRebound(to: CChar.self, capacity: type.utf8CodeUnitCount + 1) {
            csqlite_result_pointer(pointer, value, $0, nil)
        }
    }

    /// Marks the result with an 8-bit subtype, such as 74 for JSON.
    @inlinable
    package func set(subtype: UInt8) { csqlite_result_subtype(pointer, UInt32(subtype)) }

    /// Whether this column is read for an UPDATE that does not change it: the column method may then set nothing, and
    /// the update method sees `BorrowedValue.isUnchanged`.
    @inlinable
    package var isUnchangedColumn: Bool { csqlite_vtab_nochange(pointer) != 0 }
}
