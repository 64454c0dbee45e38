import ConcordanceSQLite
import TestSupport
import Testing

@Suite("Transactions and savepoints")
struct TransactionTests {
    struct Abandon: Error {}

    /// Random blocks in blocks, some of which fail, against sets that are copied and put back.
    struct Model {
        var random: SeededGenerator
        let db: Database
        var expected: Set<Int> = []
        var log = ""

        mutating func block(depth: Int) throws {
            let before = expected
            let ending = Int.random(in: 0..<3, using: &random)
            func run(_ model: inout Model) throws -> TransactionCompletion {
                try model.fill(depth: depth)
                if ending == 2 { throw Abandon() }
                return ending == 0 ? .commit : .rollback
            }
            log += "("
            do {
                if depth == 0 && Bool.random(using: &random) {
                    try db.inTransaction(TransactionKind.allCases.randomElement(using: &random)) { try run(&self) }
                } else {
                    try db.inSavepoint { try run(&self) }
                }
            } catch is Abandon {}
            log += ["commit)", "rollback)", "throw)"][ending]
            if ending != 0 { expected = before }
        }

        mutating func fill(depth: Int) throws {
            for _ in 0..<Int.random(in: 0..<5, using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where depth < 5: try block(depth: depth + 1)
                case 1:
                    let value = Int.random(in: 0..<10, using: &random)
                    try db.execute(sql: "DELETE FROM t WHERE a = ?", arguments: [value])
                    expected.remove(value)
                default:
                    let value = Int.random(in: 0..<10, using: &random)
                    log += "+\(value)"
                    do {
                        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value])
                        #expect(!expected.contains(value), "\(log)")
                    } catch ResultCode.SQLITE_CONSTRAINT_PRIMARYKEY {
                        #expect(expected.contains(value), "\(log)")
                    }
                    expected.insert(value)
                }
                #expect(try Int.fetchSet(db, sql: "SELECT a FROM t") == expected, "\(log)")
            }
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func randomNesting(seed: UInt64) throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t (a PRIMARY KEY)")
        var model = Model(random: SeededGenerator(seed: seed), db: db)
        for _ in 0..<10 {
            try model.block(depth: 0)
            #expect(!db.isInsideTransaction)
            #expect(try Int.fetchSet(db, sql: "SELECT a FROM t") == model.expected, "\(model.log)")
        }
    }

    @Test func aDeferredForeignKeyFailsTheCommitAndRollsBack() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql:
                "CREATE TABLE t (a PRIMARY KEY, b REFERENCES t DEFERRABLE INITIALLY DEFERRED); INSERT INTO t VALUES (1, 1)"
        )
        let error = #expect(throws: DatabaseError.self) {
            try db.inTransaction {
                try db.execute(sql: "INSERT INTO t VALUES (2, 3)")
                return .commit
            }
        }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
        #expect(!db.isInsideTransaction)
        #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1])
    }

    @Test func nothingIsExecutedOnceTheTransactionIsGone() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t (a PRIMARY KEY); INSERT INTO t VALUES (1)")
        for rollback in ["INSERT OR ROLLBACK INTO t VALUES (1)", "ROLLBACK"] {
            let error = #expect(throws: DatabaseError.self) {
                try db.inTransaction {
                    try? db.execute(sql: rollback)
                    try? db.execute(sql: "INSERT INTO t VALUES (2)")  // in no transaction
                    try db.inSavepoint {
                        try db.execute(sql: "INSERT INTO t VALUES (3)")
                        return .commit
                    }
                    return .commit
                }
            }
            #expect(error?.resultCode == .SQLITE_ABORT)
            #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1])
        }
        try db.execute(sql: "INSERT INTO t VALUES (4)")
    }

    /// SQLite executes nothing, not even ROLLBACK TO, from an interrupt until all statements have ended.
    @Test func aSavepointThatCannotBeUndoneUndoesItsTransaction() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
        let error = #expect(throws: DatabaseError.self) {
            try db.inTransaction {
                try db.execute(sql: "INSERT INTO t VALUES (3)")
                let rows = try Int.fetchCursor(db, sql: "SELECT a FROM t")
                _ = try rows.next()
                try? db.inSavepoint {
                    try db.inSavepoint {
                        try db.execute(sql: "INSERT INTO t VALUES (4)")
                        db.interrupt()
                        try db.execute(sql: "INSERT INTO t VALUES (5)")
                        return .commit
                    }
                    return .commit
                }
                withExtendedLifetime(rows) {}
                return .commit
            }
        }
        #expect(error?.resultCode == .SQLITE_ABORT && error?.message?.contains("savepoint") == true)
        #expect(!db.isInsideTransaction)
        #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1, 2])
        try db.inTransaction {
            try db.execute(sql: "INSERT INTO t VALUES (6)")
            return .commit
        }
        #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1, 2, 6])
    }

    @Test func aTransactionInATransactionIsAnErrorThatHarmsNeither() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t (a)")
        try db.inTransaction(.exclusive) {
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            #expect(throws: DatabaseError.self) { try db.inTransaction { .commit } }
            try db.inSavepoint { .rollback }
            return .commit
        }
        #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1])
    }

    @Test func aSavepointInATransactionBegunBySQL() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t (a); BEGIN")
        try db.inSavepoint {
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            return .commit
        }
        #expect(db.isInsideTransaction)
        try db.execute(sql: "ROLLBACK")
        #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [])
    }

    @Test func anotherConnectionsLockIsBusyAndNothingStaysOpen() throws {
        let folder = try TemporaryFolder()
        var configuration = Configuration()
        configuration.busyTimeout = 0
        let first = try Database(path: folder["a.db"], configuration: configuration)
        let second = try Database(path: folder["a.db"], configuration: configuration)
        try first.execute(sql: "CREATE TABLE t (a)")
        try first.inTransaction {
            #expect(throws: DatabaseError.self) { try second.inTransaction { .commit } }
            #expect(!second.isInsideTransaction)
            // A reader keeps the other from committing, which rolls it back.
            try second.execute(sql: "BEGIN; SELECT * FROM t")
            #expect(throws: DatabaseError.self) {
                try second.execute(sql: "INSERT INTO t VALUES (1)")
            }
            try second.execute(sql: "ROLLBACK")
            return .commit
        }
        try second.execute(sql: "BEGIN")
        _ = try Int.fetchAll(second, sql: "SELECT a FROM t")
        do {
            try first.inTransaction {
                try first.execute(sql: "INSERT INTO t VALUES (1)")
                return .commit
            }
            Issue.record("committed over a reader")
        } catch ResultCode.SQLITE_BUSY {}
        #expect(!first.isInsideTransaction)
        try second.execute(sql: "COMMIT")
        #expect(try Int.fetchAll(first, sql: "SELECT a FROM t") == [])
    }
}
