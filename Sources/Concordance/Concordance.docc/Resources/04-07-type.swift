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

try database.write { db in
    try db.execute(
        sql: """
            INSERT OR REPLACE INTO notes VALUES
              (1, 'Walk in the Großer Garten', 'Meet Hans at the gate, then look for the old elms.'),
              (2, 'Garden', 'Seeds for the weekend: radish, crème de Menthe mint.'),
              (3, 'Weekly mails', 'Write to the gardeners.')
            """)
}

/// Shows what is found for a text, now and whenever it changes, until the task is cancelled.
@Sendable func show(_ typed: String) async throws {
    for try await page in database.results(of: noteTexts.query(typed).limit(10)) {
        print("\(page.query): \(page.total?.description ?? "")")
        for hit in page.hits {
            print(" ", hit.highlights(\.title).ansi(), "|", hit.snippet(\.body).ansi())
        }
    }
}

var search: Task<Void, any Error>?
while let typed = readLine() {
    search?.cancel()
    search = Task.detached { try await show(typed) }
}
