import Concordance
import ConcordanceSearch
import Foundation

/// A way to search a collection.
struct Contender {
    let name: String
    /// Whether it is a configuration of plain FTS5.
    let isFTS5: Bool
    /// Whether it is what the article on ranking recommends for the language.
    let isRecommended: Bool
    /// The same contender in an index without corrections of typos.
    var withoutTypos: (() -> Contender)?
    /// Ranks the documents of a collection for a query, the best first.
    let search: (Collection) throws -> (Collection.Query) throws -> [String]

    /// How deep rankings are read. Further down, a right document adds next to nothing to the mean average precision.
    private static let depth = 1000

    /// FTS5 as people use it: its tokenizer, any of the query's pieces, `ORDER BY rank`.
    ///
    /// - Parameter ignored: Words that are not looked for. With them, a repeated piece counts again; without them, each
    ///   piece is looked for once.
    static func fts5(
        _ tokenizer: String, pieces: @escaping (String) -> [String], name: String? = nil,
        ignoring ignored: StopWords? = nil
    ) -> Contender {
        Contender(name: "FTS5 \(name ?? tokenizer)", isFTS5: true, isRecommended: false) { collection in
            let db = try Database(path: ":memory:")
            try db.execute(sql: "CREATE VIRTUAL TABLE docs USING fts5(title, text, tokenize='\(tokenizer)')")
            let insert = try db.makeStatement(sql: "INSERT INTO docs (rowid, title, text) VALUES (?, ?, ?)")
            for (index, document) in collection.documents.enumerated() {
                try insert.execute(arguments: [index, document.title ?? "", document.text])
            }
            let select = try db.makeStatement(
                sql: "SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT \(depth)")
            return { query in
                var known = Set(ignored?.words ?? [])
                let chosen = pieces(query.text.lowercased()).filter {
                    ignored == nil ? known.insert($0).inserted : !known.contains($0)
                }
                let pattern = chosen.map { "\"\($0.replacingOccurrences(of: "\"", with: "\"\""))\"" }
                if pattern.isEmpty { return [] }
                return try Int.fetchAll(select, arguments: [pattern.joined(separator: " OR ")])
                    .map { collection.documents[$0].id }
            }
        }
    }

    /// A typed index over the documents' table, searched for any word of the query.
    ///
    /// - Parameter ignored: Words that are indexed, and not looked for.
    static func index(
        _ name: String, _ analyzer: Analyzer, _ ranking: Ranking, ignoring ignored: StopWords? = nil,
        isRecommended: Bool = false, typos: SearchTypos = .automatic
    ) -> Contender {
        let withoutTypos = {
            Contender.index(name + ", without typos", analyzer, ranking, ignoring: ignored, typos: .none)
        }
        return Contender(
            name: name, isFTS5: false, isRecommended: isRecommended, withoutTypos: isRecommended ? withoutTypos : nil
        ) { collection in
            let queue = try DatabaseQueue()
            let index = SearchIndex("texts", of: Document.self, in: "docs") {
                Field("title")
                Field("text")
                Analysis(analyzer)
                ranking
            }
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE docs (id INTEGER PRIMARY KEY, title TEXT, text TEXT)")
                let insert = try db.makeStatement(sql: "INSERT INTO docs VALUES (?, ?, ?)")
                for (index, document) in collection.documents.enumerated() {
                    try insert.execute(arguments: [index, document.title ?? "", document.text])
                }
                try db.install(index)
            }
            let queryAnalyzer = ignored.map(analyzer.ignoring) ?? analyzer
            return { query in
                let words = SearchQuery(anyWordOf: query.text, analyzer: queryAnalyzer)
                return try queue.read { db in
                    try index.query(words).typos(typos).limit(depth).counting(.none).fetch(db)
                        .hits.map { collection.documents[Int($0.id)].id }
                }
            }
        }
    }

    /// The same beside a second index over the words' pieces of four characters, fused with a weight of 0.3.
    static func fused(_ name: String, _ analyzer: Analyzer, ignoring ignored: StopWords) -> Contender {
        Contender(name: name, isFTS5: false, isRecommended: false) { collection in
            let queue = try DatabaseQueue()
            let words = SearchIndex("texts", of: Document.self, in: "docs") {
                Field("title")
                Field("text")
                Analysis(analyzer)
                Ranking.recommended
            }
            let pieces = SearchIndex("pieces", of: Document.self, in: "docs") {
                Field("title")
                Field("text")
                Analysis(.standard.appending(.ngrams(4...4)))
                Ranking(k3: 8)
            }
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE docs (id INTEGER PRIMARY KEY, title TEXT, text TEXT)")
                let insert = try db.makeStatement(sql: "INSERT INTO docs VALUES (?, ?, ?)")
                for (index, document) in collection.documents.enumerated() {
                    try insert.execute(arguments: [index, document.title ?? "", document.text])
                }
                try db.install(words)
                try db.install(pieces)
            }
            return { query in
                let byWords = words.query(SearchQuery(anyWordOf: query.text, analyzer: analyzer.ignoring(ignored)))
                let byPieces = pieces.query(
                    SearchQuery(anyPieceOf: query.text, length: 4, analyzer: .standard.ignoring(ignored)))
                let requests = [byWords, byPieces.weighted(0.3)].map { $0.limit(depth).counting(.none).typos(.none) }
                return try queue.search(fusing: requests).hits.map { collection.documents[Int($0.hit.id)].id }
            }
        }
    }

    private struct Document: Decodable, Sendable {
        var id: Int64
    }
}
