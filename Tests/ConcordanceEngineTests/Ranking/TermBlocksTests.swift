import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Documents of a block that may reach a score")
struct TermBlocksTests {
    private static let weights: [[Double]] = [[], [10, 1], [1, 10], [0.3, 5], [0, 2]]

    @Test(arguments: 0..<20)
    func `are all that do, and of those in several columns none whose weighted hits are too few`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model = RankingModel(documentCount: 1500, maximumLength: 40, using: &random)
        let memory = try MemoryStore()
        defer { withExtendedLifetime(memory) {} }
        let segments = try model.write(to: memory)
        let weights = Self.weights[Int(seed) % Self.weights.count]
        for term in 0..<model.termCount {
            let query = RankingModelQuery(.init(term: term))
            let statistics = model.statistics(query, weights, .ascending)
            for (number, segment) in segments.enumerated() {
                let segment = segment.segment
                guard let entry = try RankingModel.key(term).withUnsafeBufferPointer({ try segment.find($0) }) else {
                    continue
                }
                let blocks = TermBlocks(segment, entry, columns: nil, weight: statistics.phraseWeights[0], statistics)
                let documents = model.documents.filter { $0.segment == number }
                for block in 0..<blocks.blockCount {
                    try check(blocks, block, documents, model, query.phrases[0], weights)
                }
            }
        }
    }

    private func check(
        _ blocks: TermBlocks, _ block: Int, _ documents: [RankingModel.Document], _ model: RankingModel,
        _ phrase: RankingModel.Phrase, _ weights: [Double]
    ) throws {
        let statistics = blocks.statistics
        let decoded = try blocks.decode(block)
        let members = (0..<decoded.count).map { documents[Int(decoded.documents[$0])] }
        let frequencies = members.map { model.frequency(of: phrase, in: $0, weights) }
        let columns = members.map { Set(model.columns(of: phrase, in: $0)) }
        let shares = zip(members, frequencies).map {
            statistics.share(blocks.weight, frequency: $1, norm: statistics.norm(UInt32($0.length)))
        }
        let shortest = members.map { FloatCode.length(FloatCode.floor(length: UInt32($0.length))) }.min() ?? 0
        let norm = statistics.norm(shortest)
        let scores = Set(shares).sorted()
        for score in stride(from: 0, to: scores.count, by: 1 + scores.count / 6).map({ scores[$0] }) + [0, 1e6] {
            let chosen = try withUnsafeTemporaryAllocation(of: Int.self, capacity: BlockSource.blockSize) { chosen in
                Array(chosen[..<(try blocks.choose(adding: score, into: chosen))])
            }
            #expect(chosen == chosen.sorted())
            let missing = shares.indices.filter { shares[$0] >= score && !chosen.contains($0) }
            #expect(missing.isEmpty, "\(score)")
            var wrong: [Int] = []
            for index in chosen {
                // A list of one block does not know its lengths.
                let isBounded = blocks.blockCount > 1 && columns[index].count > 1
                let most = statistics.share(blocks.weight, frequency: frequencies[index], norm: norm)
                let reaches = most * RankingStatistics.slack * RankingStatistics.slack >= score
                if decoded.frequency(at: index) != frequencies[index] || isBounded && !reaches { wrong.append(index) }
            }
            #expect(wrong.isEmpty, "\(score)")
        }
    }
}
