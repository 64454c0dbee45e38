import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

extension BorrowedValue {
    /// The type after SQLite has converted a text that looks like a number, which asking for the type does.
    var numericType: Int32 { pointer.map { csqlite_value_numeric_type($0) } ?? SQLITE_NULL }

    /// The value as a 32-bit integer, without the upper bits, as SQLite returns it.
    var int32: Int32 { Int32(truncatingIfNeeded: int64) }

    /// The integer if the value is one, or a text that looks like one.
    var integer: Int64? { numericType == SQLITE_INTEGER ? int64 : nil }

    /// The integer that a rowid must be to equal the value; nil if none does.
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
