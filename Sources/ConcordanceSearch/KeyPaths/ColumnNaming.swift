/// A record type whose columns are named differently from its coding keys.
public protocol ColumnNaming: SendableMetatype {
    /// The column that stores the property with this coding key.
    static func databaseColumnName(forCodingKey key: String) -> String
}

/// Why a property of a record does not lead to a column.
public enum KeyPathError: Error, Hashable, Sendable {
    /// The property is not stored in a column of its own.
    case notStored(record: String, keyPath: String)
    /// The record type cannot be decoded from trial values, by which properties are mapped to columns.
    case unavailable(record: String, reason: String)
}

extension KeyPathError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notStored(let record, let keyPath):
            "\(keyPath) of \(record) is not stored in a column of its own: it is computed, or part of another property. "
                + "Name a column: Field(\"name\"), Column(\"name\"). For a field that is not a column, use SQL: "
                + "Field(\"city\").computed(\"json_extract(address, '$.city')\")."
        case .unavailable(let record, let reason):
            "The properties of \(record) cannot be mapped to columns: \(reason). Use column names: "
                + "Field(\"name\"), Column(\"name\")."
        }
    }
}
