import Concordance
import ConcordanceFTS5

struct Book: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "book"
    var author: String
    var title: String
}

let library = try DatabaseQueue()

try library.write { db in
    try db.create(virtualTable: "book", using: FTS5()) { t in
        t.column("author")
        t.column("title")
    }
}

try library.write { db in
    try Book(author: "Hans Großmann", title: "Of the Encyclopædia").insert(db)
    try Book(author: "Mary Anning", title: "Letters from Lyme Regis").insert(db)
    try Book(author: "A. Bauer", title: "Letters on Gardens").insert(db)
}

func search(_ typed: String) throws -> [String] {
    try library.read { db in
        guard let pattern = FTS5Pattern(matchingAllTokensIn: typed, lastAsPrefix: true) else { return [] }
        return try String.fetchAll(
            db, sql: "SELECT highlight(book, 1, '[', ']') FROM book WHERE book MATCH ? ORDER BY rank",
            arguments: [pattern])
    }
}

for title in try search("letters gar") { print(title) }
