import ConcordanceSQLite

/// Finds the column that stores a property of a record, without macros and without reflection.
///
/// A record type is `Decodable`, so instances of it can be made from trial values: each stored property gets one of two
/// values, "low" or "high". In one instance all properties are low. In each of some others, a property is high where
/// one bit of its number is set. To find the property behind a key path, it is read from each of them: those in which
/// it is not low spell its number. Two more instances check the result: when only that property is high it must read
/// high, and when all others are high it must read low. So a computed property is not mistaken for a stored one that it
/// depends on, unless it has exactly the same value.
///
/// Cost: tens of microseconds for the first use of a key path, a hash look-up afterwards.
package enum KeyPathColumns {
    /// The column of a property of any decodable type; its coding key unless the type names its columns.
    package static func name<Record: Decodable, Value>(
        of keyPath: KeyPath<Record, Value>
    ) throws(KeyPathError) -> String {
        if let name = cached(keyPath) { return name }
        let key = try ProbedRecord<Record>.key(of: keyPath)
        let name = (Record.self as? any ColumnNaming.Type)?.databaseColumnName(forCodingKey: key) ?? key
        cache(name, for: keyPath)
        return name
    }

    /// Key paths to properties are immutable values. The compiler cannot know this of key paths in general, which may
    /// hold the arguments of subscripts; those are never stored here, because no subscript is a column.
    private struct Names: @unchecked Sendable {
        var names: [AnyKeyPath: String] = [:]
    }

    private static let names = Locked(Names())

    private static func cached(_ keyPath: AnyKeyPath) -> String? {
        let key = SendableKeyPath(keyPath: keyPath)
        return names.withLock { $0.names[key.keyPath] }
    }

    private static func cache(_ name: String, for keyPath: AnyKeyPath) {
        let key = SendableKeyPath(keyPath: keyPath)
        names.withLock { $0.names[key.keyPath] = name }
    }

    /// Carries a key path of properties into the lock; see `Names`.
    private struct SendableKeyPath: @unchecked Sendable {
        let keyPath: AnyKeyPath
    }
}

/// The trial instances of one record type.
private struct ProbedRecord<Record: Decodable> {
    static func key<Value>(of keyPath: KeyPath<Record, Value>) throws(KeyPathError) -> String {
        let low = try probe { _ in false }
        let keys = low.keys
        let base = low.record[keyPath: keyPath]
        var number = 0
        for bit in 0..<(Int.bitWidth - keys.count.leadingZeroBitCount) {
            let probed = try probe { ($0 + 1) >> bit & 1 == 1 }
            if !equal(probed.record[keyPath: keyPath], base) { number |= 1 << bit }
        }
        let index = number - 1
        guard keys.indices.contains(index) else { throw noColumn(keyPath) }
        let alone = try probe { $0 == index }
        let others = try probe { $0 != index }
        guard equal(others.record[keyPath: keyPath], base), !equal(alone.record[keyPath: keyPath], base),
            let given = alone.values[index], given(alone.record[keyPath: keyPath])
        else { throw noColumn(keyPath) }
        return keys[index]
    }

    private static func noColumn(_ keyPath: AnyKeyPath) -> KeyPathError {
        .notStored(record: "\(Record.self)", keyPath: "\(keyPath)")
    }

    private static func probe(_ isHigh: @escaping (Int) -> Bool) throws(KeyPathError) -> (
        record: Record, keys: [String], values: [Int: (Any) -> Bool]
    ) {
        let log = ProbeLog()
        do {
            let record = try Record(from: ProbeDecoder(level: .record(isHigh), log: log))
            return (record, log.keys, log.values)
        } catch let error as ProbeError {
            throw .unavailable(record: "\(Record.self)", reason: error.description)
        } catch {
            throw .unavailable(
                record: "\(Record.self)", reason: "its init(from:) rejects trial values: \(error)")
        }
    }

    private static func equal<Value>(_ left: Value, _ right: Value) -> Bool { ProbeValue.equal(left, right) }
}
