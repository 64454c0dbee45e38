import Concordance
import Foundation
import TestSupport
import Testing

/// What people type by sound, and the texts that they mean: `readings.tsv`, by analyzer. Lines whose analyzer ends in
/// `-typing` are typed to the middle of the last word; those of the dictionary are in `Tests/MeCab`.
@Suite("Texts are found by what is heard")
struct ReadingPairTests {
    struct Line: Codable, Sendable {
        var id: Int64
        var text: String
    }

    static let analyzers: [String: Analyzer] = [
        "zh": .chinese, "ja": .japanese, "cyrillic": .standard.appending(.romanized),
        "greek": .standard.appending(.romanized),
        "hangul": Analyzer(.words(), .parts, .fold, .latin, .scripts, .romanized, .hangul),
    ]

    static func pairs(_ analyzer: String) throws -> [TextPair] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try TextPair.all(in: folder.appendingPathComponent("readings.tsv")).filter { $0.group == analyzer }
    }

    /// The pairs that do not do what they should, in an index of all their texts.
    static func broken(_ pairs: [TextPair], _ analyzer: Analyzer, isTyping: Bool) throws -> [String] {
        let index = SearchIndex("lineTexts", of: Line.self, in: "lines") {
            Field(\.text)
            Analysis(analyzer)
        }
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE lines(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
            try db.install(index)
            for (number, pair) in pairs.enumerated() {
                try db.execute("INSERT INTO lines VALUES (\(number), \(pair.text))")
            }
        }
        return try pairs.enumerated().compactMap { number, pair in
            let request = index.query(pair.query, isTyping: isTyping).typos(.none).limit(1000)
            let meets = try queue.search(request).hits.contains { $0.record.id == Int64(number) }
            return meets == pair.meets ? nil : "\(pair.query) \(pair.text) \(pair.meets ? "apart" : "meet")"
        }
    }

    @Test(arguments: [
        ("zh", 40), ("zh-typing", 10), ("ja", 15), ("ja-typing", 5), ("cyrillic", 25), ("cyrillic-typing", 3),
        ("greek", 20), ("greek-typing", 3), ("hangul", 20), ("hangul-typing", 3),
    ])
    func `each text is found by its readings, and other texts are not`(name: String, least: Int) throws {
        let isTyping = name.hasSuffix("-typing")
        let analyzer = try #require(Self.analyzers[isTyping ? String(name.dropLast(7)) : name])
        let pairs = try Self.pairs(name)
        #expect(pairs.count >= least)
        let broken = try Self.broken(pairs, analyzer, isTyping: isTyping)
        #expect(broken.isEmpty, "\(broken.joined(separator: "; "))")
    }

    @Test func `what a reading found is marked`() throws {
        let index = SearchIndex("lineTexts", of: Line.self, in: "lines") {
            Field(\.text)
            Analysis(.standard.appending(.romanized))
        }
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE lines(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
            try db.install(index)
            try db.execute(sql: "INSERT INTO lines VALUES (1, 'Это Москва.')")
        }
        let hit = try #require(try queue.search(index.query("moskva")).hits.first)
        #expect("\(hit.highlights(\.text))" == "Это [Москва].")
    }
}
