import ConcordanceSQLite
import Testing

@Suite("Connection")
struct FirstTests {
    @Test func works() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: "CREATE TABLE t(a, b); INSERT INTO t VALUES (?, ?); INSERT INTO t VALUES (:a, NULL)",
            arguments: ["x", 1] + ["a": 2.5])
        try db.execute("INSERT INTO t VALUES (?, ?)", arguments: ["...", [1, 2] as [UInt8]])
        let name = "x"
        #expect(
            try Row.fetchAll(db, literal: "SELECT \(identifier: "a"), b FROM t WHERE a = \(name)") == [
                ["a": "x", "b": 1]
            ])
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 3)
        #expect(try Int?.fetchAll(db, sql: "SELECT NULL") == [nil])
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELEC") }
        try db.inTransaction {
            try db.execute(sql: "DELETE FROM t"); try db.inSavepoint { .rollback }; return .rollback
        }
        let row = try #require(try Row.fetchOne(db, sql: "SELECT a AS first FROM t"))
        let x: String? = row["FIRST"]
        #expect(x == "x")
    }
}
