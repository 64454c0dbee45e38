import Foundation

/// Decodes one column: a value, a type that decodes itself from a single value, or JSON.
struct ColumnDecoder: Decoder {
    /// Thrown if a type asks for keys or a list: then the column holds JSON.
    struct NeedsJSON: Error {}

    let value: DatabaseValue
    let column: String
    let decoder: RowDecoder

    var codingPath: [any CodingKey] { [ColumnKey(stringValue: column)] }
    var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }

    /// The value of the column as a `T`.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if type == Date.self || type == Date?.self && !value.isNull {
            return try cast(decoder.coding.databaseDateStrategy(for: column).date(from: value))
        }
        if let convertible = type as? any DatabaseValueConvertible.Type {
            return try cast(convertible.fromDatabaseValue(value))
        }
        do {
            return try T(from: self)
        } catch is NeedsJSON {
            if value.isNull { throw failure(.unexpectedNull, expected: type) }
            return try decodeJSON(type)
        } catch let error as DecodingError {
            throw failure(.rejected(error.sentence), expected: type)
        }
    }

    private func cast<T>(_ converted: Any?) throws -> T {
        if let converted, let result = converted as? T { return result }
        throw failure(value.isNull ? .unexpectedNull : .mismatch, expected: T.self)
    }

    private func decodeJSON<T: Decodable>(_ type: T.Type) throws -> T {
        let json: Data
        switch value {
        case .text(let text): json = Data(text.utf8)
        case .blob(let bytes): json = Data(bytes)
        default: throw failure(.mismatch, expected: type)
        }
        let jsonDecoder = decoder.coding.databaseJSONDecoder(for: column)
        do {
            return try jsonDecoder.decode(type, from: json)
        } catch let error as DecodingError {
            throw failure(.invalidJSON(error.sentence), expected: type)
        }
    }

    fileprivate func failure(_ reason: RowDecodingError.Reason, expected: any Any.Type) -> RowDecodingError {
        decoder.failure(reason, column: column, value: value, expected: expected)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw NeedsJSON() }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NeedsJSON() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ColumnDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool { try convert(type) }
    func decode(_ type: String.Type) throws -> String { try convert(type) }
    func decode(_ type: Double.Type) throws -> Double { try convert(type) }
    func decode(_ type: Float.Type) throws -> Float { try convert(type) }
    func decode(_ type: Int.Type) throws -> Int { try convert(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try convert(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try convert(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try convert(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try convert(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try convert(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try convert(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try convert(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try convert(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try convert(type) }

    private func convert<T: DatabaseValueConvertible>(_ type: T.Type) throws -> T {
        if let converted = T.fromDatabaseValue(value) { return converted }
        throw failure(value.isNull ? .unexpectedNull : .mismatch, expected: type)
    }
}

/// A coding key that is a column name.
struct ColumnKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
