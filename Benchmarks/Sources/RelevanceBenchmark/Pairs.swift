// Whether what is typed finds what a native reader expects it to find: pairs of a query and a text, by language.

import BenchmarkSupport
import Concordance
import Foundation

/// A query, a text, and why the one should find the other; or `different` where it should not.
struct Pair {
    var language: String
    var query: String
    var text: String
    var reason: String

    /// The pairs of the tests, in tab-separated lines: language, query, text, reason.
    static func all() throws -> [Pair] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Tests/ConcordanceSearchTests/Languages/pairs.tsv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().compactMap { line in
            let parts = line.split(separator: "\t").map(String.init)
            return parts.count == 4
                ? Pair(language: parts[0], query: parts[1], text: parts[2], reason: parts[3]) : nil
        }
    }
}

struct PairText: Codable, Sendable {
    var id: Int64
    var text: String
}

/// Prints for each language how many pairs `search()` finds with the analyzer of the language, with `standard`, and with
/// FTS5's tokenizers; of the pairs that are different words, how many it keeps apart. Typos are off.
func comparePairs(listing: Bool) throws {
    let pairs = try Pair.all()
    var rows = [["", "ours", "`standard`", "`unicode61`", "`trigram`", "ours apart", "`trigram` apart"]]
    var sums = [Int](repeating: 0, count: 8)
    for language in Set(pairs.map(\.language)).sorted() {
        let pairs = pairs.filter { $0.language == language }
        let together = pairs.count { $0.reason != "different" }
        let named = Analyzer.named.first { $0.code == language }
        var counts: [(met: Int, apart: Int)] = []
        for (place, analyzer) in [named?.analyzer ?? .standard, .standard, .unicode61, .trigram].enumerated() {
            let found = try found(pairs, analyzer)
            let right = zip(pairs, found).map { ($0.reason == "different") != $1 }
            counts.append(
                (
                    zip(pairs, right).count { $0.reason != "different" && $1 },
                    zip(pairs, right).count { $0.reason == "different" && $1 }
                ))
            guard listing, place == 0 else { continue }
            for (pair, isRight) in zip(pairs, right) where !isRight {
                print("\(pair.language)\t\(pair.query)\t\(pair.text)\t\(pair.reason)")
            }
        }
        let apart = pairs.count - together
        rows.append(
            [named?.name ?? "\(language) (standard)"] + counts.map { "\($0.met) of \(together)" }
                + [counts[0], counts[3]].map { "\($0.apart) of \(apart)" })
        for (place, value) in (counts.map(\.met) + [counts[0].apart, counts[3].apart, together, apart]).enumerated() {
            sums[place] += value
        }
    }
    rows.append(
        ["all"] + sums[..<4].map { "\($0) of \(sums[6])" } + sums[4..<6].map { "\($0) of \(sums[7])" })
    print(markdown(rows))
}

/// Which of the queries find their texts in an index that holds the texts.
private func found(_ pairs: [Pair], _ analyzer: Analyzer) throws -> [Bool] {
    let index = SearchIndex("pairTexts", of: PairText.self, in: "pairs") {
        Field(\.text)
        Analysis(analyzer)
    }
    let queue = try DatabaseQueue()
    try queue.write { db in
        try db.execute(sql: "CREATE TABLE pairs(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        try db.install(index)
        for (number, pair) in pairs.enumerated() {
            try db.execute("INSERT INTO pairs VALUES (\(number), \(pair.text))")
        }
    }
    return try pairs.enumerated().map { number, pair in
        let request = index.query(pair.query, isTyping: false).typos(.none).limit(1000)
        return try queue.search(request).hits.contains { $0.record.id == Int64(number) }
    }
}
