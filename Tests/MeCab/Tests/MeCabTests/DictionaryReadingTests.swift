import Concordance
import ConcordanceText
import Foundation
import Testing

/// Japanese words found by the readings of MeCab's dictionary. `Scripts/test-readings` runs this.
@Suite("Japanese words are found by their readings from a dictionary")
struct DictionaryReadingTests {
    struct Line: Codable, Sendable {
        var id: Int64
        var text: String
    }

    /// The checkout.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func pairs(_ analyzers: Set<String>) throws -> [TextPair] {
        let file = root.appendingPathComponent("Tests/ConcordanceSearchTests/Languages/readings.tsv")
        return try TextPair.all(in: file).filter { analyzers.contains($0.group) }
    }

    static func queue(_ texts: [String], _ index: SearchIndex<Line>) throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE lines(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
            try db.install(index)
            for (number, text) in texts.enumerated() {
                try db.execute("INSERT INTO lines VALUES (\(number), \(text))")
            }
        }
        return queue
    }

    static let index = SearchIndex("lineTexts", of: Line.self, in: "lines") {
        Field(\.text)
        Analysis(.japaneseReadings)
    }

    /// The pairs of the tables hold, too: the dictionary does not lose any.
    @Test(arguments: [(["ja-dictionary", "ja"], false), (["ja-dictionary-typing", "ja-typing"], true)])
    func `each text is found by its readings, and other texts are not`(names: [String], isTyping: Bool) throws {
        let pairs = try Self.pairs(Set(names))
        #expect(pairs.count >= (isTyping ? 10 : 70))
        let queue = try Self.queue(pairs.map(\.text), Self.index)
        let broken = try pairs.enumerated().compactMap { number, pair in
            let request = Self.index.query(pair.query, isTyping: isTyping).typos(.none).limit(1000)
            let meets = try queue.search(request).hits.contains { $0.record.id == Int64(number) }
            return meets == pair.meets ? nil : "\(pair.query) \(pair.text) \(pair.meets ? "apart" : "meet")"
        }
        #expect(broken.isEmpty, "\(broken.joined(separator: "; "))")
    }

    /// A list of words with their readings by another program, beside the checkout on some machines.
    @Test func `words of a list are found by each of their spellings`() throws {
        let list = Self.root.deletingLastPathComponent().appendingPathComponent(
            "shared/data/cjk-readings/japanese-kana-romaji.jsonl")
        guard let text = try? String(contentsOf: list, encoding: .utf8) else {
            return print("SKIPPED: no \(list.lastPathComponent) beside this checkout")
        }
        let entries = try text.split(separator: "\n").map {
            try JSONDecoder().decode([String: String].self, from: Data($0.utf8))
        }
        let queue = try Self.queue(entries.map { $0["orig"] ?? "" }, Self.index)
        var missed: [String] = []
        var count = 0
        for (number, entry) in entries.enumerated() {
            let hasKanji = entry["orig"]?.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) } == true
            for key in ["hira", "kana", "hepburn", "kunrei", "passport"] where hasKanji {
                guard let query = entry[key] else { continue }
                count += 1
                let hits = try queue.search(Self.index.query(query, isTyping: false).typos(.none).limit(1000)).hits
                if !hits.contains(where: { $0.record.id == Int64(number) }) {
                    missed.append("\(query) \(entry["orig"] ?? "")")
                }
            }
        }
        #expect(count >= 100)
        // One word of the list, with five spellings, is in no dictionary; and a single kana stands for too many kanji.
        #expect(missed.count <= 7, "\(missed)")
    }

    @Test func `kanji that romaji or kana found are marked`() throws {
        let queue = try Self.queue(["全文検索のエンジン"], Self.index)
        for query in ["kensaku", "けんさく", "検索"] {
            let request = Self.index.query(query, isTyping: false)
            let hit = try #require(try queue.search(request).hits.first, "\(query)")
            #expect("\(hit.highlights(\.text))" == "全文[検索]のエンジン", "\(query)")
        }
    }

    @Test func `a descriptor names the analyzer`() throws {
        #expect(try Analyzer(components: ["japanese_readings"]) == .japaneseReadings)
        #expect(try Analyzer(parsing: Analyzer.japaneseReadings.description) == .japaneseReadings)
    }

    /// The number of a text's tokens, of those that lie beyond the text or before the previous one, and a hash of all.
    static func summary(_ text: [UInt8], _ tokenizer: any Tokenizer, _ reason: TokenizationReason) throws -> [Int] {
        var count = 0
        var misplaced = 0
        var start = 0
        var hash = Hasher()
        try text.withUnsafeBufferPointer { utf8 in
            try tokenizer.forEachToken(in: utf8, for: reason) { token in
                count += 1
                if token.range.lowerBound < start || token.range.upperBound > utf8.count { misplaced += 1 }
                start = token.range.lowerBound
                hash.combine(bytes: UnsafeRawBufferPointer(token.bytes))
            }
        }
        return [count, misplaced, hash.finalize()]
    }

    @Test func `texts of any kind take bounded work, and give the same tokens twice`() throws {
        let texts: [[UInt8]] = [
            Array(String(repeating: "検索", count: 10_000).utf8), Array(String(repeating: "あ", count: 10_000).utf8),
            Array(String(repeating: "ー", count: 10_000).utf8),
            Array(String(repeating: "検", count: 5000).utf8.dropLast()),
            [0xE6, 0xA4, 0xE6, 0xA4, 0x9C, 0xFF, 0xE7, 0xB4, 0xA2, 0x80], Array("検\0索 検\u{FEFF}索 検 索".utf8),
            Array(String(repeating: "検索\n", count: 5000).utf8), Array(String(repeating: "ｹﾝｻｸ検索", count: 2000).utf8),
            Array("𠮟る𩸽".utf8), [],
        ]
        let tokenizer = Analyzer.japaneseReadings.makeTokenizer()
        for text in texts {
            for reason in [.document, .query, [.query, .prefix], .auxiliary] as [TokenizationReason] {
                let summary = try Self.summary(text, tokenizer, reason)
                #expect(summary[0] <= text.count * 20 && summary[1] == 0, "\(text.prefix(20))")
                #expect(try Self.summary(text, tokenizer, reason) == summary, "\(text.prefix(20))")
            }
        }
        let megabyte = Array(String(repeating: "日本語検索", count: 70_000).utf8)
        #expect(try Self.summary(megabyte, tokenizer, .document)[1] == 0)
    }

    @Test func `many threads find the same words`() async {
        let text = String(repeating: "日本語の全文検索を東京で学ぶ。", count: 50)
        let expected = Analyzer.japaneseReadings.makeTokenizer().tokens(in: text)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { Analyzer.japaneseReadings.makeTokenizer().tokens(in: text) == expected }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}
