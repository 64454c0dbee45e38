import Concordance
import Foundation

/// The article's way: each text's distinct words in a table of keywords, and a table that joins the two.
struct KeywordTable {
    private let separators = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789'").inverted
    private let stopWords: Set<String> = [
        "", "a", "about", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "he", "in", "is", "it",
        "its",
        "of", "on", "that", "the", "to", "was", "were", "which", "will", "with",
    ]

    func words(of text: String) -> Set<String> {
        let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        return Set(folded.components(separatedBy: separators)).subtracting(stopWords)
    }

    func index(_ texts: [String]) throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
                    CREATE TABLE keyword (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
                    CREATE TABLE hit (
                        keyword INTEGER NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (keyword, note)) WITHOUT ROWID;
                    """)
            let insertNote = try db.makeStatement(sql: "INSERT INTO note (text) VALUES (?)")
            let insertWord = try db.makeStatement(sql: "INSERT OR IGNORE INTO keyword (word) VALUES (?)")
            let insertHit = try db.makeStatement(
                sql: "INSERT INTO hit (keyword, note) SELECT id, ? FROM keyword WHERE word = ?")
            for text in texts {
                try insertNote.execute(arguments: [text])
                let note = db.lastInsertedRowID
                for word in words(of: text) {
                    try insertWord.execute(arguments: [word])
                    try insertHit.execute(arguments: [note, word])
                }
            }
        }
        return queue
    }

    func lookUp(_ keyword: String, in db: Database) throws -> [Int64] {
        try Int64.fetchAll(
            db, sql: "SELECT hit.note FROM hit JOIN keyword ON keyword.id = hit.keyword WHERE keyword.word = ?",
            arguments: [keyword])
    }
}
