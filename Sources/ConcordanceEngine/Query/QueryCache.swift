/// Remembers what queries have computed about one state of an index. Another page of results, or the same word typed
/// again, reuses it.
final class QueryCache<Key: Hashable, Value> {
    private var values: [Key: (value: Value, use: Int)] = [:]
    private var clock = 0

    /// The number of values that are remembered.
    static var capacity: Int { 64 }

    /// The value of a key, which is computed unless it is known.
    func value(for key: Key, _ compute: () throws -> Value) rethrows -> Value {
        clock += 1
        if let known = values[key] {
            values[key] = (known.value, clock)
            return known.value
        }
        let value = try compute()
        if values.count >= Self.capacity, let oldest = values.min(by: { $0.value.use < $1.value.use }) {
            values[oldest.key] = nil
        }
        values[key] = (value, clock)
        return value
    }
}
