import CConcordanceSQLiteLink
import ConcordanceSQLite
import Testing

@testable import ConcordanceEngine

/// The cost of queries, by counters: a loss of speed that changes no answer fails here.
@Suite("Queries visit no more than they need")
struct QueryWorkTests {
    private static let rowCount = 20_000

    private let db: Database
    private let work: QueryWork

    /// One row of 600 has the phrase three times, the others once. The words with `pre` are three, and the rows with
    /// `rare` are neighbours.
    init() throws {
        db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a, b);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rowCount))
                INSERT INTO t(rowid, a, b)
                SELECT i, iif(i % 600 = 0, 'one two one two one two',
                              'one two ' || replace(hex(zeroblob(5 + i % 7)), '00', 'x ')),
                       'pre' || (i % 3) || iif(i BETWEEN 5001 AND 5020, ' rare', '') FROM n;
                INSERT INTO t(t) VALUES ('optimize');
                """)
        work = QueryWork.of(db)
    }

    private func cost(
        of counter: KeyPath<QueryWork, Int>, _ query: String, _ order: String = "ORDER BY rank LIMIT 10"
    ) throws -> Int {
        let before = work[keyPath: counter]
        _ = try Int64.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH ? \(order)", arguments: [query])
        return work[keyPath: counter] - before
    }

    @Test func `the terms of a prefix are added up in the documents of a rarer word only`() throws {
        #expect(try cost(of: \.summedPostings, "pre*") == Self.rowCount)
        // The rows are in one block of each term, or two.
        for query in ["rare pre*", "pre* AND rare"] {
            #expect(try (20...6 * 128).contains(cost(of: \.summedPostings, query)), "\(query)")
        }
    }

    /// All best rows have both words. Once these are known, rows with one of them are not looked at.
    @Test(arguments: ["bm25(1.0, 1.0)", "bm25(10.0, 1.0)", "concordance_rank(1.2, 0.75, 8.0, 0.0, 0.3)"])
    func `an OR of two words becomes an AND`(rank: String) throws {
        try db.execute(
            sql: """
                INSERT INTO t(t, rank) VALUES ('rank', '\(rank)');
                DELETE FROM t;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rowCount))
                INSERT INTO t(rowid, a) SELECT i, iif(i % 3, '', 'left ') || iif(i % 4, '', 'right ') || 'x' FROM n;
                INSERT INTO t(t) VALUES ('optimize');
                """)
        for query in ["left OR right", "left OR right OR missing"] {
            let considered = try cost(of: \.consideredDocuments, query)
            #expect((10...Self.rowCount / 12 + 128).contains(considered), "\(considered)")
        }
    }

    /// The first and the last group of a list may be shared with others.
    @Test(arguments: ["far", "b: far"])
    func `of many blocks, only those near the best rows are examined`(query: String) throws {
        let rowCount = (ScoredList.fewestGroups + 1) * SegmentLayout.skipsPerGroup * PostingsCursor.blockSize
        try db.execute(
            sql: """
                DELETE FROM t;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
                INSERT INTO t(rowid, b) SELECT i, iif(i BETWEEN 5001 AND 5050, 'far far far far', 'far x') FROM n;
                INSERT INTO t(t) VALUES ('optimize');
                """)
        let divided = try cost(of: \.dividedGroups, query)
        #expect((1...3).contains(divided), "\(divided)")
        let ranked = try cost(of: \.rankedUnits, query)
        #expect((1...4).contains(ranked), "\(ranked)")
    }

    /// Without a bound, what is held grows with the alternatives.
    @Test(arguments: ["pre*", "\"one two\"", "pre1~"])
    func `many alternatives are not all held at once`(alternative: String) throws {
        let few = try cost(of: \.mostHeldDocuments, "\(alternative) OR missing*")
        #expect((Self.rowCount / 3...Self.rowCount).contains(few), "\(few)")
        let count = 2 * RankerChoice.foundLimit / few
        let query = Array(repeating: alternative, count: count).joined(separator: " OR ")
        let held = try cost(of: \.mostHeldDocuments, query) + few
        #expect((few * 2...RankerChoice.foundLimit + Self.rowCount).contains(held), "\(held)")
    }

    @Test(arguments: ["\"one two\"", "NEAR(one two, 3)", "^one + two", "a: one + two"])
    func `phrases and their neighbours are looked for where the best rows may be`(query: String) throws {
        let found = try cost(of: \.locatedDocuments, query)
        #expect((24..<Self.rowCount / 10).contains(found), "\(found)")
    }

    /// All rows have the phrase, and 20 the rare word, all in one block or two. The 33 rows with `two + one` are known once they
    /// are counted; of the other phrases, half of the rows count as held.
    @Test(
        arguments: [
            ("rare AND one + two", 10_000, 20...256), ("rare OR one + two", 10_000, 20...2_000),
            ("rare AND ^one", 10_000, 20...256), ("rare AND NEAR(one two, 3)", 0, 0...0),
            ("rare NOT two + one", 33, 0...0), ("a: one + two AND rare", 10_000, 20...256),
            ("one + two AND two + one", 10_033, 20...2_000), ("one + two AND ^one", 20_000, 20...8_000),
        ])
    func `phrases are looked for where the rest of a query may be among the best`(
        query: String, heldCount: Int, located: ClosedRange<Int>
    ) throws {
        // Counts the rows of the phrases.
        #expect(try cost(of: \.mostHeldDocuments, query) == heldCount)
        let found = try cost(of: \.locatedDocuments, query)
        #expect(located.contains(found), "\(found)")
    }

    /// Bounds tell none of them from the others.
    @Test(arguments: [1, 10, 1000])
    func `rows with equal scores are not gone through again for each`(limit: Int) throws {
        try db.execute(
            sql: """
                DELETE FROM t;
                INSERT INTO t(t, rank) VALUES ('rank', 'concordance_rank(1.2, 0.75, NULL, 0.2, 0.3)');
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rowCount))
                INSERT INTO t(rowid, a) SELECT i, 'one two x' FROM n;
                """)
        for query in ["one two", "two OR one", "o* two"] {
            let weighed = try cost(of: \.weighedCandidates, query, "ORDER BY rank LIMIT \(limit)")
            #expect((Self.rowCount...Self.rowCount * 20).contains(weighed), "\(query) \(weighed)")
        }
    }

    /// Bounds rule out no block, so that a small batch costs as much as all rows.
    @Test func `all rows by rank come in two batches if the first has visited most blocks`() throws {
        let blockCount = (Self.rowCount / 3 + 127) / 128
        let units = try cost(of: \.rankedUnits, "pre0 x", "ORDER BY rank")
        #expect((blockCount...blockCount * 2 + 4).contains(units), "\(units) of \(blockCount)")
    }

    @Test func `all rows by rank are not ranked batch by batch`() throws {
        let blockCount = (Self.rowCount + 127) / 128
        let units = try cost(of: \.rankedUnits, "one", "ORDER BY rank")
        #expect((blockCount...blockCount * 4).contains(units), "\(units)")
        #expect(try cost(of: \.rankedRows, "one", "ORDER BY rank") == Self.rowCount)
    }

    @Test(arguments: ["one", "one two", "one OR pre1", "\"one two\"", "two NOT missing"])
    func `rows that bm25 orders are scored together`(query: String) throws {
        let matches = try Int64.fetchAll(db, sql: "SELECT count(*) FROM t WHERE t MATCH ?", arguments: [query])
        let scored = try cost(of: \.scoredRows, query, "ORDER BY bm25(t, 10.0, 1.0) LIMIT 10")
        #expect(matches == [Int64(scored)])
    }
}
