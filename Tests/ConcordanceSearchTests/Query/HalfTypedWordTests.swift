import Concordance
import Testing

/// A word that is indexed by its stem is found at every letter on the way to its end.
@Suite("Half-typed words with a stemmer")
struct HalfTypedWordTests {
    static let english = Analyzer.english
    static let german = Analyzer(.words(), .fold, .stem(.german))
    static let russian = Analyzer(.words(), .fold, .stem(.russian))

    private static func notes(_ texts: [String], _ analyzer: Analyzer) throws -> (SearchIndex<Row>, DatabaseQueue) {
        let index = SearchIndex("texts", in: "notes") {
            Field("body")
            Analysis(analyzer)
        }
        let database = try DatabaseQueue()
        try database.write { db in
            try db.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)")
            for text in texts { try db.execute("INSERT INTO notes(body) VALUES (\(text))") }
        }
        try database.install(index)
        return (index, database)
    }

    @Test(
        arguments: [
            (english, "running"), (english, "happiness"), (english, "computations"), (english, "organization"),
            (english, "studying"), (english, "nationalization"), (english, "traditionally"), (english, "effectiveness"),
            (english, "conditional"), (english, "references"), (english, "Hopefulness"),
            (Analyzer(.porter()), "generalizations"), (german, "Zeitungen"), (german, "Freundlichkeit"),
            (german, "Heiterkeiten"), (russian, "книгами"), (russian, "красивыми"),
        ])
    func `every beginning finds the word and marks all of it`(analyzer: Analyzer, word: String) throws {
        let (index, database) = try Self.notes(["About \(word), and more", "About nothing"], analyzer)
        for length in 3...word.count {
            let typed = String(word.prefix(length))
            let page = try database.search(index, typed)
            #expect(page.hits.map(\.id) == [1], "\(typed)")
            #expect(
                try page.hits.first?.highlights("body").marked(open: "[", close: "]") == "About [\(word)], and more",
                "\(typed)")
        }
    }

    /// A nasal before a consonant is folded to anusvara, so what is typed so far is no beginning of the folded word.
    @Test(
        arguments: [
            (Analyzer.standard, "हिन्दी"), (.hindi, "हिन्दी"), (.marathi, "अङ्क"), (.nepali, "पञ्जाब"),
            (.standard, "घण्टा"), (.bengali, "বন্ধু"), (.gujarati, "ગુજરાત અન્ત"), (.punjabi, "ਪੰਜਾਬ ਅਨ੍ਤ"), (.telugu, "అన్ధ"),
            (.kannada, "ಅನ್ತ"), (.hindi, "नमन"),
        ])
    func `a word with a nasal is found from its second letter on`(analyzer: Analyzer, word: String) throws {
        let (index, database) = try Self.notes(["x \(word) x", "x"], analyzer)
        let scalars = word.unicodeScalars
        for length in 2...scalars.count {
            let typed = String(String.UnicodeScalarView(scalars.prefix(length)))
            let page = try database.read { try index.query(typed).typos(.none).fetch($0) }
            #expect(page.hits.map(\.id) == [1], "\(typed)")
            #expect(try page.hits.first?.highlights("body").hasMatches == true, "\(typed)")
        }
    }

    @Test(arguments: [("thin", "thing"), ("win", "wing"), ("se", "see"), ("orga", "orc")])
    func `a whole word is not taken for the beginning of another stem`(typed: String, other: String) {
        let tokenizer = Self.english.makeTokenizer()
        #expect(!Self.english.completions(ofHalfTyped: typed, by: tokenizer).contains(other))
    }

    @Test(arguments: ["", " ", "-", "a", "go ", String(repeating: "in", count: 10_000), "\u{0}i", "e\u{301}"])
    func `any text is completed in bounded time, to no more than eight others`(text: String) {
        let completions = Self.english.completions(ofHalfTyped: text, by: Self.english.makeTokenizer())
        #expect(completions.count <= 8)
        #expect(Analyzer.standard.completions(ofHalfTyped: text, by: Analyzer.standard.makeTokenizer()).isEmpty)
    }
}
