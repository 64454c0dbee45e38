import ConcordanceText
import Testing

@Suite("Finding phrases in texts")
struct TextMatcherTests {
    struct Example: CustomTestStringConvertible, Sendable {
        var analyzer: Analyzer
        var phrases: [MatchPhrase]
        /// The text, with what is to be found in brackets.
        var marked: String

        init(_ analyzer: Analyzer, _ phrases: [String], prefix: Bool = false, _ marked: String) {
            self.analyzer = analyzer
            self.phrases = phrases.map { MatchPhrase($0, isPrefix: prefix) }
            self.marked = marked
        }

        var testDescription: String { "\(phrases.map(\.text)) by \(analyzer): \(marked)" }
    }

    static let ordinals = Analyzer(.words(), .fold, .querySynonyms(.englishOrdinals))
    static let cities = Analyzer(
        .words(), .fold, .querySynonyms(Synonyms(groups: [["new york", "nyc", "the big apple"]])))

    static let examples: [Example] = [
        Example(.standard, ["grossmann"], "Frau [Großmann], bitte"),
        Example(.standard, ["gross"], prefix: true, "Frau [Großmann], bitte"),
        Example(.standard, ["gross"], "Frau Großmann, bitte"),
        Example(.german, ["mueller"], "[Müller], [Mueller] und [Muller], kein Mühlrad"),
        Example(.standard, ["fish"], "raw [ﬁsh] and chips"),
        Example(.standard, ["cafe"], "a [cafe\u{301}] in town"),
        Example(.unicode61, ["cafe"], "a [cafe\u{301}] in town"),
        Example(ordinals, ["first"], "[1st] of May, [first] of June"),
        Example(ordinals, ["1st"], "[1st] of May, [first] of June"),
        Example(.english, ["running"], "[Run], [runs], [running]: not a runner"),
        Example(.chinese, ["pinyin"], "学[拼音]吧"),
        Example(.chinese, ["zhongguoren"], "我是[中国人]。"),
        Example(.chinese, ["zhong guo"], "我是[中国]人。"),
        Example(.chinese, ["拼音"], "学[拼音]吧"),
        Example(.chinese, ["音"], "学拼[音]吧"),
        Example(.japanese, ["toukyou"], "[東京]タワー"),
        Example(cities, ["nyc"], "In [New York] and [NYC]"),
        Example(.standard, ["new york", "york city"], "In [New York City] now"),
        Example(.standard, ["new york"], "New Jersey, [new york], York new"),
        Example(.standard, ["new", "york"], "[New] [York]"),
        Example(.standard, ["a a"], "[a a a] b [a a] b a b"),
        Example(.trigram, ["week"], "Take a walk this [week], [week]end, [WEEK]ly"),
        Example(.trigram, ["wee", "eke"], "[weeke]nd"),
        Example(.trigram, ["we"], "[we]ekend, [We]b"),
        Example(.trigram, ["é"], "caf[é], caf[É], cafe"),
        Example(.trigram, ["kab"], "[\u{212A}ab]el"),
        Example(Analyzer(.trigram(.init(removeDiacritics: true))), ["cafe"], "[café], [cafe\u{301}]s"),
        Example(Analyzer(.trigram(.init(removeDiacritics: true))), ["fe"], "ca[fé], ca[fe\u{301}]s"),
        Example(Analyzer(.trigram(.init(caseSensitive: true))), ["We"], "weekend, [We]b"),
        Example(.standard, [], "nothing"),
        Example(.standard, ["", "--", "!"], "-- nothing!"),
        Example(.standard, ["x"], ""),
    ]

    @Test(arguments: examples) func `marks the original text`(example: Example) {
        let text = example.marked.filter { !"[]".contains($0) }
        let matcher = TextMatcher(example.analyzer, phrases: example.phrases)
        #expect(marked(text, matcher.ranges(in: text)) == example.marked)
    }

    @Test func `each match names its phrase`() {
        let matcher = TextMatcher(.standard, phrases: [MatchPhrase("b c"), MatchPhrase("none"), MatchPhrase("c")])
        #expect(
            matcher.matches(in: "a b c c") == [
                TextMatch(phrase: 0, range: 2..<5), TextMatch(phrase: 2, range: 4..<5),
                TextMatch(phrase: 2, range: 6..<7),
            ])
    }

    @Test func `phrases for other fields are left out`() {
        let phrases = [MatchPhrase("a", fields: ["title"]), MatchPhrase("b"), MatchPhrase("c", fields: ["Notes"])]
        #expect(
            marked("a b c", TextMatcher(.standard, phrases: phrases, field: "notes").ranges(in: "a b c")) == "a [b] [c]"
        )
        #expect(marked("a b c", TextMatcher(.standard, phrases: phrases).ranges(in: "a b c")) == "[a] [b] [c]")
    }

    private func marked(_ text: String, _ ranges: [Range<Int>]) -> String {
        var bytes: [UInt8] = []
        var position = 0
        let utf8 = Array(text.utf8)
        for range in ranges {
            bytes += utf8[position..<range.lowerBound] + Array("[".utf8) + utf8[range] + Array("]".utf8)
            position = range.upperBound
        }
        return String(decoding: bytes + utf8[position...], as: UTF8.self)
    }
}
