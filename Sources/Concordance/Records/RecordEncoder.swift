import Foundation

/// Encodes an `Encodable` record into the columns of a row, the counterpart of `RowDecoder`: nil is written as NULL,
/// so that an update clears the column.
final class RecordEncoder: Encoder {
    let coding: any RecordCoding.Type
    let record: any Any.Type
    private let naming: DatabaseColumnNaming
    private(set) var container = PersistenceContainer()
    private var jsonEncoder: (column: String, encoder: JSONEncoder)?

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(coding: any RecordCoding.Type, record: any Any.Type) {
        self.coding = coding
        self.record = record
        naming = coding.databaseColumnNaming
        container.reserveCapacity(16)
    }

    /// Adds the columns of a record to a container.
    static func encode<Record: Encodable & RecordCoding>(_ record: Record, into container: inout PersistenceContainer)
        throws
    {
        let encoder = RecordEncoder(coding: Record.self, record: Record.self)
        encoder.container = container
        try record.encode(to: encoder)
        container = encoder.container
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RecordKeyedContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingContainer<ColumnKey>(unsupported("a list")) }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        RefusingContainer<ColumnKey>(unsupported("a single value"))
    }

    func unsupported(_ what: String) -> RecordError { .unsupportedEncoding(record: "\(record)", what: what) }

    func column(of key: some CodingKey) -> String {
        if case .codingKeys = naming { return key.stringValue }
        return naming.column(for: key.stringValue)
    }

    func append(_ value: DatabaseValue, for column: String) { container.append(value, for: column) }

    /// The value that a property of any type is stored as.
    func databaseValue<T: Encodable>(of value: T, column: String) throws -> DatabaseValue {
        if let date = value as? Date {
            let stored = coding.databaseDateStrategy(for: column).databaseValue(of: date)
            return try checked(stored, column: column)
        }
        if let uuid = value as? UUID { return coding.databaseUUIDStrategy(for: column).databaseValue(of: uuid) }
        if let convertible = value as? any DatabaseValueConvertible { return try convertible.databaseValueToBind() }
        let column = ColumnEncoder(column: column, encoder: self)
        do {
            try value.encode(to: column)
        } catch is ColumnEncoder.NeedsJSON {
            return try json(of: value, column: column.column)
        }
        if column.needsJSON { return try json(of: value, column: column.column) }
        return column.value ?? .null
    }

    /// The value, unless SQLite would turn it into NULL.
    func checked(_ value: DatabaseValue, column: String) throws -> DatabaseValue {
        if case .double(let number) = value, number.isNaN {
            throw RecordError.notANumber(record: "\(record)", column: column)
        }
        return value
    }

    private func json<T: Encodable>(of value: T, column: String) throws -> DatabaseValue {
        if jsonEncoder?.column != column { jsonEncoder = (column, coding.databaseJSONEncoder(for: column)) }
        guard let data = try jsonEncoder?.encoder.encode(value) else { return .null }
        return .text(String(decoding: data, as: UTF8.self))
    }
}

/// The columns of a record as a keyed container.
private struct RecordKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: RecordEncoder

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { encoder.append(.null, for: encoder.column(of: key)) }

    func encode(_ value: Bool, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: String, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: Double, forKey key: Key) throws { try putNumber(value, key) }
    func encode(_ value: Float, forKey key: Key) throws { try putNumber(Double(value), key) }
    func encode(_ value: Int, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try put(value, key) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        let column = encoder.column(of: key)
        encoder.append(try encoder.databaseValue(of: value, column: column), for: column)
    }

    // The protocol's default implementations leave nil out.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try putOptional(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try putOptional(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
        if let value { try putNumber(value, key) } else { encodeNil(forKey: key) }
    }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
        if let value { try putNumber(Double(value), key) } else { encodeNil(forKey: key) }
    }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try putOptional(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try putOptional(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try putOptional(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try putOptional(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try putOptional(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try putOptional(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try putOptional(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try putOptional(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try putOptional(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try putOptional(value, key) }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(RefusingContainer<Nested>(encoder.unsupported("a nested container \(key.stringValue)")))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        RefusingContainer<ColumnKey>(encoder.unsupported("a nested container \(key.stringValue)"))
    }

    /// The properties of a superclass are columns of the same row.
    func superEncoder() -> any Encoder { encoder }

    func superEncoder(forKey key: Key) -> any Encoder { encoder }

    private func put<T: DatabaseValueConvertible>(_ value: T, _ key: Key) throws {
        let column = encoder.column(of: key)
        encoder.append(try value.databaseValueToBind(), for: column)
    }

    private func putOptional<T: DatabaseValueConvertible>(_ value: T?, _ key: Key) throws {
        if let value { try put(value, key) } else { encodeNil(forKey: key) }
    }

    private func putNumber(_ number: Double, _ key: Key) throws {
        let column = encoder.column(of: key)
        encoder.append(try encoder.checked(.double(number), column: column), for: column)
    }
}
