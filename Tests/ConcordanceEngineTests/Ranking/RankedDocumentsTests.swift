import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Ranked documents")
struct RankedDocumentsTests {
    /// Weights that allow bounds, and weights that do not.
    private static let weights: [[Double]] = [
        [], [1, 1], [10, 0.3], [0, 2], [0.1, 0.7, 1e6], [-1, 3], [.infinity], [.infinity, -.infinity], [-1e300, 1e300],
    ]

    /// The rows as far as they are wanted, by rowid and score.
    private func read(
        _ query: RankingModelQuery, _ model: RankingModel, _ segments: [LiveSegment], _ weights: [Double],
        _ order: RankOrder, limit: Int?, count: Int, foundLimit: Int = RankerChoice.foundLimit
    ) throws -> [(rowID: Int64, score: Double)] {
        var documents = try RankedDocuments(
            query.expression, segments: segments, statistics: model.statistics(query, weights, order), limit: limit,
            foundLimit: foundLimit)
        var rows: [(rowID: Int64, score: Double)] = []
        while rows.count < count, let row = try documents.next() { rows.append((row.rowID, row.score)) }
        return rows
    }

    @Test(arguments: 0..<20)
    func `are all matches, sorted by score and rowid`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let isLarge = seed % 8 == 0
        var model = RankingModel(
            documentCount: isLarge ? 1500 : Int.random(in: 1...300, using: &random),
            maximumLength: [2, 6, 40][Int(seed % 3)], using: &random)
        guard !model.live.isEmpty else { return }
        let memory = try MemoryStore()
        defer { withExtendedLifetime(memory) {} }
        let segments = try model.write(to: memory)
        for depth in isLarge ? [0, 2] : [0, 0, 1, 1, 2, 3] {
            let query = RankingModelQuery(model, depth: depth, using: &random)
            let weights = try #require(Self.weights.randomElement(using: &random))
            let order = Int.random(in: 0..<4, using: &random) == 0 ? RankOrder.descending : .ascending
            let expected = model.ranked(query, weights, order)
            for limit in [nil, 1, 3, 10, expected.count] {
                let count = limit ?? .max
                let foundLimit = [1, 100, RankerChoice.foundLimit].randomElement(using: &random) ?? 1
                let rows = try read(
                    query, model, segments, weights, order, limit: limit, count: count, foundLimit: foundLimit)
                let wanted = expected.prefix(count)
                let comment: Comment =
                    "seed \(seed), \(query), \(weights), \(order), \(count), \(foundLimit) documents held"
                #expect(rows.map(\.rowID) == wanted.map(\.rowID), comment)
                #expect(
                    zip(rows, wanted).allSatisfy { $0.score == $1.score || $0.score.isNaN && $1.score.isNaN }, comment)
            }
        }
    }

    @Test
    func `continue beyond the limit that was given`() throws {
        var random = SeededGenerator(seed: 7)
        var model = RankingModel(documentCount: 1000, maximumLength: 3, using: &random)
        let memory = try MemoryStore()
        defer { withExtendedLifetime(memory) {} }
        let segments = try model.write(to: memory)
        let query = RankingModelQuery(.init(term: 0))
        let rows = try read(query, model, segments, [], .ascending, limit: 2, count: .max)
        #expect(rows.map(\.rowID) == model.ranked(query, [], .ascending).map(\.rowID))
        #expect(rows.count > 300)
    }
}
