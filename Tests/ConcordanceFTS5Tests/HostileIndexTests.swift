import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText
import Foundation
import TestSupport
import Testing

/// Does to the database, while it tokenizes, what its argument says.
private final class MeddlingTokenizer: FTS5WrapperTokenizer {
    static let name = "meddling"
    let wrappedTokenizer: FTS5Tokenizer
    private let deed: String
    private let connection: OpaquePointer

    init(db: Database, arguments: [String]) throws {
        wrappedTokenizer = try db.makeTokenizer(.unicode61())
        deed = arguments.first ?? ""
        connection = try db.sqliteConnection
        switch deed {
        case "closeEarly": try db.close()
        case "sqlEarly": _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
        case "addEarly": db.add(tokenizer: MeddlingTokenizer.self)
        default: break
        }
    }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws {
        let db = Database(borrowing: connection)
        defer { try? db.close() }
        switch deed {
        case "close": try db.close()
        case "drop": try db.execute(sql: "DROP TABLE t")
        case "read": _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH 'nothing'")
        case "write": try db.execute(sql: "INSERT INTO log VALUES (?)", arguments: [token])
        case "insert" where token != "inner": try db.execute(sql: "INSERT INTO t VALUES ('inner')")
        case "rollback": try db.execute(sql: "ROLLBACK")
        case "vacuum": try db.execute(sql: "VACUUM")
        case "add": db.add(tokenizer: MeddlingTokenizer.self)
        case "replace": try FTS5.add(tokenizer: Silent.self, to: connection)
        case "make": _ = try db.makeTokenizer(MeddlingTokenizer.tokenizerDescriptor()).tokens(in: token)
        case "flood": for _ in 0..<10_000 { try tokenCallback(token, flags.union(.colocated)) }
        default: break
        }
        try tokenCallback(token, flags)
    }

    /// Takes the other's name.
    private final class Silent: FTS5CustomTokenizer {
        static let name = "meddling"
        init(db: Database, arguments: [String]) throws {}
        func tokenize(
            context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization, pText: UnsafePointer<CChar>?,
            nText: Int32, tokenCallback: FTS5TokenCallback?
        ) -> Int32 { 0 }
    }
}

@Suite("Hostile use of full-text tables")
struct HostileIndexTests {
    @Test(
        "by a tokenizer that meddles with the database works or throws",
        arguments: [
            "closeEarly", "sqlEarly", "addEarly", "close", "drop", "read", "write", "insert", "rollback", "vacuum",
            "add",
            "replace", "make", "flood",
        ])
    func meddling(deed: String) throws {
        let db = try Database(path: ":memory:")
        db.add(tokenizer: MeddlingTokenizer.self)
        do {
            try db.execute(sql: "CREATE TABLE log(a)")
            try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(a, tokenize = 'meddling \(deed)')")
        } catch {
            #expect(deed == "closeEarly", "\(error)")
        }
        for sql in [
            "INSERT INTO t VALUES ('one two')", "SELECT highlight(t, 0, '[', ']') FROM t WHERE t MATCH 'one'",
            "UPDATE t SET a = 'three four'", "DELETE FROM t", "INSERT INTO t(t) VALUES ('integrity-check')",
        ] {
            _ = try? db.execute(sql: sql)
        }
        #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1)
        try db.close()
    }

    @Test("by auxiliary functions that throw, whatever they throw, gives the error")
    func throwingFunctions() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(a); INSERT INTO t VALUES ('one two'), ('one')")
        for code in [0, SQLITE_ROW, SQLITE_DONE, -1, .max, SQLITE_CORRUPT] {
            let error = DatabaseError(resultCode: ResultCode(rawValue: code), message: "mine")
            try db.add(auxiliaryFunction: FTS5AuxiliaryFunction("fail") { _, _ in throw error })
            #expect(throws: error) { try Row.fetchAll(db, sql: "SELECT fail(t) FROM t WHERE t MATCH 'one'") }
            #expect(throws: error) {
                try Row.fetchAll(db, sql: "SELECT * FROM t WHERE t MATCH 'one' AND rank MATCH 'fail()' ORDER BY rank")
            }
        }
        for number in [Int.min, -1, 3, Int(Int32.max), .max] {
            try db.add(
                auxiliaryFunction: FTS5AuxiliaryFunction("ask") { context, _ in
                    #expect(throws: FTS5Error.self) { try context.text(column: number) }
                    #expect(throws: FTS5Error.self) { try context.tokenCount(column: number) }
                    #expect(throws: FTS5Error.self) { try context.totalTokenCount(column: number) }
                    #expect(throws: FTS5Error.self) { try context.phraseSize(number) }
                    #expect(throws: FTS5Error.self) { try context.instance(number) }
                    #expect(throws: FTS5Error.self) { try context.columns(withPhrase: number) }
                    #expect(throws: FTS5Error.self) { try context.forEachPosition(ofPhrase: number) { _, _ in } }
                    #expect(throws: FTS5Error.self) { try context.forEachRow(matchingPhrase: number) { _ in true } }
                    return nil
                })
            #expect(try Row.fetchAll(db, sql: "SELECT ask(t) FROM t WHERE t MATCH 'one'").count == 2)
        }
    }

    @Test("by numbers of any size works or throws", arguments: [Int.min, -1, 0, 1000, Int(Int32.max) + 1, .max])
    func extremes(number: Int) throws {
        let db = try Database(path: ":memory:")
        try db.create(virtualTable: "t", using: FTS5()) { $0.column("a") }
        try db.execute(sql: "INSERT INTO t VALUES ('one two three'), ('one')")
        let table = try db.fts5Table("t")
        let pattern = try FTS5Pattern(rawPattern: "one")
        let rows = try Row.fetchAll(
            db,
            literal: """
                SELECT \(table.snippet("a", open: "[", close: "]", tokenCount: number)) FROM t
                WHERE \(table.matching(pattern)) LIMIT \(number)
                """)
        #expect(rows.count <= 2)
        try table.merge(db, pages: number)
        let settings: [FTS5Setting] = [
            .automerge(number), .crisismerge(number), .usermerge(number), .pageSize(number), .hashSize(number),
        ]
        for setting in settings {
            do { try table.set(setting, in: db) } catch is FTS5Error {}
        }
        try db.execute(sql: "INSERT INTO t VALUES ('two')")
        if number != 0 && number != 1000 {
            #expect(FTS5Pattern(matching: .near(distance: number), in: "one two") != nil)
        }
        if !(1...999).contains(number) {
            #expect(throws: FTS5Error.self) {
                try db.create(virtualTable: "p", using: FTS5()) { t in
                    t.prefixes = [2, number]
                    t.column("a")
                }
            }
        }
        try table.integrityCheck(db)
    }

    @Test(
        "by weights that are no numbers ranks or throws",
        arguments: [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.leastNonzeroMagnitude, -0.0])
    func weights(weight: Double) throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: "CREATE VIRTUAL TABLE t USING fts5(a, b); INSERT INTO t VALUES ('one two', 'x'), ('x', 'y')")
        let table = try db.fts5Table("t")
        let pattern = try FTS5Pattern(rawPattern: "one")
        let weights = ["b": weight]
        #expect(
            try Row.fetchAll(
                db,
                literal: "SELECT * FROM t WHERE \(table.matching(pattern)) ORDER BY \(try table.bm25(weights))"
            ).count == 1)
        do {
            try table.set(.rank(.bm25(weights)), in: db)
            #expect(try Row.fetchAll(db, sql: "SELECT rank FROM t WHERE t MATCH 'one' ORDER BY rank").count == 1)
        } catch is FTS5Error {
            #expect(!weight.isFinite)
        }
    }

    @Test("by analyzers beyond all measure is refused, or works")
    func analyzers() throws {
        let synonyms = (0..<20_000).map { "w\($0)" }.joined(separator: ",")
        for arguments in [
            "words ngrams 1 1000000", "words ngrams 1000000 1", "words ngrams -1 0", "words ngrams",
            "words edgengrams 1 1000000", "words ngrams 9223372036854775808 1", "words length 0 0",
            "words fold fold fold fold", "words words words", String(repeating: "fold ", count: 300),
            "words synonyms '\(synonyms)'", "words synonyms a,a,a", "words stop ''", "concordance concordance",
            "words \u{1}\u{7F}", "", "words concordance words", String(repeating: "x", count: 1_000_000),
        ] {
            let db = try Database(path: ":memory:")
            try ConcordanceTokenizers.register(on: db)
            let option = "concordance \(arguments)".quotedDatabaseString
            do {
                try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(a, tokenize = \(option))")
                try db.execute(
                    sql: "INSERT INTO t VALUES (?)",
                    arguments: ["w1 " + String(repeating: "ab\u{301}c x1 Ж ", count: 50)])
                _ = try Row.fetchAll(db, sql: "SELECT snippet(t, 0, '', '', '', 64) FROM t WHERE t MATCH 'w1'")
                try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
            } catch {
                #expect(!"\(error)".isEmpty && "\(error)".utf8.count < 5_000, "\(arguments.prefix(60))")
            }
        }
    }

    @Test("by a pattern of a megabyte, and by deep nesting, throws or answers")
    func hugePatterns() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(a); INSERT INTO t VALUES ('one two')")
        for raw in [
            String(repeating: "(", count: 1_000_000), String(repeating: "a ", count: 20_000),
            String(repeating: "a OR ", count: 20_000) + "a", String(repeating: "\"", count: 1_000_001),
            String(repeating: "a:", count: 500_000) + "a", String(repeating: "NEAR(", count: 200_000),
            String(repeating: "-", count: 1_000_000), String(repeating: "one + ", count: 20_000) + "two",
            String(repeating: "a", count: 1_000_000), String(repeating: "a NOT (", count: 100_000),
        ] {
            let pattern = try? FTS5Pattern(rawPattern: raw)
            var isTaken = false
            do {
                _ = try Row.fetchAll(db, sql: "SELECT * FROM t WHERE t MATCH ?", arguments: [raw])
                isTaken = true
            } catch is DatabaseError {}
            #expect((pattern != nil) == isTaken, "\(raw.prefix(20))")
            for match in [FTS5Pattern.Match.anyToken, .allPrefixes, .phrase] {
                guard let typed = FTS5Pattern(matching: match, in: String(raw.prefix(100_000))) else { continue }
                _ = try Row.fetchAll(db, sql: "SELECT * FROM t WHERE t MATCH ?", arguments: [typed])
            }
        }
    }

    @Test("by a file with changed bytes gives rows or errors", arguments: [UInt64](0..<5))
    func changedBytes(seed: UInt64) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("index.sqlite").path
        var random = SeededGenerator(seed: seed)
        try writeIndex(at: path)
        let sound = try Data(contentsOf: URL(fileURLWithPath: path))
        for _ in 0..<60 {
            var spoiled = sound
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 0..<spoiled.count, using: &random)
                spoiled[place] = UInt8.random(in: 0...255, using: &random)
            }
            try spoiled.write(to: URL(fileURLWithPath: path))
            try? useIndex(at: path)
        }
    }

    private func writeIndex(at path: String) throws {
        let db = try Database(path: path)
        try ConcordanceTokenizers.register(on: db)
        try db.execute(sql: "PRAGMA page_size = 1024")
        try db.inTransaction {
            try db.execute(
                sql: "CREATE VIRTUAL TABLE t USING fts5(a, b, prefix = '2', tokenize = 'concordance words fold')")
            try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('pgsz', 64)")
            for number in 0..<40 {
                try db.execute(
                    sql: "INSERT INTO t VALUES (?, ?)",
                    arguments: ["word\(number % 7) common", "text\(number) common other"])
            }
            return .commit
        }
        try db.close()
    }

    /// Calls everything; each call may throw.
    private func useIndex(at path: String) throws {
        let db = try Database(path: path)
        try ConcordanceTokenizers.register(on: db)
        let queries = [
            "SELECT *, rank, highlight(t, 0, '[', ']'), snippet(t, -1, '', '', '', 5) FROM t WHERE t MATCH 'common' ORDER BY rank",
            "SELECT rowid FROM t WHERE t MATCH 'te* OR wo*'", "SELECT rowid FROM t WHERE t MATCH 'NEAR(text1 other)'",
            "SELECT * FROM t ORDER BY rowid DESC", "PRAGMA integrity_check",
        ]
        for sql in queries {
            do { _ = try Row.fetchAll(db, sql: sql) } catch is DatabaseError {} catch is FTS5Error {}
        }
        let table = try db.fts5Table("t")
        for write in [
            { try db.execute(sql: "INSERT INTO t VALUES ('new common', 'x')") },
            { try db.execute(sql: "UPDATE t SET a = 'changed' WHERE rowid = 3") },
            { try db.execute(sql: "DELETE FROM t WHERE t MATCH 'word1'") }, { try table.integrityCheck(db) },
            { try table.optimize(db) }, { _ = try table.merge(db, pages: 5) }, { try table.rebuild(db) },
            { _ = try db.makeFTS5Pattern(matching: .phrase, in: "common other", forTable: "t") },
            { _ = try db.columns(in: "t") },
        ] as [() throws -> Void] {
            do { try write() } catch is DatabaseError {} catch is FTS5Error {}
        }
        try db.close()
    }
}
