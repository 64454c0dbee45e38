import Concordance
import Testing

/// The examples in the articles, unchanged, with the reminders of the fixture.
@Suite("Examples of the articles")
struct ArticleExampleTests {
    typealias Reminder = RemindersFixture.Reminder

    struct RemindersList: Codable, Sendable {
        var id: Int64
        var name: String
    }

    let reminderTexts = RemindersFixture.index
    let listTexts = SearchIndex("listTexts", of: RemindersList.self, in: "lists") { Field(\.name) }
    let dbPool: DatabaseQueue

    init() throws {
        dbPool = try DatabaseQueue()
        try dbPool.write { db in
            try db.execute(sql: RemindersFixture.schema + RemindersFixture.rows)
            try db.execute(
                sql: """
                    CREATE TABLE lists(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                    INSERT INTO lists VALUES (1, 'weekly');
                    INSERT INTO reminders(id, title) VALUES (5, 'Send weekly mails, get groceries');
                    """)
            try db.install(reminderTexts)
            try db.install(listTexts)
        }
    }

    @Test func `queries`() async throws {
        let typed = try await dbPool.search(reminderTexts, "\"send weekly\" title:groc -milk")
        #expect("\(typed.query)" == "\"send weekly\" title:groc* -milk")
        #expect(typed.hits.map(\.id) == [5])

        let query = (SearchQuery.word("milk") || .phrase("send weekly").in("title")).excluding(.prefix("egg"))
        #expect(try await dbPool.search(reminderTexts.query(query)).hits.map(\.id) == [5])

        let suggestions = try await dbPool.suggestions(for: "get gro", in: reminderTexts)
        #expect(suggestions.map(\.text) == ["get groceries"] && suggestions.map(\.count) == [1])
        #expect(try await dbPool.didYouMean("grocreies", in: reminderTexts)?.text.lowercased() == "groceries")
        let page = try await dbPool.search(reminderTexts.query("groceries zebra").relaxed())
        #expect(page.droppedWords == ["zebra"])
    }

    @Test func `results`() async throws {
        let request = reminderTexts.query("week")
            .filter { $0.isCompleted == false }
            .order { $0.notes }
            .facet("tags")
            .limit(2)
        let page = try await dbPool.search(request)
        #expect(page.hits.count == 2)
        #expect(try await dbPool.search(request.after(page.next)).hits.count == 2)
        #expect(page.hits.first?.highlights(\.title).html() != nil)

        let rows = try await dbPool.read { db in
            let matches = try reminderTexts.query("week").matchesSQL(db)
            return try Row.fetchAll(
                db,
                literal: """
                    SELECT tags.title, count(*) AS count, max(matches.score) AS score
                    FROM \(matches) AS matches
                    JOIN reminderTags ON reminderTags.reminderID = matches.id
                    JOIN tags ON tags.id = reminderTags.tagID
                    GROUP BY tags.id ORDER BY score DESC
                    """)
        }
        #expect(Set(rows.compactMap { $0["title"] as String? }) == ["weekend", "easy-win", "fun"])
    }

    enum Found: Sendable { case reminder(Reminder), list(RemindersList) }

    @Test func `several indexes`() throws {
        let text = "week"
        let (reminders, lists) = try dbPool.search(reminderTexts.query(text), listTexts.query(text).limit(5))
        #expect(reminders.hits.count == 4 && lists.hits.map(\.record.name) == ["weekly"])
        let page = try dbPool.search(fusing: [
            reminderTexts.query(text).map(Found.reminder), listTexts.query(text).weighted(2).map(Found.list),
        ])
        #expect(page.hits.count == 5 && page.hits.first?.index == "listTexts")
    }

    @Test func `ranking and progress`() async throws {
        let page = try await dbPool.search(reminderTexts.query("send weekly").explained())
        #expect(page.hits.allSatisfy { $0.explanation.map { abs($0.score - page.hits[0].score) < 1e-9 } == true })
        try await dbPool.rebuild(reminderTexts) { progress in #expect(progress.rowsDone <= progress.rowsTotal) }
    }
}
