/// The numbers of rows that match phrases, for phrases whose matches have to be counted, in one state of an index.
/// Another page of results, or the same word typed again, does not count again.
final class DocumentFrequencyCache {
    private var values: [QueryPhrase: (value: Int, use: Int)] = [:]
    private var clock = 0

    /// The number of phrases that are remembered.
    static let capacity = 64

    /// The value of a phrase, which is computed unless it is known.
    func value(for phrase: QueryPhrase, _ compute: () throws -> Int) rethrows -> Int {
        clock += 1
        if let known = values[phrase] {
            values[phrase] = (known.value, clock)
            return known.value
        }
        let value = try compute()
        if values.count >= Self.capacity, let oldest = values.min(by: { $0.value.use < $1.value.use }) {
            values[oldest.key] = nil
        }
        values[phrase] = (value, clock)
        return value
    }
}
