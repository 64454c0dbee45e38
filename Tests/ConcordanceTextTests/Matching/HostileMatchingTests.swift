import ConcordanceText
import TestSupport
import Testing

@Suite("Matching in hostile hands")
struct HostileMatchingTests {
    private func ranges(
        _ text: String, _ analyzer: Analyzer = .standard, _ phrases: String..., limit: Int = TextMatcher.defaultLimit
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        let seconds = ProcessorTime.seconds {
            found = TextMatcher(analyzer, phrases: phrases.map { MatchPhrase($0) }).ranges(in: text, limit: limit)
        }
        #expect(seconds < 60)
        return found
    }

    @Test func `the number of matches is limited`() {
        let text = String(repeating: "a ", count: 50_000)
        #expect(ranges(text, .standard, "a").count == TextMatcher.defaultLimit)
        #expect(ranges(text, .standard, "a", limit: 3) == [0..<1, 2..<3, 4..<5])
        #expect(ranges(text, .standard, "a", limit: 0).isEmpty)
        let matcher = TextMatcher(.trigram, phrases: [MatchPhrase("a"), MatchPhrase("a a")])
        #expect(matcher.matches(in: text, limit: 7).count == 7)
        #expect(matcher.ranges(in: text, limit: 7).count == 1)
    }

    @Test func `a text without a space is read once`() {
        let text = String(repeating: "a", count: 100_000)
        #expect(ranges(text, .trigram, "aaaa", "aaa") == [0..<100_000])
        #expect(ranges(text, .standard, "a").isEmpty)
        let matcher = TextMatcher(.standard, phrases: [MatchPhrase("a", isPrefix: true)])
        #expect(matcher.ranges(in: text) == [0..<100_000])
    }

    @Test(arguments: ["\u{301}", "🇩", "\u{200D}", "\u{1F468}\u{200D}", "\u{600}"])
    func `a text that is one endless character, or might be, is read once`(piece: String) {
        let run = String(repeating: piece, count: 20_000)
        let text = "week\(run)week \(run)week \(run) week"
        let found = ranges(text, .trigram, "week", "e")
        #expect(!found.isEmpty)
        expectCharacters(found, text)
    }

    @Test func `phrases may be as many and as long as they like`() {
        let long = Array(repeating: "a", count: PhraseLimits.places).joined(separator: " ")
        #expect(ranges(long + " a", .standard, long).count == 1)
        #expect(ranges(long + " a a", .standard, long + " a").isEmpty)
        let many = (0..<5000).map { MatchPhrase("w\($0)") }
        let matcher = TextMatcher(.standard, phrases: many)
        #expect(matcher.ranges(in: "w0 w4095 w4096 w5000") == [0..<2, 3..<8])
        #expect(ranges("a b a b", .trigram, String(repeating: "a b ", count: 100_000)).isEmpty)
    }

    @Test func `a token is compared up to the length that an index keeps`() {
        let word = String(repeating: "x", count: 40_000)
        #expect(ranges(word, .unicode61, String(repeating: "x", count: 32_768)) == [0..<40_000])
        #expect(ranges(word, .unicode61, String(repeating: "x", count: 32_767)).isEmpty)
    }

    @Test(arguments: 0..<100) func `ranges are in order and never cut a character`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "week", "e", "e\u{301}", "\u{301}", "👩‍👩‍👧", "🇩🇪", "🇫", " ", "\r\n", "\0", "ﬁ", "中国", "각", "\u{600}", "ka", "きゃ",
            "İ", "ẞ",
        ]
        func text(_ count: Int) -> String {
            (0..<Int.random(in: 0...count, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? ""
            }
            .joined()
        }
        let analyzer = try #require(Analyzer.named.map(\.analyzer).randomElement(using: &generator))
        let phrases = (0..<3).map { _ in MatchPhrase(text(3), isPrefix: Bool.random(using: &generator)) }
        let matcher = TextMatcher(analyzer, phrases: phrases)
        let text = text(60)
        let found = matcher.ranges(in: text)
        expectCharacters(found, text)
        // Every match lies in a range, and every range has a match.
        let matches = matcher.matches(in: text)
        #expect(found.isEmpty == matches.isEmpty)
        for match in matches {
            #expect(
                found.contains { $0.lowerBound <= match.range.lowerBound && match.range.upperBound <= $0.upperBound },
                "\(match) of \(phrases) by \(analyzer) in \(text.debugDescription)")
        }
        let starts = matches.map(\.range.lowerBound)
        #expect(starts == starts.sorted())
    }

    private func expectCharacters(_ ranges: [Range<Int>], _ text: String) {
        var boundaries: Set<Int> = [0]
        var offset = 0
        for character in text {
            offset += character.utf8.count
            boundaries.insert(offset)
        }
        var last = 0
        for range in ranges {
            #expect(range.lowerBound >= last && !range.isEmpty, "\(ranges)")
            #expect(
                boundaries.contains(range.lowerBound) && boundaries.contains(range.upperBound),
                "\(range) in \(text.prefix(200).debugDescription)")
            last = range.upperBound
        }
    }
}

private enum PhraseLimits {
    /// Tokens that all phrases together may have.
    static let places = 4096
}
