@testable import ConcordanceSQLite
import Testing

@Suite("Connection")
struct FirstTests {
    @Test func works() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: "CREATE TABLE t(a PRIMARY KEY, b UNIQUE REFERENCES t); CREATE TABLE u(id INTEGER PRIMARY KEY)")
        #expect(try db.tableExists("T"))
        #expect(try !db.tableExists("x"))
        #expect(try db.primaryKey("u").rowIDColumn == "id")
        #expect(try db.primaryKey("t") == PrimaryKeyInfo(columns: ["a"], rowIDColumn: nil, hasRowID: true))
        print(try db.indexes(on: "t"), try db.foreignKeys(on: "t"), try db.columns(in: "t"))
        struct Failure: Error {}
        try db.add(
            function: DatabaseFunction("f", argumentCount: 1) {
                if $0[0] == 3 { throw Failure() }; return $0[0]
            })
        #expect(try Int.fetchOne(db, sql: "SELECT f(2)") == 2)
        #expect(throws: Failure.self) { try Int.fetchOne(db, sql: "SELECT f(3)") }
        do { try db.execute(sql: "SELECT 1; SELECT x") } catch { print(error) }
        do { try db.execute(sql: "SELECT ?, :a", arguments: [1, 2, 3]) } catch { print(error) }
        do { try db.execute(sql: "SELECT ?, :a", arguments: [1]) } catch { print(error) }
        do { try db.execute(sql: "SELECT ?, :a", arguments: [1] + ["b": 1]) } catch { print(error) }
        do { try db.execute(sql: "SELECT ?, :a", arguments: [1] + ["b": 1, "a": 2]) } catch { print(error) }
        do { _ = try Int.fetchAll(db, sql: "SELECT 1 AS x UNION ALL SELECT 'abc'") } catch { print(error) }
    }
    @Test func fts5InTriggers() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE d(id INTEGER PRIMARY KEY, x);
                CREATE VIRTUAL TABLE f USING fts5(x, content='d', content_rowid='id');
                CREATE TRIGGER a AFTER INSERT ON d BEGIN INSERT INTO f(rowid, x) VALUES (new.id, new.x); END;
                CREATE TRIGGER b AFTER DELETE ON d BEGIN INSERT INTO f(f, rowid, x) VALUES ('delete', old.id, old.x); END;
                CREATE VIEW v AS SELECT highlight(f, 0, '[', ']') AS h, bm25(f) FROM f WHERE f MATCH 'one';
                INSERT INTO d(x) VALUES ('one two'), ('two three');
                DELETE FROM d WHERE id = 2;
                """)
        #expect(try String.fetchAll(db, sql: "SELECT h FROM v") == ["[one] two"])
        try db.execute(sql: "ALTER TABLE d RENAME COLUMN x TO z")
        #expect(try Int.fetchOne(db, sql: "PRAGMA trusted_schema") == 1)
        let db2 = try Database(path: ":memory:")
        #expect(try Int.fetchOne(db2, sql: "PRAGMA trusted_schema") == 0)

    }
}
