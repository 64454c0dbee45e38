import CConcordanceSQLite

/// The arguments of `concordance_rank` after the table's name: `k1, b, k3, phraseBonus, proximityBonus`, a weight for
/// each column, a b for each column.
///
/// They are read in place from SQLite, again for each row, because SQL may compute them from the row.
package struct RankArguments {
    /// Parameters that are NULL or left out have FTS5's values, and bonuses are 0.
    package let parameters: RankParameters
    private let values: UnsafePointer<OpaquePointer?>?
    private let count: Int32

    private static let parameterCount: Int32 = 5

    @inline(__always)
    package init(_ values: UnsafePointer<OpaquePointer?>?, count: Int32) {
        self.values = values
        self.count = count
        var parameters = RankParameters()
        if let k1 = Self.value(values, count, 0) { parameters.k1 = k1 }
        if let b = Self.value(values, count, 1) { parameters.b = b }
        if let k3 = Self.value(values, count, 2) { parameters.k3 = k3 }
        if let bonus = Self.value(values, count, 3) { parameters.phraseBonus = bonus }
        if let bonus = Self.value(values, count, 4) { parameters.proximityBonus = bonus }
        self.parameters = parameters
    }

    /// The weight of a hit in a column; 1 for columns without an argument.
    @inline(__always)
    package func weight(ofColumn column: Int32) -> Double {
        Self.value(values, count, Self.parameterCount &+ column) ?? 1
    }

    /// Whether hits are normalized by the lengths of their columns instead of the row's, that is, whether there are
    /// arguments after the weights.
    package func isFieldwise(columnCount: Int) -> Bool { Int(count) > Int(Self.parameterCount) + columnCount }

    /// How much the length of a column counts, from 0 to 1: b unless it has an argument of its own.
    package func fieldB(ofColumn column: Int, columnCount: Int) -> Double {
        Self.value(values, count, Int32(clamping: Int(Self.parameterCount) + columnCount + column)) ?? parameters.b
    }

    @inline(__always)
    private static func value(
        _ values: UnsafePointer<OpaquePointer?>?, _ count: Int32, _ index: Int32
    ) -> Double? {
        guard let values, index >= 0, index < count else { return nil }
        let value = values[Int(index)]
        return csqlite_value_type(value) == SQLITE_NULL ? nil : csqlite_value_double(value)
    }
}
