import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite
import Testing

@Suite("A table of the engine that follows another table")
struct SynchronizedTableTests {
    @Test(arguments: ["", ", UNIQUE(a)"])
    func `has the rows of a table with a text key, after REPLACE and after changes of the key`(constraint: String)
        throws
    {
        let db = try Database(path: ":memory:")
        try ConcordanceModule.register(on: db)
        try db.execute(
            sql: "CREATE TABLE t(k TEXT PRIMARY KEY, a, b\(constraint)); INSERT INTO t VALUES ('x', 'one', 'two')")
        try db.create(virtualTable: "f", using: ConcordanceTable()) { t in
            t.synchronize(withTable: "t")
            t.column("a")
            t.column("b")
        }
        try db.execute(
            sql: """
                INSERT INTO t VALUES ('y', 'three', 'four');
                REPLACE INTO t VALUES ('x', 'five', 'two six');
                UPDATE OR REPLACE t SET k = 'y', b = 'two seven' WHERE k = 'x';
                INSERT OR REPLACE INTO t VALUES ('z', 'five', 'eight')
                """)
        for (word, condition) in [("two", "b LIKE '%two%'"), ("five", "a = 'five'"), ("four", "b = 'four'")] {
            let found = try Int.fetchAll(
                db, sql: "SELECT rowid FROM f WHERE f MATCH ? ORDER BY rowid", arguments: [word])
            #expect(try found == Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE \(condition) ORDER BY rowid"))
        }
        try FTS5Table("f").integrityCheck(db, comparingContent: true)
    }
}
