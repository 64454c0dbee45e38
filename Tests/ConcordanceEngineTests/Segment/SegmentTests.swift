import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("A segment gives back what was written")
struct SegmentTests {
    @Test(arguments: 0..<30)
    func `random documents and terms`(seed: UInt64) throws {
        var random = SegmentModelGenerator(seed: seed)
        let model = random.model()
        let memory = try MemoryStore()
        let segment = try memory.open(model)
        expectSame(try SegmentModel(reading: segment), model, "seed \(seed)")
    }

    @Test(arguments: 0..<30)
    func `terms are found, others are not, and cursors begin anywhere`(seed: UInt64) throws {
        var random = SegmentModelGenerator(seed: 1000 + seed)
        let model = random.model()
        let memory = try MemoryStore()
        let segment = try memory.open(model)
        let keys = Set(model.terms.map(\.key))
        for term in model.terms {
            let entry = try term.key.withUnsafeBufferPointer { try segment.find($0) }
            #expect(entry?.count == term.postings.count, "seed \(seed), key \(term.key.prefix(40))")
            #expect(entry?.adjustment == term.adjustment, "seed \(seed), key \(term.key.prefix(40))")
        }
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }).prefix(40) {
            var near = key
            switch Int.random(in: 0..<4, using: &random.random) {
            case 0: near.append(UInt8.random(in: 0...255, using: &random.random))
            case 1: near.removeLast()
            case 2: near[near.count - 1] &+= 1
            default: break
            }
            let found = try near.withUnsafeBufferPointer { try segment.find($0) } != nil
            #expect(found == keys.contains(near), "seed \(seed), key \(near.prefix(40))")
            let cursor = try segment.makeTermCursor(from: near)
            let expected = model.terms.first { !$0.key.lexicographicallyPrecedes(near) }
            #expect(try cursor.next() == (expected != nil), "seed \(seed), key \(near.prefix(40))")
            if let expected { #expect(cursor.key == expected.key, "seed \(seed), key \(near.prefix(40))") }
        }
    }

    @Test(arguments: 0..<30)
    func `a cursor goes anywhere`(seed: UInt64) throws {
        var random = SegmentModelGenerator(seed: 2000 + seed)
        let model = random.model()
        let memory = try MemoryStore()
        let segment = try memory.open(model)
        for term in model.terms where !term.postings.isEmpty {
            try walk(segment, term, "seed \(seed), key \(term.key.prefix(40))", using: &random.random)
        }
    }

    @Test func `a decoder that is used again reads another list as a new one does`() throws {
        var random = SegmentModelGenerator(seed: 11)
        let memory = try MemoryStore()
        let segment = try memory.open(random.model())
        func contents(_ decoder: PostingsDecoder, _ entry: TermEntry) throws -> [[UInt64]] {
            decoder.open(entry)
            return try (0..<decoder.blockCount).flatMap { block in
                let count = try decoder.decode(block)
                try decoder.needFrequencies()
                return try (0..<count).map { index in
                    var columns: [UInt64] = []
                    try decoder.forEachColumn(at: index) { columns += [UInt64($0), UInt64($1)] }
                    let positions = try positionArray { try decoder.readPositions(at: index, into: $0) }
                    return [UInt64(decoder.documents[index])] + columns + positions.map(\.rawValue)
                }
            }
        }
        var entries: [TermEntry] = []
        let cursor = try segment.makeTermCursor()
        while try cursor.next() { entries.append(cursor.entry) }
        #expect(entries.count > 10)
        let first = segment.takeDecoder()
        segment.giveBack(first)
        for entry in entries {
            let decoder = segment.takeDecoder()
            #expect(decoder === first && decoder.blockCount == 0)
            #expect(try contents(decoder, entry) == contents(PostingsDecoder(segment), entry))
            // It is given back in the middle of the list, with positions that have been read.
            if decoder.blockCount > 0 {
                _ = try decoder.decode(0)
                _ = try positionArray { try decoder.readPositions(at: 0, into: $0) }
            }
            segment.giveBack(decoder)
        }
    }

    /// Random steps over the postings of a term, compared with the model after each.
    private func walk(
        _ segment: Segment, _ term: SegmentModel.Term, _ context: String, using random: inout SeededGenerator
    ) throws {
        guard let entry = try term.key.withUnsafeBufferPointer({ try segment.find($0) }) else {
            Issue.record("\(context): not found")
            return
        }
        var cursor = try segment.postings(entry)
        var index = -1
        var positions: [Position] = []
        for _ in 0..<min(60, 8 + term.postings.count) {
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                cursor.reset()
                index = -1
                continue
            case 1...4:
                index = min(index + 1, term.postings.count)
                _ = try cursor.next()
            case 5...9:
                let target = UInt32.random(in: 0...UInt32(segment.documentCount), using: &random)
                let start = max(index, 0)
                index = term.postings[start...].firstIndex { $0.document >= target } ?? term.postings.count
                #expect(try cursor.advance(to: target) == cursor.document, "\(context)")
            case 10:
                let block = Int.random(in: 0..<cursor.blockCount, using: &random)
                try cursor.decode(block: block)
                index = block * PostingsCursor.blockSize
                let range = index..<min(index + PostingsCursor.blockSize, term.postings.count)
                #expect(Array(cursor.documents) == term.postings[range].map(\.document), "\(context)")
                #expect(try Array(cursor.frequencies) == term.postings[range].map(\.frequency), "\(context)")
            default:
                try checkBounds(entry, &cursor, segment, term, context, using: &random)
                if index < 0 || index == term.postings.count { continue }
            }
            guard index < term.postings.count else {
                #expect(cursor.document == PostingsCursor.exhausted, "\(context)")
                continue
            }
            let expected = term.postings[index]
            #expect(cursor.document == expected.document, "\(context)")
            #expect(try cursor.frequency == expected.frequency, "\(context)")
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            let column = UInt32.random(in: 0..<UInt32(segment.shape.columnCount), using: &random)
            let inColumn = expected.columns.first { $0.column == column }?.count ?? 0
            var columns: [UInt32: UInt32] = [:]
            try cursor.forEachColumn { columns[$0] = $1 }
            #expect(columns[column] ?? 0 == inColumn, "\(context)")
            positions = try positionArray { try cursor.readPositions(into: $0) }
            #expect(positions == expected.positions, "\(context)")
        }
    }

    /// What is known of a block without decoding it holds for every posting in it.
    private func checkBounds(
        _ entry: TermEntry, _ cursor: inout PostingsCursor, _ segment: Segment, _ term: SegmentModel.Term,
        _ context: String, using random: inout SeededGenerator
    ) throws {
        let block = Int.random(in: 0..<cursor.blockCount, using: &random)
        let start = block * PostingsCursor.blockSize
        let postings = term.postings[start..<min(start + PostingsCursor.blockSize, term.postings.count)]
        let summary = try cursor.block(block)
        #expect(summary.lastDocument == postings.last?.document, "\(context)")
        let list = PostingsDecoder(segment)
        list.open(entry)
        let average = Double(segment.reader.averageLength ?? 0)
        // Norms for b from 0 to 1, also for an average length other than that of the segment.
        let b = Double.random(in: 0...1, using: &random)
        let (base, slope) = (1 - b, b / max(average * Double.random(in: 0.2...5, using: &random), 1))
        let norm = NormCombination(
            base: base, slope: slope,
            segment: Double(LengthSlope.slope(of: segment.reader)))
        let weights: [Double] = (0..<segment.shape.columnCount).map { _ in
            [0, 0.5, 1, 3, 10].randomElement(using: &random) ?? 1
        }
        let columnWeights = ColumnWeights(weights)
        for bounds in [summary.bounds, try list.bounds ?? list.summaryOfOnly().bounds] {
            for posting in postings {
                let length = try segment.length(at: Int(posting.document))
                let quotient = (base + slope * Double(length)) / Double(posting.frequency)
                #expect(norm.leastQuotient(bounds) <= quotient, "\(context): \(posting.document)")
                #expect(summary.shortestLength <= length, "\(context): \(posting.document)")
            }
        }
        let columns = UInt16.random(in: 0 ... .max, using: &random)
        let blockWeights = BlockWeights(summary, columnWeights, in: columns)
        for posting in postings {
            let length = try segment.length(at: Int(posting.document))
            let hits = posting.columns.reduce(0) { sum, column in
                let counts = columns & ColumnFilter.summaryBit(column.column) != 0
                return sum + (counts ? weights[Int(column.column)] * Double(column.count) : 0)
            }
            let quotient = (base + slope * Double(length)) / hits
            let bound = norm.leastQuotient(summary, blockWeights) * (1 - 1e-12)
            #expect(bound <= quotient, "\(context): \(posting.document), \(weights)")
        }
        for column in postings.flatMap(\.columns) {
            #expect(summary.columns & 1 << UInt16(min(column.column, 15)) != 0, "\(context)")
        }
    }

    @Test(arguments: 0..<20)
    func `rows are found by their ids`(seed: UInt64) throws {
        var random = SegmentModelGenerator(seed: 3000 + seed)
        let rowIDs = random.rowIDs([0, 1, 127, 128, 129, 4095, 4096, 4097, 9000].randomElement(using: &random.random)!)
        let model = random.model(IndexShape(columnCount: 2, hasPositions: false, prefixes: []), rowIDs: rowIDs)
        let memory = try MemoryStore()
        let segment = try memory.open(model)
        #expect(try (0..<rowIDs.count).map { try segment.rowID(at: $0) } == rowIDs, "seed \(seed)")
        for _ in 0..<200 {
            var rowID = rowIDs.randomElement(using: &random.random) ?? 0
            if Bool.random(using: &random.random) { rowID = rowID &+ Int64.random(in: -3...3, using: &random.random) }
            let expected = rowIDs.firstIndex { $0 >= rowID } ?? rowIDs.count
            #expect(try segment.firstDocument(atOrAfter: rowID) == expected, "seed \(seed), \(rowID)")
            let isThere = expected < rowIDs.count && rowIDs[expected] == rowID
            #expect(try segment.document(withRowID: rowID) == (isThere ? expected : nil), "seed \(seed), \(rowID)")
        }
    }

    @Test func `a small segment is one row`() throws {
        var model = SegmentModel(shape: IndexShape(columnCount: 1, hasPositions: true, prefixes: []))
        model.documents = [SegmentModel.Document(rowID: 5, columnLengths: [2], fingerprint: 9)]
        let posting = SegmentModel.Posting(
            document: 0, columns: [ColumnFrequency(column: 0, count: 1)],
            positions: [Position(column: 0, offset: 0)])
        model.terms = [SegmentModel.Term(key: [0, 97], adjustment: 0, postings: [posting])]
        let memory = try MemoryStore()
        let info = try model.write(id: 1, to: memory.store)
        #expect(try memory.store.rowIDs(in: 0...Int64.max, limit: 10).count == 1)
        #expect(info.byteCount < 64, "\(info.byteCount) bytes")
    }
}
