import Concordance

struct Note: Codable, Identifiable, Sendable {
    var id: Int64
    var title: String
    var body: String
}

let noteTexts = SearchIndex("noteTexts", of: Note.self, in: "notes") {
    Field(\.title, weight: 10)
    Field(\.body)
}
