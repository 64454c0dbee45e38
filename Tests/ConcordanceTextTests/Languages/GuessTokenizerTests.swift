@testable import ConcordanceText
import TestSupport
import Testing

@Suite("Texts in several languages")
struct GuessTokenizerTests {
    static let languages: [TextLanguage] = [.english, .german, .french, .russian]
    static let guessing = Analyzer.guessing(.english, .german, .french, .russian)

    @Test(arguments: LanguageGuesserTests.sentences.filter { languages.contains($0.0) })
    func `a document has the tokens of its language`(language: TextLanguage, text: String) {
        for reason: TokenizationReason in [.document, .auxiliary] {
            let tokens = Self.guessing.makeTokenizer().tokens(in: text, for: reason)
            #expect(tokens == language.analyzer.makeTokenizer().tokens(in: text, for: reason))
        }
    }

    /// What all the analyzers make of a query, by place.
    private static func places(_ text: String, _ reason: TokenizationReason) -> [Set<String>] {
        var places: [Set<String>] = []
        for language in languages {
            for token in language.analyzer.makeTokenizer().tokens(in: text, for: reason) {
                while places.count <= token.position { places.append([]) }
                places[token.position].insert(token.text)
            }
        }
        return places
    }

    @Test(arguments: [
        "running dogs", "Großmann's Häuser", "l'avion", "поезда", "IMG_2041.jpg", "chevaux nationaux", "x",
    ])
    func `a query has the tokens of all languages, each once, at one place`(text: String) {
        for reason: TokenizationReason in [.query, [.query, .prefix]] {
            let tokens = Self.guessing.makeTokenizer().tokens(in: text, for: reason)
            var places: [[String]] = []
            for token in tokens {
                if places.count <= token.position { places.append([]) }
                places[token.position].append(token.text)
                #expect(token.isColocated == (places[token.position].count > 1))
            }
            #expect(places.map(Set.init) == Self.places(text, reason), "\(text)")
            for place in places { #expect(Set(place).count == place.count, "\(place)") }
        }
    }

    @Test func `languages that cut a query elsewhere are left out unless it is in theirs`() {
        let analyzer = Analyzer.guessing(.english, .chinese)
        let chinese = analyzer.makeTokenizer().tokens(in: "全文搜索", for: .query)
        #expect(chinese == Analyzer.chinese.makeTokenizer().tokens(in: "全文搜索", for: .query))
        let english = analyzer.makeTokenizer().tokens(in: "beijing libraries", for: .query)
        #expect(Set(english.map(\.text)).isSuperset(of: ["beij", "librari", "py~beijing"]), "\(english)")
    }

    @Test(arguments: [
        ([TextLanguage.german], ["running", "Häuser", "gifts"]), ([.french], ["chevaux", "nationales"]),
        ([.english, .german], ["gifts", "Häuser Häuser"]), ([.russian], ["поезда"]),
    ])
    func `a query asked in some languages has their tokens alone`(asked: [TextLanguage], queries: [String]) {
        let tokenizer = Self.guessing.makeTokenizer()
        for query in queries {
            let mark = LanguageMark.text(asked)
            let tokens = tokenizer.tokens(in: mark + query, for: .query)
            let expected = Set(asked.flatMap { $0.analyzer.makeTokenizer().tokens(in: query, for: .query).map(\.text) })
            #expect(Set(tokens.map(\.text)) == expected, "\(query)")
            // Offsets are those of the whole text.
            #expect(
                tokens.first?.range.lowerBound == mark.utf8.count
                    && tokens.last?.range.upperBound == (mark + query).utf8.count)
            #expect(FieldMarker.removed(from: FieldMarker.text(2) + mark + query) == query)
            #expect(FieldMarker.removed(from: mark + query) == query)
        }
    }

    @Test func `marks of other languages, and broken ones, leave out none`() {
        let tokenizer = Self.guessing.makeTokenizer()
        let all = Set(tokenizer.tokens(in: "running", for: .query).map(\.text))
        for mark in [LanguageMark.text([.tamil]), LanguageMark.text([]), "\u{1FFFE}\u{1FFFF}"] {
            #expect(Set(tokenizer.tokens(in: mark + "running", for: .query).map(\.text)) == all)
        }
        for text in [
            "\u{1FFFE}", "\u{1FFFE}de", "\u{1FFFE}d\u{1FFFF}running", "\u{1FFFF}running", "\u{1FFFE}DE\u{1FFFF}x",
        ] {
            for reason: TokenizationReason in [.query, .document, .auxiliary] {
                for token in tokenizer.tokens(in: text, for: reason) {
                    #expect(token.range.upperBound <= text.utf8.count)
                }
            }
            #expect(LanguageMark.removed(from: text) == text)
        }
    }

    @Test func `it is written as a descriptor`() throws {
        #expect(Self.guessing.description == "guess en de fr ru")
        #expect(try Analyzer(parsing: "guess en de fr ru") == Self.guessing)
        #expect(try Analyzer(parsing: "GUESS EN de en") == .guessing(.english, .german))
        #expect(
            try Analyzer(parsing: "guess en de stop '=foo'")
                == Analyzer.guessing(.english, .german).appending(.stop(["foo"])))
        for wrong in ["guess", "guess xx", "guess en xx", "guess fold"] {
            #expect(throws: AnalyzerError.self, "\(wrong)") { try Analyzer(parsing: wrong) }
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `any text is split, and a document at as many places for highlights as for the index`(seed: UInt64) {
        var random = RandomText(seed: seed)
        let languages = TextLanguage.allCases.shuffled(using: &random.generator).prefix(4)
        let tokenizer = Analyzer(.guess(Array(languages))).makeTokenizer()
        let text = random.text(TextKind.allCases[Int(seed) % TextKind.allCases.count])
        text.withUnsafeBufferPointer { text in
            var counts: [Int] = []
            for reason: TokenizationReason in [.document, .auxiliary, .query, [.query, .prefix]] {
                var last = -1
                var start = 0
                try? tokenizer.forEachToken(in: text, for: reason) { token in
                    #expect(token.range.upperBound <= text.count && token.range.lowerBound >= start)
                    if !token.isColocated { start = token.range.lowerBound }
                    last = token.position
                }
                counts.append(last)
            }
            #expect(counts[0] == counts[1])
        }
    }
}
