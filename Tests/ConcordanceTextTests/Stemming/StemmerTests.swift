import ConcordanceText
import Foundation
import TestSupport
import Testing

@Suite("Stemmers")
struct StemmerTests {
    private static func stem(_ word: String, _ language: StemmingLanguage) -> String {
        Analyzer(.words(), .stem(language)).makeTokenizer().tokens(in: word).map(\.text).joined(separator: "+")
    }

    @Test(arguments: [
        (StemmingLanguage.german, "häuser", "haus"), (.german, "straßen", "strass"),
        (.german, "bedürfnissen", "bedurfnis"),
        (.german, "müllers", "mull"), (.german, "system", "system"), (.german, "derbsten", "derb"),
        (.german, "am", "am"),
        (.german, "łódźer", "łódźer"), (.german, "naïve", "naïv"), (.russian, "вагонов", "вагон"),
        (.russian, "ёлка", "елк"), (.russian, "и", "и"),
        (.russian, "важнейшими", "важн"), (.russian, "moscow", "moscow"),
    ])
    func `take endings off`(language: StemmingLanguage, word: String, stem: String) {
        #expect(Self.stem(word, language) == stem)
    }

    @Test(arguments: StemmingLanguage.allCases)
    func `agree with the vocabularies of Snowball`(language: StemmingLanguage) throws {
        guard let url = SharedData.url("snowball/\(language).tsv") else { return }
        var wrong: [String] = []
        var count = 0
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let pair = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2 else { continue }
            count += 1
            let stem = Self.stem(pair[0], language)
            if stem != pair[1] { wrong.append("\(pair[0]): \(stem), not \(pair[1])") }
        }
        #expect(count > 2900)
        #expect(wrong.isEmpty, "\(wrong.count) of \(count): \(wrong.prefix(40).joined(separator: "; "))")
    }

    @Test(arguments: StemmingLanguage.allCases)
    func `never make a word longer, whatever its letters`(language: StemmingLanguage) {
        var generator = SeededGenerator(seed: 21)
        let letters = Array("aeiouyäöüßsnertlqgchкаиоейвшнстьяюёé")
        for _ in 0..<3000 {
            let length = Int.random(in: 1...90, using: &generator)
            let word = String((0..<length).map { _ in letters.randomElement(using: &generator) ?? "a" })
            let stem = Self.stem(word, language)
            #expect(!stem.isEmpty && stem.utf8.count <= word.utf8.count, "\(word): \(stem)")
        }
    }

    @Test func `are named in descriptors`() throws {
        let analyzer = try Analyzer(parsing: "words fold stem DE")
        #expect(analyzer == Analyzer(.words(), .fold, .stem(.german)))
        #expect(analyzer.description == "words fold stem de")
        #expect(throws: AnalyzerError.missingArgument(filter: "stem", expected: "de or ru")) {
            try Analyzer(parsing: "words stem")
        }
        #expect(throws: AnalyzerError.invalidArgument("klingon", filter: "stem", expected: "de or ru")) {
            try Analyzer(parsing: "words stem klingon")
        }
    }
}
