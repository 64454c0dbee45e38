import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite
import Foundation
import TestSupport
import Testing

@Suite("Queries whose words may have typos")
struct TypoQueryTests {
    private func makeDatabase(_ columns: String = "a, b") throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(\(columns))")
        return db
    }

    private func rows(_ db: Database, _ query: String, _ order: String = "rowid") throws -> [Int] {
        try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH ? ORDER BY \(order)", arguments: [query])
    }

    @Test func `find words that are near the one that was typed`() throws {
        let db = try makeDatabase()
        try db.execute(
            sql: """
                INSERT INTO t(rowid, a, b) VALUES (1, 'receive', 'a signal'), (2, 'received', ''), (3, 'recieve', ''),
                    (4, 'deceive', ''), (5, 'relieve', 'signals'), (6, 'the', 'cat'), (7, 'thee', 'cart')
                """)
        #expect(try rows(db, "recieve~") == [1, 3, 5])
        #expect(try rows(db, "recieve~1") == [1, 3, 5])
        #expect(try rows(db, "recieve ~2") == [1, 2, 3, 5])
        #expect(try rows(db, "deceive~2") == [1, 4])
        #expect(try rows(db, "recieved~") == [1, 2, 3, 5])
        #expect(try rows(db, "the~") == [6])
        #expect(try rows(db, "the~1") == [6, 7])
        #expect(try rows(db, "recei~*") == [1, 2, 3])
        #expect(try rows(db, "recie~1*") == [1, 2, 3, 5])
        #expect(try rows(db, "recieve~ signal~") == [1, 5])
        #expect(try rows(db, "recieve~ AND b : singal~") == [1])
        #expect(try rows(db, "b : recieve~") == [])
        #expect(try rows(db, "cat NOT the~") == [])
        #expect(try rows(db, "cart~ NOT signal~") == [6, 7])
        #expect(try rows(db, "\"a singal\"~") == [1])
        #expect(try rows(db, "a + singal~") == [1])
        #expect(try rows(db, "^ recieve~") == [1, 3, 5])
        #expect(try rows(db, "NEAR(a singal~)") == [1])
        #expect(try rows(db, "recieve~", "rank") == [3, 5, 1])
    }

    /// A word and its stem stand at one position, which counts once, whatever segments the index has.
    @Test(arguments: ["\"house garden\"~1", "house_garden~1", "^house~1", "NEAR(house~1 garden~1)"])
    func `count a position once in phrases`(query: String) throws {
        let db = try Database(path: ":memory:")
        try ConcordanceTokenizers.register(on: db)
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING concordance(a, tokenize='concordance english');
                INSERT INTO t(t, rank) VALUES ('automerge', 0);
                """)
        for text in ["house garden", "garden", "garden", "roof", "roof", "roof"] {
            try db.execute("INSERT INTO t(a) VALUES (\(text))")
        }
        let sql = "SELECT rank FROM t WHERE t MATCH ?"
        let exact = try Double.fetchAll(db, sql: sql, arguments: [query.replacing("~1", with: "")])
        #expect(try Double.fetchAll(db, sql: sql, arguments: [query]) == exact)
        try db.execute(sql: "INSERT INTO t(t) VALUES ('optimize')")
        #expect(try Double.fetchAll(db, sql: sql, arguments: [query]) == exact)
    }

    @Test(arguments: ["~a", "a ~3", "a~12", "a~b", "a~~", "~", "a* ~", "\"a\" ~1 ~1", "{a~} : b"])
    func `are errors as in FTS5 where the tilde does not follow a word`(query: String) throws {
        let db = try makeDatabase()
        try db.execute(sql: "CREATE VIRTUAL TABLE f USING fts5(a, b)")
        for table in ["t", "f"] {
            let outcome = SideBySide.outcome(of: "SELECT * FROM \(table)('\(query)')", on: db)
            #expect(outcome == .error(code: 1, message: "fts5: syntax error near \"~\""), "\(table)")
        }
    }

    @Test func `have the words found highlighted`() throws {
        let db = try makeDatabase("a")
        try db.execute(sql: "INSERT INTO t VALUES ('to receive or to recieve')")
        let sql = "SELECT highlight(t, 0, '[', ']') FROM t('recieve~')"
        #expect(try String.fetchOne(db, sql: sql) == "to [receive] or to [recieve]")
    }

    // MARK: - Against brute force

    /// A table with words of few letters, in several segments, some rows removed or changed.
    private struct Collection {
        let db: Database
        var words: [Int: [[String]]] = [:]

        init(_ options: String, _ random: inout SeededGenerator) throws {
            db = try Database(path: ":memory:")
            try ConcordanceModule.register(on: db)
            try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(a, b\(options))")
            try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('automerge', 0)")
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                try db.inTransaction {
                    for _ in 0..<Int.random(in: 1...60, using: &random) { try change(&random) }
                    return .commit
                }
            }
        }

        static func word(_ random: inout SeededGenerator) -> String {
            let letters = ["a", "b", "c", "é", "o"]
            let count = Int.random(in: 1...9, using: &random)
            return (0..<count).map { _ in letters.randomElement(using: &random) ?? "a" }.joined()
        }

        private mutating func change(_ random: inout SeededGenerator) throws {
            if let row = words.keys.sorted().randomElement(using: &random), Int.random(in: 0..<6, using: &random) == 0 {
                try db.execute(sql: "DELETE FROM t WHERE rowid = ?", arguments: [row])
                words[row] = nil
                return
            }
            let texts = (0..<2).map { _ in
                (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.word(&random) }
            }
            try db.execute(
                sql: "INSERT INTO t(a, b) VALUES (?, ?)",
                arguments: [texts[0].joined(separator: " "), texts[1].joined(separator: " ")])
            words[Int(db.lastInsertedRowID)] = texts
        }
    }

    /// A word of a query, and which words it matches.
    private struct TypedWord {
        let text: String
        let limit: Int?
        let isPrefix: Bool

        init(_ random: inout SeededGenerator) {
            text = Collection.word(&random)
            limit = [nil, 1, 2].randomElement(using: &random) ?? nil
            isPrefix = Int.random(in: 0..<3, using: &random) == 0
        }

        var query: String { "\(text)~\(limit.map(String.init) ?? "")\(isPrefix ? "*" : "")" }

        var exactQuery: String { text + (isPrefix ? "*" : "") }

        private var limitOfLength: Int { limit ?? (text.count < 4 ? 0 : text.count < 8 ? 1 : 2) }

        func typos(of word: String) -> Int? {
            if isPrefix, word.hasPrefix(text) { return 0 }
            let typos = isPrefix ? typoCount(text, ofBeginningOf: word) : typoCount(text, of: word)
            return typos <= limitOfLength ? typos : nil
        }
    }

    @Test(
        arguments: 1...30,
        ["", ", prefix='1 2'", ", detail=column", ", detail=none", ", prefix='3', columnsize=0"])
    func `find and rank what brute force finds`(seed: Int, options: String) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let collection = try Collection(", tokenize='unicode61 remove_diacritics 0'\(options)", &random)
        let db = collection.db
        for _ in 0..<12 {
            let typed = TypedWord(&random)
            // Then no variant is left out.
            let all = Set(collection.words.values.joined().joined())
            guard all.count(where: { (typed.typos(of: $0) ?? 0) > 0 }) <= 64 else { continue }
            let expected = collection.words.filter { _, texts in
                texts.joined().contains { typed.typos(of: $0) != nil }
            }.keys.sorted()
            #expect(try rows(db, typed.query) == expected, "\(typed.query)")
            // The order of the best rows is that of scores computed row by row.
            let one = "SELECT rowid, rank FROM t WHERE t MATCH ? ORDER BY +rank, +rowid LIMIT 10"
            let best = "SELECT rowid, rank FROM t WHERE t MATCH ? ORDER BY rank, rowid LIMIT 10"
            let other = TypedWord(&random)
            let both = [("AND", "AND"), ("OR", "OR"), ("AND", "OR")].map { kind, excluded in
                "(\(typed.query) \(kind) \(other.query)) NOT (\(typed.exactQuery) \(excluded) \(other.exactQuery))"
            }
            for query in [
                typed.query, "\(typed.query) OR \(other.query)", "\(typed.query) AND \(other.query)",
                "\(typed.query) NOT \(typed.exactQuery)",
            ] + both {
                let slow = try Row.fetchAll(db, sql: one, arguments: [query])
                let fast = try Row.fetchAll(db, sql: best, arguments: [query])
                #expect(slow.map(\.databaseValues) == fast.map(\.databaseValues), "\(query)")
            }
        }
    }

    @Test func `scores count a hit less for each typo, by the rarity of the most frequent term`() throws {
        let db = try makeDatabase("a")
        for _ in 0..<3 { try db.execute(sql: "INSERT INTO t VALUES ('receive this')") }
        try db.execute(sql: "INSERT INTO t VALUES ('recieve this'), ('recieved this'), ('other one'), ('other two')")
        let ranks = try Double.fetchAll(
            db, sql: "SELECT rank FROM t WHERE t MATCH 'recieve~2' ORDER BY rowid")
        // k1 is 1.2, all rows have the average length, and 'receive' is in 3 of 7.
        let idf = log((7 - 3 + 0.5) / (3 + 0.5))
        let expected = [0.5, 0.5, 0.5, 1, 0.5].map { -idf * ($0 * 2.2) / ($0 + 1.2) }
        for (rank, expected) in zip(ranks, expected) { #expect(abs(rank - expected) < 1e-9) }
        #expect(ranks.count == expected.count)
    }

    @Test func `look at 64 variants, those with the fewest typos and the most rows`() throws {
        let db = try makeDatabase("a")
        let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
        // 26 words with one typo; 26 x 26 with two, of which those that end in z are in two rows.
        try db.inTransaction {
            for one in letters {
                try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: ["word\(one)"])
                for two in letters {
                    try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: ["word\(one)\(two)"])
                    if two == "z" { try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: ["word\(one)\(two)"]) }
                }
            }
            return .commit
        }
        let found = try String.fetchAll(db, sql: "SELECT DISTINCT a FROM t WHERE t MATCH 'word~2' ORDER BY rowid")
        #expect(found.count == 64)
        #expect(letters.allSatisfy { found.contains("word\($0)") && found.contains("word\($0)z") })
    }
}
