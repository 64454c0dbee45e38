import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("A segment gives back what was written")
struct SegmentTests {
    @Test(arguments: 0..<20)
    func `random documents and terms`(seed: UInt64) throws {
        var random = SegmentModelGenerator(seed: seed)
        let model = random.model()
        let memory = try MemoryStore()
        let info = try model.write(id: 7, to: memory.store)
        let segment = try Segment(info, shape: model.shape, store: memory.store)
        let read = try SegmentModel(reading: segment)
        #expect(read.documents == model.documents, "seed \(seed)")
        #expect(read.terms.map(\.key) == model.terms.map(\.key), "seed \(seed)")
        for (left, right) in zip(read.terms, model.terms) where left != right {
            Issue.record("seed \(seed): term \(right.key.prefix(40)) of \(right.postings.count) postings differs")
        }
        withExtendedLifetime(memory) {}
    }
}
