/// A value of a row as SQLite gives it: bytes, since texts are compared exactly.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    package static func text(_ string: String) -> SQLValue { .text(Array(string.utf8)) }

    /// Whether the two are the same, reals within `tolerance`.
    package func matches(_ other: SQLValue, tolerance: Double) -> Bool {
        guard case .real(let left) = self, case .real(let right) = other else { return self == other }
        return left == right || abs(left - right) <= tolerance
    }
}

extension SQLValue: CustomStringConvertible {
    /// The value as an SQL literal.
    package var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let bytes): String(decoding: bytes, as: UTF8.self).sqlLiteral
        case .blob(let bytes): "x'\(bytes.map { Self.hex($0) }.joined())'"
        }
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}

extension String {
    /// The string as an SQL literal.
    package var sqlLiteral: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}
