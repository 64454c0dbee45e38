import BenchmarkSupport
import Concordance
import ConcordanceSearch

/// Times FTS5's `bm25` and ours over the same matches of a large table, with and without bonuses.
func compareSpeed() throws {
    let corpus = try Corpus.english(count: 20_000, bytes: 16_000_000)
    let db = try Database(path: ":memory:")
    try SearchSupport.enable(on: db)
    try db.execute(sql: "CREATE VIRTUAL TABLE docs USING fts5(text)")
    let insert = try db.makeStatement(sql: "INSERT INTO docs (text) VALUES (?)")
    for text in corpus.texts { try insert.execute(arguments: [text]) }
    for query in ["the", "how OR to OR read OR a OR file"] {
        var comparison = Comparison("Rank \(query): \(corpus.description)", rounds: 15)
        for (name, call) in [
            ("bm25", "bm25(docs)"), ("concordance_rank", "concordance_rank(docs)"),
            ("with k3", "concordance_rank(docs, 1.2, 0.75, 2.0)"),
            ("with k3 and proximityBonus", "concordance_rank(docs, 1.2, 0.75, 2.0, 0.0, 0.3)"),
        ] {
            let select = try db.makeStatement(
                sql: "SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY \(call) LIMIT 10")
            comparison.add(name) { _ = try Int64.fetchAll(select, arguments: [query]) }
        }
        try comparison.run()
    }
}
