import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Numbered documents")
struct NumberedDocumentsTests {
    @Test(arguments: 0..<40)
    func `are those that counting finds`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let first = seed % 4 == 0 ? UInt32.max - 2_000 : UInt32.random(in: 0..<500, using: &random)
        let step = Int.random(in: 1...90, using: &random)
        let documents = (0..<UInt32(1_000)).filter { _ in Int.random(in: 0..<step, using: &random) == 0 }.map {
            first + $0
        }
        let numbered = NumberedDocuments(documents)
        for document in first..<first + 1_500 {
            #expect(numbered.number(of: document) == documents.firstIndex(of: document))
            #expect(numbered.count(below: document) == documents.count { $0 < document })
            #expect(numbered.first(from: document) == documents.first { $0 >= document })
        }
        let others = (first..<first + 1_500).filter { _ in Bool.random(using: &random) } + [.max]
        withUnsafeTemporaryAllocation(of: Int.self, capacity: others.count) { chosen in
            let count = numbered.choose(others, others.count, into: chosen)
            #expect(Array(chosen[..<count]) == others.indices.filter { documents.contains(others[$0]) })
        }
        #expect(numbered.number(of: 0) == (documents.first == 0 ? 0 : nil))
        #expect(numbered.count(below: 0) == 0)
        #expect(numbered.count(below: .max) == documents.count { $0 < .max })
    }
}
