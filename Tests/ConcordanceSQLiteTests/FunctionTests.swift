import ConcordanceSQLite
import TestSupport
import Testing

@Suite("Functions, aggregates and collations written in Swift")
struct FunctionTests {
    struct Failure: Error, Equatable { var text = "no" }

    @Test func aScalarFunctionGetsAndGivesEveryValue() throws {
        let db = try Database(path: ":memory:")
        try db.add(function: DatabaseFunction("same", argumentCount: 1, pure: true) { $0[0] })
        try db.add(function: DatabaseFunction("count_of") { $0.count })
        var random = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let value = ValueTests.randomValue(&random)
            #expect(try DatabaseValue.fetchOne(db, sql: "SELECT same(?)", arguments: [value]) == value)
        }
        #expect(try Int.fetchOne(db, sql: "SELECT count_of()") == 0)
        #expect(try Int.fetchOne(db, sql: "SELECT count_of(1, 2, 3)") == 3)
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT same(1, 2)") }
        try db.execute(sql: "CREATE TABLE t (a); CREATE INDEX i ON t (same(a))")  // as it is pure
        #expect(throws: DatabaseError.self) { try db.execute(sql: "CREATE INDEX j ON t (count_of(a))") }
        try db.remove(function: DatabaseFunction("count_of") { _ in nil })
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT count_of()") }
    }

    @Test func itsErrorIsTheStatementsError() throws {
        let db = try Database(path: ":memory:")
        try db.add(
            function: DatabaseFunction("fail", argumentCount: 1) {
                throw Failure(text: String.fromDatabaseValue($0[0]) ?? "")
            })
        try db.add(function: DatabaseFunction("big") { _ in UInt64.max })
        for sql in ["SELECT fail('x')", "SELECT 1 WHERE fail('x')", "INSERT INTO t VALUES (fail('x'))"] {
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a)")
            #expect(throws: Failure(text: "x")) { try db.execute(sql: sql) }
            #expect(throws: Failure(text: "x")) { try Row.fetchAll(db, sql: sql) }
        }
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT big()") }
        // It does not stick to the next failure.
        let error = #expect(throws: DatabaseError.self) { try db.execute(sql: "SELEC") }
        #expect(error?.message == #"near "SELEC": syntax error"#)
    }

    @Test func anErrorOfAStatementInsideAFunctionComesOutAsItIs() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
        // The connection calls the function on the thread that uses it.
        nonisolated(unsafe) unowned let connection = db
        try db.add(
            function: DatabaseFunction("insert_one") { _ in
                try connection.execute(sql: "INSERT INTO t VALUES (1)")
                return nil
            })
        let error = #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT insert_one()") }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
        #expect(error?.sql == "INSERT INTO t VALUES (1)")
    }

    struct Sum: DatabaseWindowAggregate {
        var sum: Int64 = 0
        mutating func step(_ values: [DatabaseValue]) throws {
            guard let value = Int64.fromDatabaseValue(values[0]) else { throw Failure(text: "step") }
            sum &+= value
        }
        mutating func inverse(_ values: [DatabaseValue]) throws { sum &-= Int64.fromDatabaseValue(values[0]) ?? 0 }
        func value() throws -> (any DatabaseValueConvertible)? { sum }
    }

    struct Concatenation: DatabaseAggregate {
        var text = ""
        mutating func step(_ values: [DatabaseValue]) throws { text += String.fromDatabaseValue(values[0]) ?? "?" }
        func finalize() throws -> (any DatabaseValueConvertible)? {
            if text.contains("?") { throw Failure(text: "finalize") }
            return text
        }
    }

    @Test func aggregates() throws {
        let db = try Database(path: ":memory:")
        try db.add(function: DatabaseFunction("concatenation", argumentCount: 1, aggregate: Concatenation.self))
        try db.add(function: DatabaseFunction("swift_sum", argumentCount: 1, aggregate: Sum.self))
        try db.execute(sql: "CREATE TABLE t (g, a, n); INSERT INTO t VALUES (1,'a',1), (2,'b',2), (1,'c',3), (2,'d',4)")
        #expect(try String.fetchAll(db, sql: "SELECT concatenation(a) FROM t GROUP BY g ORDER BY g") == ["ac", "bd"])
        #expect(try String.fetchOne(db, sql: "SELECT concatenation(a) FROM t WHERE 0") == "")
        #expect(throws: Failure(text: "finalize")) { try db.execute(sql: "SELECT concatenation(n) FROM t") }
        #expect(throws: Failure(text: "step")) { try db.execute(sql: "SELECT swift_sum(a) FROM t") }
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT concatenation(a) OVER () FROM t") }
        let window = "OVER (ORDER BY n ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)"
        for name in ["swift_sum", "sum"] {
            #expect(try Int.fetchAll(db, sql: "SELECT \(name)(n) \(window) FROM t") == [3, 6, 9, 7])
        }
        #expect(throws: Failure(text: "step")) { try db.execute(sql: "SELECT swift_sum(a) \(window) FROM t") }
        #expect(try Int.fetchOne(db, sql: "SELECT swift_sum(n) FROM t") == 10)
    }

    @Test func collations() throws {
        let db = try Database(path: ":memory:")
        let byLength = DatabaseCollation("by_length") { left, right in
            left.count < right.count ? .ascending : left.count > right.count ? .descending : .same
        }
        try db.add(collation: byLength)
        let values = "WITH t(a) AS (VALUES ('ccc'), ('é'), (''), ('bb')) SELECT a FROM t ORDER BY a COLLATE by_length"
        #expect(try String.fetchAll(db, sql: values) == ["", "é", "bb", "ccc"])
        try db.remove(collation: byLength)
        #expect(throws: DatabaseError.self) { try String.fetchAll(db, sql: values) }
        try db.add(collation: .bytes("bytes") { $0.count < $1.count ? .ascending : .descending })
    }

    @Test func namesAndCountsThatSQLiteDoesNotTake() throws {
        let db = try Database(path: ":memory:")
        for (name, count) in [
            ("f", -1), ("f", 1000), ("f", Int.max), (String(repeating: "x", count: 300), 1), ("a\0b", 1),
        ] {
            #expect(throws: DatabaseError.self, "\(name) \(count)") {
                try db.add(function: DatabaseFunction(name, argumentCount: count) { _ in nil })
            }
        }
    }

    @Test func contextsGoWithTheirFunctions() throws {
        final class Token: Sendable {
            let value = 1
        }
        weak var token: Token?
        do {
            let db = try Database(path: ":memory:")
            do {
                let strong = Token()
                token = strong
                try db.add(function: DatabaseFunction("f") { _ in strong.value })
                try db.add(collation: DatabaseCollation("c") { _, _ in strong.value == 1 ? .same : .ascending })
                try? db.add(function: DatabaseFunction("f", argumentCount: 1000) { _ in strong.value })
            }
            #expect(token != nil)
        }
        #expect(token == nil)
    }
}

@Suite("A schema that is not trusted")
struct SchemaTrustTests {
    @Test func triggersAndViewsUseFTS5() throws {
        let folder = try TemporaryFolder()
        do {
            let db = try Database(path: folder["a.db"])
            try db.execute(
                sql: """
                    CREATE TABLE d (id INTEGER PRIMARY KEY, x);
                    CREATE VIRTUAL TABLE "f ""1" USING fts5(x, content='d', content_rowid='id');
                    CREATE VIRTUAL TABLE vocabulary USING fts5vocab("f ""1", row);
                    CREATE TRIGGER a AFTER INSERT ON d BEGIN
                        INSERT INTO "f ""1"(rowid, x) VALUES (new.id, new.x); END;
                    CREATE TRIGGER b AFTER DELETE ON d BEGIN
                        INSERT INTO "f ""1"("f ""1", rowid, x) VALUES ('delete', old.id, old.x); END;
                    CREATE VIEW v AS SELECT highlight("f ""1", 0, '[', ']') AS h, bm25("f ""1")
                        FROM "f ""1" WHERE "f ""1" MATCH 'one';
                    CREATE VIEW w AS SELECT term FROM vocabulary;
                    """)
        }
        func reopened() throws -> Database { try Database(path: folder["a.db"]) }
        #expect(try Int.fetchOne(try reopened(), sql: "PRAGMA trusted_schema") == 0)
        #expect(try Int.fetchOne(try reopened(), sql: "PRAGMA foreign_keys") == 1)
        try reopened().execute(sql: "INSERT INTO d (x) VALUES ('one two'), ('two three'); DELETE FROM d WHERE id = 2")
        #expect(try String.fetchAll(try reopened(), sql: "SELECT h FROM v") == ["[one] two"])
        #expect(try String.fetchAll(try reopened(), sql: "SELECT term FROM w") == ["one", "two"])
        try reopened().execute(sql: "ALTER TABLE d RENAME COLUMN x TO y")
        // A statement that was compiled before the trigger was there.
        let db = try reopened()
        let insertion = try db.makeStatement(sql: "INSERT INTO d (y) VALUES ('one four')")
        try db.execute(sql: "DROP TRIGGER b")
        try insertion.execute()
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM v") == 2)
    }

    @Test func anotherConnectionRenamesATableOfATrigger() throws {
        let folder = try TemporaryFolder()
        let other = try Database(path: folder["a.db"])
        try other.execute(
            sql: """
                CREATE TABLE d(x); CREATE VIRTUAL TABLE next USING fts5(x);
                CREATE TRIGGER a AFTER INSERT ON d BEGIN INSERT INTO next(x) VALUES (new.x); END;
                """)
        let db = try Database(path: folder["a.db"])
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM d") == 0)
        try other.execute(sql: "ALTER TABLE next RENAME TO texts")
        try db.execute(sql: "INSERT INTO d VALUES ('one')")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM texts WHERE texts MATCH 'one'") == 1)
    }

    @Test func tablesOfNoSchemaDoNotServeIt() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE VIEW pages AS SELECT * FROM sqlite_dbpage")
        for _ in 0..<2 {
            #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT * FROM pages") }
        }
    }

    @Test func onlyInnocuousFunctionsServeIt() throws {
        let db = try Database(path: ":memory:")
        try db.add(function: DatabaseFunction("plain", argumentCount: 1) { $0[0] })
        try db.add(function: DatabaseFunction("pure", argumentCount: 1, pure: true) { $0[0] })
        try db.add(function: DatabaseFunction("harmless", argumentCount: 1, innocuous: true) { $0[0] })
        try db.execute(
            sql: """
                CREATE VIEW p AS SELECT plain(1); CREATE VIEW q AS SELECT pure(1); CREATE VIEW r AS SELECT harmless(1);
                CREATE VIRTUAL TABLE f USING fts5(x); CREATE VIEW s AS SELECT f.x, plain(1) FROM f
                """)
        #expect(try Int.fetchOne(db, sql: "SELECT plain(1)") == 1)
        #expect(try Int.fetchOne(db, sql: "SELECT * FROM q") == 1)
        #expect(try Int.fetchOne(db, sql: "SELECT * FROM r") == 1)
        for view in ["p", "s", "p"] {
            #expect(throws: DatabaseError.self, "\(view)") { try db.execute(sql: "SELECT * FROM \(view)") }
        }
        var configuration = Configuration()
        configuration.trustedSchema = true
        let trusting = try Database(path: ":memory:", configuration: configuration)
        try trusting.add(function: DatabaseFunction("plain", argumentCount: 1) { $0[0] })
        try trusting.execute(sql: "CREATE VIEW p AS SELECT plain(1)")
        #expect(try Int.fetchOne(trusting, sql: "SELECT * FROM p") == 1)
    }

    @Test func defensiveConnectionsProtectShadowTables() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE VIRTUAL TABLE f USING fts5(x)")
        #expect(throws: DatabaseError.self) { try db.execute(sql: "DELETE FROM f_data") }
    }
}
