// Marking matches in texts: FTS5's highlight and snippet, and ours, for the same words in the same texts.
//
// FTS5's functions are called as an app calls them, in a query that finds the rows; ours get the texts from a query that
// reads them.

import BenchmarkSupport
import Concordance
import ConcordanceFTS5
import ConcordanceSearch
import ConcordanceText

let corpus = try Corpus.english(count: 200, bytes: 10_000_000)
let queue = try DatabaseQueue()
let version = try queue.read { try String.fetchOne($0, sql: "SELECT sqlite_version()") ?? "" }
print("\n# Highlights and snippets: \(corpus.description). SQLite \(version)")
queue.configureEachConnection { try ConcordanceTokenizers.register(on: $0) }
let words = ["the", "command"]

for (name, analyzer, tokenizer) in [
    ("unicode61", Analyzer.unicode61, FTS5TokenizerDescriptor.unicode61()),
    ("trigram", .trigram, .trigram()), ("standard", .standard, .concordance(.standard)),
] {
    try queue.write { db in
        try db.create(virtualTable: "texts", using: FTS5()) { table in
            table.tokenizer = tokenizer
            table.column("body")
        }
        let insert = try db.makeStatement(sql: "INSERT INTO texts(body) VALUES (?)")
        for text in corpus.texts { try insert.execute(arguments: [text]) }
    }
    let highlighter = Highlighter(analyzer, phrases: words.map { MatchPhrase($0) })
    let tokens = analyzer.makeTokenizer()
    let size = Comparison.Amount.megabytes(ofBytes: corpus.bytes)
    let pattern = words.map { "\"\($0)\"" }.joined(separator: " OR ")

    var comparison = Comparison("Mark \(words) in whole texts, \(name)", rounds: 7)
    comparison.add("FTS5's highlight", size) {
        try select("highlight(texts, 0, '<b>', '</b>')", matching: pattern)
    }
    comparison.add("Highlighter.highlights", size) {
        for text in corpus.texts { _ = highlighter.highlights(in: text) }
    }
    comparison.add("Highlighter.highlights, as HTML", size) {
        for text in corpus.texts { _ = highlighter.highlights(in: text).html() }
    }
    comparison.add("the analyzer's tokens alone", size) {
        for var text in corpus.texts {
            text.withUTF8 {
                _ = tokens.tokenize($0, for: .document, into: TokenSink(context: nil) { _, _, _, _, _, _ in 0 })
            }
        }
    }
    try comparison.run()

    var snippets = Comparison("A snippet of 16 words of each text, \(name)", rounds: 7)
    snippets.add("FTS5's snippet", size) { try select("snippet(texts, 0, '<b>', '</b>', '…', 16)", matching: pattern) }
    snippets.add("Highlighter.snippet", size) { for text in corpus.texts { _ = highlighter.snippet(of: text) } }
    try snippets.run()
    try queue.write { try $0.execute(sql: "DROP TABLE texts") }
}

func select(_ expression: String, matching pattern: String) throws {
    try queue.read { db in
        try db.cachedStatement(sql: "SELECT \(expression) FROM texts WHERE texts MATCH ?")
            .forEachRow(arguments: [pattern]) { _ = $0.string(at: 0) }
    }
}
