import CConcordanceSQLite

/// A value that SQLite lends to a callback: valid until the callback returns. Reading it copies nothing.
@usableFromInline
package struct BorrowedValue {
    /// SQLite's `sqlite3_value *`.
    @usableFromInline
    package let pointer: OpaquePointer?

    /// Creates the value at a pointer that SQLite passed to a callback; nil reads as NULL.
    @inlinable
    package init(_ pointer: OpaquePointer?) { self.pointer = pointer }

    /// One of `SQLITE_INTEGER`, `SQLITE_FLOAT`, `SQLITE_TEXT`, `SQLITE_BLOB`, `SQLITE_NULL`.
    @inlinable
    package var type: Int32 { pointer.map { csqlite_value_type($0) } ?? SQLITE_NULL }

    /// Whether this is NULL.
    @inlinable
    package var isNull: Bool { type == SQLITE_NULL }

    /// The value as SQLite converts it to an integer.
    @inlinable
    package var int64: Int64 { pointer.map { csqlite_value_int64($0) } ?? 0 }

    /// The value as SQLite converts it to a floating-point number.
    @inlinable
    package var double: Double { pointer.map { csqlite_value_double($0) } ?? 0 }

    /// The value as SQLite converts it to text, with invalid UTF-8 repaired; nil for NULL.
    @usableFromInline
    package var string: String? {
        isNull ? nil : withUTF8 { String(decoding: $0, as: UTF8.self) }
    }

    /// Passes `body` the UTF-8 of the value as SQLite converts it to text; empty for NULL. It may be invalid.
    @inlinable
    package func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        let text = pointer.flatMap { csqlite_value_text($0) }
        let count = text == nil ? 0 : Int(csqlite_value_bytes(pointer))
        return try body(UnsafeBufferPointer(start: text, count: count))
    }

    /// Passes `body` the bytes of the value as SQLite converts it to a blob; empty for NULL.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let blob = pointer.flatMap { csqlite_value_blob($0) }
        let count = blob == nil ? 0 : Int(csqlite_value_bytes(pointer))
        return try body(UnsafeRawBufferPointer(start: blob, count: count))
    }

    /// A copy that can be kept.
    @usableFromInline
    package var databaseValue: DatabaseValue { pointer.map { DatabaseValue($0) } ?? .null }

    /// Whether this is a column that an UPDATE leaves unchanged; only if the cursor's column method gave no result, see
    /// `ResultContext.isUnchangedColumn`.
    @inlinable
    package var isUnchanged: Bool { pointer.map { csqlite_value_nochange($0) != 0 } ?? false }

    /// The pointer passed as this value under the same type, as with `ResultContext.set(pointer:type:)`; otherwise nil.
    @inlinable
    package func pointer(type: StaticString) -> UnsafeMutableRawPointer? {
        guard let pointer, type.hasPointerRepresentation else { return nil }
        return type.utf8Start.withMemoryRebound(to: CChar.self, capacity: type.utf8CodeUnitCount + 1) {
            csqlite_value_pointer(pointer, $0)
        }
    }

    /// Calls `body` with each element of the right-hand side of an IN that the plan takes all at once
    /// (`VirtualTableIndex.takeAllAtOnce(_:)`); the element is valid during the call.
    @usableFromInline
    package func forEachElement(_ body: (BorrowedValue) throws -> Void) throws {
        _ = try containsElement {
            try body($0)
            return false
        }
    }

    /// Whether an element of the right-hand side of such an IN fulfils a condition; those after it are not looked at.
    @usableFromInline
    package func containsElement(where isWanted: (BorrowedValue) throws -> Bool) throws -> Bool {
        var element: OpaquePointer?
        var code = csqlite_vtab_in_first(pointer, &element)
        while code == SQLITE_OK, let current = element {
            if try isWanted(BorrowedValue(current)) { return true }
            code = csqlite_vtab_in_next(pointer, &element)
        }
        guard code == SQLITE_DONE || code == SQLITE_OK else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: "the argument is not the list of an IN operator")
        }
        return false
    }
}

/// The arguments of a callback, valid until it returns.
@usableFromInline
package struct BorrowedValues: RandomAccessCollection {
    @usableFromInline let values: UnsafeBufferPointer<OpaquePointer?>

    /// Creates the arguments in a buffer that SQLite passed to a callback.
    @inlinable
    package init(_ values: UnsafeBufferPointer<OpaquePointer?>) { self.values = values }

    /// Creates the arguments from `argc` and `argv`, as SQLite passes them to a callback; a nil `start` means no
    /// arguments.
    @inlinable
    package init(count: Int32, start: UnsafeMutablePointer<OpaquePointer?>?) {
        values = UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count))
    }

    /// The pointers, for a C function that takes them.
    @usableFromInline
    package var pointers: UnsafeBufferPointer<OpaquePointer?> { values }

    @inlinable package var startIndex: Int { 0 }
    @inlinable package var endIndex: Int { values.count }
    /// The argument at `index`; NULL if there is none, since a function with any number of arguments gets what a query
    /// passes.
    @inlinable package subscript(index: Int) -> BorrowedValue {
        values.indices.contains(index) ? BorrowedValue(values[index]) : BorrowedValue(nil)
    }
}
