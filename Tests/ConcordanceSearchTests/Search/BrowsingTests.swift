import Concordance
import ConcordanceSQLite
import TestSupport
import Testing

/// An empty query with filters, orders or facets finds rows of the table; compared with the results of plain SQL and
/// plain Swift.
@Suite struct `Browsing without a query` {
    struct Mail: Codable, Sendable, Equatable {
        var id: Int64
        var box: String
        var day: Int?
        var subject: String
    }

    private static let index = SearchIndex("mailTexts", of: Mail.self, in: "mail") {
        Field(\.subject)
        Field("boxes").joined("boxes", \.title)
    }

    private static func database(_ random: inout SeededGenerator, count: Int = 300) throws -> (Database, [Mail]) {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: """
                CREATE TABLE boxes(name TEXT PRIMARY KEY, title TEXT);
                INSERT INTO boxes VALUES ('in', 'Inbox'), ('out', 'Sent'), ('old', 'Archive');
                CREATE TABLE mail(id INTEGER PRIMARY KEY, box TEXT REFERENCES boxes(name), day INTEGER, subject TEXT);
                CREATE INDEX mailByDay ON mail(box, day);
                """)
        let mails = (1...count).map { number in
            Mail(
                id: Int64(number * 3), box: ["in", "out", "old"].randomElement(using: &random) ?? "in",
                day: Bool.random(using: &random) ? Int.random(in: 0..<20, using: &random) : nil,
                subject: "mail \(number % 7)")
        }
        for mail in mails {
            try db.execute(
                "INSERT INTO mail VALUES (\(mail.id), \(mail.box), \(mail.day), \(mail.subject))")
        }
        try db.install(index)
        return (db, mails)
    }

    /// All hits of a request, page by page.
    private static func all(_ request: SearchRequest<Mail>, in db: Database) throws -> [Mail] {
        var request = request
        var found: [Mail] = []
        while true {
            let page = try request.fetch(db)
            found += page.map(\.record)
            guard let next = page.next else { return found }
            request = request.after(next)
        }
    }

    @Test func `finds all rows by id if nothing else is said`() throws {
        var random = SeededGenerator(seed: 1)
        let (db, mails) = try Self.database(&random)
        #expect(try Self.all(Self.index.all().limit(7), in: db) == mails)
        let page = try Self.index.all().counting(.exact).fetch(db)
        #expect(page.total?.count == mails.count && page.allSatisfy { $0.score == 0 })
        #expect(try page.first?.highlights("boxes").marked(open: "[", close: "]").contains("[") == false)
        // An empty text asks for nothing, unless something else selects rows.
        #expect(try Self.index.query("  ").fetch(db).isEmpty)
        #expect(try Self.index.query("  ").filter("box = 'in'").fetch(db).isEmpty == false)
    }

    @Test(arguments: 0..<8) func `pages through filters and orders as SQL does`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let (db, mails) = try Self.database(&random)
        let box = ["in", "out"].randomElement(using: &random) ?? "in"
        let isDescending = Bool.random(using: &random)
        let day = Column("day")
        let request = Self.index.query("").filter("box = \(box)")
            .order(isDescending ? day.desc : day.asc, Column("subject")).limit(Int.random(in: 1...40, using: &random))
        let expected = mails.filter { $0.box == box }.sorted { one, other in
            // NULL is smaller than any value.
            let (first, second) = (one.day ?? -1, other.day ?? -1)
            if first != second { return isDescending ? first > second : first < second }
            return (one.subject, one.id) < (other.subject, other.id)
        }
        #expect(try Self.all(request, in: db) == expected)
        #expect(try request.fetchCount(db) == expected.count)
    }

    @Test func `counts facets and groups`() throws {
        var random = SeededGenerator(seed: 3)
        let (db, mails) = try Self.database(&random)
        let page = try Self.index.query("").facet("box").facet("boxes").limit(0).fetch(db)
        let counts = Dictionary(grouping: mails, by: \.box).mapValues(\.count)
        for (box, count) in counts { #expect(page.facet("box")?.count(of: box) == count) }
        #expect(page.facet("boxes")?.count(of: "Inbox") == counts["in"])
        let groups = try Self.index.all().grouped { $0.box }.order { $0.box }.fetch(db)
        #expect(groups.map(\.record.box) == counts.keys.sorted())
        #expect(groups.map(\.group?.count) == counts.sorted { $0.key < $1.key }.map(\.value))
        let first = Dictionary(grouping: mails, by: \.box).compactMapValues(\.first)
        #expect(groups.allSatisfy { $0.record == first[$0.record.box] })
    }

    @Test func `follows changes between two pages`() throws {
        var random = SeededGenerator(seed: 4)
        let (db, mails) = try Self.database(&random)
        let request = Self.index.all().order { $0.subject }.limit(20)
        let first = try request.fetch(db)
        // The row after which the next page begins is deleted.
        try db.execute("DELETE FROM mail WHERE id = \(first.last?.id)")
        let rest = try Self.all(request.after(first.next), in: db)
        #expect(Set(first.map(\.id) + rest.map(\.id)) == Set(mails.map(\.id)))
        #expect(first.count + rest.count == mails.count)
    }

    @Test func `is answered by the table's own index, and stops when the page is full`() throws {
        var random = SeededGenerator(seed: 5)
        let (db, _) = try Self.database(&random)
        let request = Self.index.query("").filter("box = 'in'").order { $0.day.desc }
        let statements = Locked<[String]>([])
        db.trace { event in
            let text = event.expandedSQL
            if event.kind == .begin { statements.withLock { $0.append(text) } }
        }
        _ = try request.fetch(db)
        db.trace(nil)
        let page = try #require(statements.withLock { $0 }.first { $0.contains("concordance_order_0") })
        let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(page)").map { try $0.decode(String.self, at: 3) }
        #expect(plan.contains { $0.contains("USING INDEX mailByDay") || $0.contains("USING COVERING INDEX mailByDay") })
        #expect(!plan.contains("USE TEMP B-TREE FOR ORDER BY"))
    }
}

@Suite struct `Records that cannot be decoded` {
    struct Strict: Codable, Sendable {
        var id: Int64
        var title: String
        var size: Int
    }

    @Test func `are failures of their hits, not of the page`() async throws {
        let index = SearchIndex("strictTexts", of: Strict.self, in: "strict") { Field(\.title) }
        let queue = try DatabaseQueue()
        try await queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE strict(id INTEGER PRIMARY KEY, title TEXT, size);
                    INSERT INTO strict VALUES (1, 'a week', 1), (2, 'a week', 'large'), (3, 'a week', NULL), (4, 'a week', 4);
                    """)
            try db.install(index)
        }
        let page = try await queue.search(index.query("week").counting(.exact))
        #expect(page.map(\.id) == [1, 4])
        #expect(page.failures.map(\.id) == [2, 3])
        #expect(page.failures.allSatisfy { $0.error is RowDecodingError })
        #expect(page.total?.count == 4)
        var pages = queue.results(of: index.query("week")).makeAsyncIterator()
        let live = try #require(try await pages.next())
        #expect(live.map(\.id) == [1, 4] && live.failures.map(\.id) == [2, 3])
        try await queue.write { try $0.execute(sql: "UPDATE strict SET size = id") }
        #expect(try await pages.next()?.map(\.id) == [1, 2, 3, 4])
        #expect(try await queue.search(index, "week").failures.isEmpty)
    }
}
