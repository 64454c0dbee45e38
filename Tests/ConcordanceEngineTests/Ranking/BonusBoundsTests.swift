import ConcordanceEngine
import ConcordanceSQLite
import TestSupport
import Testing

/// Rows of equal scores, more than a first batch has: if the bound on a row's bonuses is too low, the row is left out of
/// its batch, and the next one takes it for a row that has been read.
@Suite("Bounds on bonuses")
struct BonusBoundsTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var options = ""
        /// The expressions of the two columns, from the row's number.
        var texts: (String, String)
        var match: String
        var arguments: String

        var testDescription: String { name }
    }

    /// A JSON array of 300 numbers.
    private static let numbers = "'[" + (1...300).map(String.init).joined(separator: ",") + "]'"
    private static let synonyms = ", tokenize=\"concordance words fold synonyms 'ab, abc, abd'\""

    static let cases = [
        Case(
            name: "neighbours of words with typos, a prefix among them", options: ", prefix='1', content=''",
            texts: ("'c' || (n % 5)", "'two ' || (n % 4)"), match: "(a~2) OR r~2*",
            arguments: "1.2, 0.75, 2.0, 0.0, 0.3"),
        Case(
            name: "neighbours of a word with two typos", texts: ("'x wxyz x wxyz x'", "''"), match: "x OR wxba~2",
            arguments: "20, 0, NULL, 0, 5"),
        Case(
            name: "a word with a typo after another word", texts: ("'x wxyz'", "''"), match: "x OR wxya~1",
            arguments: "1.2, 0.75, NULL, 5, 0"),
        Case(
            name: "a word after one with a typo", texts: ("'wxyz x'", "''"), match: "wxya~1 OR x",
            arguments: "1.2, 0.75, NULL, 5, 0"),
        Case(
            name: "typos under weights", texts: ("'x wxyz'", "'x wxyz'"), match: "x OR wxya~1",
            arguments: "1.2, 0.75, NULL, 5, 0, 0.1, 0.7"),
        Case(
            name: "typos, normalized by column", texts: ("'x wxyz'", "'x wxyz'"), match: "x OR wxya~1",
            arguments: "1.2, 0.75, NULL, 5, 0, 1, 1, 0.5, 0.9"),
        Case(
            name: "a prefix with several hits at a place", options: ", prefix='1'" + synonyms, texts: ("'x ab'", "''"),
            match: "x OR a*", arguments: "1.2, 0.75, NULL, 5, 0"),
        Case(
            name: "terms of a prefix that share all places", options: synonyms, texts: ("'ab ab ab ab ab'", "''"),
            match: "x OR a*", arguments: "0.0001, 0, NULL, 5, 0"),
        Case(
            name: "a prefix with more terms than are counted", options: synonyms,
            texts: ("'x ab ' || (SELECT group_concat('a' || value * n, ' ') FROM json_each(\(numbers)))", "''"),
            match: "x AND a*", arguments: "1.2, 0.75, NULL, 5, 0"),
        Case(
            name: "a word with typos and several hits at a place", options: synonyms, texts: ("'x ab'", "''"),
            match: "x OR ab~1", arguments: "1.2, 0.75, NULL, 5, 0"),
        Case(
            name: "neighbours of words whose hits do not count", texts: ("'x y'", "''"), match: "x OR y OR x OR y",
            arguments: "1.2, 0.75, -1, 0, 0.3"),
        Case(
            name: "pairs of words whose hits do not count", texts: ("'x y'", "''"), match: "x OR y OR x OR y",
            arguments: "1.2, 0.75, -1, 0.3, 0"),
    ]

    @Test(arguments: cases.indices, [0, 100])
    func `no row is lost between batches`(number: Int, others: Int) throws {
        let test = Self.cases[number]
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a, b\(test.options));
                WITH RECURSIVE s(n) AS (VALUES (53) UNION ALL SELECT n + 1 FROM s WHERE n < 112)
                    INSERT INTO t(rowid, a, b) SELECT n, \(test.texts.0), \(test.texts.1) FROM s;
                WITH RECURSIVE s(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM s WHERE n < \(others))
                    INSERT INTO t(rowid, a) SELECT n + 1000, 'other' FROM s WHERE n <= \(others);
                """)
        #expect(try check(db, test.match, test.arguments, "\(test.name)") >= 60)
    }

    /// With few texts, many rows have equal scores; with many, bounds rule some rows out.
    @Test(arguments: UInt64(0)..<24)
    func `rows are those of the scores row by row`(seed: UInt64) throws {
        let (textCount, wordCount, rowCount) = seed < 16 ? (6, 4, 150) : (150, 16, 600)
        var random = SeededGenerator(seed: seed)
        func some(_ list: [String]) -> String { list.randomElement(using: &random) ?? "" }
        let words = ["a", "ab", "abc", "abcd", "b", "ba", "bac", "c", "ca", "cab"]
        func text(_ count: Int, _ separator: String) -> String {
            (0..<count).map { _ in some(words) }.joined(separator: separator)
        }
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        let options =
            some(["", ", prefix='1 2'", ", content=''"])
            + some(["", ", tokenize=\"concordance words edge_ngrams 1 3\"", Self.synonyms])
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a, b\(options))")
        let texts = (0..<textCount).map { _ in text(Int.random(in: 0...wordCount, using: &random), " ") }
        try db.inTransaction {
            for row in 1...rowCount {
                try db.execute(
                    sql: "INSERT INTO t(rowid, a, b) VALUES (?, ?, ?)", arguments: [row, some(texts), some(texts)])
            }
            return .commit
        }
        for _ in 0..<30 {
            let alternatives = (0..<Int.random(in: 2...4, using: &random)).map { _ in
                some(words + ["abx"]) + some(["", "*", "~1", "~2", "~1*", "~2*"])
            }
            let slots = alternatives.map { alternative in
                let word = some(words)
                return some(["(\(word) OR \(word.prefix(1))*)", "(\(word.prefix(2))* OR \(word))", alternative])
            }
            let match =
                random.next() % 3 == 0
                ? slots.joined(separator: " AND ") : alternatives.joined(separator: some([" OR ", " OR ", " AND "]))
            let weights = some(["", ", 2, 0.5", ", 0.1, 0.7", ", 1, 1, 0.5, 0.9"])
            let numbers = [
                some(["1.2", "0", "0.0001", "3"]), some(["0.75", "0", "1"]), some(["NULL", "2", "0"]),
                some(["0", "0.3", "5"]), some(["0", "0.3", "5"]),
            ]
            let arguments = numbers.joined(separator: ", ") + weights
            try check(db, match, arguments, "seed \(seed), \(options)")
        }
    }

    /// More than the positions are read of at a time.
    @Test func `all rows are those of the scores row by row if they are many`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a\(Self.synonyms));
                WITH RECURSIVE s(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM s WHERE n < 16400)
                    INSERT INTO t(rowid, a) SELECT n, 'x ab' || replace(hex(zeroblob(n % 50)), '00', ' y') FROM s;
                """)
        func rows(_ sql: String) throws -> [[DatabaseValue]] { try Row.fetchAll(db, sql: sql).map(\.databaseValues) }
        let arguments = "1.2, 0.75, NULL, 5, 0"
        let expected = try rows(
            "SELECT rowid, concordance_rank(t, \(arguments)) AS score FROM t('x OR a*') ORDER BY score, rowid")
        let found = try rows("SELECT rowid, rank FROM t('x OR a*', 'concordance_rank(\(arguments))') ORDER BY rank")
        #expect(expected.count == 16400 && found == expected)
    }

    /// Compares the rows by `rank` with those by the auxiliary function, which is called for each. Returns their number.
    @discardableResult
    private func check(_ db: Database, _ match: String, _ arguments: String, _ name: String) throws -> Int {
        func rows(_ sql: String, _ arguments: [String]) throws -> [[DatabaseValue]] {
            try Row.fetchAll(db, sql: sql, arguments: StatementArguments(arguments)).map(\.databaseValues)
        }
        let expected = try rows(
            "SELECT rowid, concordance_rank(t, \(arguments)) AS score FROM t(?) ORDER BY score, rowid", [match])
        for limit in [1000, 24, 7, 1] {
            // SQLite before 3.41 does not pass the LIMIT of a query with MATCH: the first batch is then not that large.
            for condition in ["t MATCH ? AND rank MATCH ?", "t = ? AND rank = ?"] {
                let found = try rows(
                    "SELECT rowid, rank FROM t WHERE \(condition) ORDER BY rank LIMIT \(limit)",
                    [match, "concordance_rank(\(arguments))"])
                #expect(
                    found == Array(expected.prefix(limit)), "\(name): \(match), \(arguments), LIMIT \(limit)")
            }
        }
        return expected.count
    }
}
