import Concordance
import ConcordanceFTS5
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

    static func pairs(_ file: String) -> [TextPair] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return (try? TextPair.all(in: folder.appendingPathComponent(file))) ?? []
    }

    static let pairs = pairs("pairs.tsv")

    static let languages = Set(pairs.map(\.group)).sorted()

    /// Which of the pairs meet in an index of all their texts, typos aside.
    static func meet(_ pairs: [TextPair], _ analyzer: Analyzer) throws -> [Bool] {
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
        #expect(Self.languages.count >= 52)
        for language in Self.languages {
            #expect(Self.pairs.count { $0.group == language && $0.meets } >= 25, "\(language)")
        }
    }

    /// Of the pairs of each language, by its analyzer: at least as many as by FTS5's tokenizers into words and into pieces;
    /// and of all of them far more than by either.
    @Test func `the analyzer of a language finds more than FTS5's tokenizers do`() throws {
        var sums = (ours: 0, words: 0, pieces: 0, all: 0)
        for language in Self.languages {
            let analyzer = try #require(Analyzer.named.first { $0.code == language }?.analyzer, "\(language)")
            let pairs = Self.pairs.filter { $0.group == language && $0.meets }
            let ours = try Self.meet(pairs, analyzer).count { $0 }
            let words = try Self.meet(pairs, .unicode61).count { $0 }
            let pieces = try Self.meet(pairs, .trigram).count { $0 }
            #expect(ours >= words, "\(language): \(ours), not \(words)")
            #expect(ours >= pieces, "\(language): \(ours), not \(pieces)")
            sums = (sums.ours + ours, sums.words + words, sums.pieces + pieces, sums.all + pairs.count)
        }
        #expect(sums.ours > 2 * sums.words && 2 * sums.ours > 3 * sums.pieces, "\(sums)")
        #expect(20 * sums.ours >= 19 * sums.all, "\(sums)")
    }

    /// Pairs that were written before the rules for the forms of these languages.
    @Test func `rules hold for pairs that were written before them`() throws {
        let all = Self.pairs("held-out.tsv")
        #expect(Set(all.map(\.group)).count >= 7)
        for language in Set(all.map(\.group)).sorted() {
            let analyzer = try #require(Analyzer.named.first { $0.code == language }?.analyzer, "\(language)")
            let pairs = all.filter { $0.group == language && $0.meets }
            #expect(pairs.count >= 15, "\(language)")
            let ours = try Self.meet(pairs, analyzer).count { $0 }
            let pieces = try Self.meet(pairs, .trigram).count { $0 }
            #expect(ours > pieces && 10 * ours >= 7 * pairs.count, "\(language): \(ours) of \(pairs.count), \(pieces)")
        }
    }

    @Test func `other words stay apart`() throws {
        var apart = 0
        var all = 0
        for language in Self.languages {
            let analyzer = try #require(Analyzer.named.first { $0.code == language }?.analyzer, "\(language)")
            let pairs = Self.pairs.filter { $0.group == language && !$0.meets }
            let meet = try Self.meet(pairs, analyzer).count { $0 }
            #expect(meet < pairs.count, "\(language): \(meet) of \(pairs.count) meet")
            apart += pairs.count - meet
            all += pairs.count
        }
        #expect(10 * apart >= 9 * all, "\(apart) of \(all)")
    }
}
