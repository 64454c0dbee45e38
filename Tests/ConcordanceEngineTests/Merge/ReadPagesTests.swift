import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Pages that a merge has read")
struct ReadPagesTests {
    private static let shape = IndexShape(columnCount: 1, hasPositions: true, prefixes: [1])
    private static let rowCount: Int64 = 1000

    private func insert(_ rowIDs: Range<Int64>, _ harness: IndexHarness) throws {
        var random = SeededGenerator(seed: UInt64(rowIDs.lowerBound))
        for rowID in rowIDs {
            let words = (0..<300).map { _ in ModelToken(text: "w\(Int.random(in: 0..<300, using: &random))") }
            try harness.insert(rowID, [words])
        }
    }

    /// An index of two segments, each with several pages of postings and of positions.
    private func makeHarness() throws -> IndexHarness {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: Self.shape)
        for first in [1, Self.rowCount + 1] {
            try harness.begin()
            try insert(first..<first + Self.rowCount, harness)
            try harness.commit()
        }
        #expect(try harness.index.manifest().segments.count == 2)
        return harness
    }

    private func pageCount(_ harness: IndexHarness) throws -> Int {
        try #require(try Int.fetchOne(harness.db, sql: "PRAGMA page_count"))
    }

    private func check(_ harness: IndexHarness) throws {
        try IntegrityCheck(harness.index).run()
        #expect(try harness.index.manifest().rowCount == 2 * Self.rowCount)
    }

    @Test
    func `make room for those of the result`() throws {
        let harness = try makeHarness()
        let before = try pageCount(harness)
        try harness.optimize()
        let after = try pageCount(harness)
        #expect(after * 4 < before * 5, "\(before) pages, then \(after)")
        #expect(try harness.index.manifest().segments.count == 1)
        try check(harness)
    }

    /// From the fourth run on, they have no prefix lists, and the merge makes all.
    @Test
    func `make room where the runs of a transaction are merged`() throws {
        var models: [SegmentModel] = []
        for memoryBound in [512 << 10, InvertedIndex.defaultMemoryBound] {
            let harness = try IndexHarness(in: TemporaryFolder(), shape: Self.shape)
            (harness.index.memoryBound, harness.index.runSize) = (memoryBound, 0)
            try harness.begin()
            try insert(1..<3 * Self.rowCount + 1, harness)
            #expect(try harness.index.runs.contains { !$0.info.hasLists } == models.isEmpty)
            try harness.commit()
            let free = try #require(try Int.fetchOne(harness.db, sql: "PRAGMA freelist_count"))
            let count = try pageCount(harness)
            #expect(free * 3 < count, "\(count) pages, \(free) of them free")
            let entry = try #require(try harness.index.manifest().segments.first)
            models.append(try SegmentModel(reading: harness.index.segment(entry).segment))
        }
        expectSame(models[0], models[1], "runs")
    }

    @Test
    func `stay while a query reads them`() throws {
        let harness = try makeHarness()
        let before = try pageCount(harness)
        let snapshot = try harness.index.snapshot()
        try harness.optimize()
        #expect(try pageCount(harness) * 2 > before * 3)
        harness.index.store.cacheCapacity = 0
        for live in snapshot.segments {
            let model = try SegmentModel(reading: live.segment)
            #expect(model.documents.count == Self.rowCount)
            #expect(model.terms.allSatisfy { !$0.postings.isEmpty })
        }
        try check(harness)
    }

    @Test
    func `come back if the transaction is rolled back`() throws {
        let harness = try makeHarness()
        try harness.begin()
        try harness.savepoint()
        try harness.optimize()
        try harness.rollback(to: 0)
        #expect(try harness.index.manifest().segments.count == 2)
        try check(harness)
        try harness.optimize()
        try harness.rollback()
        #expect(try harness.index.manifest().segments.count == 2)
        try check(harness)
    }

    /// The transaction cannot be committed, even if the table is dropped and comes back.
    @Test
    func `come back after damage has ended the merge`() throws {
        var random = SeededGenerator(seed: 2)
        var configuration = Configuration()
        configuration.defensive = false
        let db = try Database(path: ":memory:", configuration: configuration)
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a, content = '')")
        for _ in 0..<2 {
            try db.execute(sql: "BEGIN")
            for _ in 0..<Self.rowCount {
                let words = (0..<300).map { _ in "w\(Int.random(in: 0..<300, using: &random))" }.joined(separator: " ")
                try db.execute(sql: "INSERT INTO t(a) VALUES (?)", arguments: [words])
            }
            try db.execute(sql: "COMMIT")
        }
        func rowCount() throws -> Int? { try Int.fetchOne(db, sql: "SELECT count(*) FROM t_data") }
        let lastPostings = "SELECT max(id) FROM t_data WHERE (id >> 28) & 15 = \(SegmentStream.postings.rawValue)"
        try db.execute(sql: "UPDATE t_data SET block = zeroblob(100) WHERE id = (\(lastPostings))")
        let before = try #require(try rowCount())
        try db.execute(sql: "BEGIN")
        #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO t(t) VALUES ('optimize')") }
        #expect(try #require(try rowCount()) < before)
        try db.execute(sql: "SAVEPOINT s")
        #expect(throws: DatabaseError.self) { try db.execute(sql: "DROP TABLE t") }
        try db.execute(sql: "ROLLBACK TO s")
        #expect(throws: DatabaseError.self) { try db.execute(sql: "COMMIT") }
        #expect(!db.isInsideTransaction)
        #expect(try rowCount() == before)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 2 * Int(Self.rowCount))
    }
}
