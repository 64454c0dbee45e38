import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// Rows of which each takes more memory than allowed, so that the last one is being encoded while the next one is collected.
@Suite("Rows that are encoded in the background")
struct BackgroundFlushTests {
    private static let shape = IndexShape(columnCount: 1, hasPositions: true, prefixes: [1, 2])

    private static func document(_ number: Int64, _ word: String = "") -> ModelDocument {
        [(0..<20).map { ModelToken(text: "word\(number)x\($0)\(word)") } + [ModelToken(text: "common")]]
    }

    /// An index with rows 1 and 2, and a transaction that has added 3 to 8. Each is a run: 6 and 7 without prefix lists, and 8,
    /// which is being encoded.
    private func makeHarness() throws -> IndexHarness {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: Self.shape)
        for number in Int64(1)...2 { try harness.insert(number, Self.document(number)) }
        (harness.index.memoryBound, harness.index.runSize, harness.index.retainedBound) = (1, 0, 0)
        try harness.begin()
        for number in Int64(3)...8 { try harness.insert(number, Self.document(number)) }
        let segments = try harness.index.manifest().segments.map { try harness.index.segment($0).segment }
        #expect(segments.map(\.hasLists) == [true, true, true, true, true, false, false])
        let flush = try #require(harness.index.background)
        #expect(flush.buffer.row(8) == .inserted(0) && !harness.index.buffer.hasChanges)
        return harness
    }

    /// What may happen while row 8 is being encoded.
    enum Event: CaseIterable {
        case nothing, insertion, replacement, refreshment, unchangedRefreshment, deletion, deletionWithoutText
        case rollback, savepoint, rollbackToSavepoint, query, emptying, optimizing, flush
    }

    private func perform(_ event: Event, ofRow row: Int64, _ harness: IndexHarness) throws {
        let changed = Self.document(row, "changed")
        switch event {
        case .nothing: break
        case .insertion: try harness.insert(-1, Self.document(-1))
        case .replacement: try harness.insert(row, changed)
        case .refreshment:
            try harness.index.refresh(row, IndexHarness.fill(changed))
            harness.documents[row] = changed
        case .unchangedRefreshment: try harness.index.refresh(row, IndexHarness.fill(Self.document(row)))
        case .deletion: try harness.delete(row, text: Self.document(row))
        case .deletionWithoutText: try harness.delete(row, text: nil)
        case .rollback:
            try harness.rollback()
            try harness.begin()
        case .savepoint:
            try harness.savepoint()
            #expect(harness.index.background == nil)
            try harness.insert(9, Self.document(9))
        case .rollbackToSavepoint:
            try harness.savepoint()
            for number in Int64(9)...11 { try harness.insert(number, Self.document(number)) }
            try harness.delete(row, text: nil)
            try harness.rollback(to: 0)
        case .query:
            let count = try Int.fetchOne(harness.db, sql: "SELECT count(*) FROM t_data")
            #expect(try harness.index.snapshot().rowCount == harness.documents.count)
            #expect(try Int.fetchOne(harness.db, sql: "SELECT count(*) FROM t_data") == count)
        case .emptying: try harness.deleteAll()
        case .optimizing: try harness.optimize()
        case .flush: try harness.flush()
        }
    }

    /// The event is of a row of before, or of a run with prefix lists, without, or being encoded.
    @Test(arguments: Event.allCases, [1, 4, 7, 8] as [Int64])
    func `are found, changed, undone and committed as others`(event: Event, row: Int64) throws {
        for isQueried in [false, true] {
            let harness = try makeHarness()
            try perform(event, ofRow: row, harness)
            #expect(try harness.differenceOfRowIDs() == nil)
            if isQueried { #expect(try harness.difference() == nil) }
            try harness.insert(12, Self.document(12))
            try harness.insert(10, Self.document(10))
            if isQueried { #expect(try harness.difference() == nil) }
            try harness.commit()
            #expect(harness.index.background == nil)
            #expect(try harness.index.snapshot().segments.allSatisfy(\.segment.hasLists))
            #expect(try harness.difference() == nil)
            let again = try IndexHarness(in: harness.folder, shape: Self.shape, documents: harness.documents)
            #expect(try again.difference() == nil)
        }
    }

    /// The row being encoded completes as many runs as are merged at once, and one of them has the row that changes.
    @Test(arguments: [false, true])
    func `do not cause a merge of the segment whose row is being changed`(isReplaced: Bool) throws {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: Self.shape)
        (harness.index.memoryBound, harness.index.runSize) = (1, 0)
        try harness.begin()
        let count = Int64(MergePolicy.runLimit)
        for number in 1...count { try harness.insert(number, Self.document(number)) }
        #expect(try harness.index.runs.count == Int(count) - 1 && harness.index.background != nil)
        if isReplaced {
            // What an UPDATE of a rowid that replaces another row does.
            try harness.index.change {
                _ = try harness.index.delete(1, oldText: nil)
                try harness.index.insert(count, IndexHarness.fill(Self.document(count, "changed")))
            }
            harness.documents[1] = nil
            harness.documents[count] = Self.document(count, "changed")
        } else {
            try harness.delete(1, text: Self.document(1))
        }
        #expect(try harness.difference() == nil)
        try harness.insert(count + 1, Self.document(count + 1))
        try harness.commit()
        #expect(try harness.difference() == nil)
    }

    /// A merge of before is unfinished, another one is due, and there are as many runs as one takes.
    @Test func `are not left without prefix lists by a merge that waits`() throws {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: Self.shape)
        let index = harness.index
        (index.settings.usermerge, index.settings.pageSize) = (2, 40)
        for number in Int64(1)...2 { try harness.insert(number, Self.document(number)) }
        #expect(try harness.merge(pages: 1))
        let unfinished = try index.segmentsUnderConstruction
        #expect(unfinished.count == 1)
        (index.memoryBound, index.runSize) = (1, 0)
        func long(_ number: Int64) -> ModelDocument { [(0..<4000).map { ModelToken(text: "w\(number)x\($0)") }] }
        try harness.begin()
        for number in Int64(3)...11 { try harness.insert(number, long(number)) }
        index.memoryBound = 1 << 24
        try index.write {
            var schedule = try MergeSchedule(index.manifest())
            schedule.credit = MergePolicy.stepSize
            try index.keep(schedule)
        }
        try harness.insert(12, Self.document(12))
        // What is staged for the query is written by the next insertion, with the share of merges that is due for it.
        #expect(try harness.difference() == nil)
        let steps = index.mergeStepCount
        try harness.insert(13, Self.document(13))
        #expect(index.mergeStepCount > steps)
        #expect(try index.segmentsUnderConstruction.allSatisfy { unfinished.contains($0) })
        #expect(try !index.snapshot().segments.allSatisfy(\.segment.hasLists))
        try harness.delete(9, text: nil)
        #expect(try harness.difference() == nil)
        try harness.commit()
        #expect(try harness.difference() == nil)
        #expect(try index.snapshot().segments.allSatisfy(\.segment.hasLists))
    }

    /// Each change of a row that has just been added gives its run lists, and all runs are merged all the same.
    @Test func `become one segment although their rows change`() throws {
        let harness = try makeHarness()
        for number in Int64(9)...14 {
            try harness.insert(number, Self.document(number))
            try harness.insert(number - 2, Self.document(number - 2, "changed"))
        }
        try harness.commit()
        #expect(try harness.difference() == nil)
        // The two rows of before, and the runs.
        #expect(try harness.index.manifest().segments.count <= 3)
    }

    @Test
    func `have stored values, which change`() throws {
        let shape = IndexShape(columnCount: 2, hasPositions: true, prefixes: [], valueColumns: [1])
        let harness = try IndexHarness(in: TemporaryFolder(), shape: shape)
        let index = harness.index
        (index.memoryBound, index.runSize) = (1, 0)
        func append(_ number: Int64) -> (ByteWriter) -> Void { { RowValues.append([.integer(number)], to: $0) } }
        func values() throws -> [[[StoredValue]]?] { try (1...8).map { try index.storedValues(of: $0) } }
        try harness.begin()
        try harness.flush()
        for number in Int64(1)...6 {
            try index.insert(number) {
                IndexHarness.fill(Self.document(number))($0)
                append(number)($0.values)
            }
        }
        #expect(index.background?.buffer.row(6) == .inserted(0))
        #expect(try values() == (1...6).map { [[.integer($0)]] } + [nil, nil])
        #expect(index.background?.buffer.row(6) == .inserted(0))
        #expect(try index.setValues(2, append(20)))
        #expect(try index.setValues(6, append(60)))
        #expect(try !index.setValues(7, append(70)))
        let expected: [[[StoredValue]]?] = [1, 20, 3, 4, 5, 60].map { [[.integer($0)]] } + [nil, nil]
        #expect(try values() == expected)
        try harness.commit()
        #expect(try values() == expected)
    }

    /// Inserts rows, each behind a savepoint of its own if asked, until there are so many segments.
    private func fill(_ harness: IndexHarness, to segmentCount: Int, hasSavepoints: Bool) throws {
        var number: Int64 = 1
        while try harness.index.manifest().segments.count < segmentCount, number < 100_000 {
            if hasSavepoints { try harness.savepoint() }
            try harness.index.insert(number, IndexHarness.fill(Self.document(number)))
            if hasSavepoints { try harness.release(0) }
            number += 1
        }
    }

    @Test(arguments: [false, true])
    func `share the memory of a run, or have all of it where every row has a savepoint`(hasSavepoints: Bool) throws {
        let harness = try IndexHarness(in: TemporaryFolder(), shape: Self.shape)
        (harness.index.memoryBound, harness.index.runSize) = (2 << 20, 0)
        try harness.begin()
        try harness.flush()
        try fill(harness, to: 5, hasSavepoints: hasSavepoints)
        let counts = try harness.index.manifest().segments.map(\.info.documentCount)
        // The first share is written before any savepoint, or by the first that had to wait.
        #expect(counts[1] * 3 < counts[0] * 2)
        for index in 2...4 {
            #expect(hasSavepoints ? counts[index] * 10 > counts[0] * 9 : counts[index] * 3 < counts[0] * 2)
        }
        #expect((harness.index.background == nil) == hasSavepoints)
        try harness.rollback()
    }

    @Test
    func `stay where a savepoint cannot be opened`() throws {
        let harness = try makeHarness()
        try harness.insert(9, Self.document(9))
        try harness.db.execute(sql: "PRAGMA query_only = 1")
        for _ in 0..<2 {
            #expect(throws: DatabaseError.self) { try harness.savepoint() }
            // As SQLite does after that.
            harness.index.rollback(to: 0)
            harness.index.release(0)
        }
        #expect(harness.index.background != nil)
        try harness.db.execute(sql: "PRAGMA query_only = 0")
        #expect(try harness.difference() == nil)
        try harness.savepoint()
        try harness.insert(10, Self.document(10))
        try harness.rollback(to: 0)
        try harness.commit()
        #expect(try harness.difference() == nil)
    }

    @Test
    func `are given up with the index`() throws {
        weak var index: InvertedIndex?
        do {
            let harness = try makeHarness()
            index = harness.index
        }
        #expect(index == nil)
    }
}
