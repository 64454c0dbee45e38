import Foundation

/// Decodes a `Decodable` record from a row: each key from the column that the record's naming assigns to it.
///
/// A column is read as the first of these that applies: a value of the property's type (`DatabaseValueConvertible`), a
/// type that decodes itself from a single value (an enumeration with raw values), the columns of a joined table with
/// that name, the JSON of the property's type.
struct RowDecoder: Decoder {
    let row: Row
    let coding: any RecordCoding.Type
    let record: any Any.Type
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Decodes a record from a row.
    static func decode<Record: Decodable & RecordCoding>(_ type: Record.Type, from row: Row) throws -> Record {
        try decode(type, from: row, coding: type)
    }

    /// The same for a type whose coding another type defines.
    static func decode<Record: Decodable>(
        _ type: Record.Type, from row: Row, coding: any RecordCoding.Type
    ) throws -> Record {
        let decoder = RowDecoder(row: row, coding: coding, record: type)
        do {
            return try Record(from: decoder)
        } catch let error as DecodingError {
            throw decoder.failure(.rejected(error.sentence), column: error.columnName, value: nil, expected: type)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowKeyedContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw failure(
            .rejected("a record is decoded by keys, not as a list"), column: nil, value: nil, expected: record)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw failure(
            .rejected("a record is decoded by keys, not as one value"), column: nil, value: nil, expected: record)
    }

    func failure(
        _ reason: RowDecodingError.Reason, column: String?, value: DatabaseValue?, expected: any Any.Type
    ) -> RowDecodingError {
        RowDecodingError(
            reason: reason, column: column, value: value, expectedType: "\(expected)", record: "\(record)",
            availableColumns: row.columnNames, sql: nil)
    }
}

/// The columns of a row as a keyed container.
///
/// Columns usually come in the order of the properties, so each look-up first tries the column after the last one
/// found, which is one comparison of short strings; only a miss searches. Of several columns with the same name the first one
/// counts, as in `Row`.
private final class RowKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RowDecoder
    private let naming: DatabaseColumnNaming
    private let columns: [String]
    private let values: [DatabaseValue]
    private let isNameUnique: Bool
    private var nextIndex = 0

    init(decoder: RowDecoder) {
        self.decoder = decoder
        isNameUnique = !decoder.row.hasRepeatedNames
        columns = decoder.row.columnNames
        values = decoder.row.databaseValues
        naming = decoder.coding.databaseColumnNaming
    }

    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        guard case .codingKeys = naming else { return [] }
        return columns.compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool { index(of: name(of: key)) != nil || joinedColumns(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        if let index = index(of: name(of: key)) { return values[index].isNull }
        return joinedColumns(of: key).map(\.isAllNull) ?? true
    }

    // MARK: Values

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(type, key) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(type, key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let column = name(of: key)
        guard let index = index(of: column) else {
            if let joined = joinedColumns(of: key) { return try decodeJoined(type, from: joined) }
            throw decoder.failure(.missingColumn, column: column, value: nil, expected: type)
        }
        return try ColumnDecoder(value: values[index], column: column, decoder: decoder).decode(
            type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        let column = name(of: key)
        guard let index = index(of: column) else {
            guard let joined = joinedColumns(of: key), !joined.isAllNull else { return nil }
            return try decodeJoined(type, from: joined)
        }
        let value = values[index]
        if value.isNull { return nil }
        return try ColumnDecoder(value: value, column: column, decoder: decoder).decode(type)
    }

    // MARK: Containers

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try jsonDecoder(forKey: key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try jsonDecoder(forKey: key).unkeyedContainer()
    }

    /// The columns of a superclass are those of the same row.
    func superDecoder() throws -> any Decoder { decoder }

    func superDecoder(forKey key: Key) throws -> any Decoder { try jsonDecoder(forKey: key) }

    // MARK: Columns

    private func name(of key: Key) -> String {
        if case .codingKeys = naming { return key.stringValue }
        return naming.column(for: key.stringValue)
    }

    private func index(of column: String) -> Int? {
        if isNameUnique, nextIndex < columns.count, columns[nextIndex] == column {
            nextIndex += 1
            return nextIndex - 1
        }
        guard let index = decoder.row.index(ofColumn: column) else { return nil }
        nextIndex = index + 1
        return index
    }

    private func value<T: DatabaseValueConvertible>(_ type: T.Type, _ key: Key) throws -> T {
        let column = name(of: key)
        guard let index = index(of: column) else {
            throw decoder.failure(.missingColumn, column: column, value: nil, expected: type)
        }
        let value = values[index]
        if let converted = T.fromDatabaseValue(value) { return converted }
        throw decoder.failure(value.isNull ? .unexpectedNull : .mismatch, column: column, value: value, expected: type)
    }

    private func optional<T: DatabaseValueConvertible>(_ type: T.Type, _ key: Key) throws -> T? {
        let column = name(of: key)
        guard let index = index(of: column) else { return nil }
        let value = values[index]
        if value.isNull { return nil }
        if let converted = T.fromDatabaseValue(value) { return converted }
        throw decoder.failure(.mismatch, column: column, value: value, expected: type)
    }

    // MARK: Joined tables

    private func joinedColumns(of key: Key) -> Row? {
        JoinMarker.range(of: key.stringValue, in: columns).map(decoder.row.slice)
    }

    private func decodeJoined<T: Decodable>(_ type: T.Type, from joined: Row) throws -> T {
        if let record = type as? any FetchableRecord.Type, let value = try record.init(row: joined) as? T {
            return value
        }
        let coding = (type as? any RecordCoding.Type) ?? decoder.coding
        return try T(from: RowDecoder(row: joined, coding: coding, record: type))
    }

    private func jsonDecoder(forKey key: Key) throws -> any Decoder {
        try decode(DecoderCapture.self, forKey: key).decoder
    }
}

/// Captures the decoder of a JSON value, for records that decode nested containers by hand.
private struct DecoderCapture: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) throws {
        // A column's single value is not a nested container: asking for one switches to JSON.
        if decoder is ColumnDecoder { throw ColumnDecoder.NeedsJSON() }
        self.decoder = decoder
    }
}

extension DecodingError {
    /// The key at which decoding failed.
    fileprivate var columnName: String? {
        switch self {
        case .keyNotFound(let key, _): key.stringValue
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.first?.stringValue
        @unknown default: nil
        }
    }

    /// The error as a sentence.
    var sentence: String {
        switch self {
        case .keyNotFound(let key, let context): "no value for key \"\(key.stringValue)\"\(Self.path(context))"
        case .typeMismatch(let type, let context): "no \(type)\(Self.path(context)): \(context.debugDescription)"
        case .valueNotFound(let type, let context): "no value of \(type)\(Self.path(context))"
        case .dataCorrupted(let context): "\(context.debugDescription)\(Self.path(context))"
        @unknown default: "\(self)"
        }
    }

    private static func path(_ context: Context) -> String {
        if context.codingPath.isEmpty { return "" }
        return " at " + context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
