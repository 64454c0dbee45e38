import ConcordanceFTS5
import Testing

@testable import ConcordanceEngine

@Suite("The least number of hits with which a document may have a frequency")
struct LeastHitsTests {
    @Test(
        arguments: [
            (0, 0), (-1, 0), (.nan, 0), (0.5, 1), (1, 1), (1.7, 2), (2, 2), (2.001, 3), (.infinity, .max),
        ] as [(Double, UInt32)])
    func `is rounded up`(frequency: Double, least: UInt32) {
        let statistics = RankingStatistics(
            norms: LengthNorms(BM25(rowCount: 10, tokenCount: 100)), phraseWeights: [1], weights: ColumnWeights([]))
        var bounds = BlockBoundsBuilder(slope: 0)
        bounds.add(frequency: 9, lengthCode: 0)
        let block = BlockSummary(lastDocument: 0, bounds: bounds.bounds, columns: .max)
        #expect(statistics.leastHits(block, in: .max, frequency: frequency) == least)
    }
}
