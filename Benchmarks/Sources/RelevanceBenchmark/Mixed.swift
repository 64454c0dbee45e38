// One index of texts in several languages, compared with an index for each language.

import BenchmarkSupport
import Concordance
import ConcordanceText
import Foundation

/// One language's part of a mixed collection, and the queries that it answers.
private struct Share {
    let language: TextLanguage
    let collection: Collection
    let documents: [Collection.Document]
    let queries: [Collection.Query]
}

private struct MixedText: Decodable, Sendable {
    var id: Int64
}

/// Prints nDCG@10 of collections that are translations of each other. Each language contributes different articles (those
/// of one title) to one index: with languages guessed, with languages named, with other analyzers, and with an index each.
func compareMixed(_ paths: [String]) throws {
    var shares: [Share] = []
    for (number, path) in paths.enumerated() {
        guard let code = path.split(separator: "-").last, let language = TextLanguage(named: String(code)),
            let collection = try Collection(path)
        else {
            print("SKIPPED: no collection \(path), whose name ends in the code of a language")
            return
        }
        var articles: [String: Int] = [:]
        for document in collection.documents {
            let title = document.title ?? ""
            articles[title] = articles[title] ?? articles.count
        }
        let documents = collection.documents.filter { articles[$0.title ?? "", default: 0] % paths.count == number }
        let ids = Set(documents.map(\.id))
        let queries = collection.queries.filter { query in
            collection.judgments[query.id]?.keys.contains(where: ids.contains) == true
        }
        shares.append(Share(language: language, collection: collection, documents: documents, queries: queries))
    }
    let languages = shares.map(\.language)
    print("\n## Mixed: \(shares.map { "\($0.documents.count) \($0.language.name)" }.joined(separator: ", "))\n")
    var rows = [[""] + languages.map(\.name) + ["all"]]
    var alone: [Double] = []
    for share in shares { alone += try quality([share], asked: [share], share.language.analyzer, language: nil) }
    rows.append(row("an index for each, its analyzer", alone))
    let guessing = Analyzer(.guess(languages))
    let contenders: [(String, Analyzer, String?)] =
        [
            ("`guessing`", guessing, nil), ("`guessing`, languages named", guessing, "language"),
            ("`standard`", .standard, nil), ("`trigram`", .trigram, nil),
        ] + languages.map { ("`\($0.name)`", $0.analyzer, nil) }
    for (name, analyzer, language) in contenders {
        rows.append(row(name, try quality(shares, asked: shares, analyzer, language: language)))
    }
    print(markdown(rows))
}

private func row(_ name: String, _ values: [Double]) -> [String] {
    [name] + values.map(fixed) + [fixed(values.reduce(0, +) / Double(max(1, values.count)))]
}

/// nDCG@10 of the queries of each share, over all indexed documents.
private func quality(
    _ indexed: [Share], asked: [Share], _ analyzer: Analyzer, language: String?
) throws -> [Double] {
    let queue = try DatabaseQueue()
    let index = SearchIndex("texts", of: MixedText.self, in: "docs") {
        Field("title")
        Field("text")
        Analysis(analyzer, language: language)
        Ranking.recommended
    }
    var names: [String] = []
    try queue.write { db in
        try db.execute(sql: "CREATE TABLE docs (id INTEGER PRIMARY KEY, title TEXT, text TEXT, language TEXT)")
        let insert = try db.makeStatement(sql: "INSERT INTO docs VALUES (?, ?, ?, ?)")
        for share in indexed {
            for document in share.documents {
                try insert.execute(
                    arguments: [names.count, document.title ?? "", document.text, share.language.rawValue])
                names.append("\(share.language.rawValue) \(document.id)")
            }
        }
        try db.install(index)
    }
    return try asked.map { share in
        var sum = 0.0
        for query in share.queries {
            let grades = share.collection.judgments[query.id] ?? [:]
            let words = SearchQuery(anyWordOf: query.text, analyzer: analyzer)
            let found = try queue.read { db in
                try index.query(words).limit(10).counting(.none).fetch(db).hits.map { names[Int($0.id)] }
            }
            let gains = found.map { name in
                grades.first { "\(share.language.rawValue) \($0.key)" == name }?.value ?? 0
            }
            let ideal = Quality.gain(grades.values.sorted(by: >))
            sum += ideal > 0 ? Quality.gain(gains) / ideal : 0
        }
        return sum / Double(max(1, share.queries.count))
    }
}
