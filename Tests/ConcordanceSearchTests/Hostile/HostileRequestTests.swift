import Concordance
import ConcordanceSearch
import Foundation
import TestSupport
import Testing

@Suite("Hostile definitions, texts and requests")
struct HostileRequestTests {
    let db: Database
    let index = HostileNotes.index

    init() throws {
        db = try Database(path: ":memory:")
        try db.execute(sql: HostileNotes.schema + HostileNotes.rows)
        try db.install(index)
    }

    static let names = [
        "a\"b", "it's", "😀 👩‍👩‍👧", "SELECT", "a.b", "--", "/*", "[x]", "a`b", "é\u{301}", "\u{202E}x", "(;)",
    ]

    @Test(arguments: names) func `names of any characters work everywhere`(_ name: String) throws {
        let db = try Database(path: ":memory:")
        let quoted = "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
        try db.execute(
            sql: """
                CREATE TABLE \(quoted)(id INTEGER PRIMARY KEY, \(quoted) TEXT);
                CREATE TABLE other(id INTEGER PRIMARY KEY, \(quoted) INTEGER REFERENCES \(quoted)(id), t TEXT);
                INSERT INTO \(quoted) VALUES (1, 'first text'), (2, 'second text');
                INSERT INTO other VALUES (1, 1, 'x'), (2, 1, 'y');
                """)
        let index = SearchIndex("i " + name, in: name) {
            Field(name).named(name + "1")
            Field(name + "2").joined("other", "t", separator: "';\"\(name)")
            Field(name + "3").computed("upper(\(quoted)) || '\"' -- a comment").analyzed(by: .trigram)
        }
        try db.install(index)
        #expect(try db.indexState(of: index) == .ready)
        try db.execute(
            sql: "UPDATE \(quoted) SET \(quoted) = 'third text' WHERE id = 2; UPDATE other SET t = 'z' WHERE id = 2")
        let request = index.query("text").facet(name).facet(name + "2").facet("f'\"", by: "length(id)")
            .order(Column(name)).grouped(by: Column("id")).explained().relaxed()
        let page = try request.fetch(db)
        #expect(page.hits.map(\.id) == [1, 2])
        #expect(try page.hits[0].text(name + "2") == "x';\"\(name)z")
        #expect(
            try page.hits.map { try $0.highlights(name + "1").marked(open: "[", close: "]") } == [
                "first [text]", "third [text]",
            ])
        #expect(page.facets[1].buckets.map(\.value) == ["x", "z", .null] || page.facets[1].buckets.count == 3)
        #expect(try Row.fetchAll(db, literal: "SELECT * FROM \(request.matchesSQL(db))").count == 2)
        try db.uninstall(index)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 2)
    }

    static let expressions = [
        "title); DROP TABLE private; --", "title) FROM notes; --", "(SELECT secret FROM private)", "?", ":x",
        "title,body",
        "", "--", "/*", "random()", "load_extension('x')", "title COLLATE nosuch", "title AS x", "1) UNION SELECT (1",
        "'",
        "\"", "sum(id)", "row_number() OVER ()", "noteTexts MATCH 'x'", "abs(-9223372036854775808)", "raise(fail, 'x')",
        String(repeating: "(", count: 2000), "zeroblob(2000000000)", "\0title", "CURRENT_TIMESTAMP", "title FILTER",
    ]

    @Test(arguments: expressions) func `invalid expressions are refused, or harmless`(_ expression: String) throws {
        let before = try DatabaseDump.of(db)
        let other = SearchIndex("other", in: "notes") { Field("x").computed(expression) }
        do {
            try db.install(other)
            // Texts that SQLite accepts as one expression over the row, whatever they look like.
            try db.uninstall(other)
        } catch {
            #expect(HostileNotes.isTyped(error), "\(error)")
        }
        #expect(try DatabaseDump.of(db) == before)
    }

    /// A cursor holds the values of the order; a `String` would hold others.
    @Test func `pages in an order of texts that are no UTF-8 neither repeat nor lose rows`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, title TEXT, k)")
        let keys = ["'a'", "x'8041'", "x'fe41'", "x'ff'", "x'efbfbd'", "7", "NULL", "x'8041'", "'\u{FFFD}z'"]
        for key in keys {
            let value = key.hasPrefix("x") ? "CAST(\(key) AS TEXT)" : key
            try db.execute(sql: "INSERT INTO t(title, k) VALUES ('common', \(value)), ('common', x'8041')")
        }
        let index = SearchIndex("texts", in: "t") { Field("title") }
        try db.install(index)
        for (ordering, sql) in [(Column("k").desc, "k DESC"), (Column("k").asc, "k")] {
            for query in ["common", ""] {
                var request = index.query(query).order(ordering).limit(2)
                var ids: [Int64] = []
                while ids.count < 100 {
                    let page = try request.fetch(db)
                    ids += page.map(\.id)
                    guard let next = page.next else { break }
                    let text = next.description
                    request = request.after(SearchCursor(text))
                }
                #expect(try ids == Int64.fetchAll(db, sql: "SELECT id FROM t ORDER BY \(sql), id"), "\(sql)")
            }
        }
    }

    static let sql: [SQL] = [
        "1/0", "NULL", "'text'", "x'ff'", "1e308 * 10", "-1e308 * 10", "abs(-9223372036854775807 - 1)", "zeroblob(3)",
        "(SELECT 1 FROM notes WHERE 0)", "count(*)", "bm25(noteTexts)", "rank", "1; DROP TABLE private", "1) --", "?",
        "'",
        "row_number() OVER ()", "json('{')", "title MATCH 'x'", "1 --", "1 /*", "", "rowid", "concordance_score",
    ]

    @Test(arguments: sql) func `SQL of any kind answers with numbers in order, or throws`(_ sql: SQL) throws {
        let requests = [
            index.query("common").boosted(by: sql), index.query("common").order(sql), index.query("common").filter(sql),
            index.query("common").facet("f", by: sql), index.query("common").grouped(by: sql),
            index.query("common").boosted(by: sql).explained().order(sql).limit(5), index.query("").boosted(by: sql),
        ]
        for request in requests {
            do {
                var page = try request.fetch(db)
                #expect(page.hits.allSatisfy { !$0.score.isNaN })
                var ids = page.hits.map(\.id)
                while let next = page.next, ids.count < 200 {
                    let text = next.description
                    page = try request.after(SearchCursor(text)).fetch(db)
                    ids += page.hits.map(\.id)
                }
                #expect(Set(ids).count == ids.count, "\(sql.sql) repeats hits: \(ids)")
            } catch { #expect(HostileNotes.isTyped(error), "\(error)") }
        }
        #expect(try String.fetchOne(db, sql: "SELECT secret FROM private") == "kept")
    }

    @Test(arguments: [Int.min, -1, 0, 1, Int.max - 1, Int.max])
    func `limits of any size`(_ limit: Int) throws {
        let page = try index.query("common").limit(limit).facet("labels", limit: limit).counting(.upTo(limit)).fetch(
            db)
        #expect(page.hits.count == min(max(limit, 0), 60))
        #expect(page.total.map { $0.count <= 60 } != false)
        let fused = try FusedPage(
            [index.query("common").weighted(.nan), index.query("title1").weighted(-.infinity)], limit: limit, in: db)
        #expect(fused.hits.count <= 60)
    }

    @Test func `forged cursors`() throws {
        let request = index.query("common").order { $0.title }.limit(7)
        let cursor = try #require(try request.fetch(db).next)
        let text = cursor.description
        var random = SeededGenerator(seed: 7)
        for count in 0..<text.count { #expect(SearchCursor(String(text.prefix(count))) == nil) }
        for text in ["", "=", "bnVsbA", "🙂", "\0", String(repeating: "W1", count: 100_000)] {
            #expect(SearchCursor(text) == nil)
        }
        for _ in 0..<300 {
            var bytes = Array(text.utf8)
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
            guard let forged = SearchCursor(String(decoding: bytes, as: UTF8.self)) else { continue }
            do { _ = try request.after(forged).fetch(db) } catch { #expect(error is SearchIndexError, "\(error)") }
        }
        #expect(throws: SearchIndexError.foreignCursor(index: "noteTexts")) {
            try index.query("common").after(cursor).fetch(db)
        }
    }

    static let rankings = [
        Ranking(k1: .nan), Ranking(b: .nan), Ranking(k1: -1), Ranking(b: 2), Ranking(k1: .infinity),
        Ranking(k3: -.infinity),
        Ranking(k3: .nan), Ranking(phraseBonus: .nan), Ranking(proximityBonus: -.infinity),
    ]

    @Test(arguments: rankings) func `rankings of any numbers are refused, or rank`(_ ranking: Ranking) throws {
        let index = SearchIndex("ranked", in: "notes") {
            Field("title", weight: .greatestFiniteMagnitude)
            Field("body", weight: 0)
            ranking
        }
        do {
            try db.install(index)
            let hits = try index.query("common title1 OR word2").explained().fetch(db).hits
            #expect(hits.allSatisfy { !$0.score.isNaN }, "\(ranking)")
        } catch { #expect(error is SearchIndexError || error is DatabaseError, "\(error)") }
    }

    // Swift has no literals for noncharacters.
    private static let zero = String(decoding: [0xEF, 0xB7, 0x90], as: UTF8.self)
    private static let marker = String(decoding: [0xEF, 0xB7, 0x91], as: UTF8.self)
    private static let marker2 = String(decoding: [0xEF, 0xB7, 0x92], as: UTF8.self)
    private static let noncharacter = String(decoding: [0xEF, 0xBF, 0xBE], as: UTF8.self)

    static let texts: [String] = [
        "nul\0inside needle", "\0needle", "\(marker)needle", "\(zero)\(marker)\(marker2)needle",
        "\(noncharacter)needle", "\u{FEFF}needle",
        "<script>needle</script>", "\u{1B}[2J needle\u{9B} 31m", "&lt;needle\u{202E}\"'",
        String(repeating: "e\u{301}", count: 3000) + " needle",
        String(repeating: "needle ", count: 20000), "needle" + String(repeating: "x", count: 100_000) + " needle",
        "😀needle😀 needle", "\r\n\r\nneedle\r", "needle\u{200D}\u{FE0F} needle",
    ]

    @Test func `texts of any characters are found, marked and harmless`() throws {
        let fields = SearchIndex("mixed", of: HostileNotes.Note.self, in: "notes") {
            Field(\.title)
            Field(\.body).analyzed(by: .english)
        }
        try db.install(fields)
        try db.execute(sql: "DELETE FROM notes")
        for (id, text) in Self.texts.enumerated() {
            try db.execute("INSERT INTO notes VALUES (\(id), \(text), \(text))")
        }
        for index in [index, fields] {
            let hits = try index.query("needle").limit(100).fetch(db).hits
            #expect(Set(Self.texts.indices).subtracting(hits.map { Int($0.id) }) == [])
            for hit in hits {
                let text = Self.texts[Int(hit.id)]
                #expect(hit.record.title == text)
                #expect(
                    hit.text(\.title).map { Array($0.utf8) } == Array(text.utf8), "\(index.definition.name) \(hit.id)")
                #expect(
                    hit.text(\.body).map { Array($0.utf8) } == Array(text.utf8), "\(index.definition.name) \(hit.id)")
                for marked in [
                    hit.highlights(\.title), hit.highlights(\.body), hit.snippet(\.title), hit.snippet(\.body),
                ] {
                    let html = marked.html()
                    #expect(marked.hasMatches, "\(hit.id) \(text.prefix(50).debugDescription)")
                    #expect(
                        !html.replacingOccurrences(of: "<mark>", with: "").replacingOccurrences(of: "</mark>", with: "")
                            .contains("<"))
                    let ansi = marked.ansi(open: "", close: "")
                    #expect(
                        !ansi.unicodeScalars.contains {
                            $0.value == 0x1B || (0x80...0x9F).contains($0.value) || $0.value == 0
                        })
                }
            }
        }
    }

    @Test func `bytes that are not UTF-8, blobs and numbers as texts`() throws {
        try db.execute(
            sql: """
                INSERT INTO notes VALUES (100, CAST(x'ff6e6565646c65ff' AS TEXT), NULL), (101, CAST(x'6e6565646c65' AS TEXT), 1e999),
                  (102, CAST(x'6e6565646c6520c3' AS TEXT), CAST(x'eda080206e6565646c65' AS TEXT)), (103, 12345, -0.0),
                  (104, CAST(x'efb791' AS TEXT), x'00ff'), (105, CAST(x'6e6565646c6500ff' AS TEXT), NULL);
                """)
        let hits = try index.query("needle").fetch(db).hits
        #expect(Set(hits.map(\.id)).isSuperset(of: [101, 102]))
        for hit in hits {
            _ = (hit.highlights(\.title).html(), hit.snippet(\.body).ansi(), hit.highlights(\.body).ranges)
        }
        let ids = try Int64.fetchAll(db, sql: "SELECT rowid FROM noteTexts ORDER BY 1")
        #expect(ids.suffix(6) == [100, 101, 102, 103, 104, 105])
        let stale = try Int64.fetchAll(
            db,
            sql:
                "SELECT t.rowid FROM noteTexts t JOIN noteTexts_source s ON s.rowid = t.rowid WHERE t.title IS NOT s.title"
        )
        #expect(stale == [])
        #expect(try index.query("12345").fetch(db).hits.map(\.id) == [103])
    }

    static let queries: [String] =
        texts + [
            "\"", "((((", "a OR OR", "NEAR(", "NEAR(a b, 99999999999999999999)", "-", "#", "title:", "nosuch:x", "*",
            "^", "\(marker)",
            "\(marker)title1", "\(marker2)\"x\"", "{title body} : x", "' OR 1=1 --", "common; DROP TABLE private",
            String(repeating: "\(marker)", count: 500), String(repeating: "(a OR ", count: 500),
            String(repeating: "-", count: 5000),
            (0..<300).map { "w\($0)" }.joined(separator: " OR "), "common \0 title1",
        ]

    @Test func `queries of any characters are answered in time`() throws {
        let fields = SearchIndex("mixed", of: HostileNotes.Note.self, in: "notes") {
            Field(\.title).analyzed(by: .trigram)
            Field(\.body).analyzed(by: .english)
        }
        try db.install(fields)
        for query in Self.queries {
            for index in [index, fields] {
                let seconds = ProcessorTime.seconds {
                    do {
                        for hit in try index.query(query).explained().limit(3).fetch(db).hits {
                            _ = hit.snippet(\.title).html()
                        }
                        _ = try index.query(query).matching(.any).limit(1).fetch(db)
                    } catch {
                        Issue.record("\(query.prefix(60).debugDescription) threw \(error)")
                    }
                }
                #expect(seconds < 2, "\(query.prefix(60).debugDescription)")
            }
        }
        let long = (0..<3000).map { "w\($0)" }.joined(separator: " ")
        let seconds = ProcessorTime.seconds {
            do { _ = try index.query(long).relaxed().fetch(db) } catch {
                #expect(HostileNotes.isTyped(error), "\(error)")
            }
        }
        #expect(seconds < 3, "3000 unknown words, relaxed")
    }

    @Test func `relations that come back to where they began, and very many related rows`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, boss INTEGER REFERENCES people(id));
                INSERT INTO people VALUES (1, 'anna', 2), (2, 'bert', 3), (3, 'carl', 1), (4, 'dora', 4);
                CREATE TABLE tags(person INTEGER REFERENCES people(id), t TEXT);
                CREATE INDEX tagsByPerson ON tags(person);
                """)
        let boss = Relation.Step("people", on: "id", equals: "boss")
        let plain = SearchIndex("plain", in: "people") {
            Field("bosses").joined(boss, "name", through: [boss, boss])
            Field("tags").joined("tags", "t")
        }
        try db.install(plain)
        #expect(try plain.query("anna").fetch(db).hits.map(\.id) == [1])
        try db.execute(
            sql: """
                UPDATE people SET name = 'zoe' WHERE id = 3;
                UPDATE people SET boss = id;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
                INSERT INTO tags SELECT 4, 't' || i FROM n WHERE i > 2990;
                UPDATE people SET boss = 1;
                """)
        let stale = try Int.fetchOne(
            db,
            sql:
                "SELECT count(*) FROM plain_source s LEFT JOIN plain p ON p.rowid = s.rowid WHERE p.bosses IS NOT s.bosses OR p.tags IS NOT s.tags"
        )
        #expect(stale == 0)
        #expect(try plain.query("t2999").fetch(db).hits.map(\.id) == [4])
    }
}
