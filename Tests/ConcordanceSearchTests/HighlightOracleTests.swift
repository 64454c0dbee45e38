import Concordance
import ConcordanceFTS5
import ConcordanceSearch
import ConcordanceText
import TestSupport
import Testing

/// `TextMatcher` finds what FTS5's `highlight` marks, wherever SQLite is right.
@Suite("Matches in texts, against FTS5's highlight")
struct HighlightOracleTests {
    /// A tokenizer whose tokens do not overlap: SQLite before 3.45 repeats text where they do.
    static let tokenizers: [(sql: String, analyzer: Analyzer)] = [
        ("unicode61", .unicode61),
        ("unicode61 remove_diacritics 0", Analyzer(.unicode61(.init(removeDiacritics: .none)))),
        ("ascii", Analyzer(.ascii())),
        ("porter unicode61", Analyzer(.porter())),
        ("concordance words fold latin", Analyzer(.words(), .fold, .latin)),
    ]

    static let words = [
        "a", "b", "ab", "abc", "running", "runs", "Run", "café", "cafe\u{301}", "CAFÉ", "x", "été", "日本", "Straße",
        "a-b",
    ]
    static let separators = [" ", " ", " ", ", ", "\n", "-", " – ", ""]

    @Test(arguments: 0..<40) func `the same is marked`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let (sql, analyzer) = try #require(Self.tokenizers.randomElement(using: &generator))
        let queue = try DatabaseQueue()
        queue.configureEachConnection { try ConcordanceTokenizers.register(on: $0) }
        try queue.write { db in
            try db.execute(sql: "CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = \"\(sql)\")")
            for _ in 0..<15 {
                let text = Self.text(&generator, upTo: 30)
                let phrases = (0...Int.random(in: 0...3, using: &generator)).map { _ in
                    MatchPhrase(Self.text(&generator, upTo: 3), isPrefix: Bool.random(using: &generator))
                }
                // Even in a row without matches, a phrase without tokens marks nothing.
                let pattern = phrases.map { "\"\($0.text)\"\($0.isPrefix ? " *" : "")" }.joined(separator: " OR ")
                try db.execute(sql: "DELETE FROM texts")
                try db.execute(sql: "INSERT INTO texts(rowid, body) VALUES (1, ?)", arguments: [text])
                let oracle =
                    try String.fetchOne(
                        db, sql: "SELECT highlight(texts, 0, '[', ']') FROM texts WHERE texts MATCH ?",
                        arguments: [pattern]) ?? text
                let marked = Highlighter(analyzer, phrases: phrases).highlights(in: text).description
                #expect(
                    Array(marked.unicodeScalars) == Array(oracle.unicodeScalars),
                    "\(pattern) by \(sql) in \(text.debugDescription), seed \(seed)")
            }
        }
    }

    private static func text(_ generator: inout SeededGenerator, upTo count: Int) -> String {
        (0..<Int.random(in: 1...count, using: &generator)).map { _ in
            (words.randomElement(using: &generator) ?? "")
                + (separators.randomElement(using: &generator) ?? "")
        }.joined()
    }

    /// With tokens that overlap, what is marked is what comparison finds: joined where matches share a character.
    @Test(arguments: 0..<60) func `substrings of trigrams are those that comparison finds`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet: [Character] = ["a", "b", "A", " ", "é"]
        func random(upTo count: Int) -> String {
            String(
                (0..<Int.random(in: 1...count, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? "a"
                })
        }
        let text = random(upTo: 60)
        let phrases = (0...Int.random(in: 0...2, using: &generator)).map { _ in random(upTo: 5) }
        let characters = Array(text.lowercased())
        var isMarked = [Bool](repeating: false, count: characters.count)
        var joins = isMarked
        for phrase in phrases.map({ Array($0.lowercased()) }) where phrase.count <= characters.count {
            for start in 0...characters.count - phrase.count where characters[start...].starts(with: phrase) {
                for index in start..<start + phrase.count {
                    isMarked[index] = true
                    if index > start { joins[index] = true }
                }
            }
        }
        let ranges = TextMatcher(.trigram, phrases: phrases.map { MatchPhrase($0) }).ranges(in: text)
        var expected: [Range<Int>] = []
        var offset = 0
        for (index, character) in text.enumerated() {
            let end = offset + String(character).utf8.count
            if isMarked[index], joins[index], let last = expected.last {
                expected[expected.count - 1] = last.lowerBound..<end
            } else if isMarked[index] {
                expected.append(offset..<end)
            }
            offset = end
        }
        #expect(ranges == expected, "\(phrases) in \(text.debugDescription), seed \(seed)")
    }
}
