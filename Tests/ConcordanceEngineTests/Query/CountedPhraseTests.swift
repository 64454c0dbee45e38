import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// Statements count the rows of a phrase when they need to, and the next ones know where its hits are, unless they are many.
@Suite("Phrases whose rows have been counted")
struct CountedPhraseTests {
    private static let words = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]

    private static func text(_ length: Int, using random: inout SeededGenerator) -> String {
        // The first words are the most frequent, so that phrases of any frequency occur.
        let numbers = (0..<length).map { _ in
            min(Int.random(in: 0..<words.count, using: &random), Int.random(in: 0..<words.count, using: &random))
        }
        return numbers.map { words[$0] }.joined(separator: " ")
    }

    private static func insert(_ rows: Range<Int>, using random: inout SeededGenerator) -> String {
        rows.map { row in
            let (first, second) = (text(row % 5, using: &random), text(row % 40, using: &random))
            return "INSERT INTO t(rowid, x, y) VALUES (\(row), '\(first)', '\(second)');"
        }.joined()
    }

    private static func query(using random: inout SeededGenerator) -> String {
        func word() -> String { words.randomElement(using: &random) ?? "a" }
        func phrase() -> String { "\(word()) + \(word())" + (Bool.random(using: &random) ? "" : " + \(word())") }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return "^\(word())"
        case 1: return "^\(phrase())"
        case 2: return "x : \(phrase())"
        case 3: return "\(phrase()) AND \(word())"
        case 4: return "\(phrase()) OR \(phrase()) OR \(word())"
        case 5: return "\(phrase()) NOT \(word())"
        case 6: return "\(phrase())*"
        case 7: return "NEAR(\"\(word()) \(word())\" \(word()), 4)"
        default: return phrase()
        }
    }

    private static func statements(_ query: String) -> [String] {
        let rows = "FROM t WHERE t MATCH '\(query)'"
        return [
            "SELECT * FROM (SELECT rowid AS r, rank AS s \(rows) ORDER BY rank LIMIT 1000) ORDER BY r",
            "SELECT rank \(rows) AND rank MATCH 'bm25(3.0, 0.7)' ORDER BY rank LIMIT 7",
            "SELECT rowid, bm25(t, 3.0, 0.7) \(rows) ORDER BY rowid DESC", "SELECT count(*) \(rows)",
            "SELECT rowid \(rows) AND rowid BETWEEN 50 AND 333", "SELECT rowid, highlight(t, 1, '[', ']') \(rows)",
        ]
    }

    @Test(arguments: 0..<8)
    func `are ranked, listed and counted as in FTS5`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let both = try SideBySide()
        both.check(script: ["CREATE VIRTUAL TABLE t USING MODULE(x, y)"])
        func execute(_ sql: String) throws { for db in [both.fts5, both.engine] { try db.execute(sql: sql) } }
        try execute("BEGIN; \(Self.insert(1..<300, using: &random)) COMMIT")
        try execute("BEGIN; \(Self.insert(300..<420, using: &random)) COMMIT")
        for _ in 0..<3 {
            for _ in 0..<12 {
                // Each twice, since the second time the phrase may be known, and in an order that knows it at other times.
                let statements = Self.statements(Self.query(using: &random)).shuffled(using: &random)
                for sql in statements + statements { both.check(sql) }
            }
            let gone = (0..<30).map { _ in "\(Int.random(in: 1..<420, using: &random))" }.joined(separator: ", ")
            try execute("DELETE FROM t WHERE rowid IN (\(gone))")
        }
    }

    /// A table of so many rows with the SQL expression of their texts, which may use the rowid `i`, in each of its columns.
    private static func makeTable(_ count: Int, columns: Int = 1, _ text: String) throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        let names = (1...columns).map { "x\($0)" }.joined(separator: ", ")
        let texts = Array(repeating: text, count: columns).joined(separator: ", ")
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(\(names));
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                INSERT INTO t(rowid, \(names)) SELECT i, \(texts) FROM n;
                """)
        return db
    }

    /// The hits are kept if not more than a sixteenth of all rows have them, and until they are in 8,192 columns.
    @Test(
        arguments: [(3, 320, 1), (20, 320, 1), (82, 1400, 100)].map { ($0, true) }
            + [(21, 320, 1), (300, 320, 1), (83, 1400, 100)].map { ($0, false) })
    func `are kept unless they are many`(table: (count: Int, rowCount: Int, columns: Int), areKept: Bool) throws {
        let text = "iif(i <= \(table.count), 'one two', 'two one')"
        let db = try Self.makeTable(table.rowCount, columns: table.columns, text)
        let work = QueryWork.of(db)
        func rows() throws -> [Int] {
            try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'one + two' ORDER BY rank LIMIT 2")
        }
        // The first time, the rows are not counted.
        #expect(try rows() == [1, 2] && work.countedPhrases == 0)
        #expect(try rows() == [1, 2] && work.countedPhrases == 1)
        let before = work.locatedDocuments
        #expect(try rows() == [1, 2] && work.countedPhrases == 1)
        #expect((work.locatedDocuments == before) == areKept)
    }

    /// The idf does not change the order of the rows.
    @Test(arguments: 0..<4)
    func `are counted when a rank is read, which is then the same to the last bit`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(x, y)")
        try db.execute(sql: "BEGIN; \(Self.insert(1..<300, using: &random)) COMMIT")
        let work = QueryWork.of(db)
        func rows(_ columns: String, _ order: String) throws -> [[DatabaseValue]] {
            let sql = "SELECT \(columns) FROM t WHERE t MATCH 'b + a' ORDER BY \(order) LIMIT 9"
            return try Row.fetchAll(db, sql: sql).map(\.databaseValues)
        }
        let unread = try rows("rowid", "rank")
        #expect(unread.count == 9 && work.countedPhrases == 0)
        let first = try rows("rowid, rank", "rank")
        #expect(first.map { Array($0.prefix(1)) } == unread && work.countedPhrases == 1)
        #expect(try rows("rowid, rank", "rank, rowid") == first)
        try db.execute(sql: "INSERT INTO t(x) VALUES ('z')")
        // The ranks of the query before were read, so those of this one are expected to be.
        #expect(try rows("rowid", "rank") == unread && work.countedPhrases == 2)
        try db.execute(sql: "INSERT INTO t(x) VALUES ('z')")
        #expect(try rows("rowid", "rank") == unread && work.countedPhrases == 2)
        // Knowing the rows of a phrase that is asked for again pays off.
        #expect(try rows("rowid", "rank") == unread && work.countedPhrases == 3)
        #expect(try rows("rowid", "rank") == unread && work.countedPhrases == 3)
    }

    /// Two scores that differ before they are multiplied by the idf, and not afterwards: with 30 tokens in the average row,
    /// those of one hit among 6 tokens and of three among 38.
    @Test func `are counted if their order may depend on it`() throws {
        let both = try SideBySide()
        func words(_ text: String, _ count: Int) -> String { text + String(repeating: " x", count: count) }
        let texts = [words("a b", 4), words("a b a b a b", 32)] + Array(repeating: words("x", 29), count: 997)
        let rows = (texts + [words("x", 45)]).map { "INSERT INTO t(x) VALUES ('\($0)');" }.joined()
        both.check(script: ["CREATE VIRTUAL TABLE t USING MODULE(x)"])
        for db in [both.fts5, both.engine] { try db.execute(sql: "BEGIN; \(rows) COMMIT") }
        for _ in 0..<2 {
            both.check("SELECT rowid FROM t WHERE t MATCH 'a + b' ORDER BY rank LIMIT 1")
            both.check("SELECT rowid FROM t WHERE t MATCH 'a + b' ORDER BY rank LIMIT 1 OFFSET 1")
            #expect(QueryWork.of(both.engine).countedPhrases == 1)
        }
    }

    /// Of rows that are far apart or equal, the first are ranked without being counted, and those that follow them are.
    @Test func `are the same rows, whether counted from the start or later`() throws {
        let text = "iif(i % 4 = 0, 'one two', 'two one') || replace(hex(zeroblob(i % 7)), '00', ' x')"
        let db = try Self.makeTable(400, text)
        let work = QueryWork.of(db)
        func rows(_ columns: String) throws -> [[DatabaseValue]] {
            try Row.fetchAll(db, sql: "SELECT \(columns) FROM t WHERE t MATCH 'one + two' ORDER BY rank").map(
                \.databaseValues)
        }
        let found = try rows("rowid")
        #expect(found.count == 100 && work.countedPhrases == 1)
        #expect(try rows("rowid") == found)
        #expect(try rows("rowid, rank").map { Array($0.prefix(1)) } == found)
        try db.execute(sql: "INSERT INTO t(x1) VALUES ('z')")
        // The ranks of the last query were read.
        let ranked = try rows("rowid, rank")
        try db.execute(
            sql: "INSERT INTO t(x1) VALUES ('z'); SELECT rowid FROM t WHERE t MATCH 'one' ORDER BY rank LIMIT 1")
        let later = try rows("rowid, iif(rowid = \(found[99][0]), rank, 0)")
        #expect(ranked.map { $0[0] } == later.map { $0[0] } && work.countedPhrases == 3)
    }
}
