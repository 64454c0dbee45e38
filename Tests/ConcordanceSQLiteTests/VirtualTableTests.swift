import CConcordanceSQLite
import ConcordanceSQLite
import TestSupport
import Testing

private struct Mishap: Error, Equatable { let method: String }

@Suite("A virtual table")
struct VirtualTableTests {
    private let db: Database
    private let store = KeyValueStore()

    init() throws {
        db = try Database(path: ":memory:")
        try db.create(module: "series", Series.self)
        try db.create(module: "keyvalue", KeyValueTable.self, context: store)
    }

    private func ints(_ sql: String) throws -> [Int] { try Int.fetchAll(db, sql: sql) }

    @Test(
        "can be a function of its arguments",
        arguments: [
            ("SELECT value FROM series(3, 6)", [3, 4, 5, 6]),
            ("SELECT value FROM series(6, 3)", []),
            ("SELECT value FROM series(1, 9223372036854775807) LIMIT 2", [1, 2]),
            ("SELECT value FROM series(-9223372036854775807, 0) LIMIT 1", [-9_223_372_036_854_775_807]),
            ("SELECT value FROM series WHERE start = 2 AND stop = 4", [2, 3, 4]),
            ("SELECT value FROM series(1, 5) ORDER BY value DESC", [5, 4, 3, 2, 1]),
            ("SELECT rowid FROM series(1, 3)", [1, 2, 3]),
            ("SELECT start + stop FROM series(1, 3)", [4, 4, 4]),
            ("SELECT a.value * 10 + b.value FROM series(1, 2) a, series(a.value, 3) b", [11, 12, 13, 22, 23]),
            ("SELECT value FROM series(1, 100) WHERE value IN (SELECT value * 30 FROM series(1, 9))", [30, 60, 90]),
        ] as [(String, [Int])])
    func series(sql: String, expected: [Int]) throws {
        #expect(try ints(sql) == expected)
    }

    @Test("does not sort what comes in order")
    func order() throws {
        let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN SELECT value FROM series(1, 5) ORDER BY value DESC")
        #expect(!"\(plan)".contains("TEMP B-TREE"))
    }

    @Test("that finds rows ahead is not called for each step")
    func runs() throws {
        let calls = Tens.Calls()
        try db.create(module: "tens", Tens.self, context: calls)
        #expect(try ints("SELECT value FROM tens") == Array(0..<1000))
        // Once for each ten, and for each number from 500 on.
        #expect(calls.next == 50 + 500)
        #expect(calls.rowID == 0)
        #expect(try ints("SELECT rowid FROM tens WHERE value % 2 = 1") == Array(stride(from: 1, to: 1000, by: 2)))
        #expect(calls.rowID == 5 * (0..<100).count { $0 * 10 % 3 == 0 })
        #expect(try ints("SELECT value FROM tens LIMIT 3 OFFSET 9") == [9, 10, 11])
        #expect(
            try ints("SELECT a.rowid * 1000 + b.rowid FROM tens a, tens b WHERE a.value < 12 AND b.value = a.value * 3")
                == (0..<12).map { $0 * 1003 })
        #expect(calls.open == 0)
    }

    @Test("that is eponymous only cannot be created or written to")
    func eponymousOnly() throws {
        #expect(throws: DatabaseError.self) { try db.execute(sql: "CREATE VIRTUAL TABLE s USING series") }
        #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO series VALUES (1)") }
    }

    @Test("gets its arguments as written")
    func arguments() throws {
        try db.execute(sql: "CREATE VIRTUAL TABLE \"a b\" USING keyvalue(one,  'two, 2' , three(3, 3))")
        #expect(store.arguments == ["one", "'two, 2'", "three(3, 3)"])
        #expect(store.tables.keys.contains("a b"))
        try db.execute(sql: "ALTER TABLE \"a b\" RENAME TO c; INSERT INTO c VALUES (1, 2)")
        #expect(store.tables.keys.contains("c"))
        #expect(try ints("SELECT value FROM c") == [2])
        try db.execute(sql: "DROP TABLE c")
        #expect(store.tables.isEmpty)
    }

    @Test("takes inserts, updates, deletes, and resolves conflicts as the statement says")
    func writing() throws {
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING keyvalue")
        try db.execute(sql: "INSERT INTO t(key, value) VALUES ('a', 1), ('b', 2), ('c', 3)")
        #expect(db.lastInsertedRowID == 3)
        #expect(try ints("SELECT value FROM t WHERE key = 'b'") == [2])
        try db.execute(sql: "UPDATE t SET value = value * 10 WHERE key = 'b'; DELETE FROM t WHERE rowid = 1")
        #expect(try ints("SELECT value FROM t ORDER BY key") == [20, 3])
        #expect {
            try db.execute(sql: "INSERT INTO t VALUES ('b', 4)")
        } throws: { ($0 as? DatabaseError)?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE }
        try db.execute(sql: "INSERT OR IGNORE INTO t VALUES ('b', 4), ('d', 5)")
        #expect(try ints("SELECT value FROM t ORDER BY key") == [20, 3, 5])
        try db.execute(sql: "INSERT OR REPLACE INTO t VALUES ('b', 6)")
        #expect(try ints("SELECT value FROM t ORDER BY key") == [6, 3, 5])
        try db.execute(sql: "UPDATE t SET rowid = 99 WHERE key = 'd'")
        #expect(try ints("SELECT rowid FROM t WHERE key = 'd'") == [99])
        #expect(try db.makeStatement(sql: "SELECT * FROM t").columnNames == ["key", "value"])
    }

    @Test("does not read the columns that an update leaves alone")
    func unchangedColumns() throws {
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING keyvalue; INSERT INTO t VALUES (x'00ff', 1)")
        try db.execute(sql: "UPDATE t SET value = 2")
        #expect(store.tables["t"]?.values.first == KeyValueStore.Row(key: .blob([0, 255]), value: .int64(2)))
    }

    @Test("takes the list of an IN all at once")
    func lists() throws {
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING keyvalue; INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)")
        store.calls = []
        #expect(try ints("SELECT value FROM t WHERE key IN (3, 1, 7)") == [1, 3])
        #expect(store.calls.filter { $0.hasPrefix("filter") } == ["filter keys"])
    }

    @Test("has its own version of a function")
    func functions() throws {
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING keyvalue; INSERT INTO t VALUES (1, 1)")
        for _ in 0..<3 {
            #expect(try String.fetchOne(db, sql: "SELECT match(key, 'x') FROM t") == "own match of 2")
        }
        store.failing["match"] = Mishap(method: "match")
        #expect(throws: Mishap(method: "match")) {
            try String.fetchOne(db, sql: "SELECT match(key, 'x') FROM t")
        }
    }

    @Test("is used by triggers of an untrusted schema when innocuous, and guards its shadow tables")
    func protection() throws {
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE t USING keyvalue;
                CREATE TABLE source(a);
                CREATE TRIGGER follow AFTER INSERT ON source BEGIN INSERT INTO t VALUES (new.a, 0); END;
                INSERT INTO source VALUES ('x');
                CREATE TABLE t_other(a); INSERT INTO t_other VALUES (1);
                """)
        #expect(try ints("SELECT count(*) FROM t") == [1])
        #expect(throws: DatabaseError.self) { try db.execute(sql: "CREATE TABLE t_DATA(a)") }
    }

    /// What each method throws reaches the caller of the statement that led to the call, unchanged.
    @Test(
        "throws through SQLite",
        arguments: [
            ("create", "CREATE VIRTUAL TABLE u USING keyvalue"),
            ("bestIndex", "SELECT * FROM t"),
            ("open", "SELECT * FROM t"),
            ("filter all", "SELECT * FROM t"),
            ("next", "SELECT * FROM t"),
            ("column", "SELECT * FROM t"),
            ("rowID", "SELECT rowid FROM t"),
            ("insert", "INSERT INTO t VALUES (9, 9)"),
            ("update", "UPDATE t SET value = 3"),
            ("delete", "DELETE FROM t"),
            ("begin", "INSERT INTO t VALUES (9, 9)"),
            ("sync", "INSERT INTO t VALUES (9, 9)"),
            ("savepoint", "BEGIN; SAVEPOINT s; INSERT INTO t VALUES (9, 9)"),
            ("rename", "ALTER TABLE t RENAME TO u"),
            ("destroy", "DROP TABLE t"),
        ])
    func errors(method: String, sql: String) throws {
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING keyvalue; INSERT INTO t VALUES (1, 1), (2, 2)")
        let before = store.tables
        store.failing[method] = Mishap(method: method)
        #expect(throws: Mishap(method: method)) { try db.execute(sql: sql) }
        store.failing = [:]
        if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
        #expect(store.tables == before)
        #expect(try ints("SELECT value FROM t") == [1, 2])
        // A later, other error is not mistaken for this one.
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT nothing FROM t") }
    }

    @Test("that cannot plan a query says so")
    func noPlan() throws {
        #expect(throws: DatabaseError.self) {
            try ints("SELECT a.value FROM series(b.value, 3) a, series(a.value, 3) b")
        }
    }

    @Test("outlives its module, and leaves with its connection")
    func lifetimes() throws {
        weak var observed: KeyValueStore?
        try {
            let store = KeyValueStore()
            observed = store
            let db = try Database(path: ":memory:")
            try db.create(module: "keyvalue", KeyValueTable.self, context: store)
            try db.execute(sql: "CREATE VIRTUAL TABLE t USING keyvalue; INSERT INTO t VALUES (1, 1)")
            try db.remove(module: "keyvalue")
            #expect(try Int.fetchAll(db, sql: "SELECT value FROM t") == [1])
            #expect(throws: DatabaseError.self) { try db.execute(sql: "CREATE VIRTUAL TABLE u USING keyvalue") }
            try db.close()
        }()
        #expect(observed == nil)
    }

    @Test("serves the host of a borrowed connection, which has no Database of its own")
    func borrowed() throws {
        var opened: OpaquePointer?
        #expect(csqlite_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        let connection = try #require(opened)
        func execute(_ sql: String) -> Int32 { csqlite_exec(connection, sql, nil, nil, nil) }
        let store = store
        try Database(borrowing: connection).create(module: "keyvalue", KeyValueTable.self, context: store)
        #expect(execute("CREATE VIRTUAL TABLE t USING keyvalue; INSERT INTO t VALUES (1, 2)") == SQLITE_OK)
        store.failing["insert"] = Mishap(method: "insert")
        #expect(execute("INSERT INTO t VALUES (3, 4)") == SQLITE_ERROR)
        #expect(csqlite_errmsg(connection).map { String(cString: $0) } == "Mishap(method: \"insert\")")
        store.failing = [:]
        #expect(execute("UPDATE t SET value = 3; BEGIN; DELETE FROM t; ROLLBACK") == SQLITE_OK)
        #expect(store.tables["t"]?.values.first?.value == .int64(3))
        #expect(csqlite_close_v2(connection) == SQLITE_OK)
    }

    @Test("connects to what another connection created")
    func connecting() throws {
        let file = try TemporaryDatabase()
        let store = store
        func open() throws -> Database {
            let db = try Database(path: file.path)
            try db.create(module: "keyvalue", KeyValueTable.self, context: store)
            return db
        }
        try open().execute(sql: "CREATE VIRTUAL TABLE t USING keyvalue; INSERT INTO t VALUES (1, 5)")
        #expect(try Int.fetchAll(open(), sql: "SELECT value FROM t") == [5])
        #expect(store.calls.contains("connect"))
    }

    /// Random statements, transactions and savepoints on the virtual table and on an ordinary one with the same
    /// meaning.
    @Test("does what an ordinary table does", arguments: 0..<20 as Range<UInt64>)
    func oracle(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try db.execute(
            sql:
                "CREATE VIRTUAL TABLE virtual USING keyvalue; CREATE TABLE plain(id INTEGER PRIMARY KEY, key UNIQUE, value)"
        )
        var history: [String] = []
        for _ in 0..<150 {
            let key = Int.random(in: 0..<8, using: &generator)
            let value = Int.random(in: 0..<100, using: &generator)
            let conflict =
                ["", "OR REPLACE", "OR IGNORE", "OR FAIL", "OR ROLLBACK"].randomElement(using: &generator) ?? ""
            let name = ["s", "r"].randomElement(using: &generator) ?? "s"
            let choices = [
                "INSERT \(conflict) INTO TABLE(key, value) VALUES (\(key), \(value))",
                "INSERT \(conflict) INTO TABLE(key, value) VALUES (\(key), \(value)), (\(key / 2), 1), (\(key + 1), 2)",
                "UPDATE \(conflict) TABLE SET key = \(key), value = \(value) WHERE key = \(value % 8)",
                "UPDATE TABLE SET value = value + 1 WHERE key > \(key)",
                "DELETE FROM TABLE WHERE key = \(key)",
                "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT \(name)", "RELEASE \(name)", "ROLLBACK TO \(name)",
            ]
            let template = choices.randomElement(using: &generator) ?? ""
            history.append(template)
            let isControl = !template.contains("TABLE")
            let virtual = code { try db.execute(sql: template.replacingTable(by: "virtual")) }
            // An error may have ended the transaction; the other table must see the same.
            let wasInside = db.isInsideTransaction
            if !isControl {
                if virtual == .SQLITE_CONSTRAINT && !wasInside && conflict == "OR ROLLBACK" {
                    history.append("(rolled back)")
                }
                try mirror(template, virtual, conflict)
            }
            let expected = try Row.fetchAll(db, sql: "SELECT key, value FROM plain ORDER BY key")
            let actual = try Row.fetchAll(db, sql: "SELECT key, value FROM virtual ORDER BY key")
            #expect(actual.map(\.databaseValues) == expected.map(\.databaseValues), "seed \(seed): \(history)")
            if actual.map(\.databaseValues) != expected.map(\.databaseValues) { return }
        }
    }

    private func mirror(_ template: String, _ code: ResultCode?, _ conflict: String) throws {
        // A rollback by the virtual table's statement has undone the plain table's changes as well.
        if code == .SQLITE_CONSTRAINT && conflict == "OR ROLLBACK" { return }
        #expect(self.code { try db.execute(sql: template.replacingTable(by: "plain")) } == code, "\(template)")
    }

    private func code(_ body: () throws -> Void) -> ResultCode? {
        do {
            try body()
            return nil
        } catch {
            return (error as? DatabaseError)?.resultCode
        }
    }
}

extension String {
    fileprivate func replacingTable(by name: String) -> String {
        var words = split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        for index in words.indices where words[index].hasPrefix("TABLE") {
            words[index] = name + words[index].dropFirst("TABLE".count)
        }
        return words.joined(separator: " ")
    }
}
