/// A value as SQLite stores it.
///
/// Invalid UTF-8 in a text read from a file is replaced by U+FFFD here; `Statement.withBytes(at:_:)` reads the bytes as
/// they are.
public enum DatabaseValue: Hashable, Sendable {
    /// NULL.
    case null
    /// A 64-bit integer.
    case int64(Int64)
    /// A floating-point number. SQLite stores NaN as NULL.
    case double(Double)
    /// A text, which SQLite stores as UTF-8 or UTF-16, depending on the file.
    case text(String)
    /// Bytes, which SQLite stores as they are.
    case blob([UInt8])

    /// Whether this is NULL.
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// The name that SQLite's `typeof` returns: `null`, `integer`, `real`, `text` or `blob`.
    package var typeName: String {
        switch self {
        case .null: "null"
        case .int64: "integer"
        case .double: "real"
        case .text: "text"
        case .blob: "blob"
        }
    }
}

extension DatabaseValue {
    /// Whether two values are of one type and equal: texts by their bytes, as in SQLite's collation BINARY. To Swift's
    /// `String`, `é` in one code point is equal to that in two.
    public static func == (left: DatabaseValue, right: DatabaseValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.int64(let left), .int64(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.blob(let left), .blob(let right)): left == right
        case (.null, _), (.int64, _), (.double, _), (.text, _), (.blob, _): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .int64(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .text(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .blob(let bytes): hasher.combine(bytes)
        }
    }
}

// There is no literal `nil`, which would be NULL where an absent value is meant.
extension DatabaseValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    public init(integerLiteral value: Int64) { self = .int64(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .text(value) }
}

extension DatabaseValue: CustomStringConvertible {
    /// The value as an SQL literal; blobs and texts are cut after 100 bytes.
    public var description: String {
        switch self {
        case .null: return "NULL"
        case .int64(let value): return "\(value)"
        case .double(let value): return "\(value)"
        case .text(let value):
            let cut = value.utf8.count > 100 ? String(decoding: value.utf8.prefix(100), as: UTF8.self) + "…" : value
            return cut.quotedDatabaseString
        case .blob(let bytes):
            let digits = bytes.prefix(100).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            return "x'\(digits)\(bytes.count > 100 ? "…" : "")'"
        }
    }
}

extension DatabaseValue: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { self }
    public static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseValue? { value }
    public static func fromStatement(_ statement: Statement, at index: Int) -> DatabaseValue? {
        statement.databaseValue(at: index)
    }
}
