import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Many ranked rows")
struct RankedSortingTests {
    /// Scores that are spread over all numbers, near each other, and mostly or always equal.
    private static func score(_ kind: Int, _ random: inout SeededGenerator) -> Double {
        switch kind {
        case 0: Double(bitPattern: .random(in: 0 ... .max, using: &random))
        case 1: .random(in: 0...20, using: &random)
        case 2: 7 + .random(in: 0...1e-12, using: &random)
        case 3: Double(Int.random(in: 0..<9, using: &random))
        case 4: 1
        default: [.nan, -0.0, 0, .infinity, -.infinity, .leastNonzeroMagnitude][Int.random(in: 0..<6, using: &random)]
        }
    }

    @Test(arguments: 0..<6)
    func `are sorted by score and rowid`(kind: Int) throws {
        var random = SeededGenerator(seed: UInt64(kind))
        for count in [0, 1, 255, 256, 257, 5000] {
            for order in [RankOrder.ascending, .descending] {
                let rows = (0..<count).map { _ in
                    let score = Self.score(kind, &random)
                    return RankedDocument(
                        key: order.key(score), rowID: .random(in: -1000...1000, using: &random),
                        document: DocumentReference(segment: 0, document: 0), score: score)
                }
                var sorted = rows
                sorted.sortByRank()
                let expected = rows.sorted { $0.precedes($1) }
                #expect(sorted.map(\.key) == expected.map(\.key) && sorted.map(\.rowID) == expected.map(\.rowID))
            }
        }
    }
}
