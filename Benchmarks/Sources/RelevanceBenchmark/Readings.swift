import BenchmarkSupport
import Concordance
import Foundation

/// What readings cost, and how they affect rankings: the size of a collection's index, the time to build it, and nDCG@10 of
/// queries in the script of the documents, by analyzer.
func compareReadings() throws {
    let chinese = Analyzer(.words(), .parts, .fold, .latin, .scripts, .simplified, .cjk)
    let japanese = Analyzer(.words(), .parts, .fold, .latin, .scripts, .kana, .japanese, .cjk)
    try compare(
        "xquad-zh",
        [
            ("pairs", chinese), ("pinyin", chinese.appending(.pinyin)),
            ("pinyin, initials", chinese.appending(.pinyin, .pinyinInitials)),
            ("initials", chinese.appending(.pinyinInitials)),
        ])
    var analyzers = [("pairs", japanese), ("romaji", japanese.appending(.romaji))]
    do {
        _ = try Analyzer(components: ["japanese_readings"])
        analyzers += [
            ("dictionary", japanese.appending(.japaneseReadings)),
            ("romaji, dictionary", japanese.appending(.romaji, .japaneseReadings)),
        ]
    } catch {
        print("SKIPPED readings from a dictionary: \(error)")
    }
    try compare("jsquad-ja", analyzers)
}

private func compare(_ name: String, _ analyzers: [(name: String, analyzer: Analyzer)]) throws {
    guard let collection = try Collection(name) else { return print("SKIPPED \(name): it is not beside this checkout") }
    print("\n## Readings, \(name): \(collection.documents.count) documents\n")
    var rows = [["", "index", "time to build", "nDCG@10"]]
    for (name, analyzer) in analyzers {
        var size = 0
        var best = Double.infinity
        for _ in 0..<3 {
            let time = try ContinuousClock().measure { size = try indexSize(collection, analyzer) }
            best = min(best, time.seconds)
        }
        let search = try Contender.index(name, analyzer, .recommended).search(collection)
        let quality = try Quality(collection, rank: search)
        rows.append([name, "\(size >> 10) kB", duration(best), fixed(quality.nDCG)])
    }
    print(markdown(rows))
}

/// The size of an index of the texts, in bytes.
private func indexSize(_ collection: Collection, _ analyzer: Analyzer) throws -> Int {
    struct Line: Decodable, Sendable {
        var id: Int64
        var text: String
    }
    let queue = try DatabaseQueue()
    return try queue.write { db in
        func size() throws -> Int {
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            return try (pages - free) * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
        try db.execute(sql: "CREATE TABLE lines (id INTEGER PRIMARY KEY, text TEXT)")
        for (number, document) in collection.documents.enumerated() {
            try db.execute("INSERT INTO lines VALUES (\(number), \(document.text))")
        }
        let before = try size()
        try db.install(
            SearchIndex("texts", of: Line.self, in: "lines") {
                Field(\.text)
                Analysis(analyzer)
            })
        return try size() - before
    }
}
