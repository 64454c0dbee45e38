import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

/// Searches of an index with values, compared with those of an index of the same texts without any, which asks the
/// table.
@Suite("Searches by stored values")
struct StoredValueSearchTests {
    struct Mail: Codable, Sendable, Equatable {
        var id: Int64
        var subject: String
        var box: String
        var day: Int?
        var sent: Double?
    }

    private static let stored = SearchIndex("mailTexts", of: Mail.self, in: "mail", engine: .concordance) { fields }

    /// The same with the texts kept in the index.
    private static let storedWithTexts = SearchIndex("keptTexts", of: Mail.self, in: "mail", engine: .concordance) {
        fields
        Content(.kept)
    }

    @SearchIndexBuilder<Mail> private static var fields: SearchIndexBuilder<Mail>.Elements {
        Field(\.subject)
        Value(\.box)
        Value(\.day)
        Value(\.sent)
        Value("tags").joined("tags", \.title, through: "mailTags")
        Value("week").computed("day / 7")
        Ranking.bm25
    }

    private static let plain = SearchIndex("plainTexts", of: Mail.self, in: "mail", engine: .concordance) {
        Field(\.subject)
        Ranking.bm25
    }

    private let db: Database

    private struct Rows {
        var random: SeededGenerator
        static let words = ["one", "two", "three", "four"]

        mutating func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &random)]
        }

        mutating func subject() -> String {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in pick(Self.words) }.joined(separator: " ")
        }

        mutating func day() -> Int? {
            Int.random(in: 0..<5, using: &random) == 0 ? nil : Int.random(in: 0..<40, using: &random)
        }
        mutating func box() -> String { pick(["in", "out", "old", "IN"]) }
    }

    init() throws {
        db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE mail(id INTEGER PRIMARY KEY, subject TEXT NOT NULL, box TEXT NOT NULL, day INTEGER, sent REAL);
                CREATE TABLE tags(id INTEGER PRIMARY KEY, title TEXT);
                CREATE TABLE mailTags(mailID INTEGER REFERENCES mail(id), tagID INTEGER REFERENCES tags(id));
                INSERT INTO tags VALUES (1, 'red'), (2, 'green'), (3, 'blue'), (4, 'white');
                """)
        try db.install(Self.stored)
        try db.install(Self.plain)
        try db.install(Self.storedWithTexts)
    }

    private func fill(_ rows: inout Rows, count: Int) throws {
        try db.inTransaction {
            for id in 1...count {
                let (subject, box, day) = (rows.subject(), rows.box(), rows.day())
                let sent = Double.random(in: 0..<1000, using: &rows.random)
                try db.execute("INSERT INTO mail VALUES (\(id), \(subject), \(box), \(day), \(sent))")
                for tag in 1...4 where Int.random(in: 0..<3, using: &rows.random) == 0 {
                    try db.execute("INSERT INTO mailTags VALUES (\(id), \(tag))")
                }
            }
            return .commit
        }
    }

    /// All hits, page by page: ids and scores.
    private func all(_ request: SearchRequest<Mail>) throws -> [String] {
        var request = request
        var found: [String] = []
        while true {
            let page = try request.fetch(db)
            found += page.map { "\($0.id) \($0.score)" }
            guard let next = page.next else { return found }
            request = request.after(next)
        }
    }

    private func statements(_ body: () throws -> Void) rethrows -> [String] {
        final class Texts { var all: [String] = [] }
        let texts = Texts()
        db.trace { if $0.kind == .begin { texts.all.append($0.sql) } }
        defer { db.trace(nil) }
        try body()
        return texts.all
    }

    private static func tagged(_ test: SQL) -> SQL {
        """
        EXISTS (SELECT 1 FROM mailTags JOIN tags ON tags.id = mailTags.tagID WHERE mailTags.mailID = mail.id AND \(test))
        """
    }

    /// A filter by values, and the same over the table.
    private static func filters(_ rows: inout Rows) -> [(SQL, plain: SQL)] {
        let (low, high, box) = (
            Int.random(in: 0..<40, using: &rows.random), Int.random(in: 0..<40, using: &rows.random), rows.box()
        )
        let real = Double.random(in: 0..<1000, using: &rows.random)
        let same: [SQL] = [
            "box = \(box)", "day = \(low)", "day >= \(low) AND day < \(high)", "day BETWEEN \(low) AND \(high)",
            "day IS NULL", "mail.day IS NOT NULL AND (box = 'in')", "box IN ('in', \(box))", "sent < \(real)",
            "\"mail\".\"sent\" >= 500.25", "day IN (1, 2, 3)", "box = \(box) AND sent > \(real) AND day IS NULL",
            // Conditions that the engine is not asked for.
            "day + 1 = \(low)", "box LIKE 'O%'", "day = '\(raw: "\(low)")'", "box = \(box) OR day = \(low)",
            "day <> \(low)",
            "NOT day = \(low)",
        ]
        return same.map { ($0, $0) } + [
            ("tags = 'red'", tagged("tags.title = 'red'")), ("tags > 'h'", tagged("tags.title > 'h'")),
            ("tags IN ('blue', 'white')", tagged("tags.title IN ('blue', 'white')")),
            ("tags IS NULL", "NOT \(tagged("tags.title IS NOT NULL"))"),
            ("week = 2", "day / 7 = 2"),
            ("week >= 1 AND tags = 'green'", "day / 7 >= 1 AND \(tagged("tags.title = 'green'"))"),
        ]
    }

    private func compare(_ rows: inout Rows, _ note: String) throws {
        let text = rows.pick(["one", "two", "one two", "three OR four", "-one two", "one", ""])
        let filters = Self.filters(&rows)
        for _ in 0..<3 {
            let (first, second) = (rows.pick(filters), rows.pick(filters))
            let limit = rows.pick([1, 3, 7, 50])
            let orders: [(SearchRequest<Mail>) -> SearchRequest<Mail>] = [
                { $0 }, { $0.order { $0.day } }, { $0.order { $0.day.desc } }, { $0.order("sent") },
                { $0.order { $0.box.desc } },
                { $0.order({ $0.box }, { $0.day }) }, { $0.order { $0.day }.boosted(by: "2") },
            ]
            let order = rows.pick(orders)
            let isDouble = Bool.random(using: &rows.random)
            let index = Bool.random(using: &rows.random) ? Self.stored : Self.storedWithTexts
            var stored = index.query(text, isTyping: false).typos(.none).filter(first.0)
            var plain = Self.plain.query(text, isTyping: false).typos(.none).filter(first.plain)
            if isDouble {
                stored = stored.filter(second.0)
                plain = plain.filter(second.plain)
            }
            let said: Comment = "\(note) \(text) \(first.0.sql) \(isDouble ? second.0.sql : "") \(limit)"
            #expect(try all(order(stored).limit(limit)) == all(order(plain).limit(limit)), said)
            let counted = { (request: SearchRequest<Mail>) in
                request.facet("box").facet("day", limit: 5).counting(.exact)
            }
            let pages = try (counted(stored).fetch(db), counted(plain).fetch(db))
            #expect(pages.0.facets == pages.1.facets && pages.0.total == pages.1.total, said)
        }
        let stored = try Self.stored.query(text).typos(.none).facet("tags").facet("week").facet("box").fetch(db)
        let plain = try Self.plain.query(text).typos(.none).facet("week", by: "day / 7").facet("box").fetch(db)
        #expect(stored.facet("week") == plain.facet("week") && stored.facet("box") == plain.facet("box"))
        for tag in ["red", "green", "blue", "white"] where !text.isEmpty {
            let request = Self.plain.query(text).typos(.none).filter(Self.tagged("tags.title = \(tag)"))
            #expect(try stored.facet("tags")?.count(of: tag) ?? 0 == request.fetchCount(db))
        }
    }

    @Test(arguments: UInt64(0)..<6)
    func `find, order and count what searches of the table do`(seed: UInt64) throws {
        var rows = Rows(random: SeededGenerator(seed: seed))
        try fill(&rows, count: 150)
        for round in 0..<10 {
            try compare(&rows, "round \(round)")
            let id = Int.random(in: 1...150, using: &rows.random)
            switch round % 5 {
            case 0: try db.execute("UPDATE mail SET day = \(rows.day()), box = \(rows.box()) WHERE id % 5 = \(id % 5)")
            case 1: try db.execute("DELETE FROM mailTags WHERE mailID = \(id) OR tagID = \(id % 4)")
            case 2: try db.execute("UPDATE mail SET subject = \(rows.subject()), day = \(rows.day()) WHERE id = \(id)")
            case 3: try db.execute("UPDATE tags SET title = title || 'ish' WHERE id = \(id % 4 + 1)")
            default: try db.execute("DELETE FROM mailTags WHERE mailID = \(id); DELETE FROM mail WHERE id = \(id)")
            }
        }
        for table in ["mailTexts", "keptTexts"] {
            let stale = "SELECT count(*) FROM \(table) WHERE concordance_is_current(\(table)) IS NOT 1"
            #expect(try Int.fetchOne(db, sql: stale) == 0)
            try db.execute(sql: "INSERT INTO \(table)(\(table), rank) VALUES ('integrity-check', 1)")
        }
    }

    @Test func `do not ask the table for what the index has`() throws {
        var rows = Rows(random: SeededGenerator(seed: 1))
        try fill(&rows, count: 100)
        let requests: [SearchRequest<Mail>] = [
            Self.stored.query("one").filter { $0.box == "in" },
            Self.stored.query("one").filter { $0.day >= 3 && $0.box == "in" },
            Self.stored.query("one").order { $0.day.desc },
            Self.stored.query("one").filter("tags = 'red'").order { $0.day },
            Self.stored.query("one").filter("week = 1"),
            Self.stored.query("one").facet("box").facet("tags").facet("week").filter { $0.day == nil },
        ]
        for request in requests {
            // Rows are read one by one, by their rowids.
            let asked = try statements { _ = try request.fetch(db) }.filter {
                $0.contains("mailTexts") && $0.hasPrefix("SELECT")
            }
            #expect(!asked.isEmpty && asked.allSatisfy { !$0.contains("\"mail\"") }, "\(asked)")
            for sql in asked {
                let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
                let nulls = Array(repeating: DatabaseValue.null, count: statement.parameterCount)
                try statement.setArguments(StatementArguments(nulls))
                try statement.forEachRow { #expect($0.string(at: 3)?.contains("TEMP B-TREE") != true) }
            }
        }
    }

    @Test func `say what answers each part of a request`() throws {
        let request = Self.stored.query("one").filter("box = 'in'").filter("length(subject) > 3").filter(
            "week IN (1, 2)")
        let all = try request.order { $0.day.desc }.facet("box").plan(db)
        #expect(
            all.description == """
                filter box = 'in': values of the index
                filter length(subject) > 3: the table
                filter week IN (1, 2): values of the index
                order \"mail\".\"day\" DESC: values of the index
                facet box: the table
                """)
        let answered = try Self.stored.query("one").filter("box = 'in'").facet("box").plan(db)
        #expect(answered.order.source == .index && answered.facets.map(\.source) == [.values])
        let plain = try Self.plain.query("one").filter("box = 'in'").order("day").plan(db)
        #expect(plain.filters.map(\.source) == [.table] && plain.order.source == .table)
        #expect(try Self.stored.query("").filter("box = 'in'").plan(db).filters.map(\.source) == [.table])
    }

    @Test func `need the engine that keeps values`() throws {
        let index = SearchIndex("otherTexts", of: Mail.self, in: "mail", engine: .fts5) {
            Field(\.subject)
            Value(\.day)
        }
        let error = #expect(throws: SearchIndexError.self) { try db.install(index) }
        #expect(error?.description.contains("FTS5 stores no values") == true)
    }

    /// While the index is built again, searches ask the old one, and the table.
    @Test func `work while the index gets its values`() throws {
        var rows = Rows(random: SeededGenerator(seed: 2))
        try fill(&rows, count: 500)
        let later = SearchIndex("plainTexts", of: Mail.self, in: "mail", engine: .concordance) {
            Field(\.subject)
            Value(\.day)
            Value("week").computed("day / 7")
            Value("tags").joined("tags", \.title, through: "mailTags")
            Ranking.bm25
        }
        func requests(_ index: SearchIndex<Mail>) -> [SearchRequest<Mail>] {
            let query = index.query("one").typos(.none).limit(200)
            return [
                query.filter("day > 5 AND week < 4"), query.filter("week = 1").order { $0.day }, query.order("week"),
                query.filter("tags = 'red'").filter("tags = 'green'").facet("tags").facet("week"),
            ]
        }
        let expected = try requests(Self.stored).map { try all($0) }
        #expect(expected.allSatisfy { !$0.isEmpty })
        var installer = IndexInstaller(later.definition)
        var parts = 0
        func advance() throws -> Bool {
            var isUnderWay = false
            try db.inTransaction(.immediate) {
                isUnderWay = try installer.advance(in: db, until: .now - .seconds(1)) != nil
                return .commit
            }
            return isUnderWay
        }
        while try advance() {
            parts += 1
            #expect(try requests(later).map { try all($0) } == expected)
        }
        #expect(parts > 1)
        #expect(try requests(later).map { try all($0) } == expected)
    }

    /// The engine compares bytes.
    @Test func `leave columns with collations to the table`() throws {
        try db.execute(
            sql: """
                CREATE TABLE names(id INTEGER PRIMARY KEY, subject TEXT, box TEXT COLLATE NOCASE);
                INSERT INTO names VALUES (1, 'one', 'In'), (2, 'one', 'in'), (3, 'one', 'out');
                """)
        let index = SearchIndex("nameTexts", in: "names", engine: .concordance) {
            Field("subject")
            Value("box")
        }
        try db.install(index)
        #expect(try index.query("one").filter("box = 'IN'").fetchCount(db) == 2)
        #expect(try index.query("one").facet("box").fetch(db).facet("box")?.valueCount == 2)
    }

    /// The engine stores the beginning of a long value; SQLite's `substr` takes any number of bytes for one character, and
    /// ends at NUL.
    @Test func `long values, and those that are no text, are found as in the table`() throws {
        try db.execute(sql: "CREATE TABLE files(id INTEGER PRIMARY KEY, name TEXT, path TEXT, data BLOB)")
        let index = SearchIndex("fileTexts", in: "files", engine: .concordance) {
            Field("name")
            Value("path")
            Value("data")
            Value("paths").joined(.init("files", on: "id", equals: "id"), "path")
        }
        try db.install(index)
        let (long, short) = (String(repeating: "p", count: 1500), String(repeating: "p", count: 1024))
        let wide = String(repeating: "\u{1F600}", count: 1100)
        let paths: [SQL] = [
            "\(long)", "\(short)", "'a' || char(0) || 'b'", "'a'",
            "CAST(x'C3' || \(DatabaseValue.blob([UInt8](repeating: 0x80, count: 6000))) AS TEXT)",
            "\(wide)", "\(long) || char(0) || 'c'", "\(String(repeating: "[", count: 5000))",
        ]
        for (number, path) in paths.enumerated() {
            let data = DatabaseValue.blob([UInt8](repeating: 7, count: 600 * number))
            try db.execute("INSERT INTO files VALUES (\(number + 1), 'one', \(path), \(data))")
        }
        let filters = ["=", "<", ">="].flatMap { comparison in
            paths.map { "path \(raw: comparison) \($0)" as SQL }
                + [0, 511, 512, 600, 1200, 1800, 4200].map {
                    "data \(raw: comparison) \(DatabaseValue.blob([UInt8](repeating: 7, count: $0)))" as SQL
                }
        }
        for filter in filters {
            let expected = try Int64.fetchAll(db, literal: "SELECT id FROM files WHERE \(filter) ORDER BY id")
            for text in ["one", ""] {
                #expect(try index.query(text).filter(filter).fetch(db).map(\.id).sorted() == expected, "\(filter)")
            }
        }
        #expect(try index.query("one").filter { $0["paths"] == "a" }.fetch(db).map(\.id) == [4])
        try db.execute(sql: "INSERT INTO fileTexts(fileTexts) VALUES ('integrity-check')")
    }

    @Test func `a row whose related values are NULL, and one without any, count once for NULL`() throws {
        try db.execute(
            sql: """
                INSERT INTO tags VALUES (5, NULL);
                INSERT INTO mail VALUES (1, 'one', 'in', 1, 1), (2, 'one', 'in', 1, 1), (3, 'one', 'in', 1, 1);
                INSERT INTO mailTags VALUES (1, 1), (1, 5), (2, 5);
                """)
        for text in ["one", ""] {
            let facet = try Self.stored.query(text).facet("tags").fetch(db).facet("tags")
            #expect(facet?.count(of: "red") == 1)
            #expect(facet?.count(of: DatabaseValue.null) == 2, "\(text)")
        }
    }

    /// Records keep arrays as JSON, other programs write what they like, and dates are texts in columns of numbers.
    @Test func `take any text for what it is`() throws {
        let long = String(repeating: "long ", count: 2000)
        try db.execute(
            """
            CREATE TABLE files(id INTEGER PRIMARY KEY, name TEXT, labels TEXT, day DATE);
            """)
        let rows: [(String, String)] = [
            ("[\"red\",\"blue\"]", "2026-01-01"), ("red", "2026-02-01"), ("[2024]", "7"), ("[]", "2025-12-31"),
            (long, "2026-01-15"),
        ]
        let index = SearchIndex("fileTexts", in: "files", engine: .concordance) {
            Field("name")
            Value("labels")
            Value("day")
            Value("firstLabel").computed("labels")
        }
        try db.install(index)
        for (number, row) in rows.enumerated() {
            try db.execute("INSERT INTO files VALUES (\(number + 1), 'one', \(row.0), \(row.1))")
        }
        let ids = { (request: SearchRequest<Row>) in try request.fetch(db).map(\.id).sorted() }
        for text in ["one", ""] {
            let query = index.query(text)
            #expect(try ids(query.filter("labels = 'red'")) == [2])
            #expect(try ids(query.filter("firstLabel = 'red'")) == [2])
            #expect(try ids(query.filter("labels = \(rows[0].0)")) == [1])
            #expect(try ids(query.filter("labels IS NULL")).isEmpty)
            #expect(try ids(query.filter("day >= \("2026-01-01")")) == [1, 2, 5])
            #expect(try ids(query.filter("day = '7'")) == [3])
            #expect(try ids(query.filter { $0["firstLabel"] == "red" }) == [2])
            let pages = try [1, 2, 50].map { limit in
                var request = query.order(Column("labels").desc).limit(limit)
                var found: [Int64] = []
                while true {
                    let page = try request.fetch(db)
                    found += page.map(\.id)
                    guard let next = page.next else { return found }
                    request = request.after(next)
                }
            }
            #expect(pages == Array(repeating: [2, 5, 4, 3, 1], count: 3))
        }
        #expect(throws: SearchIndexError.self) { try index.query("one").fetch(db).first?.text("firstLabel") }
    }

    @Test func `have names that no column has`() throws {
        let index = SearchIndex("otherTexts", of: Mail.self, in: "mail", engine: .concordance) {
            Field(\.subject)
            Value("day").computed("day / 7")
        }
        let error = #expect(throws: SearchIndexError.self) { try db.install(index) }
        #expect(error?.description.contains("column of that name") == true)
    }
}
