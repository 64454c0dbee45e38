import ConcordanceText
import TestSupport
import Testing

extension RandomText {
    /// A word or phrase for a list, with characters that descriptors have a meaning for.
    mutating func phrase() -> String {
        let pieces = [
            "a", "the", "new york", "é", "'", "\"", "\\", ",", ";", "=", "=>", ">", "\\,", "en", "中国", "x\ty",
        ]
        return (0...below(4)).map { _ in oneOf(pieces) }.joined(separator: oneOf(["", " "]))
    }

    mutating func words() -> [String] { (0..<below(4)).map { _ in phrase() } }

    mutating func range(_ limit: Int) -> ClosedRange<Int> {
        let first = 1 + below(limit)
        return first...first + below(4)
    }

    mutating func synonyms() -> Synonyms {
        Synonyms(
            (0..<below(4)).map { _ in
                below(2) == 0 ? .group(words()) : .oneWay(from: words(), to: words())
            })
    }

    mutating func filter() -> Analyzer.Filter {
        oneOf([
            .fold, .caseFolding, .turkish, .nfkc, .diacritics, .latin, .width, .kana, .ignorables, .german,
            .scandinavian, .elision(oneOf([.french, .any, .irish, .list(words())])), .possessive,
            .stop(oneOf([.language(.english), .list(words())])), .unique, .length(range(9)), .parts, .porter,
            .synonyms(synonyms()),
            .querySynonyms(oneOf([synonyms(), .englishOrdinals])), .ngrams(range(4)), .edgeNGrams(range(4)), .cjk,
            .pinyin, .pinyinInitials, .romaji, .romanized,
        ])
    }

    mutating func analyzer() -> Analyzer {
        let tokenizer: TokenizerSpecification = oneOf([
            .words(), .words(.init(emoji: false)), .unicode61(),
            .ascii(.init(tokenCharacters: "'-", separators: "x y")),
            .unicode61(
                .init(removeDiacritics: .full, categories: .standard, tokenCharacters: "- '\"", separators: "é")),
            .porter(), .porter(.porter(.ascii())), .trigram(.init(caseSensitive: true)),
            .trigram(.init(removeDiacritics: true)),
        ])
        return Analyzer(tokenizer, filters: (0..<below(6)).map { _ in filter() })
    }
}

@Suite("A descriptor says everything about an analyzer")
struct AnalyzerDescriptorTests {
    @Test("Analyzers come back from their components and from their description", arguments: 0..<300)
    func roundTrip(seed: Int) throws {
        var random = RandomText(seed: UInt64(seed))
        let analyzer = random.analyzer()
        let parsed = try Analyzer(components: analyzer.components)
        #expect(parsed.components == analyzer.components, "\(analyzer)")
        #expect(try Analyzer(parsing: analyzer.description) == parsed, "\(analyzer)")
        #expect(Analyzer(parsed.description) == parsed, "\(analyzer)")
        // Only empty words, which a list may contain by mistake, change on the way.
        let sample = "The l'avion 1st New York nyc 中国 dog's a Müller"
        #expect(parsed.line(sample) == analyzer.line(sample), "\(analyzer)")
    }

    @Test("The predefined analyzers have names", arguments: Analyzer.named.map(\.name))
    func named(name: String) throws {
        let analyzer = try Analyzer(components: [name.uppercased()])
        #expect(analyzer == Analyzer.named.first { $0.name == name }?.analyzer)
        if let code = Analyzer.named.first(where: { $0.name == name })?.code {
            #expect(try Analyzer(components: [code]) == analyzer)
        }
        #expect(try Analyzer(components: analyzer.components) == analyzer)
    }

    @Test(
        "Descriptors are short",
        arguments: [
            (Analyzer.standard, "words parts fold latin scripts elision any possessive apostrophes"),
            (
                .english,
                "words parts case nfkc ignorables possessive apostrophes query_synonyms en_ordinals inflections en "
                    + "diacritics latin scripts"
            ),
            (
                Analyzer(.words(), .fold, .latin, .elision(.french), .stop(.english), .porter, .length(1...64)),
                "words fold latin elision fr stop en porter length 1 64"
            ),
            (Analyzer(.words(), .stop(["the", "it's"])), "words stop '=the it''s'"),
            (
                Analyzer(.unicode61(.init(tokenCharacters: "-")), .synonyms(Synonyms(groups: [["first", "1st"]]))),
                "unicode61 tokenchars '-' synonyms 'first, 1st'"
            ),
        ])
    func description(analyzer: Analyzer, text: String) {
        #expect(analyzer.description == text)
    }

    @Test("The default tokenizer is words, and the default analyzer the standard one")
    func defaults() throws {
        #expect(try Analyzer(components: []) == .standard)
        #expect(try Analyzer(parsing: "fold stop en") == Analyzer(.words(), .fold, .stop(.english)))
        #expect(try Analyzer(parsing: "german latin") == Analyzer(.words(), .german, .latin))
        #expect(try Analyzer(parsing: "PORTER Ascii FOLD") == Analyzer(.porter(.ascii()), .fold))
        #expect(try Analyzer(parsing: "porter fold") == Analyzer(.porter(), .fold))
    }

    @Test(
        "Errors name what is wrong and what exists",
        arguments: [
            ("words foldd", ["'foldd'", "fold", "latin", "unicode61"]),
            ("unicode62", ["'unicode62'", "unicode61"]),
            ("words stop", ["'stop'", "en", "=the a an"]),
            ("words stop th", ["'stop'", "'th'", "en"]),
            ("words length 3", ["'length'", "two numbers"]),
            ("words length 3 2", ["'length'", "'2'"]),
            ("words ngrams 0 3", ["'ngrams'", "'0'", "1 to 255"]),
            ("words elision fr '=", ["quotation mark"]),
            ("unicode61 remove_diacritics 7", ["remove_diacritics", "'7'"]),
            ("words synonyms 'a = b'", ["'synonyms'", "=>"]),
            ("words synonyms", ["'synonyms'", "=>"]),
        ])
    func errors(descriptor: String, mentions: [String]) {
        #expect(Analyzer(descriptor) == nil)
        let error = #expect(throws: AnalyzerError.self) { try Analyzer(parsing: descriptor) }
        let message = error?.description ?? ""
        for text in mentions { #expect(message.contains(text), "\(message)") }
    }
}
