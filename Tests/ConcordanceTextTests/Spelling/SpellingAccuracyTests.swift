import ConcordanceText
import Foundation
import TestSupport
import Testing

@Suite("Real misspellings are corrected")
struct SpellingAccuracyTests {
    private struct Pair {
        var typed: String
        var meant: String
    }

    /// The pairs of a source. The folder also has pairs that were extracted wrongly from another format; they have
    /// marks that no word has.
    private static func pairs(_ source: String, in text: String) -> [Pair] {
        text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 3, cells[2].hasPrefix(source), cells[1].first?.isLetter == true,
                !cells[0].contains(where: { ":',".contains($0) })
            else { return nil }
            return Pair(typed: cells[0], meant: cells[1])
        }
    }

    /// The whole measurement, on a vocabulary of hundreds of thousands of words, is `Benchmarks/run spelling`.
    @Test func `most are corrected by the first guess, nearly all by one of five`() throws {
        guard let url = SharedData.url("spelling/pairs.tsv"), let book = SharedData.url("corpora/progit2-en.jsonl")
        else {
            return
        }
        let text = try String(contentsOf: url, encoding: .utf8)
        let counter = WordCounter()
        // The frequencies are those of a book, with its markup.
        counter.add(try String(contentsOf: book, encoding: .utf8))
        for source in ["wikipedia", "codespell", "birkbeck"] {
            for pair in Self.pairs(source, in: text) { counter.add(pair.meant) }
        }
        let dictionary = counter.makeDictionary()
        #expect(dictionary.wordCount > 15_000)

        let pairs = Self.pairs("wikipedia", in: text)
        #expect(pairs.count > 2000)
        var (asked, first, five) = (0, 0, 0)
        for index in stride(from: 0, to: pairs.count, by: 8) {
            let guesses = dictionary.corrections(of: pairs[index].typed, limit: 5).map { $0.text.lowercased() }
            asked += 1
            if guesses.first == pairs[index].meant.lowercased() { first += 1 }
            if guesses.contains(pairs[index].meant.lowercased()) { five += 1 }
        }
        #expect(first * 100 >= asked * 80, "\(first) of \(asked)")
        #expect(five * 100 >= asked * 92, "\(five) of \(asked)")
    }
}
