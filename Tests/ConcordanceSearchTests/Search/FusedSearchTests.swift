import Concordance
import TestSupport
import Testing

@Suite("Searching several indexes at once")
struct FusedSearchTests {
    struct Tag: Codable, Sendable, Equatable {
        var id: Int64
        var title: String
    }

    enum Found: Sendable, Equatable {
        case reminder(Int64), tag(String)
    }

    let tagTexts = SearchIndex("tagTexts", of: Tag.self, in: "tags") {
        Field(\.title)
        Analysis(.trigram)
    }
    let words = SearchIndex("reminderWords", of: RemindersFixture.Reminder.self, in: "reminders") { Field(\.title) }

    func database() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: RemindersFixture.schema + RemindersFixture.rows)
            try db.install(RemindersFixture.index)
            try db.install(tagTexts)
            try db.install(words)
        }
        return queue
    }

    @Test func `hits of different indexes are fused by their places`() async throws {
        let database = try database()
        let requests = [
            RemindersFixture.index.query("week").map { Found.reminder($0.id) },
            tagTexts.query("week").map { Found.tag($0.title) },
        ]
        let page = try await database.search(fusing: requests)
        #expect(page.hits.map(\.record) == [.reminder(4), .tag("weekend"), .reminder(2), .reminder(1)])
        #expect(page.hits.map(\.score) == [61, 61, 62, 63].map { 1 / $0 })
        #expect(page.hits.map(\.index) == ["reminderTexts", "tagTexts", "reminderTexts", "reminderTexts"])
        #expect(page.pages.map { $0.total?.count } == [3, 1])
        let heavier = try await database.search(fusing: [requests[0], requests[1].weighted(2)], limit: 2)
        #expect(heavier.hits.map(\.record) == [.tag("weekend"), .reminder(4)])
    }

    @Test func `a row that two indexes of its table find is one hit, with both shares`() throws {
        let database = try database()
        let page = try database.search(fusing: [words.query("walk OR doctor"), RemindersFixture.index.query("walk")])
        #expect(page.hits.map(\.record.id) == [4, 3])
        let place = try #require(page.pages[0].hits.firstIndex { $0.id == 4 })
        #expect(page.hits[0].score == 1 / Double(61 + place) + 1.0 / 61)
    }

    @Test func `pages of several indexes keep their types`() async throws {
        let database = try database()
        let (reminders, tags) = try await database.search(
            RemindersFixture.index.query("week"), tagTexts.query("week"))
        #expect(reminders.hits.map(\.record.id) == [4, 2, 1])
        #expect(tags.hits.map(\.record.title) == ["weekend"])
    }

    @Test func `blocking searches do the same`() throws {
        let database = try database()
        let (_, _, third) = try database.search(words.query("a"), tagTexts.query("b"), words.query("hair"))
        #expect(third.hits.map(\.record.title) == ["Haircut"])
        let any = try database.search(fusing: [words.query("hair").erased, tagTexts.query("fun").erased])
        #expect(any.hits.count == 2 && any.hits[1].record as? Tag == Tag(id: 3, title: "fun"))
    }
}
