import Foundation

/// What the trial instances of a record are made from; see `KeyPathColumns`.
final class ProbeLog {
    /// The coding keys, in the order in which the record asked for them; the place of a property here is its number.
    private(set) var keys: [String] = []
    /// For each property, whether a value is the one that it was given.
    private(set) var values: [Int: (Any) -> Bool] = [:]

    func number(of key: String) -> Int {
        if let number = keys.firstIndex(of: key) { return number }
        keys.append(key)
        return keys.count - 1
    }

    func note<T>(_ value: T, for number: Int) {
        values[number] = { read in (read as? T).map { ProbeValue.equal($0, value) } ?? false }
    }
}

/// Why a record cannot be made from trial values.
struct ProbeError: Error, CustomStringConvertible {
    let description: String
}

/// Trial values.
enum ProbeValue {
    /// How many levels of nested lists and structures get high values, since types may contain themselves.
    static let depthLimit = 4

    /// One of two values of a type, which differ if two different ones can be found.
    static func make<T: Decodable>(_ type: T.Type, isHigh: Bool, depth: Int) throws -> T {
        if let known = known(type, isHigh) as? T { return known }
        if let cases = type as? any CaseIterable.Type {
            guard let value = pick(cases, isHigh) as? T else { throw ProbeError(description: "\(type) has no cases") }
            return value
        }
        do {
            return try T(from: ProbeDecoder(level: .value(isHigh: isHigh, depth: depth), log: ProbeLog()))
        } catch let error as ProbeError {
            throw error
        } catch {
            throw ProbeError(description: "no trial value for \(type); if it is an enumeration, make it CaseIterable")
        }
    }

    static func equal<Value>(_ left: Value, _ right: Value) -> Bool {
        if let left = left as? any Equatable { return same(left, right) }
        return String(reflecting: left) == String(reflecting: right)
    }

    private static func same<T: Equatable>(_ left: T, _ right: Any) -> Bool { (right as? T) == left }

    private static func pick<T: CaseIterable>(_ type: T.Type, _ isHigh: Bool) -> Any? {
        isHigh ? type.allCases.dropFirst().first ?? type.allCases.first : type.allCases.first
    }

    private static func known(_ type: any Any.Type, _ isHigh: Bool) -> Any? {
        switch type {
        case is Bool.Type: isHigh
        // Mixed case, spaces at the ends, a letter beyond ASCII: what computed properties tend to change.
        case is String.Type: isHigh ? " Trial Válue " : ""
        case is Date.Type: Date(timeIntervalSince1970: isHigh ? 1.5 : 0)
        case is UUID.Type: UUID(uuid: (isHigh ? 1 : 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        case is Data.Type: isHigh ? Data([1]) : Data()
        case is URL.Type: URL(string: isHigh ? "trial://High" : "trial://low")
        case is Decimal.Type: isHigh ? Decimal(1) : Decimal(0)
        case let integer as any FixedWidthInteger.Type: number(integer, isHigh)
        case let real as any BinaryFloatingPoint.Type: number(real, isHigh)
        default: nil
        }
    }

    private static func number<T: Numeric>(_ type: T.Type, _ isHigh: Bool) -> Any? { T(exactly: isHigh ? 1 : 0) }
}

/// Makes a trial instance.
struct ProbeDecoder: Decoder {
    enum Level {
        /// The record itself: which of its properties are high, by number.
        case record((Int) -> Bool)
        /// A value within it.
        case value(isHigh: Bool, depth: Int)
    }

    let level: Level
    let log: ProbeLog
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ProbeKeyedContainer<Key>(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { ProbeList(isHigh: isHigh, depth: depth) }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        ProbeSingleValue(isHigh: isHigh, depth: depth)
    }

    var depth: Int {
        if case .value(_, let depth) = level { depth } else { 0 }
    }

    var isHigh: Bool {
        if case .value(let isHigh, let depth) = level { isHigh && depth < ProbeValue.depthLimit } else { false }
    }
}

private struct ProbeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ProbeDecoder
    var codingPath: [any CodingKey] { [] }

    /// A dictionary's keys.
    var allKeys: [Key] { decoder.isHigh ? ["trial"].compactMap(Key.init(stringValue:)) : [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool { !isHigh(key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let value = try ProbeValue.make(type, isHigh: isHigh(key), depth: decoder.depth + 1)
        note(value, key)
        return value
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard isHigh(key), let value = try? ProbeValue.make(type, isHigh: true, depth: decoder.depth + 1) else {
            return nil
        }
        note(value, key)
        return value
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> { nested(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { nested(key).unkeyedContainer() }

    /// The properties of a superclass are in the same row.
    func superDecoder() -> any Decoder { decoder }

    func superDecoder(forKey key: Key) -> any Decoder { nested(key) }

    private func nested(_ key: Key) -> ProbeDecoder {
        ProbeDecoder(level: .value(isHigh: isHigh(key), depth: decoder.depth + 1), log: ProbeLog())
    }

    private func isHigh(_ key: Key) -> Bool {
        guard case .record(let isHigh) = decoder.level else { return decoder.isHigh }
        return isHigh(decoder.log.number(of: key.stringValue))
    }

    private func note<T>(_ value: T, _ key: Key) {
        guard case .record = decoder.level else { return }
        decoder.log.note(value, for: decoder.log.number(of: key.stringValue))
    }
}

/// A list with one high element, or an empty one.
private struct ProbeList: UnkeyedDecodingContainer {
    let value: ProbeSingleValue
    private(set) var currentIndex = 0

    init(isHigh: Bool, depth: Int) { value = ProbeSingleValue(isHigh: isHigh, depth: depth) }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { value.isHigh ? 1 : 0 }
    var isAtEnd: Bool { currentIndex >= (value.isHigh ? 1 : 0) }

    mutating func decodeNil() -> Bool { value.decodeNil() }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        currentIndex += 1
        return try value.decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        element().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { element().unkeyedContainer() }

    mutating func superDecoder() -> any Decoder { element() }

    private mutating func element() -> ProbeDecoder {
        currentIndex += 1
        return ProbeDecoder(level: .value(isHigh: value.isHigh, depth: value.depth + 1), log: ProbeLog())
    }
}

private struct ProbeSingleValue: SingleValueDecodingContainer {
    let isHigh: Bool
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { !isHigh }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try ProbeValue.make(type, isHigh: isHigh, depth: depth + 1)
    }
}
