@testable import ConcordanceText
import Testing

@Suite("Stop words")
struct StopWordsTests {
    static let languages = TextLanguage.allCases.filter { !StopWords.language($0).words.isEmpty }

    @Test func `there is a list for each language with a stemmer`() {
        let codes = Set(Self.languages.map(\.rawValue))
        #expect(StemmingLanguage.allCases.filter { $0 != .porter && !codes.contains($0.rawValue) } == [])
        #expect(codes.contains("vi"))
    }

    @Test(arguments: languages)
    func `are words in small letters, each once`(language: TextLanguage) {
        let words = StopWords.language(language).words
        #expect(words.count >= 50 && words.count < 400, "\(words.count)")
        #expect(Set(words).count == words.count)
        for word in words {
            #expect(word == word.lowercased() && word.unicodeScalars.contains { $0.properties.isAlphabetic }, "\(word)")
            #expect(!word.contains { $0.isNumber || $0.isWhitespace }, "\(word)")
        }
    }

    @Test(arguments: languages)
    func `have the language's code in descriptors`(language: TextLanguage) throws {
        let analyzer = Analyzer(.words(), .fold, .stop(.language(language)))
        #expect(analyzer.description == "words fold stop \(language.rawValue)")
        #expect(try Analyzer(parsing: analyzer.description) == analyzer)
    }

    @Test func `languages without a list are refused in descriptors`() {
        #expect(throws: AnalyzerError.self) { try Analyzer(parsing: "words stop th") }
    }

    @Test(arguments: [
        (TextLanguage.french, "Où sont les plus vieux chevaux de la ville", "plus vieux cheval vill"),
        (.german, "Wann wurde das Haus gebaut", "haus gebaut"),
        (.spanish, "¿Cuándo se fundó la ciudad?", "fund ciud"),
        (.russian, "Когда была построена эта крепость", "постр крепост"),
        (.turkish, "Bu şehir ne zaman kuruldu", "sehir zama kurul"),
        (.hebrew, "מתי נוסדה העיר", "נוסד העיר"),
        (.vietnamese, "thành phố được thành lập khi nào", "thành phố thành lập"),
        (.hindi, "शहर कब बसाया गया था", "शहर बस"),
        (.english, "When was the city founded?", "citi found"),
    ])
    func `are left out of questions, whatever the analyzer makes of words`(
        language: TextLanguage, question: String, words: String
    ) {
        let tokens = language.analyzer.ignoring(.language(language)).makeTokenizer()
            .tokens(in: question, for: .query)
        var places: [[String]] = []
        for token in tokens {
            if places.count <= token.position { places.append([]) }
            places[token.position].append(token.text)
        }
        let expected = words.split(separator: " ").map(String.init)
        #expect(places.count == expected.count, "\(places)")
        for (place, word) in zip(places, expected) { #expect(place.contains(word), "\(places)") }
    }

    @Test(arguments: languages)
    func `a query of them alone has no words`(language: TextLanguage) {
        let tokenizer = language.analyzer.ignoring(.language(language)).makeTokenizer()
        let kept = StopWords.language(language).words.filter { word in
            // A list word of several tokens is no word.
            language.analyzer.makeTokenizer().listTokens(word).count == 1
                && !tokenizer.tokens(in: word, for: .query).isEmpty
        }
        #expect(kept == [], "\(kept)")
    }
}
