import CConcordanceSQLite
import ConcordanceSQLite

extension StoredValue {
    /// A value that a program gave.
    init(_ value: DatabaseValue) {
        switch value {
        case .null: self = .null
        case .int64(let integer): self = .integer(integer)
        case .double(let real): self = StoredValue(ValueView(real: real))
        case .text(let text): self = .text(Array(text.utf8))
        case .blob(let bytes): self = .blob(bytes)
        }
    }

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

extension ValueView {
    /// Makes the value that of a function or column.
    func set(_ result: ResultContext) {
        switch self {
        case .null: result.setNull()
        case .integer(let integer): result.set(integer)
        case .real(let real): result.set(real)
        case .text(let text): result.set(utf8: text.bindMemory(to: UInt8.self))
        case .blob(let blob): result.set(blob: blob)
        }
    }
}
