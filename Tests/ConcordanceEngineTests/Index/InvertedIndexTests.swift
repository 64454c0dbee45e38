import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("An index of rows that come and go")
struct InvertedIndexTests {
    private let shape = IndexShape(columnCount: 2, hasPositions: true, prefixes: [1, 2])

    private func document(_ first: String, _ second: String = "") -> ModelDocument {
        [first, second].map { $0.split(separator: " ").map { ModelToken(text: String($0)) } }
    }

    private func harness(_ folder: TemporaryFolder) throws -> IndexHarness {
        try IndexHarness(in: folder, shape: shape)
    }

    @Test func `starts over in the middle of a transaction`() throws {
        let harness = try IndexHarness(
            in: TemporaryFolder(), shape: IndexShape(columnCount: 1, hasPositions: true, prefixes: []))
        try harness.insert(1, [[ModelToken(text: "one")]])
        try harness.begin()
        try harness.insert(2, [[ModelToken(text: "two")]])
        try harness.index.reset()
        harness.documents = [:]
        try harness.insert(3, [[ModelToken(text: "three")]])
        try harness.commit()
        #expect(try harness.difference() == nil)
    }

    /// A function that a trigger on the content calls could do that.
    @Test func `is neither read nor written while rows are changed together`() throws {
        let harness = try IndexHarness(
            in: TemporaryFolder(), shape: IndexShape(columnCount: 1, hasPositions: true, prefixes: []))
        try harness.begin()
        try harness.insert(1, [[ModelToken(text: "one")]])
        for use in [{ _ = try harness.index.snapshot() }, { try harness.index.beginStatement() }] {
            #expect(throws: DatabaseError.self) {
                try harness.index.change {
                    _ = try harness.index.delete(1, oldText: nil)
                    try use()
                }
            }
        }
        #expect(try harness.difference() == nil)
        try harness.commit()
        #expect(try harness.difference() == nil)
    }

    @Test func `is not read in the middle of a row`() throws {
        let harness = try IndexHarness(
            in: TemporaryFolder(), shape: IndexShape(columnCount: 1, hasPositions: true, prefixes: []))
        try harness.begin()
        try harness.insert(1, [[ModelToken(text: "one")]])
        #expect(throws: DatabaseError.self) {
            try harness.index.insert(2) { _ in _ = try harness.index.snapshot() }
        }
        #expect(try harness.difference() == nil)
        try harness.commit()
        #expect(try harness.difference() == nil)
    }

    @Test
    func `rows are found, pending and written, and gone when deleted`() throws {
        let harness = try harness(TemporaryFolder())
        try harness.begin()
        try harness.insert(3, document("the quick brown fox", "jumps"))
        try harness.insert(1, document("the lazy dog", "the end"))
        #expect(try harness.index.contains(1))
        #expect(try !harness.index.contains(2))
        #expect(try harness.index.maximumRowID() == 3)
        try harness.commit()
        #expect(try harness.difference() == nil)
        try harness.delete(3, text: document("the quick brown fox", "jumps"))
        #expect(try harness.difference() == nil)
        #expect(try !harness.index.contains(3))
        #expect(try harness.index.maximumRowID() == 1)
    }

    @Test
    func `a wrong text, or none, removes the row and nothing else`() throws {
        let harness = try harness(TemporaryFolder())
        try harness.insert(1, document("one two", "three"))
        try harness.insert(2, document("two three", "four"))
        try harness.insert(3, document("two three", "five"))
        try harness.delete(1, text: document("four five six", "two"))
        #expect(try harness.difference() == nil)
        try harness.delete(2, text: nil)
        #expect(try harness.difference() == nil)
        try harness.delete(7, text: document("two"))
        #expect(try harness.difference() == nil)
    }

    @Test
    func `all terms are read only for rows with other terms than those that are pending`() throws {
        let harness = try harness(TemporaryFolder())
        try harness.begin()
        for number in Int64(1)...400 {
            try harness.insert(number, document("common word\(number) word\(number % 7)", "more common words"))
        }
        try harness.commit()
        func replace(_ rowID: Int64, by new: ModelDocument) throws -> Int {
            let before = harness.index.dictionaryScanCount
            try harness.insert(rowID, new)
            #expect(try harness.difference() == nil)
            return harness.index.dictionaryScanCount - before
        }
        #expect(try replace(20, by: document("common word20 word6", "more common words")) == 0)
        #expect(try replace(21, by: document("words word0 common more", "word21 and others")) == 0)
        #expect(try replace(22, by: document("common word22", "more common words")) == 1)
        #expect(try replace(23, by: document("common word23 word2", "more words")) == 0)
        try harness.begin()
        for number in Int64(30)..<40 {
            try harness.insert(number, document("common word\(number) word\(number % 7)", "more or less common words"))
        }
        try harness.insert(41, document("another"))
        let before = harness.index.dictionaryScanCount
        try harness.commit()
        #expect(harness.index.dictionaryScanCount == before + 1)
        #expect(try harness.difference() == nil)
    }

    @Test
    func `all terms are read where tokens share places`() throws {
        let harness = try harness(TemporaryFolder())
        var withSynonym = document("one two six")
        withSynonym[0][1].isColocated = true
        try harness.begin()
        for number in Int64(1)...100 { try harness.insert(number, document("one two")) }
        try harness.insert(7, withSynonym)
        try harness.commit()
        let before = harness.index.dictionaryScanCount
        try harness.insert(7, withSynonym)
        #expect(harness.index.dictionaryScanCount == before + 1)
        #expect(try harness.difference() == nil)
    }

    @Test
    func `an insertion replaces the existing row`() throws {
        let harness = try harness(TemporaryFolder())
        try harness.insert(1, document("old text"))
        try harness.begin()
        try harness.insert(1, document("new text"))
        try harness.insert(1, document("newest text"))
        try harness.commit()
        #expect(try harness.difference() == nil)
    }

    @Test
    func `what fails changes nothing`() throws {
        struct Failure: Error {}
        let harness = try harness(TemporaryFolder())
        try harness.insert(1, document("old text"))
        try harness.begin()
        try harness.insert(2, document("two"))
        #expect(throws: Failure.self) {
            try harness.index.insert(1) { builder in
                IndexHarness.fill(document("half of a"))(builder)
                throw Failure()
            }
        }
        #expect(throws: Failure.self) { try harness.index.delete(1) { _ in throw Failure() } }
        #expect(try harness.difference() == nil)
        try harness.commit()
        #expect(try harness.difference() == nil)
    }

    @Test
    func `savepoints write nothing`() throws {
        let harness = try harness(TemporaryFolder())
        let rows = "SELECT count(*) FROM t_data"
        try harness.begin()
        for number in Int64(0)..<50 {
            try harness.savepoint()
            try harness.insert(number, document("word\(number) common"))
            if number % 3 == 0 { try harness.rollback(to: 0) }
            try harness.release(0)
        }
        #expect(try Int.fetchOne(harness.db, sql: rows) == 1)
        try harness.commit()
        #expect(try Int.fetchOne(harness.db, sql: rows) == 2)
        #expect(try harness.difference() == nil)
    }

    @Test
    func `a row that was pending at a savepoint and written since is pending again after going back`() throws {
        let harness = try harness(TemporaryFolder())
        try harness.insert(1, document("one"))
        try harness.begin()
        try harness.insert(2, document("two"))
        try harness.delete(1, text: document("one"))
        try harness.savepoint()
        try harness.insert(3, document("three"))
        try harness.flush()
        try harness.delete(2, text: document("two"))
        #expect(try harness.difference() == nil)
        try harness.rollback(to: 0)
        #expect(try harness.difference() == nil)
        try harness.rollback(to: 0)
        #expect(try harness.difference() == nil)
        try harness.commit()
        #expect(try harness.difference() == nil)
    }

    @Test
    func `the segment of a rolled back transaction is not mistaken for the next one with its number`() throws {
        let folder = try TemporaryFolder()
        let harness = try harness(folder)
        try harness.begin()
        try harness.insert(1, document("one"))
        let old = try harness.index.snapshot()
        #expect(old.rowCount == 1)
        try harness.rollback()
        try harness.insert(1, document("another"))
        #expect(try harness.difference() == nil)
        let other = try IndexHarness(in: folder, shape: shape, documents: harness.committed)
        try other.insert(2, document("from there"))
        harness.adopt(other.documents)
        #expect(try harness.difference() == nil)
    }

    @Test
    func `a snapshot stays as it is while rows are deleted`() throws {
        let harness = try harness(TemporaryFolder())
        for rowID in Int64(1)...5 { try harness.insert(rowID, document("word\(rowID) common")) }
        let model = IndexModel(harness.documents, shape: shape)
        let snapshot = try harness.index.snapshot()
        try harness.delete(2, text: document("word2 common"))
        #expect(try model.difference(from: snapshot) == nil)
        try harness.deleteAll()
        #expect(try model.difference(from: snapshot) == nil)
        #expect(try harness.difference() == nil)
    }

    @Test
    func `a small memory bound gives the same index`() throws {
        let harness = try harness(TemporaryFolder())
        harness.index.memoryBound = 1
        try harness.begin()
        for rowID in Int64(1)...30 { try harness.insert(rowID * 7 % 31, document("word\(rowID % 5) common", "x")) }
        try harness.commit()
        #expect(try harness.difference() == nil)
        #expect(try harness.index.snapshot().segments.count > 1)
    }
}
