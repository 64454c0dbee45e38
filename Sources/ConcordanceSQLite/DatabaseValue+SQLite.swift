import CConcordanceSQLite

extension DatabaseValue {
    /// A copy of a value that SQLite passes to a callback.
    package init(_ value: OpaquePointer?) {
        switch csqlite_value_type(value) {
        case SQLITE_INTEGER: self = .int64(csqlite_value_int64(value))
        case SQLITE_FLOAT: self = .double(csqlite_value_double(value))
        case SQLITE_TEXT:
            let text = csqlite_value_text(value)
            let count = text == nil ? 0 : Int(csqlite_value_bytes(value))
            self = .text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = csqlite_value_blob(value)
            let count = bytes == nil ? 0 : Int(csqlite_value_bytes(value))
            self = .blob(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        default: self = .null
        }
    }

    /// Copies of the arguments that SQLite passes to a callback.
    package static func array(_ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) -> [DatabaseValue] {
        UnsafeBufferPointer(start: values, count: values == nil ? 0 : Int(count)).map { DatabaseValue($0) }
    }

    /// Makes this the result of the function or column that SQLite is asking for.
    package func setResult(of context: OpaquePointer?) {
        switch self {
        case .null: csqlite_result_null(context)
        case .int64(let value): csqlite_result_int64(context, value)
        case .double(let value): csqlite_result_double(context, value)
        case .text(var value):
            value.withUTF8 { text in
                text.withMemoryRebound(to: CChar.self) {
                    csqlite_result_text_copy(context, $0.baseAddress ?? emptyCString, UInt64($0.count))
                }
            }
        case .blob(let bytes):
            bytes.withUnsafeBytes {
                if $0.isEmpty {
                    csqlite_result_zeroblob64(context, 0)
                } else {
                    csqlite_result_blob_copy(context, $0.baseAddress, UInt64($0.count))
                }
            }
        }
    }
}

/// An address for empty texts, since an empty Swift buffer may have none, which SQLite treats as NULL. Never written
/// to.
nonisolated(unsafe) let emptyCString: UnsafePointer<CChar> = {
    let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    pointer.initialize(to: 0)
    return UnsafePointer(pointer)
}()
