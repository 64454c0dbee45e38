import Concordance
import Foundation
import Testing

/// Japanese words found by the readings of MeCab's dictionary. `Scripts/test-readings` runs this.
@Suite("Japanese words are found by their readings from a dictionary")
struct DictionaryReadingTests {
    struct Line: Codable, Sendable {
        var id: Int64
        var text: String
    }

    struct Pair: Sendable {
        let query: String
        let text: String
        let meets: Bool
    }

    static func pairs(_ analyzers: Set<String>) throws -> [Pair] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("ConcordanceSearchTests/Languages/readings.tsv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().compactMap { line in
            let parts = line.split(separator: "\t").map(String.init)
            return analyzers.contains(parts[0]) ? Pair(query: parts[1], text: parts[2], meets: parts[3] == "meet") : nil
        }
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

    /// The pairs of tables hold, too: the dictionary takes nothing away.
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

    @Test func `kanji that romaji or kana found are marked`() throws {
        let queue = try Self.queue(["全文検索のエンジン"], Self.index)
        for query in ["kensaku", "けんさく", "検索", "kens"] {
            let hit = try #require(try queue.search(Self.index.query(query)).hits.first, "\(query)")
            #expect("\(hit.highlights(\.text))" == "全文[検索]のエンジン", "\(query)")
        }
    }

    @Test func `a descriptor names the analyzer`() throws {
        #expect(try Analyzer(components: ["japanese_readings"]) == .japaneseReadings)
        #expect(try Analyzer(parsing: Analyzer.japaneseReadings.description) == .japaneseReadings)
    }

    @Test func `texts of any kind take bounded work, and give the same tokens twice`() throws {
        let analyzer = Analyzer.japaneseReadings
        let texts: [[UInt8]] = [
            Array(String(repeating: "検索", count: 200_000).utf8), Array(String(repeating: "あ", count: 100_000).utf8),
            Array(String(repeating: "ー", count: 10_000).utf8),
            Array(String(repeating: "検", count: 5000).utf8.dropLast()),
            [0xE6, 0xA4, 0xE6, 0xA4, 0x9C, 0xFF, 0xE7, 0xB4, 0xA2, 0x80], Array("検\0索 検\u{FEFF}索 検 索".utf8),
            Array(String(repeating: "検索\n", count: 10_000).utf8),
            Array(String(repeating: "ｹﾝｻｸ検索", count: 10_000).utf8),
            Array("𠮟る𩸽".utf8),
        ]
        let tokenizer = analyzer.makeTokenizer()
        for text in texts {
            for reason in [.document, .query, [.query, .prefix], .auxiliary] as [TokenizationReason] {
                var first: [String] = []
                for run in 0..<2 {
                    var count = 0
                    var start = 0
                    var hash = Hasher()
                    try text.withUnsafeBufferPointer { utf8 in
                        try tokenizer.forEachToken(in: utf8, for: reason) { token in
                            #expect(token.range.lowerBound >= start && token.range.upperBound <= utf8.count)
                            start = token.range.lowerBound
                            count += 1
                            if count < 10_000 { hash.combine(bytes: UnsafeRawBufferPointer(token.bytes)) }
                        }
                    }
                    #expect(count <= text.count * 20 + 100)
                    let summary = "\(count) \(hash.finalize())"
                    if run == 0 { first = [summary] } else { #expect(first == [summary]) }
                }
            }
        }
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
