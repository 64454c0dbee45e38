import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("An index whose segments are merged")
struct MergeHistoryTests {
    @Test(arguments: 0..<12)
    func `holds the same, with commits, rollbacks and other connections between the steps`(seed: UInt64) throws {
        var random = SeededGenerator(seed: 900 + seed)
        let shape = IndexHistoryTests.shapes[Int(seed) % IndexHistoryTests.shapes.count]
        let folder = try TemporaryFolder()
        var harness = try IndexHarness(in: folder, shape: shape)
        var log: [String] = []
        for _ in 0..<70 {
            harness.index.settings.usermerge = 2
            // A page of so few bytes makes steps of a few terms.
            harness.index.settings.pageSize = 40
            do {
                try Self.step(&harness, folder, &random, &log)
                guard Int.random(in: 0..<3, using: &random) == 0, let difference = try harness.difference() else {
                    continue
                }
                Issue.record("seed \(seed): \(difference)\n\(log.joined(separator: "\n"))")
            } catch {
                Issue.record("seed \(seed): \(error)\n\(log.joined(separator: "\n"))")
            }
            return
        }
        try harness.optimize()
        #expect(try harness.difference() == nil, "seed \(seed)")
        let segments = try harness.index.manifest().segments
        #expect(segments.count <= 1 && segments.allSatisfy { $0.deletedCount == 0 }, "seed \(seed)")
    }

    @Test func `makes one step of a merge in a commit at most, and small ones`() throws {
        let shape = IndexShape(columnCount: 1, hasPositions: true, prefixes: [])
        let harness = try IndexHarness(in: TemporaryFolder(), shape: shape)
        var steps = [0, 0, 0]
        for rowID in Int64(1)...2500 {
            let before = harness.index.mergeStepCount
            let words = (0..<40).map { ModelToken(text: "word\(($0 * 7919 + Int(rowID) * 104_729) % 4001)") }
            try harness.insert(rowID, [words])
            steps[min(harness.index.mergeStepCount - before, 2)] += 1
        }
        // One commit in 32 merges what commits have written, and few others continue larger merges.
        #expect(steps[2] == 0, "\(steps)")
        #expect(steps[1] >= 2500 / 32 && steps[1] < 2500 / 20, "\(steps)")
        #expect(try harness.difference() == nil)
    }

    private static let shape = IndexShape(columnCount: 1, hasPositions: true, prefixes: [2])

    /// An index each row of which is a run of the transaction.
    private func makeHarnessWithRuns(_ folder: TemporaryFolder) throws -> IndexHarness {
        let harness = try IndexHarness(in: folder, shape: Self.shape)
        (harness.index.memoryBound, harness.index.runSize) = (1, 0)
        return harness
    }

    /// How many runs there are, with the one that is being encoded.
    private func runCount(_ harness: IndexHarness) throws -> Int {
        try harness.index.runs.count + (harness.index.background == nil ? 0 : 1)
    }

    private func insert(_ rowIDs: some Sequence<Int64>, into harness: IndexHarness) throws {
        for rowID in rowIDs {
            let words = (0..<30).map { ModelToken(text: "word\((Int64($0) * 7919 + rowID * 104_729) % 401)") }
            try harness.insert(rowID, [words])
        }
    }

    @Test(arguments: [3, 4, 40, 130])
    func `merges the runs of a transaction once, at its end`(count: Int) throws {
        let harness = try makeHarnessWithRuns(TemporaryFolder())
        try harness.begin()
        // In an order that is not that of rowids.
        try insert((1...Int64(count)).map { $0 * 37 % 131 }, into: harness)
        // Each time there are as many as the limit allows, those are merged.
        #expect(harness.index.mergeStepCount == count / MergePolicy.runLimit)
        #expect(try runCount(harness) == count % MergePolicy.runLimit)
        #expect(try harness.difference() == nil)
        try harness.commit()
        #expect(try harness.difference() == nil)
        // A few are left to later merges.
        let rest = count % MergePolicy.runLimit
        let segments = try harness.index.manifest().segments
        #expect(segments.count == count / MergePolicy.runLimit + (rest < 4 ? rest : 1))
        #expect(try harness.index.manifest().garbage.isEmpty)
        // What a transaction has left is not a run of the next one.
        try harness.begin()
        try insert([500], into: harness)
        #expect(try runCount(harness) == 1)
        try harness.commit()
        #expect(try harness.difference() == nil)
    }

    @Test(arguments: [false, true])
    func `undoes runs with their savepoint, and merges the others`(endsWithRollback: Bool) throws {
        let folder = try TemporaryFolder()
        let harness = try makeHarnessWithRuns(folder)
        try insert(1...3, into: harness)
        try harness.begin()
        try insert(10...15, into: harness)
        try harness.savepoint()
        try insert(20...29, into: harness)
        #expect(try runCount(harness) == 16)
        try harness.rollback(to: 0)
        #expect(try runCount(harness) == 6)
        if !endsWithRollback { try insert([11, 30], into: harness) }
        try harness.commit()
        #expect(try harness.difference() == nil)
        let other = try IndexHarness(in: folder, shape: Self.shape, documents: harness.committed)
        #expect(try other.difference() == nil)
        #expect(try other.index.manifest().segments.filter { $0.info.level > 0 }.count == 1)
    }

    @Test func `leaves runs as they are without automatic merges`() throws {
        let harness = try makeHarnessWithRuns(TemporaryFolder())
        harness.index.settings.automerge = 0
        try harness.begin()
        try insert(1...12, into: harness)
        try harness.commit()
        #expect(try harness.index.manifest().segments.count == 12)
        #expect(try harness.difference() == nil)
    }

    @Test func `erases removed rows from runs`() throws {
        let harness = try makeHarnessWithRuns(TemporaryFolder())
        harness.index.settings.secureDelete = true
        try harness.insert(2, [[ModelToken(text: "qjxkwvbzp")]])
        try harness.begin()
        try harness.insert(7, [[ModelToken(text: "vgwqzjkhx")]])
        try insert(8...12, into: harness)
        func isStored(_ word: String) throws -> Bool {
            let blocks = try DatabaseValue.fetchAll(harness.db, sql: "SELECT block FROM t_data").map { value in
                if case .blob(let bytes) = value { Array(bytes) } else { [UInt8]() }
            }
            // Of the beginning, a term before may have a part.
            return ByteSequences(of: 7, in: blocks).contains(word.suffix(7))
        }
        #expect(try isStored("qjxkwvbzp") && isStored("vgwqzjkhx"))
        for rowID in [Int64(2), 7] { try harness.delete(rowID, text: harness.documents[rowID] ?? []) }
        try harness.commit()
        #expect(try harness.difference() == nil)
        #expect(try !isStored("qjxkwvbzp") && !isStored("vgwqzjkhx"))
        #expect(try harness.index.manifest().segments.count == 1)
    }

    private static func step(
        _ harness: inout IndexHarness, _ folder: TemporaryFolder, _ random: inout SeededGenerator, _ log: inout [String]
    ) throws {
        let rowID = Int64.random(in: -3...30, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8:
            log.append("insert \(rowID)")
            try harness.insert(rowID, IndexHistoryTests.document(columns: harness.shape.columnCount, &random))
        case 8..<10:
            log.append("delete \(rowID)")
            try harness.delete(rowID, text: harness.documents[rowID] ?? [])
        case 10..<15:
            let pages = [1, 1, 1, 5, 100, -1, -3].randomElement(using: &random)!
            log.append("merge \(pages): \(try harness.merge(pages: pages))")
        case 15 where Int.random(in: 0..<3, using: &random) == 0:
            log.append("optimize")
            try harness.optimize()
        case 16 where !harness.isInTransaction:
            log.append("begin")
            try harness.begin()
        case 17 where harness.isInTransaction, 18 where harness.isInTransaction:
            let isCommit = Bool.random(using: &random)
            log.append(isCommit ? "commit" : "rollback")
            if isCommit { try harness.commit() } else { try harness.rollback() }
        case 19 where !harness.isInTransaction:
            log.append("another connection")
            harness = try IndexHarness(in: folder, shape: harness.shape, documents: harness.committed)
        default: break
        }
    }

    @Test func `a merge by pages ends, and says so`() throws {
        var random = SeededGenerator(seed: 1)
        let harness = try IndexHarness(in: TemporaryFolder(), shape: IndexHistoryTests.shapes[0])
        harness.index.settings.automerge = 0
        for rowID in 0..<5 { try harness.insert(Int64(rowID), IndexHistoryTests.document(columns: 2, &random)) }
        harness.index.settings.pageSize = 64
        #expect(try harness.merge(pages: -1))
        var calls = 0
        while try harness.merge(pages: 1), calls < 1000 { calls += 1 }
        #expect((1..<1000).contains(calls))
        #expect(try harness.index.manifest().segments.count == 1)
        #expect(try harness.difference() == nil)
    }

    @Test func `many small commits leave few segments and few rows`() throws {
        var random = SeededGenerator(seed: 2)
        let harness = try IndexHarness(in: TemporaryFolder(), shape: IndexHistoryTests.shapes[1])
        for rowID in 0..<300 {
            try harness.insert(Int64(rowID), IndexHistoryTests.document(columns: 1, &random))
            #expect(try harness.index.manifest().segments.count <= 40)
        }
        #expect(try harness.difference() == nil)
        let manifest = try harness.index.manifest()
        #expect(manifest.garbage.isEmpty)
        #expect(try harness.index.store.rowIDs(in: .min ... .max, limit: 1000).count < 60)
    }

    @Test(arguments: [(byteCount: 1000, left: 1000), (byteCount: 1 << 21, left: 0)])
    func `a commit deletes rows of dropped segments by what it has written`(byteCount: Int, left: Int) throws {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: IndexHistoryTests.shapes[0])
        try harness.begin()
        let index = harness.index
        try index.beginWriting()
        try index.write {
            for page in UInt32(0)..<1000 {
                let row: [UInt8] = [1, 2, 3]
                try row.withUnsafeBytes { try index.store.write(BlockStore.id(segment: 7, stream: 3, page: page), $0) }
            }
            try index.change {
                $0.garbage = [7]
                $0.nextSegment = 8
            }
            try index.mergeAfterFlush(byteCount: byteCount)
        }
        #expect(try index.store.rowIDs(in: BlockStore.ids(ofSegment: 7), limit: 2000).count == left)
        #expect(try index.manifest().garbage == (left == 0 ? [] : [7]))
        try harness.commit()
    }
}
