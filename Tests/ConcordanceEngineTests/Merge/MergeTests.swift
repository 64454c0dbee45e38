import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("A merge makes one segment of several")
struct MergeTests {
    /// Segments that share rowids, each version of a row but the last removed.
    private struct Inputs {
        var models: [SegmentModel] = []
        var removed: [[UInt32]] = []

        /// - Parameter later: Further documents, which are removed during the merge.
        func deletions(_ later: [[UInt32]]) -> [Deletions] {
            models.indices.map { index in
                Deletions.none.adding(
                    Set(removed[index]).union(later[index]).sorted(), documentCount: models[index].documents.count)
            }
        }
    }

    private func makeInputs(_ random: inout SegmentModelGenerator) -> Inputs {
        let shape = random.shape()
        var inputs = Inputs()
        var last: [Int64: (segment: Int, document: UInt32)] = [:]
        let isDisjoint = Bool.random(using: &random.random)
        for segment in 0..<Int.random(in: 1...5, using: &random.random) {
            let count = [0, 1, 3, 130, 900].randomElement(using: &random.random)!
            let base = isDisjoint ? Int64(segment) * 100_000 : 0
            let model = random.model(shape, rowIDs: rowIDs(count, base, &random))
            inputs.models.append(model)
            inputs.removed.append([])
            for (document, content) in model.documents.enumerated() {
                if let old = last[content.rowID] { inputs.removed[old.segment].append(old.document) }
                last[content.rowID] = (segment, UInt32(document))
            }
        }
        for rowID in last.keys.sorted() where Int.random(in: 0..<8, using: &random.random) == 0 {
            if let place = last[rowID] { inputs.removed[place.segment].append(place.document) }
        }
        return inputs
    }

    /// Ascending; with gaps, or without any but one.
    private func rowIDs(_ count: Int, _ base: Int64, _ random: inout SegmentModelGenerator) -> [Int64] {
        if Bool.random(using: &random.random) {
            let first = base + Int64.random(in: -500...500, using: &random.random)
            let gap = Int.random(in: 0...count, using: &random.random)
            return (0..<count).map { first + Int64($0 < gap ? $0 : $0 + 1) }
        }
        var rowIDs: Set<Int64> = []
        while rowIDs.count < count { rowIDs.insert(base + Int64.random(in: -1000...1000, using: &random.random)) }
        return rowIDs.sorted()
    }

    /// What the result must be, by brute force over the models.
    private func expectedResult(_ inputs: Inputs) -> SegmentModel {
        var result = SegmentModel(shape: inputs.models[0].shape)
        var rows: [(document: SegmentModel.Document, segment: Int, number: UInt32)] = []
        for (segment, model) in inputs.models.enumerated() {
            let removed = Set(inputs.removed[segment])
            for (number, document) in model.documents.enumerated() where !removed.contains(UInt32(number)) {
                rows.append((document, segment, UInt32(number)))
            }
        }
        rows.sort { $0.document.rowID < $1.document.rowID }
        result.documents = rows.map(\.document)
        var numbers = inputs.models.map { _ in [UInt32: UInt32]() }
        for (number, row) in rows.enumerated() { numbers[row.segment][row.number] = UInt32(number) }
        var terms: [[UInt8]: SegmentModel.Term] = [:]
        for (segment, model) in inputs.models.enumerated() {
            for term in model.terms {
                var merged = terms[term.key] ?? SegmentModel.Term(key: term.key, adjustment: 0, postings: [])
                merged.adjustment += term.adjustment + term.postings.count
                for posting in term.postings {
                    guard let number = numbers[segment][posting.document] else { continue }
                    merged.postings.append(posting)
                    merged.postings[merged.postings.count - 1].document = number
                    merged.adjustment -= 1
                }
                terms[term.key] = merged
            }
        }
        result.terms = terms.values.filter { !$0.postings.isEmpty || $0.adjustment != 0 }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for index in result.terms.indices { result.terms[index].postings.sort { $0.document < $1.document } }
        return result
    }

    private func open(_ inputs: Inputs, _ memory: MemoryStore) throws -> [Segment] {
        try inputs.models.enumerated().map { index, model in
            let info = try model.write(id: UInt32(index + 1), to: memory.store)
            return try Segment(info, shape: model.shape, store: memory.store)
        }
    }

    @Test(arguments: 0..<40)
    func `random segments with removed documents, in steps of any size, in any process`(seed: UInt64) throws {
        var random = SegmentModelGenerator(seed: 7000 + seed)
        let inputs = makeInputs(&random)
        let memory = try MemoryStore()
        let segments = try open(inputs, memory)
        let job = MergeJob(output: 99, inputs: segments.map(\.info.id))
        let shape = inputs.models[0].shape
        let budget = [1, 500, 20_000, .max].randomElement(using: &random.random)!
        var later = inputs.models.map { _ in [UInt32]() }
        var merge = try Merge(job, segments: segments, shape: shape, store: memory.store)
        var steps = 1
        while try !merge.step(budget: budget, deletions: inputs.deletions(later), isInUse: { _ in false }) {
            steps += 1
            #expect(try merge.isCurrent(), "seed \(seed)")
            // What is removed before the documents are merged is left out; what is removed later comes with them.
            if merge.isAtTerms, Int.random(in: 0..<3, using: &random.random) == 0 {
                let segment = inputs.models.indices.randomElement(using: &random.random)!
                let count = UInt32(inputs.models[segment].documents.count)
                if count > 0 { later[segment].append(UInt32.random(in: 0..<count, using: &random.random)) }
            }
            if Int.random(in: 0..<5, using: &random.random) == 0 {
                merge = try Merge(job, segments: segments, shape: shape, store: memory.store)
            }
        }
        let expected = expectedResult(inputs)
        let result = try merge.finish(deletions: inputs.deletions(later), level: 1)
        #expect((result == nil) == (expected.documents.isEmpty && expected.terms.isEmpty), "seed \(seed)")
        guard let result else { return }
        let segment = try Segment(result.info, shape: shape, store: memory.store)
        expectSame(try SegmentModel(reading: segment), expected, "seed \(seed), budget \(budget), \(steps) steps")
        let removedRows = try result.removed.map { try segment.rowID(at: Int($0)) }
        var expectedRows: [Int64] = []
        for (index, documents) in later.enumerated() {
            for document in Set(documents).subtracting(inputs.removed[index]) {
                expectedRows.append(inputs.models[index].documents[Int(document)].rowID)
            }
        }
        #expect(removedRows == expectedRows.sorted(), "seed \(seed)")
    }

    @Test(arguments: 0..<40)
    func `small segments merged at once are the same`(seed: UInt64) throws {
        var random = SegmentModelGenerator(seed: 9000 + seed)
        let inputs = makeInputs(&random)
        let memory = try MemoryStore()
        let shape = inputs.models[0].shape
        let live = zip(try open(inputs, memory), inputs.deletions(inputs.models.map { _ in [] })).map {
            LiveSegment(Manifest.Entry(info: $0.info, stamp: 0), segment: $0, deletions: $1)
        }
        var merge = SmallMerge(live, id: 99, shape: shape, store: memory.store)
        #expect(try merge.read())
        let info = try merge.write()
        let expected = expectedResult(inputs)
        #expect((info == nil) == (expected.documents.isEmpty && expected.terms.isEmpty), "seed \(seed)")
        guard let info else { return }
        let result = try SegmentModel(reading: Segment(info, shape: shape, store: memory.store))
        expectSame(result, expected, "seed \(seed)")
    }

    /// A hundred bytes of a dictionary can stand for megabytes of keys that begin alike.
    @Test func `small segments with long keys are not merged in memory`() throws {
        let inputs = [0, 1].map { (number: UInt8) in
            var model = SegmentModel(shape: IndexShape(columnCount: 1, hasPositions: false, prefixes: []))
            model.documents = [SegmentModel.Document(rowID: Int64(number), columnLengths: [2], fingerprint: 1)]
            model.terms = (1...50).map { last in
                SegmentModel.Term(key: [0] + Array(repeating: 97, count: 1000) + [last], adjustment: 1, postings: [])
            }
            return model
        }
        let memory = try MemoryStore()
        let live = try inputs.enumerated().map { number, model in
            let info = try model.write(id: UInt32(number + 1), to: memory.store)
            let segment = try Segment(info, shape: model.shape, store: memory.store)
            return LiveSegment(Manifest.Entry(info: info, stamp: 0), segment: segment, deletions: .none)
        }
        for (limit, isRead) in [(100_199, false), (100_200, true)] {
            var merge = SmallMerge(live, id: 99, shape: inputs[0].shape, store: memory.store)
            #expect(try merge.read(keyLimit: limit) == isRead)
        }
    }

    @Test func `the work of a step is bounded, within a long list too`() throws {
        let shape = IndexShape(columnCount: 1, hasPositions: true, prefixes: [])
        var model = SegmentModel(shape: shape)
        var term = SegmentModel.Term(key: [0, 97], adjustment: 0, postings: [])
        for document in 0..<20_000 {
            model.documents.append(
                SegmentModel.Document(rowID: Int64(document), columnLengths: [2], fingerprint: 1))
            term.postings.append(
                SegmentModel.Posting(
                    document: UInt32(document), columns: [ColumnFrequency(column: 0, count: 2)],
                    positions: [Position(column: 0, offset: 0), Position(column: 0, offset: 1)]))
        }
        model.terms = [term]
        let memory = try MemoryStore()
        let segment = try Segment(model.write(id: 1, to: memory.store), shape: shape, store: memory.store)
        var steps = 1
        var merge = try Merge(MergeJob(output: 2, inputs: [1]), segments: [segment], shape: shape, store: memory.store)
        while try !merge.step(budget: 5000, deletions: [.none], isInUse: { _ in false }), steps < 100 {
            steps += 1
            merge = try Merge(
                MergeJob(output: 2, inputs: [1]), segments: [segment], shape: shape, store: memory.store)
        }
        #expect((10..<100).contains(steps))
        let result = try #require(try merge.finish(deletions: [.none], level: 1))
        let read = try SegmentModel(reading: Segment(result.info, shape: shape, store: memory.store))
        expectSame(read, model, "\(steps) steps")
    }

    /// Blocks with more positions than are copied at once, and a posting that alone has more. The documents of the two inputs
    /// follow one another, or take turns.
    @Test(arguments: [1, 3000, .max], [false, true])
    func `postings with many positions are the same`(budget: Int, isInTurn: Bool) throws {
        let shape = IndexShape(columnCount: 2, hasPositions: true, prefixes: [])
        var inputs = Inputs(models: [], removed: [[], [7, 8]])
        for segment in 0..<2 {
            var model = SegmentModel(shape: shape)
            var term = SegmentModel.Term(key: [0, 97], adjustment: 0, postings: [])
            for document in 0..<300 {
                let rowID = isInTurn ? 2 * document + segment : 300 * segment + document
                let seed = UInt32(document + segment + 2)
                let counts: [UInt32] = [document == 100 ? 20_000 : 300, document % 3 == 0 ? 2 : 0]
                let columns = counts.enumerated().filter { $1 > 0 }
                model.documents.append(.init(rowID: Int64(rowID), columnLengths: counts, fingerprint: 1))
                term.postings.append(
                    .init(
                        document: UInt32(document),
                        columns: columns.map { ColumnFrequency(column: UInt32($0), count: $1) },
                        positions: columns.flatMap { column, count in
                            (0..<count).map { Position(column: UInt32(column), offset: 9 * $0 + $0 * $0 % seed % 9) }
                        }))
            }
            model.terms = [term]
            inputs.models.append(model)
        }
        let memory = try MemoryStore()
        let segments = try open(inputs, memory)
        let job = MergeJob(output: 99, inputs: [1, 2])
        let deletions = inputs.deletions([[], []])
        var merge = try Merge(job, segments: segments, shape: shape, store: memory.store)
        while try !merge.step(budget: budget, deletions: deletions, isInUse: { _ in false }) {
            merge = try Merge(job, segments: segments, shape: shape, store: memory.store)
        }
        let result = try #require(try merge.finish(deletions: deletions, level: 1))
        let read = try SegmentModel(reading: Segment(result.info, shape: shape, store: memory.store))
        expectSame(read, expectedResult(inputs), "budget \(budget), in turn \(isInTurn)")
    }

    @Test(arguments: 0..<10)
    func `a damaged state of a merge gives an error`(seed: UInt64) throws {
        var random = SegmentModelGenerator(seed: 8000 + seed)
        let inputs = makeInputs(&random)
        let memory = try MemoryStore()
        let segments = try open(inputs, memory)
        let job = MergeJob(output: 99, inputs: segments.map(\.info.id))
        let shape = inputs.models[0].shape
        let first = try Merge(job, segments: segments, shape: shape, store: memory.store)
        let deletions = inputs.deletions(inputs.models.map { _ in [] })
        guard try !first.step(budget: 1000, deletions: deletions, isInUse: { _ in false }) else { return }
        let id = BlockStore.id(segment: 99, stream: 0, page: 0)
        let whole = try #require(try memory.store.withRow(id) { Array($0) })
        for _ in 0..<40 {
            var bytes = whole
            let index = Int.random(in: 0..<bytes.count, using: &random.random)
            switch Int.random(in: 0..<3, using: &random.random) {
            case 0: bytes.removeSubrange(index...)
            case 1: bytes[index] = 0xFF
            default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random.random)
            }
            try bytes.withUnsafeBytes { try memory.store.write(id, $0) }
            do {
                let merge = try Merge(job, segments: segments, shape: shape, store: memory.store)
                for _ in 0..<3
                where try merge.step(
                    budget: 2000, deletions: segments.map { _ in .none }, isInUse: { _ in false })
                { break }
            } catch let error as DatabaseError {
                #expect(error.resultCode == .SQLITE_CORRUPT, "seed \(seed): \(error)")
            }
        }
    }
}
