import Concordance
import ConcordanceSQLite
import ConcordanceSearch
import Testing
import TestSupport

/// A definition over a schema, and what the index must hold.
struct ContentExample: Sendable, CustomTestStringConvertible {
    let name: String
    let schema: String
    let rows: [[DatabaseValue]]
    let install: @Sendable (Database) throws -> Void

    /// - Parameter rows: The rowid and the fields of each row, by rowid.
    init(
        _ name: String, _ schema: String, table: String, rows: [[DatabaseValue]],
        @SearchIndexBuilder<Row> _ content: @escaping @Sendable () -> [IndexElement<Row>]
    ) {
        self.name = name
        self.schema = schema
        self.rows = rows
        install = { try $0.install(SearchIndex("entries", in: table, content: content)) }
    }

    var testDescription: String { name }
}

@Suite("What an index holds")
struct IndexContentTests {
    static let library = """
        CREATE TABLE books(id INTEGER PRIMARY KEY, title TEXT, publisher INTEGER REFERENCES publishers(id));
        CREATE TABLE publishers(id INTEGER PRIMARY KEY, name TEXT, city TEXT REFERENCES cities(code));
        CREATE TABLE cities(code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
        CREATE TABLE chapters(id INTEGER PRIMARY KEY, book INTEGER REFERENCES books, heading TEXT, place INTEGER);
        CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE chapterAuthors(chapter REFERENCES chapters, person REFERENCES people, PRIMARY KEY(chapter, person))
            WITHOUT ROWID;
        INSERT INTO cities VALUES ('B', 'Berlin'), ('P', 'Paris');
        INSERT INTO publishers VALUES (1, 'Verlag', 'B'), (2, 'Maison', 'P'), (3, 'Nowhere', NULL);
        INSERT INTO books VALUES (1, 'One', 1), (2, 'Two', NULL), (3, NULL, 3);
        INSERT INTO chapters VALUES (1, 1, 'Ende', 3), (2, 1, 'Anfang', 1), (3, 1, NULL, 2), (4, 3, '', 1), (5, 1, 'Mitte', 2);
        INSERT INTO people VALUES (1, 'Zoe'), (2, 'Ann'), (3, 'Max');
        INSERT INTO chapterAuthors VALUES (1, 2), (1, 1), (2, 2), (5, 3), (4, 3);
        """

    static let relations: [ContentExample] = [
        ContentExample(
            "to-one, and to-one behind it", library, table: "books",
            rows: [[1, "One", "Verlag", "Berlin"], [2, "Two", "", ""], [3, "", "Nowhere", ""]]
        ) {
            Field("title")
            Field("publisher").joined("publishers", \.name)
            Field("city").joined("cities", \.name, through: "publishers")
        },
        ContentExample(
            "to-many, in the order of the rows or of a column, NULL left out", library, table: "books",
            rows: [[1, "Ende|Anfang|Mitte", "Anfang Mitte Ende"], [2, "", ""], [3, "", ""]]
        ) {
            Field("added").joined("chapters", \.heading, separator: "|")
            Field("placed").joined("chapters", \.heading, orderedBy: "PLACE")
        },
        ContentExample(
            "many-to-many through to-many, each time it is there, by the rows on the way", library, table: "books",
            rows: [[1, "Zoe, Ann, Ann, Max", "Ann, Ann, Max, Zoe"], [2, "", ""], [3, "Max", "Max"]]
        ) {
            Field("authors").joined("people", \.name, through: "chapters", "chapterAuthors", separator: ", ")
            Field("sorted").joined(
                "people", \.name, through: "chapters", "chapterAuthors", separator: ", ", orderedBy: "name")
        },
        ContentExample(
            "from the other side: a city's books", library.replacing("name TEXT) WITHOUT ROWID", with: "name TEXT)"),
            table: "cities", rows: [[1, "Berlin", "One"], [2, "Paris", ""]]
        ) {
            Field("name")
            Field("books").joined("books", \.title, through: "publishers")
        },
        ContentExample(
            "a tree: parent, grandparent, children",
            """
            CREATE TABLE r1(id INTEGER PRIMARY KEY, name, parent REFERENCES r1);
            INSERT INTO r1 VALUES (1, 'root', NULL), (2, 'branch', 1), (3, 'leaf', 2), (4, 'bud', 2);
            """, table: "R1",
            rows: [
                [1, "", "", "branch"], [2, "root", "", "leaf bud"], [3, "branch", "root", ""],
                [4, "branch", "root", ""],
            ]
        ) {
            Field("parent").joined(Relation.Step("r1", on: "id", equals: "parent"), \.name)
            Field("grandparent").joined(
                Relation.Step("r1", on: "id", equals: "parent"), \.name,
                through: Relation.Step("r1", on: "id", equals: "parent"))
            Field("children").joined(Relation.Step("r1", on: "parent", equals: "id"), \.name)
        },
        ContentExample(
            "foreign keys of several columns, written in any case and without the columns they refer to",
            """
            CREATE TABLE Orders(shop, number, note, PRIMARY KEY(shop, number));
            CREATE TABLE items(shop, "order", what, FOREIGN KEY(SHOP, "Order") REFERENCES ORDERS);
            CREATE TABLE parcels(shop, number, code, FOREIGN KEY(number, shop) REFERENCES orders(number, shop));
            INSERT INTO orders VALUES ('a', 1, 'x'), ('a', 2, 'y'), ('b', 1, 'z');
            INSERT INTO items VALUES ('a', 1, 'pen'), ('b', 1, 'cup'), ('a', 1, 'ink'), (NULL, 2, 'lost');
            INSERT INTO parcels VALUES ('b', 1, 'P1'), ('a', 2, 'P2');
            """, table: "orders",
            rows: [[1, "x", "pen+ink", ""], [2, "y", "", "P2"], [3, "z", "cup", "P1"]]
        ) {
            Field("NOTE")
            Field("items").joined("Items", \.What, separator: "+")
            Field("parcels").joined("parcels", \.code)
        },
        ContentExample(
            "columns that are said to be equal, without a foreign key",
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a, b);
            CREATE TABLE u(x, y, text);
            INSERT INTO t VALUES (1, 1, 2), (2, 2, 2);
            INSERT INTO u VALUES (2, 2, 'two'), (1, 2, 'one'), (NULL, NULL, 'none');
            """, table: "t", rows: [[1, "one"], [2, "two"]]
        ) { Field("u").joined(Relation.Step("u", on: ["x", "y"], equals: ["a", "b"]), \.text) },
        ContentExample(
            "texts from one column of two tables, with the separator between",
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY);
            CREATE TABLE "it's"(t REFERENCES t, "a ""text"" b");
            INSERT INTO t VALUES (1);
            INSERT INTO "it's" VALUES (1, 'a'), (1, 2), (1, x'63'), (1, 1.5);
            """, table: "t", rows: [[1, "a'2'c'1.5"]]
        ) { Field("u").joined("it's", "a \"text\" b", separator: "'") },
    ]

    static let columns: [ContentExample] = [
        ContentExample(
            "any name a table or column can have",
            """
            CREATE TABLE "select ""me"" 🙂"(id INTEGER PRIMARY KEY, "order", "a""b", "two words", "🙂", "1st", "é", "x'y");
            INSERT INTO "select ""me"" 🙂" VALUES (7, 'o', 'q', 'w', 'e', 'f', 'a', 'x');
            """, table: "Select \"Me\" 🙂",
            rows: [[7, "o", "q", "w", "e", "f", "a", "x"]]
        ) {
            Field("Order")
            Field("a\"b")
            Field("two words")
            Field("🙂")
            Field("1st")
            Field("é")
            Field("x'y")
        },
        ContentExample(
            "indexed values as text, the others as they are",
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, value);
            INSERT INTO t VALUES (1, NULL), (2, 5), (3, 1.0), (4, x'6869'), (5, 'x');
            """, table: "t",
            rows: [
                [1, "", .null, 1], [2, "5", 5, 2], [3, "1.0", 1.0, 3], [4, "hi", .blob([0x68, 0x69]), 4],
                [5, "x", "x", 5],
            ]
        ) {
            Field("value")
            Field("value").named("raw").unindexed()
            Field("id").unindexed()
        },
        ContentExample(
            "generated columns, virtual and stored",
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a, up AS (upper(a)), down TEXT AS (lower(a)) STORED);
            INSERT INTO t(a) VALUES ('Ab');
            """, table: "t", rows: [[1, "AB", "ab"]]
        ) {
            Field("up")
            Field("down")
        },
        ContentExample(
            "rows with another rowid than their column named rowid",
            """
            CREATE TABLE t(rowid TEXT, _ROWID_, key INTEGER UNIQUE);
            INSERT INTO t(oid, rowid) VALUES (3, 'three'), (1, 'one');
            """, table: "t", rows: [[1, "one"], [3, "three"]]
        ) { Field("rowid").named("name") },
        ContentExample(
            "an INTEGER PRIMARY KEY where columns take all names of the rowid",
            """
            CREATE TABLE t(rowid, _rowid_, oid, id INTEGER PRIMARY KEY);
            INSERT INTO t VALUES ('a', 'b', 'c', 9);
            """, table: "t", rows: [[9, "c"]]
        ) { Field("oid") },
        ContentExample(
            "a column id that is not the rowid",
            "CREATE TABLE t(id TEXT PRIMARY KEY); INSERT INTO t(rowid, id) VALUES (5, 'k');",
            table: "t", rows: [[5, "k"]]
        ) { Field("id") },
    ]

    static let expressions: [ContentExample] = [
        ("first || ' ' || last", "Ada Byron"), ("t.first -- a comment", "Ada"), ("upper(\"last\")", "BYRON"),
        ("json_extract(address, '$.city')", "London"), ("born", "1815"), ("rowid", "1"), ("NULL", ""),
        ("(SELECT group_concat(value, ' ') FROM json_each(t.address, '$.tags'))", "a b"),
        ("CASE WHEN born < 1900 THEN 'old' ELSE 'new' END", "old"), ("strftime('%Y', day)", "1815"),
        ("first IN ('Ada', 'Eve') AND last LIKE 'b%'", "1"), ("x'68' || 'i'", "hi"), ("shout(first)", "ADA!"),
        ("first COLLATE backwards", "Ada"), ("born > 1 /* 'now' */", "1"),
    ].map { expression, text in
        ContentExample(
            expression,
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, first, last, born, day, address);
            INSERT INTO t VALUES (1, 'Ada', 'Byron', 1815, '1815-12-10', '{"city": "London", "tags": ["a", "b"]}');
            """, table: "t", rows: [[1, .text(text)]]
        ) { Field("x").computed(expression) }
    }

    @Test(arguments: relations + columns + expressions)
    func `the full-text table holds what the definition says`(_ example: ContentExample) throws {
        let db = try Database(path: ":memory:")
        try db.add(
            function: DatabaseFunction("shout", argumentCount: 1, pure: true) {
                (String.fromDatabaseValue($0[0]) ?? "").uppercased() + "!"
            })
        try db.add(
            collation: DatabaseCollation("backwards") { $0 < $1 ? .descending : $0 > $1 ? .ascending : .same })
        try db.execute(sql: example.schema)
        try example.install(db)
        let rows = try Row.fetchAll(db, sql: "SELECT rowid, * FROM entries ORDER BY rowid")
        #expect(rows.map { row in row.databaseValues } == example.rows)
        let source = try Row.fetchAll(db, sql: "SELECT rowid, * FROM entries_source ORDER BY rowid")
        #expect(source.map { row in row.databaseValues } == example.rows, "the source")
    }

    @Test func `rowids of a table with a text key outlive VACUUM, and with them the index`() throws {
        let folder = try TemporaryFolder()
        let db = try Database(path: folder["t.sqlite"])
        try db.execute(
            sql: """
                CREATE TABLE t(key TEXT PRIMARY KEY, title);
                INSERT INTO t VALUES ('a', 'one'), ('b', 'two'), ('c', 'three');
                """)
        try db.install(SearchIndex("entries", in: "t") { Field("title") })
        try db.execute("DELETE FROM t WHERE key = 'a'")
        try db.execute("VACUUM")
        let found = try String.fetchAll(
            db, sql: "SELECT key FROM t WHERE rowid IN (SELECT rowid FROM entries WHERE entries MATCH 'three')")
        #expect(found == ["c"])
    }

    @Test func `several indexes over one table do not meet`() throws {
        let db = try RemindersFixture.database()
        try db.install(RemindersFixture.index)
        let words = SearchIndex("reminderWords", in: "reminders") { Field("title") }
        try db.install(words)
        try db.execute("UPDATE reminders SET title = 'Shopping list' WHERE id = 1")
        for table in ["reminderTexts", "reminderWords"] {
            let name = table.quotedDatabaseIdentifier
            let found = try Int.fetchAll(db, sql: "SELECT rowid FROM \(name) WHERE \(name) MATCH 'shopping'")
            #expect(found == [1], "\(table)")
        }
    }
}
