import Testing

@testable import ConcordanceText

@Suite("Words are corrected and completed as people wrote them")
struct SpellingDictionaryTests {
    private static let dictionary = SpellingDictionary([
        (word: "the", count: 50_000), (word: "there", count: 800), (word: "a", count: 20_000),
        (word: "lot", count: 300),
        (word: "in", count: 15_000), (word: "receive", count: 300), (word: "Großmann", count: 12),
        (word: "Grossmann", count: 3), (word: "groceries", count: 40), (word: "accommodation", count: 30),
        (word: "tomorrow", count: 60), (word: "don't", count: 100), (word: "résumé", count: 9),
        (word: "resume", count: 4),
        (word: "NASA", count: 7), (word: "Ελλάδα", count: 5), (word: "Москва", count: 5), (word: "separate", count: 80),
        (word: "Schule", count: 20), (word: "phone", count: 90), (word: "which", count: 900),
    ])

    @Test(arguments: [
        ("teh", "the"), ("thre", "there"), ("recieve", "receive"), ("grosman", "Großmann"), ("GROSMANN", "Großmann"),
        ("acommodation", "accommodation"), ("accomodation", "accommodation"), ("tommorow", "tomorrow"),
        ("dont", "don't"), ("resme", "résumé"), ("nsaa", "NASA"), ("ελαδα", "Ελλάδα"), ("масква", "Москва"),
        ("seperate", "separate"), ("Shule", "Schule"), ("wich", "which"), ("alot", "a lot"),
        ("inthe", "in the"),
    ])
    func `what was meant comes first`(typed: String, meant: String) {
        let corrections = Self.dictionary.corrections(of: typed).map(\.text)
        #expect(corrections.first == meant, "\(typed): \(corrections)")
    }

    @Test(arguments: [
        ("gro", ["groceries", "Großmann"]), ("GRO", ["groceries", "Großmann"]), ("groß", ["Großmann"]),
        ("th", ["the", "there"]), ("the", ["the", "there"]), ("res", ["résumé"]), ("nas", ["NASA"]),
        ("мос", ["Москва"]),
        ("ΕΛΛ", ["Ελλάδα"]), ("zzz", []), ("grosmann", []), ("the there", []),
    ])
    func `the beginning of a word is completed, the most frequent word first`(prefix: String, words: [String]) {
        #expect(Self.dictionary.completions(of: prefix).map(\.word) == words)
    }

    @Test func `spellings of one word are counted together, and the commonest is shown`() {
        #expect(Self.dictionary.count(of: "GROSSMANN") == 15)
        #expect(Self.dictionary.spelling(of: "grossmann") == "Großmann")
        #expect(Self.dictionary.count(of: "Résume") == 13)
        #expect(Self.dictionary.spelling(of: "unknown") == nil)
        #expect(Self.dictionary.wordCount == 19)
    }

    @Test func `a word is not a correction of itself`() {
        for word in ["the", "THE", "großmann", "résumé", "resume"] {
            let folded = Self.dictionary.corrections(of: word).map { $0.text }
            #expect(!folded.contains(Self.dictionary.spelling(of: word) ?? ""), "\(word): \(folded)")
        }
    }

    @Test(arguments: [0, -1, .min])
    func `a limit below one asks for nothing`(limit: Int) {
        #expect(Self.dictionary.corrections(of: "teh", limit: limit).isEmpty)
        #expect(Self.dictionary.completions(of: "t", limit: limit).isEmpty)
    }

    @Test func `an enormous limit costs nothing`() {
        #expect(Self.dictionary.completions(of: "", limit: .max).count == 19)
        #expect(!Self.dictionary.corrections(of: "teh", limit: .max).isEmpty)
    }

    @Test(arguments: [
        "", " ", "\0", "a\0b", "\u{FFFD}", "🇩🇪", "👩‍👩‍👧‍👦", "\u{301}", "e\u{301}\u{301}\u{301}", "\u{200D}", "\u{10FFFF}",
        String(repeating: "a", count: 60), String(repeating: "a", count: 61), String(repeating: "a", count: 1_000_000),
        String(repeating: "ß", count: 59), String(repeating: "\u{FDFA}", count: 40), String(repeating: "字", count: 60),
        String(repeating: "\u{301}", count: 10_000),
    ])
    func `any text may be a word or be asked for`(word: String) {
        let empty = SpellingDictionary()
        #expect(
            empty.corrections(of: word).isEmpty && empty.completions(of: word).isEmpty && empty.count(of: word) == 0)
        let dictionary = SpellingDictionary([
            (word: word, count: 3), (word: "aaa", count: .max), (word: word + "x", count: 0),
        ])
        #expect([1, 2].contains(dictionary.wordCount))
        _ = dictionary.corrections(of: word + "b")
        _ = dictionary.corrections(of: "b" + word)
        #expect(dictionary.completions(of: word).count <= 2)
        #expect(dictionary.count(of: word) == (dictionary.wordCount == 2 ? 3 : 0))
        #expect(Self.dictionary.corrections(of: word).count <= 5)
    }

    @Test func `words up to sixty characters are corrected, longer ones are not kept`() {
        for length in [57, 58, 59, 60, 61] {
            let word = String(repeating: "ab", count: 31).prefix(length)
            let dictionary = SpellingDictionary([(word: String(word), count: 1)])
            #expect(dictionary.wordCount == (length <= 60 ? 1 : 0))
            let typed = "x" + word.dropFirst()
            #expect(dictionary.corrections(of: typed).map(\.distance) == (length <= 60 ? [1] : []), "\(length)")
        }
    }

    @Test func `all edits of one and of two characters are allowed for`() {
        let dictionary = SpellingDictionary([(word: "straße", count: 1)])
        for typed in ["strasse", "Strase", "sttasse", "tsrasse", "strassse", "xstrasse", "strass", "tsraßes", "rtasse"]
        {
            let isSame = typed == "strasse"
            #expect(dictionary.corrections(of: typed).map(\.text) == (isSame ? [] : ["straße"]), "\(typed)")
        }
        #expect(dictionary.corrections(of: "tsrsasee").isEmpty)
    }
}

@Suite("Words of texts are counted")
struct WordCounterTests {
    private func words(_ text: String) -> [String] {
        let counter = WordCounter()
        counter.add(text)
        var words: [String] = []
        counter.makeDictionary().forEachWord { word, count in words.append("\(word) \(count)") }
        return words
    }

    @Test(arguments: [
        ("Get milk. Get eggs!", ["eggs 1", "Get 2", "milk 1"]),
        ("I'm 12 years old: utf8, 3.5", ["I'm 1", "old 1", "utf8 1", "years 1"]),
        ("Großmann GROSSMANN Großmann", ["Großmann 3"]),
        ("漢字かな カタカナ ไทย 🎉 한국어", ["カタカナ 1", "한국어 1"]),
        ("", []), ("\0\0", []), ("… — 42", []),
    ])
    func `words are those of a text, not its numbers and signs`(text: String, expected: [String]) {
        #expect(words(text) == expected)
    }

    @Test func `bytes that are not UTF-8 are not words`() {
        let counter = WordCounter()
        let bytes: [UInt8] = [0xFF, 0x61, 0x62, 0xC3, 0x28, 0xED, 0xA0, 0x80, 0x63, 0x80]
        bytes.withUnsafeBufferPointer { counter.add($0) }
        var words: [String] = []
        counter.makeDictionary().forEachWord { word, _ in words.append(word) }
        #expect(words == ["ab", "c"])
    }

    @Test func `when words are too many, the rare ones go and the frequent ones stay`() {
        let counter = WordCounter(maximumWordCount: 100)
        for number in 0..<5000 { counter.add("word\(number) the often\(number % 3) the") }
        #expect(counter.wordCount <= 100)
        let dictionary = counter.makeDictionary()
        #expect(dictionary.count(of: "the") == 10_000)
        #expect(dictionary.completions(of: "often").count == 3)
    }
}
