import CConcordanceSQLite
import ConcordanceSQLite

extension StoredValue {
    /// A copy of a value of SQLite's.
    init(_ value: BorrowedValue) {
        switch value.type {
        case SQLITE_INTEGER: self = .integer(value.int64)
        case SQLITE_FLOAT: self = StoredValue(ValueView(real: value.double))
        case SQLITE_TEXT: self = value.withUTF8 { .text(Array($0)) }
        case SQLITE_BLOB: self = value.withBytes { .blob(Array($0)) }
        default: self = .null
        }
    }
}
