import Foundation
import TestSupport
import Testing

@testable import ConcordanceText

@Suite("Stemmers")
struct StemmerTests {
    private static func stem(_ word: String, _ stemmer: borrowing Stemmer) -> String {
        var word = word
        return word.withUTF8 { String(decoding: stemmer.stem($0), as: UTF8.self) }
    }

    private static func stem(_ word: String, _ language: StemmingLanguage) -> String { stem(word, Stemmer(language)) }

    @Test(arguments: [
        (StemmingLanguage.german, "häuser", "haus"), (.german, "straßen", "strass"),
        (.german, "bedürfnissen", "bedurfnis"),
        (.german, "müllers", "mull"), (.german, "system", "system"), (.german, "derbsten", "derb"),
        (.german, "am", "am"),
        (.german, "łódźer", "łódźer"), (.german, "naïve", "naïv"), (.russian, "вагонов", "вагон"),
        (.russian, "ёлка", "елк"), (.russian, "и", "и"),
        (.russian, "важнейшими", "важн"), (.russian, "moscow", "moscow"),
        (.ukrainian, "школою", "школ"), (.ukrainian, "містах", "міст"), (.ukrainian, "працювати", "прац"),
        (.ukrainian, "ґанок", "ганок"), (.ukrainian, "та", "та"),
        (.bulgarian, "книгата", "книг"), (.bulgarian, "градовете", "град"), (.bulgarian, "прозорецът", "прозорц"),
        (.bulgarian, "аз", "аз"),
        (.hebrew, "ספרים", "ספר"), (.hebrew, "מכוניות", "מכונ"), (.hebrew, "בית", "בית"),
    ])
    func `take endings off`(language: StemmingLanguage, word: String, stem: String) {
        #expect(Self.stem(word, language) == stem)
    }

    /// Snowball has no vocabulary of Arabic and Tamil: these are the stems of libstemmer 2.2.0.
    @Test func `agree with libstemmer in Arabic and Tamil`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("libstemmer.tsv")
        let arabic = Stemmer(.arabic)
        let tamil = Stemmer(.tamil)
        var counts = (arabic: 0, tamil: 0)
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst() {
            let parts = line.split(separator: "\t").map(String.init)
            try #require(parts.count == 3, "\(line)")
            if parts[0] == "ar" {
                counts.arabic += 1
                #expect(Self.stem(parts[1], arabic) == parts[2], "\(line)")
            } else {
                counts.tamil += 1
                #expect(Self.stem(parts[1], tamil) == parts[2], "\(line)")
            }
        }
        #expect(counts.arabic >= 500 && counts.tamil >= 500)
    }

    /// Snowball has no vocabulary of Arabic and Tamil; the rules of the others are our own.
    static let withVocabulary = StemmingLanguage.allCases.filter {
        ![
            .arabic, .bengali, .bulgarian, .gujarati, .hebrew, .kannada, .malayalam, .marathi, .punjabi, .tamil,
            .telugu,
            .ukrainian, .urdu,
        ].contains($0)
    }

    @Test(arguments: withVocabulary)
    func `agree with the vocabularies of Snowball`(language: StemmingLanguage) throws {
        guard let url = SharedData.url("snowball/\(language).tsv") else { return }
        let stemmer = Stemmer(language)
        var wrong: [String] = []
        var count = 0
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let pair = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2 else { continue }
            count += 1
            let stem = Self.stem(pair[0], stemmer)
            // A word of which nothing would be left stays.
            let expected = pair[1].isEmpty ? pair[0] : pair[1]
            if !stem.utf8.elementsEqual(expected.utf8) { wrong.append("\(pair[0]): \(stem), not \(pair[1])") }
        }
        #expect(count > 2900)
        #expect(wrong.isEmpty, "\(wrong.count) of \(count): \(wrong.prefix(40).joined(separator: "; "))")
    }

    @Test(arguments: StemmingLanguage.allCases)
    func `end, and leave something, whatever the letters of a word`(language: StemmingLanguage) {
        let stemmer = Stemmer(language)
        var generator = SeededGenerator(seed: 21)
        let letters = Array(
            "aeiouyäöüßsnertlqgchкаиоейвшнстьяюёéαειουσςάהוםןתאבابوهيةلتนकािीसमதிகன்'’\u{200C}\u{64B}\u{93C}𐐀"
                .unicodeScalars)
        for _ in 0..<2000 {
            let length = Int.random(in: 1...90, using: &generator)
            var word = String.UnicodeScalarView()
            for _ in 0..<length { word.append(letters.randomElement(using: &generator) ?? "a") }
            let stem = Self.stem(String(word), stemmer)
            #expect(!stem.isEmpty && stem.utf8.count <= 2 * String(word).utf8.count + 6, "\(String(word)): \(stem)")
        }
    }

    @Test(arguments: StemmingLanguage.allCases)
    func `give one stem for a word, remembered or not`(language: StemmingLanguage) throws {
        guard let url = SharedData.url("snowball/\(language).tsv") else { return }
        let words = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").compactMap {
            $0.split(separator: "\t").first.map(String.init)
        }
        let kept = Stemmer(language)
        for word in words.prefix(800) + words.prefix(800) {
            #expect(Self.stem(word, kept) == Self.stem(word, Stemmer(language)))
        }
    }

    @Test func `are named in descriptors`() throws {
        let analyzer = try Analyzer(parsing: "words fold stem DE")
        #expect(analyzer == Analyzer(.words(), .fold, .stem(.german)))
        #expect(analyzer.description == "words fold stem de")
        let words = try Analyzer(parsing: "words case inflections pt diacritics")
        #expect(words == Analyzer(.words(), .caseFolding, .inflections(.portuguese), .diacritics))
        #expect(words.description == "words case inflections pt diacritics")
        let expected = "a language: " + StemmingLanguage.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(throws: AnalyzerError.missingArgument(filter: "stem", expected: expected)) {
            try Analyzer(parsing: "words stem")
        }
        #expect(throws: AnalyzerError.invalidArgument("klingon", filter: "inflections", expected: expected)) {
            try Analyzer(parsing: "words inflections klingon")
        }
    }

    @Test func `words stand beside their stems`() {
        let french = Analyzer.french.makeTokenizer()
        #expect(
            french.tokens(in: "L'étudiante").map(\.description)
                == ["etud[0..<12]@0", "etudiante[0..<12]@0", "l[0..<12]@0"])
        #expect(french.tokens(in: "étudiante", for: .query).map(\.text) == ["etud"])
        #expect(french.tokens(in: "étudian", for: [.query, .prefix]).map(\.text) == ["etudian"])
        // The rules find another stem without the accent.
        #expect(french.tokens(in: "entrée").map(\.text) == ["entre", "entree"])
    }
}
