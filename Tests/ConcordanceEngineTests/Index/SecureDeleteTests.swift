import ConcordanceEngine
import ConcordanceSQLite
import Foundation
import TestSupport
import Testing

/// With 'secure-delete', a commit leaves nothing of removed rows in the tables of the index.
@Suite struct `Secure deletion` {
    /// A word that shares no ending with another.
    private static func word(_ number: Int64) -> String {
        var random = SeededGenerator(seed: UInt64(bitPattern: number))
        return String((0..<12).map { _ in Character(Unicode.Scalar(UInt8.random(in: 97...122, using: &random))) })
    }

    private static func database(options: String, secure: Bool = true) throws -> Database {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                CREATE TABLE c(id INTEGER PRIMARY KEY, a, b);
                CREATE VIRTUAL TABLE t USING concordance(a, b, prefix='2'\(options));
                """)
        if secure { try db.execute(sql: "INSERT INTO t(t, rank) VALUES('secure-delete', 1)") }
        return db
    }

    /// The numbers of the words whose ends are in the tables of the index. (Words are stored without the beginning that
    /// they share with the word before.)
    private static func found(_ numbers: some Sequence<Int64>, in db: Database) throws -> Set<Int64> {
        let blocks = try DatabaseValue.fetchAll(db, sql: "SELECT block FROM t_data").map { value in
            if case .blob(let bytes) = value { Array(bytes) } else { [UInt8]() }
        }
        let sequences = ByteSequences(of: 7, in: blocks)
        return Set(numbers.filter { sequences.contains(word($0).suffix(7)) })
    }

    @Test func `is off unless it is asked for`() throws {
        let db = try Self.database(options: "", secure: false)
        for id in 1...40 as ClosedRange<Int64> {
            try db.execute("INSERT INTO t(rowid, a, b) VALUES (\(id), \(Self.word(id)), 'common')")
        }
        try db.execute(sql: "DELETE FROM t WHERE rowid = 7")
        #expect(try Self.found(1...40, in: db).contains(7))
        try db.execute(sql: "INSERT INTO t(t) VALUES('optimize')")
        #expect(try Self.found(1...40, in: db) == Set(1...40).subtracting([7]))
        for value in ["2", "-1", "'x'", "NULL"] {
            #expect(throws: DatabaseError.self) {
                try db.execute(sql: "INSERT INTO t(t, rank) VALUES('secure-delete', \(value))")
            }
        }
    }

    @Test(
        arguments: ["", ", content=''", ", content='', contentless_delete=1", ", content='c', content_rowid='id'"],
        1...3)
    func `leaves no word of removed rows after any commit`(options: String, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let db = try Self.database(options: options)
        let isExternal = options.contains("content='c'")
        let isContentless = options == ", content=''"
        var rows: [Int64: Int64] = [:]
        var last: Int64 = 0
        func text(_ number: Int64) -> (a: String, b: String) { (Self.word(number), "common \(number % 3)") }
        func remove(_ id: Int64) throws {
            guard let number = rows.removeValue(forKey: id) else { return }
            let (a, b) = text(number)
            if isExternal || isContentless {
                try db.execute("INSERT INTO t(t, rowid, a, b) VALUES('delete', \(id), \(a), \(b))")
                try db.execute("DELETE FROM c WHERE id = \(id)")
            } else {
                try db.execute("DELETE FROM t WHERE rowid = \(id)")
            }
        }
        func insert(_ id: Int64) throws {
            last += 1
            rows[id] = last
            let (a, b) = text(last)
            if isExternal { try db.execute("INSERT INTO c VALUES (\(id), \(a), \(b))") }
            try db.execute("INSERT INTO t(rowid, a, b) VALUES (\(id), \(a), \(b))")
        }
        for step in 0..<60 {
            try db.inTransaction {
                for _ in 0..<Int.random(in: 1...40, using: &random) {
                    let id = Int64.random(in: 1...200, using: &random)
                    try remove(id)
                    if Int.random(in: 0..<3, using: &random) > 0 { try insert(id) }
                    // A reader writes what is pending in the middle of the transaction.
                    if Int.random(in: 0..<20, using: &random) == 0 {
                        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH 'common'")
                    }
                }
                return .commit
            }
            if step % 7 == 0 { try db.execute(sql: "INSERT INTO t(t, rank) VALUES('merge', -1)") }
            #expect(try Self.found(1...max(last, 1), in: db) == Set(rows.values), "step \(step)")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH 'common'") == rows.count)
            let some = rows.randomElement(using: &random)
            if let (id, number) = some {
                let sql: SQL = "SELECT rowid FROM t WHERE t MATCH \(Self.word(number))"
                #expect(try Int64.fetchAll(db, literal: sql) == [id])
            }
        }
        try db.execute(sql: "INSERT INTO t(t) VALUES('integrity-check')")
    }

    @Test func `leaves nothing in the file, with SQLite's own secure_delete`() throws {
        let folder = try TemporaryFolder()
        let path = folder["secret.sqlite"]
        let secret = Self.word(42)
        func holdsSecret() throws -> Bool {
            let bytes = try #require(FileManager.default.contents(atPath: path))
            return bytes.range(of: Data(secret.suffix(7).utf8)) != nil
        }
        let db = try Database(path: path)
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: """
                PRAGMA secure_delete = ON;
                CREATE VIRTUAL TABLE t USING concordance(a);
                INSERT INTO t(t, rank) VALUES('secure-delete', 1);
                """)
        for id in 0..<300 as Range<Int64> {
            try db.execute("INSERT INTO t(rowid, a) VALUES (\(id), \(id == 150 ? secret : "plain text"))")
        }
        #expect(try holdsSecret())
        try db.execute(sql: "UPDATE t SET a = 'nothing' WHERE rowid = 150")
        #expect(try !holdsSecret())
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH 'plain'") == 299)
    }

    @Test func `is undone with its transaction`() throws {
        struct Changed: Error {}
        let db = try Self.database(options: "")
        for id in 1...50 as ClosedRange<Int64> {
            try db.execute("INSERT INTO t(rowid, a, b) VALUES (\(id), \(Self.word(id)), 'x')")
        }
        #expect(throws: Changed.self) {
            try db.inTransaction {
                try db.execute(sql: "DELETE FROM t WHERE rowid < 30")
                throw Changed()
            }
        }
        #expect(try Self.found(1...50, in: db) == Set(1...50))
        try db.execute(sql: "INSERT INTO t(t) VALUES('integrity-check')")
    }
}
