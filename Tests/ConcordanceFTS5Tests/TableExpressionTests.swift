import ConcordanceFTS5
import ConcordanceSQLite
import Testing

@Suite struct `Table expressions and commands` {
    private func database() throws -> Database {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE docs USING fts5(url UNINDEXED, title, body);
                INSERT INTO docs VALUES ('u1', 'swift', 'nothing here at all'), ('u2', 'other', 'swift and swift again'),
                  ('u3', 'none', 'of them')
                """)
        return db
    }

    @Test func `are the SQL that one would write`() throws {
        let table = FTS5Table("docs", as: "d", columns: ["url", "title", "body"])
        #expect(table.sql.sql == "\"docs\" AS \"d\"")
        #expect(try table.bm25(["Title": 10]).sql == "\"bm25\"(\"d\".\"docs\", ?, ?)")
        #expect(try table.bm25(["title": 10]).arguments == [1.0, 10.0])
        #expect(table.rank.sql == "\"d\".rank")
        #expect(table.matching(nil).sql == "0")
        #expect(FTS5Table("docs", in: "main").sql.sql == "\"main\".\"docs\"")
        #expect(throws: FTS5Error.noSuchColumn("nope", table: "docs")) { try table.bm25(["nope": 1]) }
        #expect(throws: FTS5Error.noSuchColumn("title", table: "docs")) { try FTS5Table("docs").bm25(["title": 1]) }
    }

    @Test(arguments: [nil, "d"])
    func `rank, highlight and cut out`(alias: String?) throws {
        let db = try database()
        let docs = try db.fts5Table("docs", as: alias)
        let pattern = FTS5Pattern(matchingAllTokensIn: "Swift")
        func order(_ order: SQL) throws -> [Int] {
            try Int.fetchAll(
                db, literal: "SELECT rowid FROM \(docs.sql) WHERE \(docs.matching(pattern)) ORDER BY \(order)")
        }
        #expect(try order(docs.bm25(["title": 10])) == [1, 2])
        #expect(try order(docs.bm25(["body": 10])) == [2, 1])
        for (weights, expected) in [(["title": 10.0], [1, 2]), (["body": 1e2, "title": 1e-7], [2, 1])] {
            let found = try Int.fetchAll(
                db,
                literal: """
                    SELECT rowid FROM \(docs.sql)
                    WHERE \(docs.matching(pattern)) AND \(docs.ranked(by: .bm25(weights))) ORDER BY \(docs.rank)
                    """)
            #expect(found == expected)
        }
        let texts = try String.fetchAll(
            db,
            literal:
                "SELECT \(docs.highlight("body", open: "<b>", close: "</b>")) FROM \(docs.sql) WHERE \(docs.matching(pattern))"
        )
        #expect(texts == ["nothing here at all", "<b>swift</b> and <b>swift</b> again"])
        let snippets = try String.fetchAll(
            db,
            literal:
                "SELECT \(docs.snippet(open: "[", close: "]", tokenCount: 2)) FROM \(docs.sql) WHERE \(docs.matching(pattern))"
        )
        #expect(snippets == ["[swift]", "[swift] and…"])
        #expect(try Row.fetchAll(db, literal: "SELECT * FROM \(docs.sql) WHERE \(docs.matching(nil))").isEmpty)
    }

    @Test func `settings and maintenance`() throws {
        let db = try database()
        let docs = try db.fts5Table("docs")
        for setting: FTS5Setting in [
            .automerge(0), .automerge(8), .crisismerge(20), .usermerge(2), .pageSize(64), .hashSize(2000),
            .rank(.bm25(["title": 10])), .rank(.auxiliary("bm25", [1, 2.5, .null, "it's", .blob([1, 255])])),
            .rank(.bm25(["title": 1e-300, "body": 1e300])), .rank(.bm25()),
        ] { try docs.set(setting, in: db) }
        for setting: FTS5Setting in [
            .automerge(-1), .automerge(65), .crisismerge(-1), .usermerge(1), .usermerge(17), .pageSize(31),
            .pageSize(65_537), .hashSize(0), .rank(.bm25(["title": .nan])), .rank(.bm25(["title": .infinity])),
            .rank(.auxiliary("two words")),
        ] { #expect(throws: FTS5Error.self, "\(setting)") { try docs.set(setting, in: db) } }
        #expect(throws: FTS5Error.noSuchColumn("x", table: "docs")) { try docs.set(.rank(.bm25(["x": 1])), in: db) }
        for index in 0..<200 { try db.execute("INSERT INTO docs VALUES ('', ?, 'x')", arguments: ["w\(index)"]) }
        #expect(try docs.merge(db, pages: -10))
        while try docs.merge(db, pages: 100) {}
        try docs.optimize(db)
        #expect(try docs.merge(db, pages: 100) == false)
        try docs.rebuild(db)
        try docs.integrityCheck(db)
        #expect(throws: DatabaseError.self) { try docs.deleteAll(db) }
    }

    @Test func `the rank setting stays`() throws {
        let db = try database()
        let docs = try db.fts5Table("docs")
        let query = "SELECT rowid FROM docs WHERE docs MATCH 'swift' ORDER BY rank"
        try docs.set(.rank(.bm25(["title": 10])), in: db)
        #expect(try Int.fetchAll(db, sql: query) == [1, 2])
        try docs.set(.rank(.bm25(["body": 10])), in: db)
        #expect(try Int.fetchAll(db, sql: query) == [2, 1])
    }

    @Test func `contentless rows can be removed`() throws {
        let db = try Database(path: ":memory:")
        try db.create(virtualTable: "t", using: FTS5()) { t in
            t.content = .contentless
            t.column("a b")
            t.column("c")
        }
        try db.execute(sql: "INSERT INTO t(rowid, \"a b\", c) VALUES (1, 'x', 'y'), (2, 'x', 'z')")
        let table = FTS5Table("t")
        try table.removeFromIndex(db, rowID: 1, values: ["a b": "x", "c": "y"])
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'x'") == [2])
        try table.deleteAll(db)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'x'") == [])
    }

    @Test func `a spoilt index is detected`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE c(id INTEGER PRIMARY KEY, a);
                CREATE VIRTUAL TABLE t USING fts5(a, content=c, content_rowid=id);
                INSERT INTO c VALUES (1, 'x')
                """)
        let table = FTS5Table("t")
        try table.integrityCheck(db, comparingContent: false)
        let error = #expect(throws: DatabaseError.self) { try table.integrityCheck(db) }
        #expect(error?.resultCode == .SQLITE_CORRUPT)
        try table.rebuild(db)
        try table.integrityCheck(db)
    }

    @Test(arguments: [true, false])
    func `vocabularies`(isTemporary: Bool) throws {
        let db = try database()
        for (kind, name) in [(FTS5Vocabulary.Kind.row, "r"), (.column, "c"), (.instance, "i")] {
            try db.create(virtualTable: name, temporary: isTemporary, using: FTS5Vocabulary(of: "docs", kind))
        }
        typealias Term = FTS5Vocabulary.Term
        let rows = try Term.fetchAll(db, sql: "SELECT * FROM r WHERE term = 'swift'")
        #expect(rows == [Term(term: "swift", column: nil, rowCount: 2, occurrenceCount: 3)])
        let columns = try Term.fetchAll(db, sql: "SELECT * FROM c WHERE term = 'swift' ORDER BY col")
        #expect(
            columns == [
                Term(term: "swift", column: "body", rowCount: 1, occurrenceCount: 2),
                Term(term: "swift", column: "title", rowCount: 1, occurrenceCount: 1),
            ])
        let instances = try FTS5Vocabulary.Instance.fetchAll(db, sql: "SELECT * FROM i WHERE term = 'swift'")
        #expect(instances.map(\.rowID) == [1, 2, 2])
        #expect(instances.map(\.column) == ["title", "body", "body"])
        #expect(instances.map(\.offset) == [0, 0, 2])
        #expect(throws: DatabaseError.self) { try Term.fetchAll(db, sql: "SELECT term FROM r") }
    }
}
