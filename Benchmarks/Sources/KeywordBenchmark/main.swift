// Keyword search over a note-taking app's texts, as an article of 2009 measured it on an iPhone 3G: 79 texts of 175,553
// bytes together. Cutting them into words took 1.5 s, building a keyword table 90 s, looking up one keyword 7 s.
//
// Each job is done here in the article's way (fold, split, make a set, subtract stop words; a table of keywords with a
// join table) and with Concordance, in one process.

import BenchmarkSupport
import Concordance
import ConcordanceFTS5
import Foundation

let corpus = try Corpus.english(count: 79, bytes: 175_553)
print("\n# Keywords: \(corpus.description)")

let amount = Comparison.Amount.megabytes(ofBytes: corpus.bytes)
let analyzer = Analyzer(.words(), .fold, .latin, .stop(.english))

var tokenizing = Comparison("Cut 79 texts into words", rounds: 15)
let keywords = KeywordTable()
tokenizing.add("fold, split, set, stop words", amount) {
    for text in corpus.texts { precondition(!keywords.words(of: text).isEmpty) }
}
let machine = analyzer.makeTokenizer()
tokenizing.add("Concordance", amount) {
    var count = 0
    for var text in corpus.texts {
        try text.withUTF8 { utf8 in try machine.forEachToken(in: utf8) { _ in count += 1 } }
    }
    precondition(count > 0)
}
try tokenizing.run()

var indexing = Comparison("Index 79 texts", rounds: 15)
indexing.add("keyword table", amount) { _ = try keywords.index(corpus.texts) }
indexing.add("Concordance", amount) { _ = try fullTextIndex(of: corpus.texts) }
try indexing.run()

let table = try keywords.index(corpus.texts)
let index = try fullTextIndex(of: corpus.texts)
let keyword = try medianKeyword()
let expected = try table.read { db in try keywords.lookUp(keyword, in: db).count }
let found = try index.read { db in try lookUp(keyword, in: db).count }
report("keyword", "\"\(keyword)\": \(expected) texts by the keyword table, \(found) by Concordance")

var lookingUp = Comparison("Look up one keyword", rounds: 101, repetitions: 20)
lookingUp.add("keyword table") {
    _ = try table.read { db in try keywords.lookUp(keyword, in: db) }
}
lookingUp.add("Concordance") { _ = try index.read { db in try lookUp(keyword, in: db) } }
try lookingUp.run()

func fullTextIndex(of texts: [String]) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
        try ConcordanceTokenizers.register(on: db)
        try db.create(virtualTable: "note", using: FTS5()) { t in
            t.tokenizer = .concordance(analyzer)
            t.column("text")
        }
        let insert = try db.makeStatement(sql: "INSERT INTO note (text) VALUES (?)")
        for text in texts { try insert.execute(arguments: [text]) }
    }
    return queue
}

func lookUp(_ keyword: String, in db: Database) throws -> [Int64] {
    guard let pattern = FTS5Pattern(matchingAllTokensIn: keyword) else { return [] }
    return try Int64.fetchAll(db, sql: "SELECT rowid FROM note WHERE note MATCH ?", arguments: [pattern])
}

/// A keyword that about ten of the texts contain: neither the rarest nor the most common.
func medianKeyword() throws -> String {
    try table.read { db in
        try String.fetchOne(
            db,
            sql: """
                SELECT word FROM keyword JOIN hit ON hit.keyword = keyword.id GROUP BY keyword.id
                HAVING length(word) > 5 ORDER BY abs(count(*) - 10), word LIMIT 1
                """) ?? "function"
    }
}
