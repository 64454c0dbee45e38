import Concordance
import ConcordanceSearch
import ConcordanceText
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Snippets of long texts")
struct LongTextSnippetTests {
    private func snippet(_ text: String, _ words: [String], typos: Bool = false) -> HighlightedText {
        let phrases = words.map { MatchPhrase($0, allowsTypos: typos) }
        return LongTextSnippet(words: words, options: SnippetOptions(length: .words(12)))
            .make(of: text, by: Highlighter(.standard, phrases: phrases))
    }

    /// Wherever the words stand, and however long the text is, a match is shown if there is one.
    @Test func whatMatchesIsShown() {
        var generator = SeededGenerator(seed: 7)
        for length in [0, 100, 10_000, 40_000, 200_000] {
            for _ in 0..<20 {
                var words = (0..<length / 6).map { "wörd\($0 % 97)" }
                let has = Bool.random(using: &generator)
                if has { words.insert("Zebra", at: Int.random(in: 0...words.count, using: &generator)) }
                let made = snippet(words.joined(separator: " "), ["zebra", "absent"])
                #expect(made.hasMatches == has, "\(length)")
                if has { #expect(made.description.contains("[Zebra]")) }
            }
        }
    }

    @Test func wordsWithTyposTextsWithoutSpacesAndOtherScripts() {
        let filling = String(repeating: "nothing here at all ", count: 5_000)
        #expect(snippet(filling + "receive", ["recieve"], typos: true).description.contains("[receive]"))
        #expect(snippet(filling + "Москва", ["москва"]).description.contains("[Москва]"))
        #expect(snippet(String(repeating: "ä", count: 50_000) + " zebra", ["zebra"]).hasMatches)
        #expect(!snippet(String(repeating: "日", count: 50_000), ["zebra"]).hasMatches)
        #expect(snippet(filling, []).text.hasPrefix("nothing here"))
    }
}
