import ConcordanceFTS5
import ConcordanceSQLite
import Testing

@Suite struct `Table definition` {
    private func sql(_ define: (FTS5TableDefinition) throws -> Void) throws -> String {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE \"my notes\"(id INTEGER PRIMARY KEY, a, b); CREATE TABLE keyless(a)")
        try db.create(virtualTable: "t", using: FTS5(), define)
        let text = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 't'")
        return try #require(text?.split(separator: "USING ").last.map(String.init))
    }

    @Test func `is the SQL that one would write`() throws {
        #expect(
            try sql {
                $0.column("title")
                $0.column("body").notIndexed()
            } == "fts5(title, body UNINDEXED)")
        #expect(
            try sql {
                $0.tokenizer = .porter(wrapping: .unicode61(diacritics: .remove))
                $0.prefixes = [3, 2]
                $0.columnSize = false
                $0.detail = .column
                $0.column("a")
            } == "fts5(tokenize='porter unicode61 remove_diacritics 2', prefix='2 3', columnsize=0, detail=columns, a)")
        #expect(
            try sql {
                $0.content = .external(table: "my notes", rowID: "id")
                $0.column("a")
            } == "fts5(content='my notes', content_rowid='id', a)")
        #expect(
            try sql {
                $0.content = .contentless
                $0.detail = .none
                $0.column("a")
            } == "fts5(content='', detail=none, a)")
    }

    @Test func `has every option of the built-in tokenizers`() throws {
        func text(_ descriptor: FTS5TokenizerDescriptor) -> String { descriptor.description }
        #expect(text(.unicode61()) == "unicode61")
        #expect(text(.unicode61(diacritics: .keep)) == "unicode61 remove_diacritics 0")
        #expect(text(.unicode61(removeDiacritics: false)) == "unicode61 remove_diacritics 0")
        #expect(text(.unicode61(removeDiacritics: true)) == "unicode61")
        #expect(
            text(.unicode61(categories: "L* N* Co", separators: ["x"], tokenCharacters: ["-", "'", "\""]))
                == "unicode61 categories 'L* N* Co' separators x tokenchars '\"''-'")
        #expect(text(.ascii(separators: ["a"], tokenCharacters: ["."])) == "ascii separators a tokenchars '.'")
        #expect(text(.trigram(caseSensitive: true)) == "trigram case_sensitive 1")
        #expect(text(.trigram(removeDiacritics: true)) == "trigram remove_diacritics 1")
        #expect(text(.porter()) == "porter")
        let db = try Database(path: ":memory:")
        func tokens(_ descriptor: FTS5TokenizerDescriptor, _ text: String) throws -> [String] {
            try db.makeTokenizer(descriptor).tokens(in: text).map(\.text)
        }
        #expect(try tokens(.unicode61(diacritics: .keep), "É") == ["é"])
        #expect(try tokens(.unicode61(diacritics: .removeLegacy), "Ộ") == ["ộ"])
        #expect(try tokens(.unicode61(diacritics: .remove), "Ộ") == ["o"])
        #expect(try tokens(.unicode61(categories: "N*"), "a1 b2") == ["1", "2"])
        #expect(
            try tokens(.unicode61(separators: ["x"], tokenCharacters: ["-", "'", "\""]), "axb-c 'd\"") == [
                "a", "b-c", "'d\"",
            ])
        #expect(try tokens(.ascii(separators: ["a"], tokenCharacters: ["."]), "cab.c") == ["c", "b.c"])
        #expect(try tokens(.trigram(caseSensitive: true), "ABcd") == ["ABc", "Bcd"])
    }

    @Test(arguments: [
        "two words", "say \"hi\"", "it's", "select", "from", "unindexed", "table", "tokenize", "content", "a,b", "a=b",
        "(a)",
        "[a]", "`a`", "ü", "日本語", "1st", "-", ";--", "/* x */", " ", "a.b", "\u{1F600}", "line\nbreak", "order", "oid",
        "%s",
    ])
    func `takes any name`(name: String) throws {
        let db = try Database(path: ":memory:")
        try db.create(virtualTable: "t " + name, using: FTS5()) { t in
            t.column(name)
            t.column("x" + name).notIndexed()
            t.column("y")
        }
        let table = try db.fts5Table("t " + name)
        #expect(table.columns == [name, "x" + name, "y"])
        try db.execute("INSERT INTO \(table.sql) VALUES ('one two', 'three', 'one')")
        let pattern = try db.makeFTS5Pattern(rawPattern: "one", forTable: table.name).inColumns([name])
        let row = try Row.fetchOne(
            db,
            literal: """
                SELECT \(table.highlight(name, open: "<", close: ">")), \(table.bm25([name: 2])), \(table.rank) FROM \(table.sql)
                WHERE \(table.matching(pattern)) AND \(table.ranked(by: .bm25(["y": 3]))) ORDER BY \(table.rank)
                """)
        #expect(row?[0] == "<one> two")
        #expect(
            try Row.fetchAll(
                db, literal: "SELECT 1 FROM \(table.sql) WHERE \(table.matching(FTS5Pattern(rawPattern: "three")))"
            )
            .isEmpty)
        try table.rebuild(db)
        try table.integrityCheck(db)
    }

    @Test func `names what cannot be`() throws {
        func define(_ columns: [String], in table: String = "t", _ more: (FTS5TableDefinition) -> Void = { _ in })
            throws
        {
            let db = try Database(path: ":memory:")
            do {
                try db.create(virtualTable: table, using: FTS5()) { t in
                    for column in columns { t.column(column) }
                    more(t)
                }
            } catch {
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0)
                throw error
            }
        }
        #expect(throws: FTS5Error.reservedName("Rank")) { try define(["Rank"]) }
        #expect(throws: FTS5Error.reservedName("rowid")) { try define(["a", "rowid"]) }
        #expect(throws: FTS5Error.reservedName("T")) { try define(["T"]) }
        #expect(throws: FTS5Error.reservedName("RANK")) { try define(["a"], in: "RANK") }
        #expect(throws: FTS5Error.duplicateColumn("A")) { try define(["a", "A"]) }
        #expect(throws: FTS5Error.invalidName("")) { try define([""]) }
        #expect(throws: FTS5Error.invalidName("a\0")) { try define(["a\0"]) }
        #expect(throws: FTS5Error.invalidName("")) { try define(["a"], in: "") }
        #expect(throws: FTS5Error.noColumns(table: "t")) { try define([]) }
        #expect(throws: FTS5Error.self) { try define(["a"]) { $0.prefixes = [0] } }
        #expect(throws: FTS5Error.self) { try define(["a"]) { $0.prefixes = [1000] } }
        #expect(throws: FTS5Error.self) { try define(["a"]) { $0.prefixes = Set(1...32) } }
        #expect(throws: Never.self) { try define(["a"]) { $0.prefixes = Set(1...31) } }
        let error = #expect(throws: FTS5Error.self) { try define(["a"]) { $0.synchronize(withTable: "no") } }
        #expect(error?.description.contains("the table no, which does not exist") == true)
    }

    @Test func `has as many columns as SQLite allows`() throws {
        let db = try Database(path: ":memory:")
        func create(_ count: Int, _ more: (FTS5TableDefinition) -> Void = { _ in }) throws {
            try db.create(virtualTable: "t", using: FTS5()) { t in
                for index in 0..<count { t.column("c\(index)") }
                more(t)
            }
        }
        #expect(throws: FTS5Error.tooManyColumns(10_000, limit: 1994)) { try create(10_000) }
        #expect(throws: FTS5Error.tooManyColumns(1995, limit: 1994)) { try create(1995) }
        #expect(throws: FTS5Error.tooManyColumns(1994, limit: 1993)) { try create(1994) { $0.detail = .column } }
        try create(1994)
        try db.execute(sql: "INSERT INTO t(c1993) VALUES ('x')")
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'c1993 : x'") == [1])
    }

    @Test func `contentless tables with delete need a newer SQLite`() throws {
        let db = try Database(path: ":memory:")
        let version = try #require(try String.fetchOne(db, sql: "SELECT sqlite_version()"))
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        func create() throws {
            try db.create(virtualTable: "t", using: FTS5()) { t in
                t.content = .contentlessWithDelete
                t.column("a")
            }
        }
        if numbers[1] >= 43 {
            try create()
            try db.execute(sql: "INSERT INTO t(rowid, a) VALUES (1, 'x'); DELETE FROM t WHERE rowid = 1")
        } else {
            #expect(throws: FTS5Error.self) { try create() }
        }
    }

    @Test func `can be temporary, in a schema, and there already`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "ATTACH ':memory:' AS \"other one\"")
        for _ in 0..<2 {
            try db.create(virtualTable: "t", ifNotExists: true, temporary: true, using: FTS5()) { $0.column("a") }
            try db.create(virtualTable: "t", in: "main", ifNotExists: true, using: FTS5()) { $0.column("b") }
            try db.create(virtualTable: "t", in: "other one", ifNotExists: true, using: FTS5()) { $0.column("c") }
        }
        #expect(throws: DatabaseError.self) { try db.create(virtualTable: "t", using: FTS5()) { $0.column("a") } }
        #expect(try db.fts5Table("t").columns == ["a"])
        #expect(try db.fts5Table("t", in: "main").columns == ["b"])
        #expect(try db.fts5Table("t", in: "other one").columns == ["c"])
        try db.create(virtualTable: "elsewhere", in: "other one", using: FTS5()) { $0.column("d") }
        #expect(try db.fts5Table("Elsewhere").columns == ["d"])
    }

    @Test(arguments: [
        ("CREATE VIRTUAL TABLE t USING fts5(a, b)", ["a", "b"]),
        (
            "create virtual table \"t\"\n using\n FTS5 ( [a] , 'b' unindexed,`c`, tok='porter ascii', prefix = '2 3' )",
            ["a", "b", "c"]
        ),
        ("CREATE VIRTUAL TABLE t USING fts5(a /* not, this */, \"b, c\", d -- nor, this\n)", ["a", "b, c", "d"]),
        (
            "CREATE VIRTUAL TABLE t USING fts5(content=\"\", \"it\"\"s\", tokenize=\"unicode61 tokenchars '(,)'\")",
            ["it\"s"]
        ),
    ])
    func `is read as FTS5 reads it`(sql: String, columns: [String]) throws {
        let db = try Database(path: ":memory:")
        try? db.execute(sql: sql)
        guard try Bool.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == true else { return }
        #expect(try db.fts5Table("t").columns == columns)
        let real = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('t')")
        #expect(real == columns)
        _ = try db.makeFTS5Pattern(matching: .allTokens, in: "a (,) b", forTable: "t")
    }
}
