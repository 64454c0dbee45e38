/// A type of records whose columns are not named like its coding keys.
public protocol ColumnNaming: SendableMetatype {
    /// The column that the property with this coding key is stored in.
    static func databaseColumnName(forCodingKey key: String) -> String
}

/// A property of a record that stands for no column.
public enum KeyPathError: Error, Hashable, Sendable {
    /// The property is not stored in a column of its own.
    case notStored(record: String, keyPath: String)
    /// The record type cannot be made from trial values, which is how its properties are mapped to columns.
    case unavailable(record: String, reason: String)
}

extension KeyPathError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notStored(let record, let keyPath):
            "\(keyPath) of \(record) is not stored in a column of its own: it is computed, or part of another property. "
                + "Name a column: Field(\"name\"), Column(\"name\"). What is no column can be a field by SQL: "
                + "Field(\"city\").computed(\"json_extract(address, '$.city')\")."
        case .unavailable(let record, let reason):
            "The properties of \(record) cannot be mapped to columns: \(reason). Use the names of columns: "
                + "Field(\"name\"), Column(\"name\")."
        }
    }
}
