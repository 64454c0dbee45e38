/// Remembers what queries have computed about one state of an index. Another page of results, or the same word typed
/// again, reuses it.
final class QueryCache<Key: Hashable, Value> {
    private var values: [Key: (value: Value, use: Int)] = [:]
    private var clock = 0

    /// The number of values that are remembered.
    static var capacity: Int { 64 }

    /// The value of a key, which is computed unless it is known.
    func value(for key: Key, _ compute: () throws -> Value) rethrows -> Value {
        if let known = known(key) { return known }
        let value = try compute()
        if values.count >= Self.capacity, let oldest = values.min(by: { $0.value.use < $1.value.use }) {
            values[oldest.key] = nil
        }
        clock += 1
        values[key] = (value, clock)
        return value
    }

    /// The value of a key; nil unless it is known.
    func known(_ key: Key) -> Value? {
        guard let known = values[key]?.value else { return nil }
        clock += 1
        values[key] = (known, clock)
        return known
    }
}
