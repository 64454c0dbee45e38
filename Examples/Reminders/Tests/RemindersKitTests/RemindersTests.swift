import Concordance
import RemindersKit
import Testing

@Suite("Reminders")
struct RemindersTests {
    @Test func `a new database has ten reminders, and an old one keeps what it has`() throws {
        let episode = try Episode(upTo: nil, index: reminderTexts)
        #expect(try episode.reminders.all().count == 10)
        #expect(try episode.reminders.all().prefix(2).map(\.tags) == ["weekend", "weekend,easy-win"])
        try episode.reminders.delete(10)
        let again = try Reminders(path: episode.path)
        #expect(try again.all().count == 9)
        #expect(try again.search("emails").hits.isEmpty)
    }

    @Test func `what is added is found, with its tags`() throws {
        let reminders = try Episode(upTo: nil, index: reminderTexts).reminders
        let id = try reminders.add("Read a book", notes: "The one about birds", tags: ["fun", "Evening"])
        #expect(try reminders.search("birds").hits.map(\.id) == [id])
        #expect(try reminders.search("#even -walk").hits.map { try $0.text("tags") } == ["fun,Evening"])
        #expect(try reminders.search("title:birds").hits.isEmpty)
    }

    @Test func `what is done comes last, and what does not exist is an error`() throws {
        let reminders = try Episode(upTo: nil, index: reminderTexts).reminders
        try reminders.edit(1) { $0.isCompleted = true }
        #expect(try reminders.all().last?.title == "Groceries")
        #expect(throws: RecordError.self) { try reminders.edit(99) { $0.title = "" } }
        #expect(throws: RecordError.self) { try reminders.tag(99, "fun") }
    }

    @Test func `live results follow what is edited`() async throws {
        let reminders = try Episode(upTo: nil, index: reminderTexts).reminders
        var seen: [[String]] = []
        for try await page in reminders.results(of: "walk") {
            seen.append(page.hits.map(\.record.title))
            if seen.count == 1 { try reminders.edit(1) { $0.title = "Walk to the market" } } else { break }
        }
        #expect(seen.first == ["Take a walk"])
        #expect(seen.last.map(Set.init) == ["Take a walk", "Walk to the market"])
    }
}
