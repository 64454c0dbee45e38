// Whether what is typed finds what a native reader expects it to find: pairs of a query and a text, by language.

import BenchmarkSupport
import Concordance
import ConcordanceText
import Foundation

struct PairText: Codable, Sendable {
    var id: Int64
    var text: String
}

/// The pairs of the tests, and those that were written before the rules.
func comparePairs(listing: Bool) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Tests/ConcordanceSearchTests/Languages")
    for name in ["pairs", "held-out"] {
        print("\n## \(name)\n")
        try compare(TextPair.all(in: folder.appendingPathComponent("\(name).tsv")), listing: listing)
    }
}

/// Prints for each language how many pairs `search()` finds with the analyzer of the language, with `standard`, and with
/// FTS5's tokenizers; of the pairs that are different words, how many it keeps apart. Typos are off.
private func compare(_ pairs: [TextPair], listing: Bool) throws {
    var rows = [["", "ours", "`standard`", "`unicode61`", "`trigram`", "ours apart", "`trigram` apart"]]
    var sums = [Int](repeating: 0, count: 8)
    for language in Set(pairs.map(\.group)).sorted() {
        let pairs = pairs.filter { $0.group == language }
        let together = pairs.count { $0.meets }
        let named = TextLanguage(rawValue: language)
        var counts: [(met: Int, apart: Int)] = []
        for (place, analyzer) in [named?.analyzer ?? .standard, .standard, .unicode61, .trigram].enumerated() {
            let found = try found(pairs, analyzer)
            let right = zip(pairs, found).map { $0.meets == $1 }
            counts.append(
                (
                    zip(pairs, right).count { $0.meets && $1 },
                    zip(pairs, right).count { !$0.meets && $1 }
                ))
            guard listing, place == 0 else { continue }
            for (pair, isRight) in zip(pairs, right) where !isRight {
                print("\(pair.group)\t\(pair.query)\t\(pair.text)\t\(pair.reason)")
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
private func found(_ pairs: [TextPair], _ analyzer: Analyzer) throws -> [Bool] {
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
