import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Terms that are written in batches")
struct TermPipelineTests {
    /// Terms of which the longest fill more than a batch.
    private static func model() -> SegmentModel {
        let shape = IndexShape(columnCount: 2, hasPositions: true, prefixes: [1])
        var model = SegmentModel(shape: shape)
        model.documents = (0..<90_000).map { .init(rowID: $0, columnLengths: [9, 9], fingerprint: UInt32($0)) }
        for (number, step) in [1, 90_000, 1, 7, 40_000, 300, 90_000].enumerated() {
            var postings: [SegmentModel.Posting] = []
            for document in stride(from: UInt32(number), to: 90_000, by: step) {
                let column = document % 2
                postings.append(
                    .init(
                        document: document, columns: [ColumnFrequency(column: column, count: 1)],
                        positions: [Position(column: column, offset: document % 9)]))
            }
            let adjustment = number % 3 - 1
            model.terms.append(.init(key: [0, 97, UInt8(number)], adjustment: adjustment, postings: postings))
        }
        // Nothing is left of a term without postings, and of one with an adjustment only that.
        model.terms.append(.init(key: [1, 98], adjustment: 2, postings: []))
        return model
    }

    /// A writer of a segment that has the documents of the model.
    private func makeWriter(_ model: SegmentModel, _ memory: MemoryStore) throws -> SegmentWriter {
        let writer = SegmentWriter(id: 7, shape: model.shape, store: memory.store)
        try model.writeDocuments(to: writer)
        try writer.endDocuments()
        return writer
    }

    @Test func `are those that were added`() throws {
        let model = Self.model()
        let memory = try MemoryStore()
        let writer = try makeWriter(model, memory)
        let pipeline = TermPipeline(writer)
        try model.writeTerms(to: pipeline)
        #expect(pipeline.postingCount == 0)
        try pipeline.finish()
        let segment = try Segment(writer.finish(), shape: model.shape, store: memory.store)
        expectSame(try SegmentModel(reading: segment), model, "in batches")
        let direct = try MemoryStore()
        #expect(try model.write(id: 7, to: direct.store) == segment.info)
        #expect(try rows(memory) == rows(direct))
    }

    private func rows(_ memory: MemoryStore) throws -> [[UInt8]] {
        var rows: [[UInt8]] = []
        try memory.store.forEachRow { id, bytes in rows.append(withUnsafeBytes(of: id) { Array($0) } + Array(bytes)) }
        return rows
    }

    @Test func `end with what cannot be written`() throws {
        let model = Self.model()
        let memory = try MemoryStore()
        let pipeline = TermPipeline(try makeWriter(model, memory))
        #expect(throws: (any Error).self) {
            try model.writeTerms(to: pipeline)
            // Keys that are out of order.
            try model.writeTerms(to: pipeline)
            try pipeline.finish()
        }
    }
}
