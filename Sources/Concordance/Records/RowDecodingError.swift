/// A row that could not be decoded: which column, what it holds, what was expected.
public struct RowDecodingError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Sendable, Equatable {
        /// The row has no such column.
        case missingColumn
        /// The column is NULL and the property is not optional.
        case unexpectedNull
        /// The value cannot be converted to the expected type.
        case mismatch
        /// The value is not JSON for the expected type; the text says why.
        case invalidJSON(String)
        /// The record itself rejects the row; the text says why.
        case rejected(String)
    }

    /// What is wrong.
    public let reason: Reason
    /// The column; nil if the record as a whole is at fault.
    public let column: String?
    /// The value of the column; nil if the row has no such column.
    public let value: DatabaseValue?
    /// The Swift type that was expected.
    package let expectedType: String
    /// The record type that was being decoded.
    public let record: String
    /// The columns that the row has.
    package let availableColumns: [String]
    /// The statement that fetched the row, if it is known.
    package internal(set) var sql: String?

    public var description: String {
        let place = column.map { "column \"\($0)\"" } ?? "the row"
        let statement = sql.map { " - while running: \($0)" } ?? ""
        return "\(record): \(place) \(problem)\(statement)"
    }

    private var problem: String {
        let held = value.map { Self.summary(of: $0) } ?? "nothing"
        switch reason {
        case .missingColumn:
            return "is missing; expected \(expectedType); the row has \(availableColumns.joined(separator: ", "))"
        case .unexpectedNull: return "is NULL; expected \(expectedType), or make the property optional"
        case .mismatch: return "holds \(held), which is not a valid \(expectedType)"
        case .invalidJSON(let why): return "holds \(held), which is not valid JSON for \(expectedType): \(why)"
        case .rejected(let why): return "holds \(held), rejected by \(expectedType): \(why)"
        }
    }

    /// A readable value, however large it is.
    private static func summary(of value: DatabaseValue) -> String {
        switch value {
        case .null: "NULL"
        case .int64(let integer): "integer \(integer)"
        case .double(let double): "real \(double)"
        case .text(let text): text.count > 60 ? "text \"\(text.prefix(60))…\"" : "text \"\(text)\""
        case .blob(let bytes): "a blob of \(bytes.count) bytes"
        }
    }
}
