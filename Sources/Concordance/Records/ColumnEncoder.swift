/// Encodes one column of a type that encodes itself as a single value; finds out which types need JSON instead.
final class ColumnEncoder: Encoder {
    /// Thrown if a type writes keys or a list.
    struct NeedsJSON: Error {}

    let column: String
    private let encoder: RecordEncoder
    private(set) var value: DatabaseValue?
    /// Whether a container was requested; it may stay empty, in which case nothing is thrown.
    private(set) var needsJSON = false

    var codingPath: [any CodingKey] { [ColumnKey(stringValue: column)] }
    var userInfo: [CodingUserInfoKey: Any] { encoder.userInfo }

    init(column: String, encoder: RecordEncoder) {
        self.column = column
        self.encoder = encoder
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        needsJSON = true
        return KeyedEncodingContainer(RefusingContainer<Key>(NeedsJSON()))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        needsJSON = true
        return RefusingContainer<ColumnKey>(NeedsJSON())
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ColumnEncoder: SingleValueEncodingContainer {
    func encodeNil() { value = .null }

    func encode(_ value: Bool) throws { try put(value) }
    func encode(_ value: String) throws { try put(value) }
    func encode(_ value: Double) throws { self.value = try encoder.checked(.double(value), column: column) }
    func encode(_ value: Float) throws { self.value = try encoder.checked(.double(Double(value)), column: column) }
    func encode(_ value: Int) throws { try put(value) }
    func encode(_ value: Int8) throws { try put(value) }
    func encode(_ value: Int16) throws { try put(value) }
    func encode(_ value: Int32) throws { try put(value) }
    func encode(_ value: Int64) throws { try put(value) }
    func encode(_ value: UInt) throws { try put(value) }
    func encode(_ value: UInt8) throws { try put(value) }
    func encode(_ value: UInt16) throws { try put(value) }
    func encode(_ value: UInt32) throws { try put(value) }
    func encode(_ value: UInt64) throws { try put(value) }

    func encode<T: Encodable>(_ value: T) throws {
        self.value = try encoder.databaseValue(of: value, column: column)
    }

    private func put(_ value: some DatabaseValueConvertible) throws { self.value = try value.databaseValueToBind() }
}

/// A container that rejects everything written into it with an error: a row has no place for it.
struct RefusingContainer<Key: CodingKey> {
    let error: any Error
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    init(_ error: any Error) { self.error = error }
}

extension RefusingContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    func encodeNil() throws { throw error }
    func encode<T: Encodable>(_ value: T) throws { throw error }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(RefusingContainer<Nested>(error))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func superEncoder() -> any Encoder { RefusingEncoder(error: error) }
}

extension RefusingContainer: KeyedEncodingContainerProtocol {
    func encodeNil(forKey key: Key) throws { throw error }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw error }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { nestedContainer(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { self }
    func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

private struct RefusingEncoder: Encoder {
    let error: any Error
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RefusingContainer<Key>(error))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingContainer<ColumnKey>(error) }
    func singleValueContainer() -> any SingleValueEncodingContainer { RefusingContainer<ColumnKey>(error) }
}
