import ConcordanceText
import Testing

@Suite("Matches are found without allocating per token")
struct MatcherAllocationTests {
    @Test(arguments: [Analyzer.standard, .english, .unicode61, .trigram, .chinese])
    func `a long text takes as many allocations as a short one`(analyzer: Analyzer) {
        let matcher = TextMatcher(
            analyzer, phrases: [MatchPhrase("zebra crossing"), MatchPhrase("zeb", isPrefix: true), MatchPhrase("q")])
        let sample = "The quick brown fox jumps over 1 lazy dog; Straße, 中文, été. Zero edges.\n"
        let counts = [10, 1000].map { count in
            let text = String(repeating: sample, count: count)
            _ = matcher.ranges(in: text, limit: 1)
            return Allocations.count { _ = matcher.ranges(in: text, limit: 1) }
        }
        #expect(counts[0] == counts[1], "by \(analyzer)")
    }
}
