import ConcordanceSQLite
import TestSupport
import Testing

@Suite("Arguments find their parameters")
struct ArgumentTests {
    static let matches: [(String, StatementArguments, [DatabaseValue])] = [
        ("SELECT ?, ?", ["a", "b"], ["a", "b"]),
        ("SELECT :x, @y, $z", ["y": 2, "x": 1, "z": 3], [1, 2, 3]),
        ("SELECT :x, :y", [1, 2], [1, 2]),
        ("SELECT ?, :x, ?", [1, 2] + ["x": 3], [1, 3, 2]),
        ("SELECT :x, :x", ["x": 1], [1, 1]),
        ("SELECT ?2, ?1", [1, 2], [2, 1]),
        ("SELECT ?, ?1", [1], [1, 1]),
        ("SELECT 1", [], [1]),
    ]

    @Test(arguments: matches)
    func values(sql: String, arguments: StatementArguments, expected: [DatabaseValue]) throws {
        let db = try Database(path: ":memory:")
        #expect(try Row.fetchOne(db, sql: sql, arguments: arguments)?.databaseValues == expected)
    }

    static let faults: [(String, StatementArguments, String)] = [
        ("SELECT ?, ?", [1], "missing arguments: 1 by position"),
        ("SELECT ?", [], "missing arguments: 1 by position"),
        ("SELECT :name, :age", ["name": 1], "missing arguments: age"),
        ("SELECT :name, ?", [], "missing arguments: name and 1 by position"),
        ("SELECT ?", [1, 2], "too many arguments: the statement takes 1, but 2 were given"),
        ("SELECT 1", [1], "too many arguments: the statement takes 0, but 1 were given"),
        ("SELECT :name", ["name": 1, "nmae": 2], "the statement has no parameter named nmae"),
        ("SELECT :name", [":name": 1], "missing arguments: name"),
    ]

    @Test(arguments: faults)
    func mismatches(sql: String, arguments: StatementArguments, message: String) throws {
        let db = try Database(path: ":memory:")
        for attempt in [
            { try db.execute(sql: sql, arguments: arguments) },
            { _ = try Row.fetchAll(db, sql: sql, arguments: arguments) },
        ] {
            let error = #expect(throws: DatabaseError.self) { try attempt() }
            #expect(error?.message?.contains(message) == true, "\(String(describing: error))")
            #expect(error?.resultCode == .SQLITE_MISUSE)
            #expect(error?.sql == sql)
        }
    }

    @Test func scriptsShareArguments() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: "CREATE TABLE t (a, b); INSERT INTO t VALUES (?, :n); INSERT INTO t VALUES (?, :n); -- end\n",
            arguments: [1, 2] + ["n": 3])
        #expect(try Row.fetchAll(db, sql: "SELECT * FROM t") == [["a": 1, "b": 3], ["a": 2, "b": 3]])
        // The last statement is not executed when arguments are left over.
        #expect(throws: DatabaseError.self) { try db.execute(sql: "DELETE FROM t WHERE a = ?", arguments: [1, 2]) }
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 2)
    }

    @Test func aStatementNeedsItsArguments() throws {
        let db = try Database(path: ":memory:")
        let statement = try db.makeStatement(sql: "SELECT ?, :x")
        #expect(throws: DatabaseError.self) { try statement.execute() }
        #expect(throws: DatabaseError.self) { try statement.setArguments([1, 2, 3]) }
        #expect(throws: DatabaseError.self) { try statement.step() }
        #expect(throws: DatabaseError.self) { try statement.bind(1, at: 3) }
        #expect(throws: DatabaseError.self) { try statement.bind(1, at: 0) }
        #expect(throws: DatabaseError.self) { try statement.bind(1, at: .max) }
        try statement.setArguments([1, 2])
        #expect(try Row.fetchOne(statement)?.databaseValues == [1, 2])
        try statement.bind("text", at: 2)  // the other stays
        #expect(try Row.fetchOne(statement)?.databaseValues == [1, "text"])
        #expect(try statement.step())
        #expect(throws: DatabaseError.self) { try statement.bind(1, at: 1) }
        #expect(statement.parameterNames == ["x"])
        #expect(statement.parameterCount == 2)
    }
}

@Suite("SQL literals bind what they interpolate")
struct SQLLiteralTests {
    @Test func eachInterpolation() {
        let name = "O'Brien"
        let none: Int? = nil
        let condition: SQL = "a = \(name)"
        let sql: SQL = """
            SELECT \(raw: "count(*)") FROM \(identifier: #"my "table""#) WHERE \(condition) AND b IS \(none) \
            AND c IN \(values: [1, 2]) AND d IN \(values: [Int]())
            """
        #expect(
            sql.sql == #"SELECT count(*) FROM "my ""table""" WHERE a = ? AND b IS ? AND c IN (?, ?) AND d IN ()"#)
        #expect(sql.arguments == ["O'Brien", nil, 1, 2])
        #expect((["a = \(1)", "b = \(2)"] as [SQL]).joined(separator: " AND ").sql == "a = ? AND b = ?")
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func nothingInterpolatedBecomesSQL(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = ["'", "\"", "`", "]", "--", "/*", ";", "DROP TABLE t", "x", "?", ":a", "é", "\n", "\\", " "]
        let text = (0..<8).compactMap { _ in pieces.randomElement(using: &random) }.joined()
        let db = try Database(path: ":memory:")
        try db.execute("CREATE TABLE \(identifier: text) (\(identifier: text + "2") DEFAULT \(raw: "1"), t)")
        try db.execute("INSERT INTO \(identifier: text) (t) VALUES (\(text))")
        let row = try Row.fetchOne(db, literal: "SELECT * FROM \(identifier: text) WHERE t = \(text)")
        #expect(row?.columnNames == [text + "2", "t"])
        #expect(row?["t"] == text)
        #expect(try String.fetchOne(db, sql: "SELECT \(text.quotedDatabaseString)") == text)
    }

    @Test func argumentsForParametersThatAreSpelledOut() throws {
        let db = try Database(path: ":memory:")
        try db.execute("CREATE TABLE documents (a, b)")
        try db.execute("INSERT INTO documents VALUES (?, :b)", arguments: ["..."] + ["b": 1])
        let value = 2
        try db.execute("INSERT INTO documents VALUES (\(value), :b)", arguments: ["b": 3])
        #expect(throws: DatabaseError.self) {
            try db.execute("INSERT INTO documents VALUES (\(value), ?)", arguments: [3])
        }
        #expect(try Row.fetchAll(db, sql: "SELECT * FROM documents") == [["a": "...", "b": 1], ["a": 2, "b": 3]])
    }
}
