import ConcordanceFTS5
import ConcordanceSQLite
import Foundation
import TestSupport
import Testing

/// The parser's message for an expression; nil if it accepts it.
private func verdict(_ expression: String, columns: [String]? = nil) -> String? {
    do {
        _ = try FTS5Pattern(rawPattern: expression, allowedColumns: columns)
        return nil
    } catch FTS5Error.malformedPattern(_, let message, _) {
        return message
    } catch {
        return "\(error)"
    }
}

/// A case of SQLite's own tests, or a generated one with what SQLite said.
private struct Expectation: Decodable {
    var expr: String
    var columns: [String]
    var error: String?

    static func load(_ file: String) throws -> [Expectation] {
        guard let url = SharedData.url("fts5-cases/\(file)") else { return [] }
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        return try lines.map { try JSONDecoder().decode(Expectation.self, from: Data($0.utf8)) }
    }
}

/// A table whose FTS5 judges expressions.
private struct Judge {
    let db: Database
    let statement: Statement
    /// Whether FTS5's parser has the stack of SQLite 3.40.
    let hasFixedStack: Bool

    init() throws {
        db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(a, b, \"c d\")")
        hasFixedStack = try String.fetchOne(db, sql: "SELECT sqlite_version()")?.hasPrefix("3.40.") == true
        statement = try db.makeStatement(sql: "SELECT rowid FROM t WHERE t MATCH ?")
    }

    func verdict(_ expression: String) -> String? {
        do {
            try statement.execute(arguments: [expression])
            return nil
        } catch let error as DatabaseError {
            return error.message
        } catch {
            return "\(error)"
        }
    }
}

@Suite struct `Query parser` {
    @Test(arguments: ["parser-cases.jsonl", "parser-generated.jsonl"])
    func `says what SQLite's own tests expect`(file: String) throws {
        for expectation in try Expectation.load(file) {
            let columns = expectation.columns.isEmpty ? nil : expectation.columns
            #expect(verdict(expectation.expr, columns: columns) == expectation.error, "\(expectation.expr)")
        }
    }

    @Test(arguments: [
        "one", "one two", "one AND two OR three NOT four", "a:one", "a : one", "\"a\" : one", "- a : one",
        "{a b} : one", "-{a \"c d\"} : (one OR two)", "A:one", "^one", "a:^one + two*", "NEAR(one two)",
        "NEAR(\"one two\" three*, 5)", "NEAR", "NEAR one", "\"\"", "\"say \"\"hi\"\"\"", "(((one)))", "one*two",
        "a:NEAR(one two, 3) b:three", "\tone\n\rtwo", "日本語 NOT ü",
    ])
    func `takes what FTS5 takes`(expression: String) throws {
        #expect(try Judge().verdict(expression) == nil)
        #expect(verdict(expression, columns: ["a", "b", "c d"]) == nil)
    }

    @Test(arguments: [
        "", " ", "AND", "one AND", "one OR OR two", "(one", "one)", "(one) two", "one (two)", "\"one", "one+", "+", "*",
        "* one two",
        "one**", "one, two", "a:b:one", "nosuch:one", "{a nosuch}:one", "{nosuch \"x", "-nosuch \"x", "nosuch \"x",
        "nosuch:\"x", "{}:one", "{a", "-one", "-", "^^one", "^NEAR(one)", "NEAR(one, x)", "NEAR(one,)",
        "NEAR(one, \"5\")",
        "NEAR(one AND two)", "NeAR(one two)", "NEAR(^one)", "near(one", "one|two", "one.two", "it's", "one;", "(a):one",
        "^a:one", "a:AND", "one NOT NOT two", "one b:(two)", "\u{B}one", "a:", "a:{b}:c", "NEAR(one two) \"",
    ])
    func `refuses what FTS5 refuses with the same words`(expression: String) throws {
        let message = try Judge().verdict(expression)
        #expect(message != nil)
        #expect(verdict(expression, columns: ["a", "b", "c d"]) == message)
    }

    @Test func `agrees with FTS5 on any sequence of its words`() throws {
        let judge = try Judge()
        let words = [
            "one", "two", "\"one two\"", "\"\"", "\"", "a", "b", "\"c d\"", "nosuch", "AND", "OR", "NOT", "NEAR", "(",
            ")", "{",
            "}", ":", ",", "+", "*", "-", "^", "5", "'", "%", "ü", "NEAR(", "a:", "one",
        ]
        var random = SeededGenerator(seed: 20)
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...12, using: &random)
            let parts = (0..<count).map { _ in words.randomElement(using: &random) ?? "" }
            let expression = parts.joined(separator: Bool.random(using: &random) ? " " : "")
            let expected = judge.verdict(expression)
            let found = verdict(expression, columns: ["a", "b", "c d"])
            if found != expected {
                Issue.record("\(expression): \(found ?? "taken"), and FTS5: \(expected ?? "taken")")
                return
            }
        }
    }

    @Test(arguments: [
        ("(", "one", ")"), ("one OR (", "two", ")"), ("a:(", "one", ")"), ("-{a}:(", "one", ")"),
        ("one OR two AND three NOT (", "four", ")"), ("one AND two NOT (", "a : ^ one + two", ")"),
        ("(", "NEAR(one two three, 5)", ")"), ("one (", "two", ")"),
    ])
    func `has room for as many parentheses as FTS5`(open: String, middle: String, close: String) throws {
        let judge = try Judge()
        for depth in 0..<110 {
            let expression =
                String(repeating: open, count: depth) + middle + String(repeating: close, count: depth)
            let expected = judge.verdict(expression)
            let found = verdict(expression, columns: ["a"])
            // Later versions of SQLite have more room.
            if judge.hasFixedStack || found == nil { #expect(found == expected, "\(open) \(depth) times") }
        }
    }

    @Test func `refuses trees that would exhaust FTS5's stack`() {
        let deep = Array(repeating: "one", count: 300).joined(separator: " NOT ")
        #expect(verdict(deep) == "fts5 expression tree is too large (maximum depth 256)")
        let wide = Array(repeating: "one", count: 300).joined(separator: " AND ")
        #expect(verdict(wide) == nil)
    }

    @Test(arguments: ["(", "one ", "one NOT ", "\"", "a:", "^", "{", "\u{0}", "NEAR(", "-", "ü", "one OR "])
    func `reads a megabyte of anything`(unit: String) {
        _ = verdict(String(repeating: unit, count: 1_000_000 / unit.utf8.count))
        _ = verdict(String(repeating: unit, count: 1_000_000 / unit.utf8.count) + "one")
    }

    @Test func `points at the token that is wrong`() {
        #expect(throws: FTS5Error.malformedPattern("é AND OR", message: "fts5: syntax error near \"OR\"", offset: 7)) {
            try FTS5Pattern(rawPattern: "é AND OR")
        }
    }

    @Test func `refuses a NUL, at which FTS5 would stop reading`() {
        #expect(throws: FTS5Error.self) { try FTS5Pattern(rawPattern: "one\0") }
    }
}
