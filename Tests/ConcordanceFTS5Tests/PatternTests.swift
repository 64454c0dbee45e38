import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText
import TestSupport
import Testing

@Suite struct `Pattern from typed text` {
    @Test(arguments: [
        (FTS5Pattern.Match.anyToken, "\"Swift\" OR \"sqlite\""),
        (.allTokens, "\"Swift\" AND \"sqlite\""),
        (.allTokensLastAsPrefix, "\"Swift\" AND \"sqlite\" *"),
        (.allPrefixes, "\"Swift\" * AND \"sqlite\" *"),
        (.phrase, "\"Swift & sqlite\""),
        (.phraseLastAsPrefix, "\"Swift & sqlite\" *"),
        (.prefixPhrase, "^ \"Swift & sqlite\""),
        (.near(distance: 5), "NEAR(\"Swift\" \"sqlite\", 5)"),
    ])
    func `is an expression of quoted words`(match: FTS5Pattern.Match, expected: String) {
        #expect(FTS5Pattern(matching: match, in: " Swift & sqlite!")?.rawPattern == expected)
    }

    @Test(arguments: ["", " ", "...", "\0", "\"\"", "“”", "***", "-", "() : ^ +"])
    func `is nil if there is no word`(text: String) {
        #expect(FTS5Pattern(matchingAnyTokenIn: text) == nil)
        #expect(FTS5Pattern(matchingAllTokensIn: text) == nil)
        #expect(FTS5Pattern(matchingAllPrefixesIn: text) == nil)
        #expect(FTS5Pattern(matchingPhrase: text) == nil)
        #expect(FTS5Pattern(matchingPrefixPhrase: text) == nil)
        #expect(FTS5Pattern.near([text, text]) == nil)
    }

    @Test func `does not repeat words`() {
        #expect(FTS5Pattern(matchingAllTokensIn: "b A b a B é E")?.rawPattern == "\"b\" AND \"A\" AND \"é\"")
        #expect(
            FTS5Pattern(matchingAllTokensIn: "a b a", lastAsPrefix: true)?.rawPattern == "\"a\" AND \"b\" AND \"a\" *")
    }

    @Test func `has near phrases`() {
        #expect(FTS5Pattern.near(["a b", "-", "c"], distance: 3)?.rawPattern == "NEAR(\"a b\" \"c\", 3)")
        #expect(FTS5Pattern.near(["a b"])?.rawPattern == "\"a b\"")
        #expect(FTS5Pattern.near(["a", "b"], distance: .max) != nil)
        #expect(FTS5Pattern.near(["a", "b"], distance: .min)?.rawPattern == "NEAR(\"a\" \"b\", 0)")
    }

    @Test func `is valid for FTS5, whatever was typed`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(a, b); INSERT INTO t VALUES ('one two', 'three')")
        let statement = try db.makeStatement(sql: "SELECT rowid FROM t WHERE t MATCH ?")
        let pieces = [
            "one", "two", "AND", "OR", "NOT", "NEAR", "(", ")", "{", "}", "\"", "'", "*", "^", ":", "-", "+", "\0", "é",
            "日本",
            "\u{301}", "\u{FEFF}", "🙂", "\r\n", ",", "5", "\\", "%", ";", "a:", "\u{1A}",
        ]
        let matches: [FTS5Pattern.Match] = [
            .anyToken, .allTokens, .allTokensLastAsPrefix, .allPrefixes, .phrase, .prefixPhrase, .phraseLastAsPrefix,
            .near(distance: 2),
        ]
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...8, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }
                .joined(separator: Bool.random(using: &random) ? " " : "")
            for match in matches {
                guard let pattern = FTS5Pattern(matching: match, in: text) else { continue }
                #expect(throws: Never.self, "\(match) \(text.debugDescription)") {
                    try statement.execute(arguments: [pattern])
                    _ = try FTS5Pattern(rawPattern: pattern.rawPattern)
                }
            }
        }
    }

    @Test(arguments: ["one ", "\"", "a", "é", "a\0"])
    func `takes a megabyte`(unit: String) throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(a)")
        let text = String(repeating: unit, count: 1_000_000 / unit.utf8.count)
        for match in [FTS5Pattern.Match.anyToken, .phrase] {
            guard let pattern = FTS5Pattern(matching: match, in: text) else { continue }
            _ = try Row.fetchAll(db, sql: "SELECT * FROM t WHERE t MATCH ?", arguments: [pattern])
        }
    }

    @Test func `takes the first thousand words of a book`() throws {
        let text = (0..<100_000).map { "w\($0)" }.joined(separator: " ")
        let pattern = try #require(FTS5Pattern(matchingAnyTokenIn: text))
        #expect(pattern.rawPattern.hasSuffix("\"w1022\" OR \"w1023\""))
    }

    @Test func `finds what it says`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING fts5(title, body);
                INSERT INTO t VALUES ('the quick fox', 'jumps over'), ('a fox', 'is quick'), ('sqlite', 'quickly')
                """)
        func rows(_ pattern: FTS5Pattern?) throws -> [Int] {
            try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid", arguments: [pattern])
        }
        #expect(try rows(FTS5Pattern(matchingAnyTokenIn: "quick, sqlite")) == [1, 2, 3])
        #expect(try rows(FTS5Pattern(matchingAllTokensIn: "FOX quick")) == [1, 2])
        #expect(try rows(FTS5Pattern(matchingAllTokensIn: "sqlite qui", lastAsPrefix: true)) == [3])
        #expect(try rows(FTS5Pattern(matchingAllPrefixesIn: "qu fo")) == [1, 2])
        #expect(try rows(FTS5Pattern(matchingPhrase: "quick fox")) == [1])
        #expect(try rows(FTS5Pattern(matchingPrefixPhrase: "fox")) == [])
        #expect(try rows(FTS5Pattern(matchingPrefixPhrase: "the quick")) == [1])
        #expect(try rows(FTS5Pattern(matchingPrefixPhrase: "the qui")) == [])
        #expect(try rows(FTS5Pattern(matchingPhrase: "quick fo", lastAsPrefix: true)) == [1])
        #expect(try rows(FTS5Pattern.near(["the", "fox"], distance: 1)) == [1])
        #expect(try rows(FTS5Pattern.near(["the", "fox"], distance: 0)) == [])
    }

    @Test func `is a value of the database`() throws {
        let pattern = try #require(FTS5Pattern(matchingAllTokensIn: "a b"))
        #expect(pattern.databaseValue == .text("\"a\" AND \"b\""))
        #expect(FTS5Pattern.fromDatabaseValue(pattern.databaseValue) == pattern)
        #expect(FTS5Pattern.fromDatabaseValue(.text("a AND")) == nil)
        #expect(FTS5Pattern.fromDatabaseValue(.int64(1)) == nil)
    }
}

@Suite struct `Pattern composition` {
    private func raw(_ expression: String) throws -> FTS5Pattern { try FTS5Pattern(rawPattern: expression) }

    @Test func `puts parentheses where they are needed`() throws {
        let or = try raw("a OR b")
        let and = try raw("a AND b")
        let not = try raw("a NOT b")
        let list = try raw("a b")
        #expect(or.and(or).rawPattern == "(a OR b) AND (a OR b)")
        #expect(or.or(or).rawPattern == "a OR b OR a OR b")
        #expect(and.or(not).rawPattern == "a AND b OR a NOT b")
        #expect(and.and(not).rawPattern == "a AND b AND a NOT b")
        #expect(not.not(list).rawPattern == "a NOT b NOT a b")
        #expect(list.not(not).rawPattern == "a b NOT (a NOT b)")
        #expect(list.not(and).rawPattern == "a b NOT (a AND b)")
        #expect(try raw("(a OR b)").and(list).rawPattern == "(a OR b) AND a b")
        #expect(try raw("c:(a OR b)").and(or).rawPattern == "c:(a OR b) AND (a OR b)")
    }

    @Test func `filters columns`() throws {
        let pattern = try raw("a OR b")
        #expect(pattern.inColumns(["x", "y \"z\""]).rawPattern == "{\"x\" \"y \"\"z\"\"\"} : (a OR b)")
        // A quotation mark is one with an accent behind it, too.
        #expect(pattern.inColumns(["e\"\u{301}"]).rawPattern == "{\"e\"\"\u{301}\"} : (a OR b)")
        #expect(pattern.excludingColumns(["x"]).rawPattern == "- {\"x\"} : (a OR b)")
        #expect(pattern.excludingColumns([]) == pattern)
        #expect(pattern.inColumns([]) == .nothing)
    }

    @Test func `means what its parts mean`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(x, y)")
        var random = SeededGenerator(seed: 3)
        let words = ["a", "b", "c", "d"]
        func text() -> String {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: " ")
        }
        for _ in 0..<100 { try db.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: [text(), text()]) }
        let statement = try db.makeStatement(sql: "SELECT rowid FROM t WHERE t MATCH ?")
        func rows(_ pattern: FTS5Pattern) throws -> Set<Int64> { try Int64.fetchSet(statement, arguments: [pattern]) }
        for _ in 0..<300 {
            var pattern = try raw(words.randomElement(using: &random) ?? "a")
            var expected = try rows(pattern)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let other = try #require(FTS5Pattern(matchingAnyTokenIn: text() + "a"))
                let others = try rows(other)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: (pattern, expected) = (pattern.and(other), expected.intersection(others))
                case 1: (pattern, expected) = (pattern.or(other), expected.union(others))
                case 2: (pattern, expected) = (pattern.not(other), expected.subtracting(others))
                case 3: (pattern, expected) = (other.and(pattern), expected.intersection(others))
                case 4: (pattern, expected) = (other.or(pattern), expected.union(others))
                default: (pattern, expected) = (other.not(pattern), others.subtracting(expected))
                }
            }
            #expect(try rows(pattern) == expected, "\(pattern)")
            #expect(throws: Never.self) { try FTS5Pattern(rawPattern: pattern.rawPattern) }
        }
    }

    @Test func `in columns finds only there`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql:
                "CREATE VIRTUAL TABLE t USING fts5(x, \"y z\"); INSERT INTO t VALUES ('a', 'b'), ('b', 'a'), ('c', 'c')"
        )
        func rows(_ pattern: FTS5Pattern) throws -> [Int] {
            try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid", arguments: [pattern])
        }
        let pattern = try raw("a OR c")
        #expect(try rows(pattern.inColumns(["x"])) == [1, 3])
        #expect(try rows(pattern.inColumns(["y z"])) == [2, 3])
        #expect(try rows(pattern.excludingColumns(["x"])) == [2, 3])
        #expect(try rows(pattern.inColumns([])) == [])
    }
}

@Suite struct `Pattern for a table` {
    @Test func `has the words of the table's tokenizer`() throws {
        let db = try Database(path: ":memory:")
        try db.create(virtualTable: "t", using: FTS5()) { t in
            t.tokenizer = .unicode61(tokenCharacters: ["-", "'", "\""])
            t.column("x")
        }
        try db.execute(sql: "INSERT INTO t VALUES ('e-mail o''clock'), ('mail')")
        for _ in 0..<2 {
            let pattern = try #require(
                try db.makeFTS5Pattern(matching: .allTokens, in: "E-Mail, O'CLOCK", forTable: "T"))
            #expect(pattern.rawPattern == "\"E-Mail\" AND \"O'CLOCK\"")
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH ?", arguments: [pattern]) == [1])
        }
        #expect(try db.makeFTS5Pattern(matching: .allTokens, in: ".", forTable: "t") == nil)
        // A table created again has another tokenizer.
        try db.execute(sql: "DROP TABLE t; CREATE VIRTUAL TABLE t USING fts5(x, tokenize=trigram)")
        let pattern = try db.makeFTS5Pattern(matching: .allTokens, in: "abcd", forTable: "t")
        #expect(pattern?.rawPattern == "\"abc\" AND \"bcd\"")
    }

    @Test func `does not stem twice`() throws {
        let db = try Database(path: ":memory:")
        try db.create(virtualTable: "t", using: FTS5()) { t in
            t.tokenizer = .porter()
            t.column("x")
        }
        // Porter's stem of generalizations is gener, by way of stems that have other stems.
        try db.execute(sql: "INSERT INTO t VALUES ('generalizations'), ('databases')")
        for word in ["generalizations", "database"] {
            let pattern = try db.makeFTS5Pattern(matching: .allTokens, in: word, forTable: "t")
            #expect(pattern?.rawPattern == "\"\(word)\"")
            #expect(try Row.fetchAll(db, sql: "SELECT * FROM t WHERE t MATCH ?", arguments: [pattern]).count == 1)
        }
    }

    @Test func `checks a raw pattern against columns and detail`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING fts5("a b", c UNINDEXED);
                CREATE VIRTUAL TABLE n USING fts5(a, detail=none);
                CREATE VIRTUAL TABLE temp.tt USING fts5(a);
                CREATE TABLE plain(a)
                """)
        #expect(try db.makeFTS5Pattern(rawPattern: "\"A B\" : x", forTable: "t").rawPattern == "\"A B\" : x")
        #expect(try db.makeFTS5Pattern(rawPattern: "a : x", forTable: "tt", in: "temp").rawPattern == "a : x")
        #expect(try db.makeFTS5Pattern(rawPattern: "a : x", forTable: "tt").rawPattern == "a : x")
        #expect(throws: FTS5Error.malformedPattern("a : x", message: "no such column: a", offset: 0)) {
            try db.makeFTS5Pattern(rawPattern: "a : x", forTable: "t")
        }
        #expect(try db.makeFTS5Pattern(rawPattern: "x y", forTable: "n").rawPattern == "x y")
        #expect(throws: DatabaseError.self) { try db.makeFTS5Pattern(rawPattern: "x + y", forTable: "n") }
        #expect(throws: DatabaseError.self) { try db.makeFTS5Pattern(rawPattern: "a : y", forTable: "n") }
        #expect(throws: FTS5Error.noSuchTable("plain")) { try db.makeFTS5Pattern(rawPattern: "x", forTable: "plain") }
        #expect(throws: FTS5Error.noSuchTable("no")) { try db.makeFTS5Pattern(rawPattern: "x", forTable: "no") }
    }
}
