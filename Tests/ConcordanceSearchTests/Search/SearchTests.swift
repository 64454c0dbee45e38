import Concordance
import Testing

@Suite("Searching an index")
struct SearchTests {
    let db: Database

    init() throws {
        db = try RemindersFixture.database()
        try db.install(RemindersFixture.index)
    }

    @Test func `a page holds records, ids and scores, best first`() throws {
        let page = try RemindersFixture.index.query("weekend").fetch(db)
        #expect(page.hits.map(\.record.title) == ["Take a walk", "Haircut", "Groceries"])
        #expect(page.hits.map(\.id) == [4, 2, 1])
        #expect(page.hits.map(\.score) == page.hits.map(\.score).sorted(by: >))
        #expect(page.total?.description == "3")
        #expect(page.next == nil)
        #expect(try page.hits[0].highlights("tags").marked(open: "[", close: "]") == "[weekend],fun")
    }

    @Test func `texts of hits that came without them are read later`() throws {
        for limit in [1, 2, 3, 20] {
            let request = RemindersFixture.index.query("weekend").limit(limit).facet("isCompleted")
            let whole = try request.fetch(db)
            let page = try request.withoutTexts().fetch(db)
            #expect(page.hits.map(\.id) == whole.hits.map(\.id))
            #expect(page.hits.map(\.score) == whole.hits.map(\.score))
            #expect(page.hits.map(\.record) == whole.hits.map(\.record))
            #expect(page.total == whole.total)
            #expect(page.facets == whole.facets)
            #expect(page.hasMore == (limit < 3))
            #expect(whole.hasMore == (whole.next != nil))
            #expect(page.next == nil)
            #expect(try page.hits.map { try $0.text("tags") } == page.hits.map { _ in nil })
            for hits in [page.hits, page.hits.reversed(), []] {
                for hit in try request.readTexts(of: hits, db) {
                    let expected = try #require(whole.hits.first { $0.id == hit.id })
                    #expect(try hit.highlights("tags") == expected.highlights("tags"))
                    #expect(try hit.text("title") == expected.text("title"))
                }
                #expect(try request.readTexts(of: hits, db).map(\.id) == hits.map(\.id))
            }
        }
    }

    @Test func `filters, orders and boosts speak of the table`() throws {
        let query = RemindersFixture.index.query("weekend")
        try db.execute("UPDATE reminders SET isCompleted = 1 WHERE id = 4")
        #expect(try query.filter { $0.isCompleted == false }.fetch(db).hits.map(\.id) == [2, 1])
        #expect(try query.filter("title LIKE 'H%' AND rowid > 1").fetch(db).hits.map(\.id) == [2])
        #expect(try query.order { $0.isCompleted }.fetch(db).hits.map(\.id) == [2, 1, 4])
        #expect(try query.order(Column("title").desc).fetch(db).hits.map(\.id) == [4, 2, 1])
        #expect(try query.order("rowid").fetch(db).hits.map(\.id) == [1, 2, 4])
        let commented = query.filter("id > 1 -- all but one").order("id -- first").boosted(by: "1 -- none")
        #expect(try commented.grouped(by: "id -- each").fetch(db).hits.map(\.id) == [2, 4])
        #expect(
            try query.boosted(by: "CASE title WHEN 'Groceries' THEN 100 END").fetch(db).hits.map(\.id) == [1, 4, 2])
        #expect(try query.grouped { $0.isCompleted }.fetch(db).hits.map(\.group?.count) == [1, 2])
        #expect(try query.facet("isCompleted").fetch(db).facets[0].buckets.map(\.count) == [2, 1])
    }

    @Test func `explanations add up to the score, the boost included`() throws {
        let request = RemindersFixture.index.query("week OR hair").boosted(by: "id").explained()
        for hit in try request.fetch(db).hits {
            let explanation = try #require(hit.explanation)
            #expect(abs(explanation.score - hit.score) < 1e-12)
            #expect(abs(explanation.parts.map(\.value).reduce(0, +) - hit.score) < 1e-12)
            #expect(abs(explanation.matchScore * Double(hit.id) - hit.score) < 1e-12)
        }
        #expect(try RemindersFixture.index.query("NOT week").explained().fetch(db).hits.map(\.explanation) == [nil])
    }

    @Test func `an index that is not there, a column that the table does not have`() throws {
        let index = RemindersFixture.index
        let columns = ["id", "title", "notes", "isCompleted"]
        let unknown = SearchIndexError.noSuchColumn("due", table: "reminders", index: "reminderTexts", known: columns)
        let requests = [
            index.query("week").filter("due > 1"), index.query("week").filter(Column("due") > 1),
            index.query("week").order(Column("due")), index.query("week").boosted(by: "reminders.due"),
            index.query("week").facet("due"), index.query("week").grouped(by: Column("due")),
        ]
        for request in requests { #expect(throws: unknown) { try request.fetch(db) } }
        let empty = try Database(path: ":memory:")
        #expect(throws: SearchIndexError.notInstalled("reminderTexts")) { try index.query("week").fetch(empty) }
        #expect(throws: DatabaseError.self) { try index.query("week").filter("due >").fetch(db) }
    }

    @Test func `facets count related texts, and rows without any`() throws {
        let request = RemindersFixture.index.query("NOT spinach").facet("tags").facet(
            "length", by: "length(title) / 10")
        let page = try request.limit(0).fetch(db)
        let tags = try #require(page.facet("tags"))
        #expect(tags.buckets.map(\.value) == ["weekend", .null, "easy-win", "fun"])
        #expect(tags.buckets.map(\.count) == [2, 1, 1, 1])
        #expect(tags.count(of: "weekend") == 2 && tags.count(of: "x") == nil)
        #expect(page.facet("length")?.buckets.map(\.count) == [2, 1])
        #expect(page.hits.isEmpty && page.next == nil && page.total?.count == 3)
    }

    @Test func `words that find nothing are dropped if that is asked for`() throws {
        let request = RemindersFixture.index.query("walk qqqq")
        #expect(try request.fetch(db).hits.isEmpty)
        let page = try request.relaxed().fetch(db)
        #expect(page.hits.map(\.id) == [4])
        #expect(page.droppedWords == ["qqqq"])
        #expect("\(page.query)" == "walk")
        let filtered = try RemindersFixture.index.query("walk hair").relaxed().filter("id = 2").fetch(db)
        #expect(filtered.hits.map(\.id) == [2] && filtered.droppedWords == ["walk"])
    }

    @Test func `any of the words, if that is asked for`() throws {
        let request = RemindersFixture.index.query("walk hair -spinach")
        #expect(try request.fetch(db).hits.isEmpty)
        let page = try request.matching(.any).fetch(db)
        #expect(Set(page.hits.map(\.id)) == [2, 4])
        #expect(try request.matching(.any).matching(.all).fetch(db).hits.isEmpty)
    }

    @Test func `hits have the texts of the index, without the markers of fields`() throws {
        let index = SearchIndex("marked", of: RemindersFixture.Reminder.self, in: "reminders") {
            Field(\.title)
            Field(\.notes).analyzed(by: .trigram)
        }
        try db.install(index)
        let page = try index.query("groceries OR pple").fetch(db)
        #expect(page.isComplete)
        #expect(page.hits.map { $0.text(\.notes) } == ["Milk\nEggs\nApples\nOatmeal\nSpinach"])
        #expect(page.hits[0].highlights(\.notes).marked(open: "[", close: "]").contains("A[pple]s"))
        #expect(throws: SearchIndexError.self) { try page.hits[0].text("no such field") }
    }

    @Test func `a property is found in its field, whatever the field is called`() throws {
        let index = SearchIndex("namedTexts", of: RemindersFixture.Reminder.self, in: "reminders") {
            Field(\.title).named("subject")
            Field("title").computed("notes")
        }
        try db.install(index)
        let hit = try #require(try index.query("subject:haircut").fetch(db).hits.first)
        #expect(hit.text(\.title) == "Haircut")
        #expect(hit.highlights(\.title).description == "[Haircut]")
        #expect(hit.snippet(\.title).description == "[Haircut]")
        let query = try SearchQuery.word("haircut").in(\.title, of: index)
        #expect(query.description == "subject:haircut")
    }
}
