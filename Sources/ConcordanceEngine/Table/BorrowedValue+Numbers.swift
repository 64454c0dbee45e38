import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

extension BorrowedValue {
    /// The type after a text that looks like a number has become one, which SQLite makes it by asking.
    var numericType: Int32 { pointer.map { csqlite_value_numeric_type($0) } ?? SQLITE_NULL }

    /// The value as an integer of 32 bits, upper bits cut off, as SQLite gives it.
    var int32: Int32 { Int32(truncatingIfNeeded: int64) }

    /// The integer where the value is one, or a text that looks like one.
    var integer: Int64? { numericType == SQLITE_INTEGER ? int64 : nil }

    /// The integer that a rowid must be to equal the value; nil where none does.
    var rowID: Int64? {
        switch numericType {
        case SQLITE_INTEGER: int64
        case SQLITE_FLOAT: Int64(exactly: double)
        default: nil
        }
    }

    /// Whether this is a text that equals `other`, letters of ASCII in either case.
    func equalsIgnoringASCIICase(_ other: StaticString) -> Bool {
        withUTF8 { text in
            other.withUTF8Buffer { other in
                text.count == other.count
                    && zip(text, other).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
            }
        }
    }
}
