import CSQLite

/// The arguments of `concordance_rank` behind the table's name: `k1, b, k3, phraseBonus, proximityBonus, weight...`.
///
/// They are read where SQLite has them, for each row anew, since SQL may compute them from the row.
struct RankArguments {
    let k1: Double
    let b: Double
    /// Infinite where it is NULL or not given.
    let k3: Double
    let phraseBonus: Double
    let proximityBonus: Double
    private let values: UnsafeMutablePointer<OpaquePointer?>?
    private let count: Int32

    private static let parameterCount: Int32 = 5

    /// Parameters that are not given have FTS5's values, bonuses none.
    @inline(__always)
    init(_ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int32) {
        self.values = values
        self.count = count
        k1 = Self.value(values, count, 0) ?? 1.2
        b = Self.value(values, count, 1) ?? 0.75
        k3 = Self.value(values, count, 2) ?? .infinity
        phraseBonus = Self.value(values, count, 3) ?? 0
        proximityBonus = Self.value(values, count, 4) ?? 0
    }

    /// What a match in a column counts; 1 for columns without an argument.
    @inline(__always)
    func weight(ofColumn column: Int32) -> Double {
        Self.value(values, count, Self.parameterCount &+ column) ?? 1
    }

    @inline(__always)
    private static func value(
        _ values: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int32, _ index: Int32
    ) -> Double? {
        guard let values, index >= 0, index < count else { return nil }
        let value = values[Int(index)]
        return csqlite_value_type(value) == SQLITE_NULL ? nil : csqlite_value_double(value)
    }
}
