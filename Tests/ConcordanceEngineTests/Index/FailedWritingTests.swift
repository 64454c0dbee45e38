import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Writing that fails")
struct FailedWritingTests {
    private let shape = IndexShape(columnCount: 1, hasPositions: true, prefixes: [1])

    private func document(_ number: Int64) -> ModelDocument {
        [(0..<40).map { ModelToken(text: "word\(number)x\($0)") }]
    }

    @Test(arguments: [1, 3, 7])
    func `a full disk undoes the transaction and nothing else`(pages: Int) throws {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: shape)
        for number in Int64(1)...3 { try harness.insert(number, document(number)) }
        let used = try Int.fetchOne(harness.db, sql: "PRAGMA page_count") ?? 0
        try harness.db.execute(sql: "PRAGMA max_page_count = \(used + pages)")
        try harness.begin()
        for number in Int64(4)...200 { try harness.insert(number, document(number)) }
        try harness.delete(2, text: document(2))
        #expect(throws: DatabaseError.self) { try harness.commit() }
        try harness.rollback()
        #expect(try harness.difference() == nil)
        try harness.db.execute(sql: "PRAGMA max_page_count = 100000")
        try harness.insert(300, document(300))
        #expect(try harness.difference() == nil)
    }

    @Test(arguments: [0, 1])
    func `a disk that is full when the runs of a transaction are merged undoes it`(pages: Int) throws {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: shape)
        for number in Int64(1)...3 { try harness.insert(number, document(number)) }
        (harness.index.memoryBound, harness.index.runSize) = (1, 0)
        try harness.begin()
        for number in Int64(4)...30 { try harness.insert(number, document(number)) }
        #expect(try harness.index.runs.count == 26 && !harness.index.buffer.hasChanges)
        #expect(harness.index.background != nil)
        let used = try Int.fetchOne(harness.db, sql: "PRAGMA page_count") ?? 0
        try harness.db.execute(sql: "PRAGMA max_page_count = \(used + pages)")
        #expect(throws: DatabaseError.self) { try harness.commit() }
        try harness.rollback()
        #expect(try harness.difference() == nil)
        try harness.db.execute(sql: "PRAGMA max_page_count = 100000")
        try harness.begin()
        for number in Int64(4)...30 { try harness.insert(number, document(number)) }
        try harness.commit()
        #expect(try harness.difference() == nil)
        #expect(try harness.index.manifest().segments.count == 4)
    }

    @Test(arguments: 0..<12)
    func `a disk that is full when encoded rows are written undoes the transaction`(pages: Int) throws {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: shape)
        for number in Int64(1)...3 { try harness.insert(number, document(number)) }
        (harness.index.memoryBound, harness.index.runSize) = (1, 0)
        let used = try Int.fetchOne(harness.db, sql: "PRAGMA page_count") ?? 0
        try harness.begin()
        try harness.db.execute(sql: "PRAGMA max_page_count = \(used + pages)")
        #expect(throws: DatabaseError.self) {
            for number in Int64(4)...200 { try harness.insert(number, document(number)) }
        }
        #expect(throws: DatabaseError.self) { try harness.index.sync() }
        try harness.rollback()
        #expect(harness.index.background == nil)
        #expect(try harness.difference() == nil)
        try harness.db.execute(sql: "PRAGMA max_page_count = 100000")
        try harness.insert(300, document(300))
        #expect(try harness.difference() == nil)
    }

    @Test
    func `on a full disk queries find what is pending, and the next statement that writes fails`() throws {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: shape)
        for number in Int64(1)...3 { try harness.insert(number, document(number)) }
        let used = try Int.fetchOne(harness.db, sql: "PRAGMA page_count") ?? 0
        try harness.begin()
        for number in Int64(4)...200 { try harness.insert(number, document(number)) }
        try harness.savepoint()
        try harness.delete(1, text: document(1))
        try harness.db.execute(sql: "PRAGMA max_page_count = \(used + 2)")
        #expect(try harness.difference() == nil)
        #expect(throws: DatabaseError.self) { try harness.insert(201, document(201)) }
        #expect(throws: DatabaseError.self) { try harness.index.snapshot() }
        try harness.db.execute(sql: "PRAGMA max_page_count = 100000")
        try harness.rollback()
        #expect(try harness.difference() == nil)
    }

    @Test
    func `a rollback in the middle of writing is followed`() throws {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: shape)
        try harness.insert(1, document(1))
        try harness.begin()
        try harness.insert(2, document(2))
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try harness.index.write {
                // What SQLite does when it cannot go on.
                harness.index.rollback()
                throw Failure()
            }
        }
        try harness.rollback()
        #expect(try harness.difference() == nil)
        try harness.begin()
        try harness.insert(3, document(3))
        try harness.savepoint()
        try harness.insert(4, document(4))
        #expect(throws: DatabaseError.self) {
            try harness.index.write { harness.index.rollback(to: 0) }
        }
        try harness.rollback(to: 0)
        #expect(try harness.difference() == nil)
        try harness.commit()
        #expect(try harness.difference() == nil)
    }
}
