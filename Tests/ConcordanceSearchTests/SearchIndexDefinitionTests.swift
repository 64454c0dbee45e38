import Concordance
import Testing

@Suite("Search index definition")
struct SearchIndexDefinitionTests {
    struct Reminder: Codable, Identifiable, Sendable {
        var id: Int64
        var title: String
        var notes: String
        var isCompleted: Bool
    }

    @Test func `key paths, names, relations and analysis make a definition`() {
        let index = SearchIndex("reminderTexts", of: Reminder.self, in: "reminders") {
            Field(\.title, weight: 10)
            Field(\.notes, weight: 5)
            Field("tags").joined("tags", \.title, through: "reminderTags", separator: ",")
            Analysis(.trigram)
        }
        #expect(index.definition.fields.map(\.name) == ["title", "notes", "tags"])
        #expect(index.definition.fields.map(\.weight) == [10, 5, 1])
        guard case .related(let relation) = index.definition.fields[2].source else {
            Issue.record("tags is not related text")
            return
        }
        #expect(relation.steps.map(\.table) == ["reminderTags", "tags"])
        #expect(relation.column == "title")
        #expect(relation.separator == ",")
    }
}
