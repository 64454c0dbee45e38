import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// Every row gets a new checksum after it is damaged, so that decoders see the damage.
@Suite("A damaged segment gives an error or an answer of the right form")
struct HostileSegmentTests {
    @Test(arguments: 0..<12)
    func `flipped bits, cut rows, bytes in each other's place`(seed: UInt64) throws {
        var random = SegmentModelGenerator(seed: 5000 + seed)
        let model = random.model()
        let memory = try MemoryStore()
        let info = try model.write(id: 7, to: memory.store)
        var errors = 0
        for _ in 0..<25 {
            let (id, whole) = try damage(memory, using: &random.random)
            do {
                let segment = try Segment(info, shape: model.shape, store: memory.store)
                try read(segment, model, "seed \(seed), row \(id)", using: &random.random)
            } catch let error as DatabaseError {
                #expect(error.resultCode == .SQLITE_CORRUPT, "seed \(seed), row \(id): \(error)")
                errors += 1
            }
            try whole.withUnsafeBytes { try memory.store.write(id, $0) }
            memory.store.forget(0...Int64.max)
        }
        #expect(errors > 0, "seed \(seed): no damage was noticed")
    }

    /// Changes a row. Returns its id and what it was.
    private func damage(_ memory: MemoryStore, using random: inout SeededGenerator) throws -> (Int64, [UInt8]) {
        let ids = try memory.store.rowIDs(in: 0...Int64.max, limit: 1000)
        let id = try #require(ids.randomElement(using: &random))
        let whole = try #require(try memory.store.withRow(id) { Array($0) })
        var bytes = whole
        for _ in 0..<[1, 1, 2, 10].randomElement(using: &random)! {
            guard let index = bytes.indices.randomElement(using: &random) else { break }
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes.removeSubrange(index...)
            case 1: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random)!
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
            case 3: bytes.swapAt(index, bytes.indices.randomElement(using: &random)!)
            default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        try bytes.withUnsafeBytes { try memory.store.write(id, $0) }
        memory.store.forget(0...Int64.max)
        return (id, whole)
    }

    /// Reads everything, each part by itself, so that an error in one hides no other.
    private func read(
        _ segment: Segment, _ model: SegmentModel, _ context: String, using random: inout SeededGenerator
    ) throws {
        var failure: (any Error)?
        func attempt(_ body: () throws -> Void) {
            do { try body() } catch { failure = error }
        }
        for document in stride(from: 0, to: segment.documentCount, by: 1 + segment.documentCount / 50) {
            attempt { _ = try segment.rowID(at: document) }
            attempt { _ = try segment.length(at: document) }
            attempt { _ = try segment.fingerprint(at: document) }
            attempt { _ = try segment.columnLength(at: document, column: segment.shape.columnCount - 1) }
        }
        attempt {
            let document = try segment.firstDocument(atOrAfter: 1000)
            #expect((0...segment.documentCount).contains(document), "\(context)")
        }
        for term in model.terms.shuffled(using: &random).prefix(20) {
            attempt {
                if let entry = try term.key.withUnsafeBufferPointer({ try segment.find($0) }) {
                    try read(entry, segment, context, using: &random)
                }
            }
        }
        attempt {
            let cursor = try segment.makeTermCursor()
            var last: [UInt8] = []
            while try cursor.next() {
                #expect(last.lexicographicallyPrecedes(cursor.key), "\(context)")
                last = cursor.key
                try read(cursor.entry, segment, context, using: &random)
            }
        }
        if let failure { throw failure }
    }

    private func read(
        _ entry: TermEntry, _ segment: Segment, _ context: String, using random: inout SeededGenerator
    ) throws {
        var cursor = try segment.postings(entry)
        var last = -1
        var steps = 0
        var positions: [Position] = []
        if cursor.blockCount > 0 { _ = try cursor.block(Int.random(in: 0..<cursor.blockCount, using: &random)) }
        while true {
            let isJump = Int.random(in: 0..<20, using: &random) == 0
            let document = isJump ? try cursor.advance(to: UInt32(last + 1)) : try cursor.next()
            guard document != PostingsCursor.exhausted else { break }
            #expect(Int(document) > last && document < segment.documentCount, "\(context)")
            last = Int(document)
            steps += 1
            var sum: UInt64 = 0
            try cursor.forEachColumn { column, count in
                #expect(column < segment.shape.columnCount, "\(context)")
                sum += UInt64(count)
            }
            let frequency = try cursor.frequency
            #expect(sum == UInt64(frequency), "\(context)")
            guard frequency < 20_000 else { continue }
            positions = try positionArray { try cursor.readPositions(into: $0) }
            let isAscending = zip(positions, positions.dropFirst()).allSatisfy(<)
            #expect(isAscending, "\(context)")
            #expect(positions.isEmpty || positions.count == Int(frequency), "\(context)")
        }
        #expect(steps <= entry.count, "\(context)")
    }
}
