import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("The numbers of documents in a list")
struct DocumentRanksTests {
    @Test(arguments: 0..<40)
    func `are those that counting finds`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let first = seed % 4 == 0 ? UInt32.max - 2_000 : UInt32.random(in: 0..<500, using: &random)
        let step = Int.random(in: 1...90, using: &random)
        let documents = (0..<UInt32(1_000)).filter { _ in Int.random(in: 0..<step, using: &random) == 0 }.map {
            first + $0
        }
        let ranks = DocumentRanks(documents)
        for document in first..<first + 1_500 {
            #expect(ranks.index(of: document) == documents.firstIndex(of: document))
            if document >= documents.first ?? 0 {
                #expect(ranks.count(below: document) == documents.count { $0 < document })
            }
        }
        if let first = documents.first, first > 0 { #expect(ranks.index(of: first - 1) == nil) }
    }
}
