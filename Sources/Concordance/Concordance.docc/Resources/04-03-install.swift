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

let database = try DatabasePool(path: "notes.sqlite")
try database.write { db in
    try db.execute(
        sql: """
            CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL)
            """)
}
try database.install(noteTexts)
