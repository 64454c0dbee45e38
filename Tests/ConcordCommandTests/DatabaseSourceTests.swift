import Concordance
import ConcordanceEngine
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

/// A database with the tables that SQL makes.
private func database(_ folder: TemporaryFolder, name: String = "app.db", _ sql: String) throws -> String {
    let path = folder[name]
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let database = try Database(path: path, configuration: configuration)
    try ConcordanceModule.register(on: database)
    try database.execute(sql: sql)
    try database.close()
    return path
}

private func served(_ path: String) throws -> TestServer {
    try TestServer(DatabaseSource(SourceConnections(path: path, readers: 2)))
}

@Suite("The server answers searches of any database")
struct DatabaseSourceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let library = """
        CREATE TABLE authors(id INTEGER PRIMARY KEY, name TEXT, born INTEGER);
        CREATE TABLE books(id INTEGER PRIMARY KEY, title TEXT, summary TEXT, author_id INTEGER REFERENCES authors(id));
        CREATE TABLE loans(id INTEGER PRIMARY KEY, bookID INTEGER REFERENCES books(id), reader TEXT);
        CREATE INDEX loansOfBooks ON loans(bookID);
        CREATE TABLE tags(id INTEGER PRIMARY KEY, title TEXT);
        CREATE TABLE bookTags(bookID INTEGER REFERENCES books(id), tagID INTEGER REFERENCES tags(id), PRIMARY KEY (bookID, tagID));
        INSERT INTO authors VALUES (1, 'Ada', 1815), (2, 'Bo <b>', NULL);
        INSERT INTO books VALUES (7, 'Engines', 'On the analytical engine', 1), (8, 'Gardens', 'On roses and engines', 2);
        INSERT INTO loans VALUES (1, 7, 'Cy'), (2, 7, 'Di'), (3, 8, 'Ed');
        INSERT INTO tags VALUES (1, 'machines'), (2, 'old');
        INSERT INTO bookTags VALUES (7, 1), (7, 2);
        """

    /// Tables of each kind of content, of both modules: the same rows are found, by the same words.
    @Test(
        arguments: ["fts5", "concordance"],
        [
            ("plain", "title, summary", "INSERT INTO t(rowid, title, summary) SELECT id, title, summary FROM books"),
            ("external", "title, summary, content='books', content_rowid='id'", "INSERT INTO t(t) VALUES ('rebuild')"),
            (
                "porter", "title, summary, tokenize='porter unicode61 remove_diacritics 2', prefix='2 3'",
                "INSERT INTO t(rowid, title, summary) SELECT id, title, summary FROM books"
            ),
            (
                "view", "title, summary, content='bookTexts', content_rowid='number'",
                "INSERT INTO t(t) VALUES ('rebuild')"
            ),
        ])
    func eachKindOfTable(_ module: String, _ table: (name: String, arguments: String, fill: String)) throws {
        let path = try database(
            folder, name: "\(module)-\(table.name).db",
            Self.library + """
                CREATE VIEW bookTexts AS SELECT id AS number, title, summary FROM books;
                CREATE VIRTUAL TABLE t USING \(module)(\(table.arguments));
                \(table.fill);
                """)
        let server = try served(path)
        let answer = try server.json("/api/search?q=engine")
        let hits = try #require(answer["hits"] as? [[String: Any]])
        #expect(hits.map { $0["id"] as? String } == ["7", "8"])
        #expect(marked(hits[0]["title"]) == "[Engines]")
        #expect(marked(hits[0]["snippet"]) == "On the analytical [engine]")
        #expect(hits[0]["path"] is NSNull)
        #expect((answer["total"] as? [String: Any])?["value"] as? Int == 2)
        #expect(try server.json("/api/search?q=")["hits"].map { ($0 as? [Any])?.count } == 2)
        #expect(try server.json("/api/search?q=roses+OR")["hits"].map { ($0 as? [Any])?.count } == 1)
        let document = try server.json("/api/document?id=8&q=roses")
        let columns = try #require(document["columns"] as? [[String: Any]])
        #expect(columns.map { $0["name"] as? String } == ["title", "summary"])
        #expect(marked(columns[1]["runs"]) == "On [roses] and engines")
        let status = try server.json("/api/status")
        let tables = try #require(status["tables"] as? [[String: Any]])
        #expect(tables.map { $0["name"] as? String } == ["t"])
        #expect((status["source"] as? [String: Any])?["kind"] as? String == "database")
        #expect(status["documents"] as? Int == 2)
    }

    @Test(arguments: ["fts5", "concordance"])
    func tablesWithoutTextsAreSearchedAllTheSame(_ module: String) throws {
        let path = try database(
            folder, name: "\(module).db",
            """
            CREATE VIRTUAL TABLE t USING \(module)(title, body, content='');
            INSERT INTO t(rowid, title, body) VALUES (3, 'alpha', 'beta'), (4, 'gamma', 'beta beta');
            """)
        let server = try served(path)
        let hits = try #require(server.json("/api/search?q=beta")["hits"] as? [[String: Any]])
        #expect(hits.map { $0["id"] as? String } == ["4", "3"])
        #expect(marked(hits[0]["title"]) == "")
        #expect(try server.send("/api/document?id=3&q=beta").status == 200)
        #expect(try server.send("/api/suggest?q=be").status == 200)
    }

    @Test func foreignKeysLeadToNeighbours() throws {
        let path = try database(
            folder,
            Self.library + """
                CREATE VIRTUAL TABLE t USING fts5(title, summary, content='books', content_rowid='id');
                INSERT INTO t(t) VALUES ('rebuild');
                """)
        let document = try served(path).json("/api/document?id=7")
        let related = try #require(document["related"] as? [[String: Any]])
        let shown = related.map { neighbour -> String in
            let rows = neighbour["rows"] as? [[String: Any]] ?? []
            let texts = rows.map { row in
                (row["columns"] as? [[String: Any]] ?? []).map { "\($0["name"] ?? "")=\($0["text"] ?? "")" }.joined(
                    separator: ",")
            }
            return "\(neighbour["label"] ?? ""): \(texts.joined(separator: "; "))"
        }
        #expect(
            shown == [
                "author: id=1,name=Ada,born=1815", "tags: id=1,title=machines; id=2,title=old",
                "loans: id=1,bookID=7,reader=Cy; id=2,bookID=7,reader=Di",
            ])
    }

    @Test func storedValuesAreFacetsAndOrders() throws {
        let path = try database(
            folder,
            """
            CREATE VIRTUAL TABLE books USING concordance(title, year VALUE, place VALUE, prefix='1 2');
            INSERT INTO books VALUES ('red apple', 1999, 'Rome'), ('green apple', 2005, NULL), ('apple', 2005, 'Oslo'),
              ('pear', 1990, 'Oslo');
            """)
        let server = try served(path)
        func titles(_ target: String) throws -> [String] {
            try #require(server.json(target)["hits"] as? [[String: Any]]).map {
                marked($0["title"]).filter { !"[]".contains($0) }
            }
        }
        func counts(_ target: String, _ facet: String) throws -> [String] {
            let facets = try #require(server.json(target)["facets"] as? [[String: Any]])
            let values = facets.first { $0["name"] as? String == facet }?["values"] as? [[String: Any]] ?? []
            return values.map { "\($0["value"] ?? "") \($0["count"] ?? "")" }
        }
        let tables = try #require(server.json("/api/status")["tables"] as? [[String: Any]])
        #expect(tables[0]["sorts"] as? [String] == ["relevance", "year", "-year", "place", "-place"])
        #expect(try titles("/api/search?q=apple&sort=year").first == "red apple")
        #expect(try titles("/api/search?q=apple&sort=-year").last == "red apple")
        #expect(try titles("/api/search?q=appl&f.year=2005&f.place=Oslo") == ["apple"])
        #expect(try titles("/api/search?q=appl&f.place=") == ["green apple"])
        #expect(try titles("/api/search?q=&f.place=Oslo") == ["apple", "pear"])
        #expect(try counts("/api/search?q=apple", "year") == ["2005 2", "1999 1"])
        #expect(try counts("/api/search?q=", "place") == ["Oslo 2", " 1", "Rome 1"])
        #expect(try counts("/api/search?q=apple&f.year=1999", "year") == ["2005 2", "1999 1"])
        let fields =
            try #require(server.json("/api/search?q=red")["hits"] as? [[String: Any]]).first?["fields"]
            as? [[String: Any]]
        #expect(fields?.map { "\($0["name"] ?? "") \(marked($0["runs"]))" } == ["year 1999", "place Rome"])
    }

    /// The indexes that this library keeps: fields with analyzers of their own, rows of an app's table.
    @Test func indexesOfAnApp() throws {
        let queue = try DatabaseQueue(path: folder["app.db"])
        try queue.write { try $0.execute(sql: Self.library) }
        let index = SearchIndex<Row>("bookTexts", in: "books") {
            Field("title").analyzed(by: .trigram)
            Field("summary")
            Analysis(.english)
        }
        try queue.install(index)
        let server = try served(folder["app.db"])
        let hits = try #require(server.json("/api/search?q=engine&table=bookTexts")["hits"] as? [[String: Any]])
        #expect(hits.map { $0["id"] as? String } == ["7", "8"])
        #expect(marked(hits[0]["title"]) == "[Engine]s")
        #expect(marked(hits[1]["snippet"]) == "On roses and [engines]")
        let document = try server.json("/api/document?id=8&table=bookTexts")
        #expect((document["related"] as? [[String: Any]])?.first?["label"] as? String == "author")
        let columns = try #require(document["columns"] as? [[String: Any]])
        #expect(columns.map { marked($0["runs"]) } == ["Gardens", "On roses and engines"])
    }

    @Test func namesAreNamesWhateverStandsInThem() throws {
        let name = "a \"b\" 'c'; DROP TABLE x; -- [d]"
        let path = try database(
            folder,
            #"""
            CREATE VIRTUAL TABLE \#(name.quotedDatabaseIdentifier) USING fts5("select ""x""", "order by");
            INSERT INTO \#(name.quotedDatabaseIdentifier) VALUES ('alpha', 'beta');
            CREATE VIRTUAL TABLE words USING fts5vocab(\#(name.quotedDatabaseIdentifier), 'row');
            """#)
        let server = try served(path)
        let encoded = PercentEncoding.encode(name)
        let hits = try #require(server.json("/api/search?q=alpha&table=\(encoded)")["hits"] as? [[String: Any]])
        #expect(marked(hits.first?["title"]) == "[alpha]")
        let document = try server.json("/api/document?id=1&table=\(encoded)")
        #expect(
            (document["columns"] as? [[String: Any]])?.map { $0["name"] as? String } == ["select \"x\"", "order by"])
        #expect(try server.send("/api/search?q=alpha&table=words").problem().status == 404)
    }

    @Test func aLongRowComesInParts() throws {
        let text = (0..<60_000).map { "wörd\($0) " }.joined()
        let path = try database(folder, "CREATE VIRTUAL TABLE t USING fts5(title, body, rest)")
        let writer = try Database(path: path)
        try writer.execute(sql: "INSERT INTO t VALUES ('long', ?, 'end')", arguments: [text])
        let server = try served(path)
        var columns: [String: String] = [:]
        var from: String?
        var parts = 0
        repeat {
            let part = try server.json("/api/document?id=1" + (from.map { "&from=\($0)" } ?? ""))
            for column in try #require(part["columns"] as? [[String: Any]]) {
                columns[column["name"] as? String ?? "", default: ""] += marked(column["runs"])
            }
            from = part["next"] as? String
            parts += 1
        } while from != nil && parts < 100
        #expect(parts > 1)
        #expect(columns == ["title": "long", "body": text, "rest": "end"])
        for from in ["9.0", "-1.0", "0.-1", "0", "x.y", "1.9223372036854775807", "0.0.0"] {
            let reply = try server.send("/api/document?id=1&from=\(from)")
            #expect(reply.status == 400 || from.hasPrefix("1.9") && reply.status == 200, "\(from)")
        }
    }

    /// Nothing is written, and no WAL is created if the database has none.
    @Test func theDatabaseIsOnlyRead() throws {
        let path = try database(
            folder, Self.library + "CREATE VIRTUAL TABLE t USING fts5(title); INSERT INTO t VALUES ('alpha')")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let server = try served(path)
        for target in ["/api/status", "/api/search?q=alpha", "/api/suggest?q=al", "/api/document?id=1&q=a"] {
            #expect(try server.send(target).status == 200)
        }
        while !server.service.hasWords(table: nil) { #expect(try server.send("/api/status").status == 200) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == files.sorted())
    }

    @Test func whatOthersWriteIsFound() throws {
        let path = try database(folder, "PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE t USING fts5(title)")
        let writer = try Database(path: path)
        let server = try served(path)
        for number in 1...5 {
            try writer.execute(sql: "INSERT INTO t VALUES ('alpha \(number)')")
            #expect((try server.json("/api/search?q=alpha")["hits"] as? [Any])?.count == number)
        }
        try writer.execute(sql: "CREATE VIRTUAL TABLE later USING concordance(title); DROP TABLE t")
        #expect(
            (try server.json("/api/status")["tables"] as? [[String: Any]])?.map { $0["name"] as? String } == ["later"])
        #expect(try server.send("/api/search?q=alpha&table=t").problem().status == 404)
    }
}

@Suite("A hostile database does no harm")
struct HostileDatabaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func whatIsNoDatabaseIsSaidSo() throws {
        try folder.write("text.db", String(repeating: "This is no database. ", count: 100))
        try folder.write("empty.db", "")
        _ = try database(folder, name: "none.db", "CREATE TABLE t(a)")
        _ = try database(folder, name: "custom.db", "CREATE VIRTUAL TABLE t USING fts5(a)")
        let custom = try Database(path: folder["custom.db"], configuration: unprotected)
        try custom.execute(
            sql: """
                PRAGMA writable_schema = 1;
                UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE t USING fts5(a, tokenize=''icu de'')' WHERE name = 't';
                """)
        try custom.close()
        for name in ["text.db", "empty.db", "none.db", "custom.db"] {
            #expect(throws: DatabaseSourceError.self, "\(name)") {
                _ = try SourceLocation.open(folder[name], readers: 1)
            }
        }
        #expect(throws: IndexError.missing(folder["nothing.db"])) {
            _ = try SourceLocation.open(folder["nothing.db"], readers: 1)
        }
    }

    private var unprotected: Configuration {
        var configuration = Configuration()
        configuration.defensive = false
        return configuration
    }

    /// Views and triggers of the file, whatever they do, and tables that are not what the schema says.
    @Test(
        arguments: [
            // An endless view as content.
            """
            CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, 'alpha' AS a FROM n;
            CREATE VIRTUAL TABLE t USING fts5(a, content='v', content_rowid='id');
            INSERT INTO t(rowid, a) VALUES (1, 'alpha');
            """,
            // Content that does not exist, or has other columns.
            "CREATE VIRTUAL TABLE t USING fts5(a, content='gone'); INSERT INTO t(rowid, a) VALUES (1, 'alpha');",
            """
            CREATE TABLE c(x); CREATE VIRTUAL TABLE t USING fts5(a, content='c'); INSERT INTO t(rowid, a) VALUES (1, 'alpha');
            """,
            // Content that is the table itself.
            "CREATE VIRTUAL TABLE t USING concordance(a, content='t'); INSERT INTO t(rowid, a) VALUES (1, 'alpha');",
            // Foreign keys to nowhere, and to themselves.
            """
            CREATE TABLE c(id INTEGER PRIMARY KEY, a TEXT, b REFERENCES gone(z), d REFERENCES c(id));
            INSERT INTO c VALUES (1, 'alpha', 5, 1);
            CREATE VIRTUAL TABLE t USING fts5(a, content='c', content_rowid='id'); INSERT INTO t(t) VALUES ('rebuild');
            """,
            // Binary data, NULs and invalid UTF-8.
            """
            CREATE VIRTUAL TABLE t USING fts5(a, b);
            INSERT INTO t VALUES (x'00ff00fe616c70686120', 'alpha'), ('alpha', CAST(x'616c706861ff20c328' AS TEXT));
            """,
            // A rank that is not a function.
            """
            CREATE VIRTUAL TABLE t USING fts5(a); INSERT INTO t VALUES ('alpha');
            INSERT INTO t(t, rank) VALUES ('rank', 'nothing(1)');
            """,
            "CREATE VIRTUAL TABLE t USING fts5(a, detail=none); INSERT INTO t VALUES ('alpha beta');",
            "CREATE VIRTUAL TABLE t USING fts5(a, detail=column, columnsize=0); INSERT INTO t VALUES ('alpha beta');",
            // A table of another meaning with a name that this library uses.
            """
            CREATE TABLE concordance_indexes(x); INSERT INTO concordance_indexes VALUES (1);
            CREATE TABLE t_changes(x); CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t VALUES ('alpha');
            """,
        ])
    func everyAnswerIsOneOrAProblem(_ sql: String) throws {
        let path = try database(folder, sql)
        let source: DatabaseSource
        do {
            source = try DatabaseSource(SourceConnections(path: path, readers: 2, patience: 0.2))
        } catch is DatabaseSourceError {
            return
        } catch is DatabaseError {
            return
        }
        let server = try TestServer(source)
        for target in [
            "/api/status", "/api/search?q=alpha", "/api/search?q=%22alpha+beta%22", "/api/search?q=alp",
            "/api/search?q=",
            "/api/document?id=1&q=alpha", "/api/suggest?q=al",
        ] {
            let reply = try server.send(target)
            if reply.status != 200 { _ = try reply.problem() }
        }
    }

    /// With bytes of the file changed at random, the result is an answer or a problem.
    @Test(arguments: ["fts5", "concordance"])
    func damagedFiles(_ module: String) throws {
        let words = (0..<200).map { "('word\($0) alpha', 'beta \($0 % 7) gamma')" }.joined(separator: ",")
        let path = try database(
            folder, "CREATE VIRTUAL TABLE t USING \(module)(title, body); INSERT INTO t(title, body) VALUES \(words)")
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        var generator = SeededGenerator(seed: 15)
        for number in 0..<40 {
            var bytes = whole
            for _ in 0..<(1 << (number % 6)) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            try folder.write("\(number).db", bytes)
            guard let source = try? DatabaseSource(SourceConnections(path: folder["\(number).db"], readers: 1)) else {
                continue
            }
            let service = SearchService(source)
            for text in ["alpha", "word7 gam", "\"beta 3\"", ""] {
                _ = try? service.search(SearchWish(text))
                _ = try? service.document(1, table: nil, text: text, from: nil)
            }
        }
    }
}
