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
        #expect(page.hits[0].highlights("tags").marked(open: "[", close: "]") == "[weekend],fun")
    }

    @Test func `filters, orders and boosts speak of the table`() throws {
        let query = RemindersFixture.index.query("weekend")
        try db.execute("UPDATE reminders SET isCompleted = 1 WHERE id = 4")
        #expect(try query.filter { $0.isCompleted == false }.fetch(db).hits.map(\.id) == [2, 1])
        #expect(try query.filter("title LIKE 'H%' AND rowid > 1").fetch(db).hits.map(\.id) == [2])
        #expect(try query.order { $0.isCompleted }.fetch(db).hits.map(\.id) == [2, 1, 4])
        #expect(try query.order(Column("title").desc).fetch(db).hits.map(\.id) == [4, 2, 1])
        #expect(try query.order("rowid").fetch(db).hits.map(\.id) == [1, 2, 4])
        #expect(
            try query.boosted(by: "CASE title WHEN 'Groceries' THEN 100 END").fetch(db).hits.map(\.id) == [1, 4, 2])
        #expect(try query.grouped { $0.isCompleted }.fetch(db).hits.map(\.group?.count) == [1, 2])
        #expect(try query.facet("isCompleted").fetch(db).facets[0].buckets.map(\.count) == [2, 1])
    }
}
