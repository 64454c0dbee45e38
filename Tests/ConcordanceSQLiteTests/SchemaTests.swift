import TestSupport
import Testing

@testable import ConcordanceSQLite

@Suite("The schema can be asked for")
struct SchemaTests {
    func database() throws -> Database {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE "a ""table" (id INTEGER PRIMARY KEY, "na me" TEXT NOT NULL DEFAULT 'x', g AS (id + 1), s AS (id) STORED);
                CREATE UNIQUE INDEX "an index" ON "a ""table" ("na me", id + 1) WHERE id > 0;
                CREATE TABLE pair (x, y, z, PRIMARY KEY (y, x), FOREIGN KEY (z) REFERENCES "a ""table",
                    FOREIGN KEY (x, y) REFERENCES pair (y, x));
                CREATE TABLE without (id INTEGER PRIMARY KEY, v UNIQUE) WITHOUT ROWID;
                CREATE TABLE descending (id INTEGER PRIMARY KEY DESC);
                CREATE TABLE none (a);
                CREATE VIEW v AS SELECT 1 AS one;
                CREATE TRIGGER r AFTER INSERT ON none BEGIN SELECT 1; END;
                CREATE TEMP TABLE t (a);
                CREATE VIRTUAL TABLE f USING fts5(x, y);
                ATTACH ':memory:' AS "other db"; CREATE TABLE "other db".o (a);
                """)
        return db
    }

    @Test func existence() throws {
        let db = try database()
        for name in ["a \"table", "A \"TABLE", "none", "t", "f", "o", "f_data", "sqlite_schema"] {
            #expect(try db.tableExists(name), "\(name)")
        }
        for name in ["v", "nothing", "", "a\0b", "an index", "'"] { #expect(try !db.tableExists(name), "\(name)") }
        #expect(try db.tableExists("o", in: "other db"))
        #expect(try !db.tableExists("o", in: "main"))
        #expect(try db.viewExists("V"))
        #expect(try !db.viewExists("none"))
        #expect(try db.indexExists("an index"))
        #expect(try db.triggerExists("r"))
        #expect(try !db.triggerExists("r", in: "other db"))
        #expect(throws: DatabaseError.self) { try db.viewExists("v", in: "no schema") }
    }

    @Test func `what another connection has created or dropped is seen at once`() throws {
        let folder = try TemporaryFolder()
        let (one, other) = try (Database(path: folder["db"]), Database(path: folder["db"]))
        #expect(try !other.tableExists("books"))
        try one.execute(sql: "CREATE TABLE books(title)")
        #expect(try other.tableExists("books"))
        try one.execute(sql: "DROP TABLE books")
        #expect(try !other.tableExists("books"))
    }

    @Test func columns() throws {
        let db = try database()
        let columns = try db.columns(in: "a \"table")
        #expect(columns.map(\.name) == ["id", "na me", "g", "s"])
        #expect(columns.map(\.type) == ["INTEGER", "TEXT", "", ""])
        #expect(columns.map(\.isNotNull) == [false, true, false, false])
        #expect(columns.map(\.defaultSQL) == [nil, "'x'", nil, nil])
        #expect(columns.map(\.primaryKeyIndex) == [1, nil, nil, nil])
        #expect(columns.map(\.kind) == [.ordinary, .ordinary, .generated, .stored])
        #expect(try db.columns(in: "f").map(\.kind) == [.ordinary, .ordinary, .hidden, .hidden])
        #expect(try db.columns(in: "v").map(\.name) == ["one"])
        #expect(try db.columns(in: "o", schema: "other db").count == 1)
        for name in ["nothing", "", "'; DROP TABLE none; --"] {
            #expect(throws: DatabaseError.self) { try db.columns(in: name) }
        }
    }

    @Test func keys() throws {
        let db = try database()
        for (table, columns, alias, hasRowID) in [
            ("a \"table", ["id"], "id", true), ("pair", ["y", "x"], nil, true), ("without", ["id"], nil, false),
            ("descending", ["id"], nil, true), ("none", [], nil, true), ("v", [], nil, false), ("f", [], nil, true),
        ] as [(String, [String], String?, Bool)] {
            let expected = PrimaryKeyInfo(columns: columns, rowIDColumn: alias, hasRowID: hasRowID)
            #expect(try db.primaryKey(table) == expected, "\(table)")
        }
        let index = try #require(try db.indexes(on: "a \"table").first)
        #expect(index.name == "an index" && index.isUnique && index.isPartial && index.origin == .createIndex)
        #expect(index.columns == ["na me", nil])
        #expect(Set(try db.indexes(on: "without").map(\.origin)) == [.uniqueConstraint, .primaryKey])
        #expect(try db.indexes(on: "nothing") == [])
        #expect(
            try db.foreignKeys(on: "pair") == [
                ForeignKeyInfo(destinationTable: "a \"table", originColumns: ["z"], destinationColumns: ["id"]),
                ForeignKeyInfo(destinationTable: "pair", originColumns: ["x", "y"], destinationColumns: ["y", "x"]),
            ])
    }
}
