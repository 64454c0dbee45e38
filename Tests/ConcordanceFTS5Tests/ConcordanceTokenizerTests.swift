import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText
import Foundation
import TestSupport
import Testing

@Suite struct `Analyzers in FTS5` {
    private func database(_ analyzer: Analyzer) throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceTokenizers.register(on: db)
        try db.create(virtualTable: "t", using: FTS5()) { t in
            t.tokenizer = .concordance(analyzer)
            t.column("x")
        }
        return db
    }

    @Test func `are named by their components`() throws {
        let analyzer = try Analyzer(components: ["words", "fold", "latin"])
        let db = try database(analyzer)
        let sql = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 't'")
        #expect(sql == "CREATE VIRTUAL TABLE \"t\" USING fts5(tokenize='concordance words fold latin', x)")
        try db.execute(sql: "INSERT INTO t VALUES ('Großmann'), ('GROSSMANN'), ('Encyclopædia')")
        func rows(_ text: String) throws -> [Int] {
            let pattern = try db.makeFTS5Pattern(matching: .allTokens, in: text, forTable: "t")
            return try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid", arguments: [pattern])
        }
        #expect(try rows("grossmann") == [1, 2])
        #expect(try rows("großmann") == [1, 2])
        #expect(try rows("encyclopaedia") == [3])
        let tokens = try db.makeTokenizer(.concordance(analyzer)).tokens(in: "Großmann")
        #expect(tokens == [TokenCopy("grossmann", range: 0..<9, position: 0)])
    }

    @Test func `need no registration to be made in Swift`() throws {
        let db = try Database(path: ":memory:")
        let tokenizer = try db.makeTokenizer(.concordance(Analyzer(components: ["words", "fold"])))
        #expect(try tokenizer.tokens(in: "A b").map(\.text) == ["a", "b"])
    }

    @Test func `that are impossible say why`() throws {
        let db = try Database(path: ":memory:")
        try ConcordanceTokenizers.register(on: db)
        for sql in [
            "CREATE VIRTUAL TABLE t USING fts5(x, tokenize='concordance nosuch')",
            "CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter concordance nosuch')",
        ] {
            let error = #expect(throws: (any Error).self) { try db.execute(sql: sql) }
            #expect("\(String(describing: error))".contains("nosuch"))
            #expect(!(error is DatabaseError), "\(String(describing: error))")
        }
        let error = #expect(throws: (any Error).self) {
            try db.makeTokenizer(FTS5TokenizerDescriptor(components: ["concordance", "nosuch"]))
        }
        #expect("\(String(describing: error))".contains("nosuch"))
    }

    @Test(arguments: [
        (["unicode61"], "unicode61"), (["unicode61", "remove_diacritics", "2"], "unicode61 remove_diacritics 2"),
        (["ascii"], "ascii"), (["porter", "ascii"], "porter ascii"), (["trigram"], "trigram"),
    ])
    func `find and rank what SQLite's own tokenizer finds`(components: [String], own: String) throws {
        let db = try database(try Analyzer(components: components))
        try db.execute(sql: "CREATE VIRTUAL TABLE o USING fts5(x, tokenize='\(own)')")
        var random = SeededGenerator(seed: 61)
        let pieces = [
            "swift", "Database", "é", "Ộ", "\u{301}", "ß", "日本", "1st", "-", "'", "\0", "ﬁ", "running", "🙂", "Ж", "a b",
            ".",
            "\u{10FFFF}", "ΑΣ", "İ",
        ]
        func text() -> String {
            (0..<Int.random(in: 0...12, using: &random)).map { _ in
                (pieces.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? " " : "")
            }.joined()
        }
        var texts: [String] = []
        for _ in 0..<300 {
            texts.append(text())
            for table in ["t", "o"] {
                try db.execute(sql: "INSERT INTO \(table) VALUES (?)", arguments: [texts.last])
            }
        }
        for query in texts.prefix(150).map({ String($0.prefix(8)) }) {
            for match in [FTS5Pattern.Match.anyToken, .phrase, .allPrefixes] {
                guard let pattern = try db.makeFTS5Pattern(matching: match, in: query, forTable: "t") else { continue }
                let found = try ["t", "o"].map { table in
                    try Row.fetchAll(
                        db,
                        sql: """
                            SELECT rowid, rank, highlight(\(table), 0, '[', ']') AS h FROM \(table) WHERE \(table) MATCH ?
                            ORDER BY rowid
                            """, arguments: [pattern]
                    ).map(\.databaseValues)
                }
                #expect(found[0] == found[1], "\(query.debugDescription)")
            }
        }
    }
}

@Suite struct `Connections of other libraries` {
    private final class Shouter: FTS5WrapperTokenizer {
        static let name = "shouter"
        let wrappedTokenizer: FTS5Tokenizer

        init(db: Database, arguments: [String]) throws {
            // The connection is another library's, and usable nevertheless.
            _ = try Int.fetchOne(db, sql: "SELECT 1")
            wrappedTokenizer = try db.makeTokenizer(.ascii())
        }

        func accept(
            token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
            tokenCallback: FTS5WrapperTokenCallback
        ) throws {
            if token == "bad" { throw FTS5Error.unavailable }
            try tokenCallback(token.uppercased(), flags)
        }
    }

    /// Opens a connection as C code would, and closes it in a way that fails when a statement is left.
    private func withConnection(_ body: (OpaquePointer) throws -> Void) throws {
        var connection: OpaquePointer?
        try #require(
            csqlite_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK)
        let pointer = try #require(connection)
        defer {
            // FTS5's own statements go when the connection is closed; others would keep it open.
            var statement = csqlite_next_stmt(pointer, nil)
            while let left = statement {
                let sql = csqlite_sql(left).map { String(cString: $0) } ?? ""
                #expect(sql.contains("'main'.'t") || sql == "PRAGMA 'main'.data_version", "\(sql) is left")
                statement = csqlite_next_stmt(pointer, left)
            }
            csqlite_close_v2(pointer)
        }
        try body(pointer)
    }

    private func run(_ connection: OpaquePointer, _ sql: String) -> (code: Int32, value: String?) {
        var statement: OpaquePointer?
        defer { csqlite_finalize(statement) }
        let code = csqlite_prepare_v3(connection, sql, -1, 0, &statement, nil)
        guard code == SQLITE_OK else { return (code, nil) }
        let step = csqlite_step(statement)
        return (step, step == SQLITE_ROW ? csqlite_column_text(statement, 0).map { String(cString: $0) } : nil)
    }

    @Test func `get our analyzers`() throws {
        try withConnection { connection in
            try ConcordanceTokenizers.register(on: connection)
            #expect(
                run(connection, "CREATE VIRTUAL TABLE t USING fts5(x, tokenize='concordance words fold latin')").code
                    == SQLITE_DONE)
            #expect(run(connection, "INSERT INTO t VALUES ('Encyclopædia')").code == SQLITE_DONE)
            #expect(run(connection, "SELECT rowid FROM t WHERE t MATCH 'encyclopaedia'").value == "1")
            #expect(
                run(connection, "CREATE VIRTUAL TABLE u USING fts5(x, tokenize='concordance nosuch')").code
                    == SQLITE_ERROR)
        }
    }

    @Test func `get tokenizers and functions in Swift`() throws {
        try withConnection { connection in
            try FTS5.add(tokenizer: Shouter.self, to: connection)
            try FTS5.add(
                auxiliaryFunction: FTS5AuxiliaryFunction("f") { context, _ in
                    try context.tokens(in: "a").first?.text
                }, to: connection)
            #expect(run(connection, "CREATE VIRTUAL TABLE t USING fts5(x, tokenize=shouter)").code == SQLITE_DONE)
            #expect(run(connection, "INSERT INTO t VALUES ('one')").code == SQLITE_DONE)
            #expect(run(connection, "SELECT f(t) FROM t WHERE t MATCH 'ONE'").value == "A")
            #expect(run(connection, "INSERT INTO t VALUES ('bad')").code == SQLITE_ERROR)
        }
    }

    @Test func `serve a Database that borrows them`() throws {
        try withConnection { connection in
            let db = Database(borrowing: connection)
            db.add(tokenizer: Shouter.self)
            try db.create(virtualTable: "t", using: FTS5()) { t in
                t.tokenizer = Shouter.tokenizerDescriptor()
                t.column("x")
            }
            try db.execute("INSERT INTO t VALUES (?)", arguments: ["one two"])
            #expect(throws: FTS5Error.unavailable) { try db.execute("INSERT INTO t VALUES ('bad')") }
            let pattern = try db.makeFTS5Pattern(matching: .allTokens, in: "One", forTable: "t")
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH ?", arguments: [pattern]) == [1])
            try db.close()
        }
    }

    @Test func `without FTS5 have tokenizers and functions, and no FTS5 tables`() throws {
        let connection = try ForeignConnection()
        let db = Database(borrowing: connection.pointer)
        defer { try? db.close() }
        // FTS5 answers through this function.
        try db.add(function: DatabaseFunction("fts5", argumentCount: 1) { _ in nil })
        #expect(try db.makeTokenizer(.ascii()).tokens(in: "One two").map(\.text) == ["one", "two"])
        #expect(try db.makeTokenizer(.porter()).tokens(in: "Databases").map(\.text) == ["databas"])
        try ConcordanceTokenizers.register(on: db)
        try ConcordanceTokenizers.register(on: try db.sqliteConnection)
        #expect(try db.makeTokenizer(.concordance(.standard)).tokens(in: "É").map(\.text) == ["e"])
        try db.add(auxiliaryFunction: FTS5AuxiliaryFunction("f") { _, _ in nil })
        db.add(tokenizer: Shouter.self)
        #expect(try db.makeTokenizer(Shouter.tokenizerDescriptor()).tokens(in: "a").map(\.text) == ["A"])
        #expect(throws: FTS5Error.noSuchTokenizer("x")) {
            try db.makeTokenizer(FTS5TokenizerDescriptor(components: ["x"]))
        }
        #expect(throws: FTS5Error.unavailable) { try db.create(virtualTable: "t", using: FTS5()) { $0.column("a") } }
    }

    @Test func `that are closed throw`() throws {
        let db = try Database(path: ":memory:")
        try db.close()
        db.add(tokenizer: Shouter.self)
        #expect(throws: DatabaseError.self) { try db.makeTokenizer(.ascii()) }
        #expect(throws: DatabaseError.self) { try db.fts5Table("t") }
        #expect(throws: DatabaseError.self) { try db.create(virtualTable: "t", using: FTS5()) { $0.column("a") } }
    }
}
