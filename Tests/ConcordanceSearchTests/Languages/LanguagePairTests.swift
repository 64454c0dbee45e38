import Concordance
import Foundation
import TestSupport
import Testing

/// What a native reader expects to find, by language: a query, a text, and why the one finds the other, or `different`
/// if it should not.
@Suite("Queries find what native readers expect")
struct LanguagePairTests {
    struct Line: Codable, Sendable {
        var id: Int64
        var text: String
    }

    struct Pair: Sendable {
        let language: String
        let query: String
        let text: String
        let reason: String
    }

    /// The lines of `pairs.tsv`.
    static let pairs: [Pair] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("pairs.tsv")
        let lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").dropFirst() ?? []
        return lines.map { line in
            let parts = line.split(separator: "\t").map(String.init)
            return Pair(language: parts[0], query: parts[1], text: parts[2], reason: parts[3])
        }
    }()

    static let languages = Set(pairs.map(\.language)).sorted()

    /// Which of the pairs match in an index of all their texts, apart from typos.
    static func meet(_ pairs: [Pair], _ analyzer: Analyzer) throws -> [Bool] {
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
        return try pairs.enumerated().map { number, pair in
            let request = index.query(pair.query, isTyping: false).typos(.none).limit(1000)
            return try queue.search(request).hits.contains { $0.record.id == Int64(number) }
        }
    }

    @Test func `there are at least 25 pairs for each language`() {
        #expect(Self.languages.count >= 41)
        for language in Self.languages {
            #expect(Self.pairs.count { $0.language == language && $0.reason != "different" } >= 25, "\(language)")
        }
    }

    /// In each language, its analyzer finds at least as many pairs as FTS5's word tokenizer, and at least three
    /// quarters of those that its trigrams find; over all languages, it finds far more than either.
    @Test func `the analyzer of a language finds more than FTS5's tokenizers do`() throws {
        var sums = (ours: 0, words: 0, pieces: 0, all: 0)
        for language in Self.languages {
            let analyzer = try #require(Analyzer.named.first { $0.code == language }?.analyzer, "\(language)")
            let pairs = Self.pairs.filter { $0.language == language && $0.reason != "different" }
            let ours = try Self.meet(pairs, analyzer).count { $0 }
            let words = try Self.meet(pairs, .unicode61).count { $0 }
            let pieces = try Self.meet(pairs, .trigram).count { $0 }
            #expect(ours >= words, "\(language): \(ours), not \(words)")
            #expect(4 * ours >= 3 * pieces, "\(language): \(ours), not \(pieces)")
            sums = (sums.ours + ours, sums.words + words, sums.pieces + pieces, sums.all + pairs.count)
        }
        #expect(sums.ours > 2 * sums.words && 2 * sums.ours > 3 * sums.pieces, "\(sums)")
        #expect(5 * sums.ours >= 4 * sums.all, "\(sums)")
    }

    @Test func `other words stay apart`() throws {
        var apart = 0
        var all = 0
        for language in Self.languages {
            let analyzer = try #require(Analyzer.named.first { $0.code == language }?.analyzer, "\(language)")
            let pairs = Self.pairs.filter { $0.language == language && $0.reason == "different" }
            let meet = try Self.meet(pairs, analyzer).count { $0 }
            #expect(meet < pairs.count, "\(language): \(meet) of \(pairs.count) meet")
            apart += pairs.count - meet
            all += pairs.count
        }
        #expect(10 * apart >= 9 * all, "\(apart) of \(all)")
    }
}
