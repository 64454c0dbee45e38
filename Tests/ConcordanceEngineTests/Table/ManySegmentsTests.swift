import CConcordanceSQLiteLink
import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// A table of segments of all sizes, whose rowids alternate, as many commits leave them; with more rows than are announced
/// or read at a time.
@Suite("A table of many segments")
struct ManySegmentsTests {
    private static let letters = ["a", "b", "c"]

    private func word(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.letters.randomElement(using: &random)! }.joined()
    }

    private func makeTables(_ options: String, _ random: inout SeededGenerator) throws -> SideBySide {
        let both = try SideBySide()
        both.check("CREATE VIRTUAL TABLE t USING MODULE(x, y\(options))")
        both.check("INSERT INTO t(t, rank) VALUES ('automerge', 0)")
        var rowIDs = Array(1...2600)
        rowIDs.shuffle(using: &random)
        for size in [1500, 700, 200, 100, 60, 30, 8, 1, 1] {
            let rows = rowIDs.suffix(size).sorted().map { rowID in
                let texts = (0..<2).map { _ in
                    (0..<Int.random(in: 0...6, using: &random)).map { _ in word(&random) }.joined(separator: " ")
                }
                return "(\(rowID), '\(texts[0])', '\(texts[1])')"
            }
            rowIDs.removeLast(size)
            both.check("INSERT INTO t(rowid, x, y) VALUES \(rows.joined(separator: ", "))")
        }
        return both
    }

    @Test(arguments: ["", ", prefix = '1 2'", ", detail = column"], [1, 2] as [UInt64])
    func `finds and scores what FTS5 does`(options: String, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let both = try makeTables(options, &random)
        var queries = ["a*", "b* c", "nosuch", "nosuch a*", "a AND nosuch*", "abc OR c*"]
        if !options.contains("detail") {
            for _ in 0..<12 {
                let (first, second) = (word(&random), word(&random))
                queries += [
                    "\"\(first) \(second)\" *", "^\(first) + \(second.prefix(1))*", "y : \(first) + \(second) *",
                ]
                queries += ["NEAR(\(first) \(second)*, 2)", "nosuch + \(second)*", "\(first) + \(second)* + \(first)"]
            }
        }
        for query in queries {
            both.check("SELECT rowid FROM t WHERE t MATCH '\(query)'")
            both.check("SELECT rowid FROM t WHERE t MATCH '\(query)' ORDER BY rowid DESC LIMIT 40")
            both.check("SELECT rowid, bm25(t, 2.0, 0.5) FROM t WHERE t MATCH '\(query)' ORDER BY rowid")
            both.check("SELECT rowid, rank FROM t WHERE t MATCH '\(query)' ORDER BY rank, rowid LIMIT 30")
        }
    }

    @Test func `the terms of a prefix are added up once in each segment, however its rows alternate`() throws {
        var random = SeededGenerator(seed: 3)
        let db = try makeTables("", &random).engine
        let work = QueryWork.of(db)
        let before = work.summedPostings
        let scores = try Row.fetchAll(db, sql: "SELECT rowid, bm25(t) FROM t('a*')")
        #expect(scores.count > 800)
        let summed = work.summedPostings - before
        try db.execute(sql: "CREATE VIRTUAL TABLE temp.v USING concordancevocab(main, t, row)")
        let expected = try Int.fetchAll(db, sql: "SELECT sum(doc) FROM v WHERE term GLOB 'a*'")[0]
        #expect(summed == expected)
    }

    @Test(arguments: 0..<10)
    func `filters let few keys pass that a segment does not have`(seed: UInt64) throws {
        var random = SegmentModelGenerator(seed: 500 + seed)
        let model = random.model()
        let segment = try MemoryStore().open(model)
        let filter = try KeyFilter(segment)
        for term in model.terms { #expect(term.key.withUnsafeBufferPointer { filter.mayContain($0) }) }
        let passed = (0..<2000).count { number in
            Array("\0other\(number)".utf8).withUnsafeBufferPointer { filter.mayContain($0) }
        }
        #expect(passed < 100, "\(model.terms.count) keys")
    }

    /// A table whose dictionary has several pages, of which the first ones are then deleted.
    private func makeWithoutFirstPages(_ looks: (Database) throws -> Void = { _ in }) throws -> Database {
        let db = try Database.undefended()
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(x);
                INSERT INTO t(t, rank) VALUES ('cachesize', 0);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
                INSERT INTO t SELECT 'a' || i || ' m' || i || ' zzz' || (i % 100) FROM n;
                """)
        try looks(db)
        let pages = try Int64.fetchAll(
            db, sql: "SELECT id FROM t_data WHERE id >> 28 & 15 = \(SegmentStream.dictionary.rawValue) AND id > 1 << 32"
        )
        try #require(pages.count > 4)
        try db.execute(sql: "DELETE FROM t_data WHERE id IN (?, ?)", arguments: [pages[0], pages[1]])
        return db
    }

    @Test(arguments: ["zzz AND a*", "a* AND zzz", "zzz + a*", "NEAR(a* zzz)", "(zzz OR zzzz) AND zzz5 AND zzz a*"])
    func `the terms of a prefix are not looked for in a segment without another word`(query: String) throws {
        let db = try makeWithoutFirstPages()
        #expect(throws: DatabaseError.self) { try Int.fetchAll(db, sql: "SELECT rowid FROM t('a*')") }
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t(?)", arguments: [query]) == [])
    }

    @Test func `keys that a small segment does not have cost no look-up after a few`() throws {
        func absent(_ number: Int, _ db: Database) throws -> [Int] {
            try Int.fetchAll(db, sql: "SELECT rowid FROM t('a\(number)b')")
        }
        let db = try makeWithoutFirstPages { db in for number in 1...200 { _ = try absent(number, db) } }
        #expect(throws: DatabaseError.self) { try Int.fetchAll(db, sql: "SELECT rowid FROM t('a1')") }
        let failed = (201...400).count { number in (try? absent(number, db)) != [] }
        #expect(failed < 10)
    }
}
