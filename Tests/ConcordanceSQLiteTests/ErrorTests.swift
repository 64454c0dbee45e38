import CConcordanceSQLite
import ConcordanceSQLite
import Foundation
import TestSupport
import Testing

@Suite("Errors tell what, where, and what to do")
struct ErrorTests {
    @Test(arguments: [
        ("SELECT x FROM t", 7), ("SELECT a FROM t; SELECT é FROM t", 24), ("SELEC", 0), ("-- é\nSELECT nothing()", 13),
        ("SELECT 1;\n\nSELECT a, FROM t", 21), ("SELECT a FROM t WHERE (", nil), ("SELECT 'unfinished", 7),
        ("SELECT a FROM \u{1F600}, none", nil), ("SELECT \0", 7),
    ])
    func offsets(sql: String, offset: Int?) throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t (a)")
        let error = #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
        #expect(error?.offset == offset, "\(String(describing: error))")
        #expect(error?.sql == sql)
        #expect(error?.resultCode == .SQLITE_ERROR)
    }

    @Test func extendedCodesAreCaughtByTheirPrimaryOnes() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t (a UNIQUE, b NOT NULL, c CHECK (c > 0)); INSERT INTO t VALUES (1, 1, 1)")
        for (sql, code) in [
            ("INSERT INTO t VALUES (1, 1, 1)", ResultCode.SQLITE_CONSTRAINT_UNIQUE),
            ("INSERT INTO t VALUES (2, NULL, 1)", .SQLITE_CONSTRAINT_NOTNULL),
            ("INSERT INTO t VALUES (2, 1, 0)", .SQLITE_CONSTRAINT_CHECK),
        ] {
            do {
                try db.execute(sql: sql)
                Issue.record("\(sql) succeeded")
            } catch let error as DatabaseError {
                #expect(ResultCode.SQLITE_CONSTRAINT ~= error)
                #expect(error.extendedResultCode == code)
                #expect(error.resultCode == .SQLITE_CONSTRAINT)
                #expect(error.sql == sql)
                #expect(error.message?.contains("constraint failed: t.") == true || code == .SQLITE_CONSTRAINT_CHECK)
            }
        }
    }

    @Test func descriptionsOfMegabytesAreShort() throws {
        let db = try Database(path: ":memory:")
        let sql =
            "SELECT '" + String(repeating: "é", count: 500_000) + "', nothing, '"
            + String(repeating: "x", count: 500_000) + "'"
        let error = try #require(#expect(throws: DatabaseError.self) { try db.execute(sql: sql) })
        #expect(error.offset == 1_000_011)
        #expect(error.description.utf8.count < 600)
        #expect(error.description.contains("nothing"))
        #expect(DatabaseError(resultCode: .SQLITE_BUSY, sql: "x", offset: 99).description.contains("busyTimeout"))
        #expect("\(ResultCode.SQLITE_CONSTRAINT_UNIQUE)" == "2067 (constraint failed)")
    }

    @Test(arguments: [
        ("CREATE VIRTUAL TABLE f USING fts5(a, tokenize = 'missing')", "add(tokenizer:)"),
        ("SELECT missing(1)", "add(function:)"), ("SELECT a FROM t ORDER BY a COLLATE missing", "add(collation:)"),
        ("CREATE VIRTUAL TABLE f USING missing(a)", "load the extension"), ("SELECT a FROM t WHERE t MATCH 'x'", nil),
        ("SELECT a FROM t WHERE t.t MATCH 'x'", "full-text"), ("SELECT u.t FROM t AS u", nil),
    ])
    func whatAConnectionLacks(sql: String, advice: String?) throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t (a)")
        let error = try #require(#expect(throws: DatabaseError.self) { try db.execute(sql: sql) })
        #expect(advice.map { error.description.contains($0) } ?? (error.advice == nil), "\(error)")
    }

    @Test func filesThatAreNoDatabase() throws {
        let folder = try TemporaryFolder()
        let text = folder["text.db"]
        try String(repeating: "This is no database. ", count: 1000).write(
            toFile: text, atomically: true, encoding: .utf8)
        for (path, readonly, code) in [
            (text, false, ResultCode.SQLITE_NOTADB), (folder["none/a.db"], false, .SQLITE_CANTOPEN),
            (folder["none.db"], true, .SQLITE_CANTOPEN), (folder.path, false, .SQLITE_CANTOPEN),
            ("a\0b", false, .SQLITE_CANTOPEN), (String(repeating: "x", count: 100_000), false, .SQLITE_CANTOPEN),
        ] {
            var configuration = Configuration()
            configuration.readonly = readonly
            let error = #expect(throws: DatabaseError.self, "\(path.prefix(100))") {
                let db = try Database(path: path, configuration: configuration)
                try db.execute(sql: "SELECT * FROM sqlite_schema")
            }
            #expect(error?.resultCode == code)
            #expect(error?.advice != nil)
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func corruptFilesGiveErrorsOrRows(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = folder["a.db"]
        do {
            let db = try Database(path: path)
            try db.execute(
                sql: """
                    CREATE TABLE t (a, b); CREATE INDEX i ON t (b);
                    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                    INSERT INTO t SELECT i, 'some text ' || i FROM n
                    """)
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for _ in 0..<30 {
            bytes[Int.random(in: 100..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        if seed % 4 == 0 { bytes = bytes.prefix(bytes.count / 2) }
        try bytes.write(to: URL(fileURLWithPath: path))
        // Whatever happens, it is reported by an error.
        for sql in [
            "SELECT * FROM t", "SELECT * FROM t ORDER BY b", "PRAGMA integrity_check", "UPDATE t SET b = a", "VACUUM",
        ] {
            do {
                let db = try Database(path: path)
                _ = try Row.fetchAll(db, sql: sql)
            } catch is DatabaseError {}
        }
    }

    @Test func aFullDatabaseUndoesTheStatement() throws {
        let folder = try TemporaryFolder()
        let db = try Database(path: folder["a.db"])
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('first'); PRAGMA max_page_count = 20")
        let error = #expect(throws: DatabaseError.self) {
            try db.inTransaction {
                for _ in 0..<100 { try db.execute(sql: "INSERT INTO t VALUES (zeroblob(4000))") }
                return .commit
            }
        }
        #expect(error?.resultCode == .SQLITE_FULL)
        #expect(!db.isInsideTransaction)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 1)
        #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
    }

    @Test func readOnlyConnectionsWriteNothing() throws {
        let folder = try TemporaryFolder()
        try Database(path: folder["a.db"]).execute(sql: "CREATE TABLE t (a)")
        var configuration = Configuration()
        configuration.readonly = true
        let db = try Database(path: folder["a.db"], configuration: configuration)
        #expect(db.isReadOnly)
        let error = #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO t VALUES (1)") }
        #expect(error?.resultCode == .SQLITE_READONLY)
        try db.inTransaction { .commit }
        #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [])
    }

    @Test func valuesOverTheLimitAreRefused() throws {
        let db = try Database(path: ":memory:")
        _ = csqlite_limit(try db.sqliteConnection, SQLITE_LIMIT_LENGTH, 1_000_000)
        let text = String(repeating: "x", count: 1_000_001)
        for attempt in [
            { try db.execute(sql: "SELECT ?", arguments: [text]) },
            { try db.execute(sql: "SELECT ?", arguments: [Array(text.utf8)]) },
            { try db.execute(sql: "SELECT zeroblob(1000001)") },
        ] {
            let error = #expect(throws: DatabaseError.self) { try attempt() }
            #expect(error?.resultCode == .SQLITE_TOOBIG)
        }
        try db.add(function: DatabaseFunction("long") { _ in text })
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT long()") }
    }

    @Test func hostileSQLIsOnlyAnError() throws {
        let db = try Database(path: ":memory:")
        let megabyte = String(repeating: "(", count: 1_000_000)
        for sql in [
            megabyte, "SELECT " + megabyte, "SELECT 1" + String(repeating: "+1", count: 500_000),
            "SELECT " + String(repeating: "?,", count: 100_000) + "?", "'" + megabyte, "\"", "[", "/*", "\u{FEFF}",
            "\u{0}",
            "SELECT * FROM t" + String(repeating: ", t", count: 100_000),
        ] {
            // Only comments and a byte order mark are not a statement, and not an error.
            do { try db.execute(sql: sql) } catch is DatabaseError {}
            #expect(throws: DatabaseError.self) { try db.makeStatement(sql: sql) }
        }
        try db.execute(sql: String(repeating: ";", count: 1_000_000))
        try db.execute(sql: String(repeating: "SELECT 1;", count: 2000))
    }

    @Test func interruptReachesARunningStatement() throws {
        let db = try Database(path: ":memory:")
        let handle = db.interruptHandle
        try db.add(
            function: DatabaseFunction("stop") { _ in
                handle.interrupt()
                return 1
            })
        let error = #expect(throws: DatabaseError.self) {
            try db.execute(sql: "WITH RECURSIVE n(i) AS (SELECT stop() UNION ALL SELECT i + 1 FROM n) SELECT * FROM n")
        }
        #expect(error?.resultCode == .SQLITE_INTERRUPT)
        #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1)
        try db.close()
        handle.interrupt()
    }
}
