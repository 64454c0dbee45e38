/// The parameters of `concordance_rank` that do not belong to a column.
package struct RankParameters: Hashable, Sendable {
    package var k1 = 1.2
    package var b = 0.75
    /// Infinity if each repetition of a phrase in the query counts in full.
    package var k3 = Double.infinity
    package var phraseBonus = 0.0
    package var proximityBonus = 0.0

    package init() {}

    /// How much each of `repetitions` equal phrases of a query counts: (k3 + 1) / (k3 + repetitions).
    package func repetitionFactor(_ repetitions: Double) -> Double {
        k3 == .infinity ? 1 : (k3 + 1) / (k3 + repetitions)
    }

    /// Whether the places of hits matter besides their number.
    package var hasBonus: Bool { phraseBonus != 0 || proximityBonus != 0 }
}
