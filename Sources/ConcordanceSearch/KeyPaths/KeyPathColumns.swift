import ConcordanceSQLite

/// Finds the column that a property of a record is stored in, without macros and without reflection.
///
/// A record type is `Decodable`, so instances of it can be made from trial values: each stored property is given one of
/// two values, "low" or "high". From an instance in which all are low, and some more in which a property is high where
/// the bits of its number say so, the property behind a key path is found by reading it from each: the instances in
/// which it is not low spell the number. Two more instances prove the find: the only high property must read high, and
/// when all others are high it must read low. So a computed property is not taken for a stored one it depends on, unless
/// it has that property's very value.
///
/// Costs: some tens of microseconds for the first use of a key path, a hash look-up for the others.
package enum KeyPathColumns {
    /// The column of a property of any decodable type; its coding key where the type has no naming of its own.
    package static func name<Record: Decodable, Value>(
        of keyPath: KeyPath<Record, Value>
    ) throws(KeyPathError) -> String {
        if let name = cached(keyPath) { return name }
        let key = try ProbedRecord<Record>.key(of: keyPath)
        let name = (Record.self as? any ColumnNaming.Type)?.databaseColumnName(forCodingKey: key) ?? key
        cache(name, for: keyPath)
        return name
    }

    /// Key paths to properties are immutable values; the compiler does not know that of key paths in general, which may
    /// hold the arguments of subscripts. Those are not stored: no subscript is a column.
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

    /// Takes a key path of properties into the lock; see `Names`.
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
