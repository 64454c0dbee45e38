import ConcordanceText
import Testing

@Suite("Tokenizers by example")
struct TokenizerExampleTests {
    @Test(
        "The Porter stemmer, by the examples of Porter's paper",
        arguments: [
            ("caresses", "caress"), ("ponies", "poni"), ("ties", "ti"), ("caress", "caress"), ("cats", "cat"),
            ("feed", "feed"),
            ("agreed", "agre"), ("plastered", "plaster"), ("bled", "bled"), ("motoring", "motor"), ("sing", "sing"),
            ("conflated", "conflat"), ("troubled", "troubl"), ("sized", "size"), ("hopping", "hop"), ("tanned", "tan"),
            ("falling", "fall"), ("hissing", "hiss"), ("fizzed", "fizz"), ("failing", "fail"), ("filing", "file"),
            ("happy", "happi"),
            ("sky", "sky"), ("relational", "relat"), ("conditional", "condit"), ("rational", "ration"),
            ("digitizer", "digit"),
            ("vietnamization", "vietnam"), ("predication", "predic"), ("operator", "oper"), ("feudalism", "feudal"),
            ("decisiveness", "decis"), ("hopefulness", "hope"), ("callousness", "callous"), ("formaliti", "formal"),
            ("sensibiliti", "sensibl"), ("triplicate", "triplic"), ("electrical", "electr"), ("goodness", "good"),
            ("revival", "reviv"), ("allowance", "allow"), ("inference", "infer"), ("airliner", "airlin"),
            ("adjustable", "adjust"),
            ("replacement", "replac"), ("adoption", "adopt"), ("probate", "probat"), ("rate", "rate"),
            ("cease", "ceas"),
            ("controll", "control"), ("roll", "roll"), ("as", "as"), ("", ""), ("is", "is"),
        ])
    func stemmer(word: String, stem: String) {
        var bytes = Array(word.utf8)
        let count = bytes.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { PorterStemmer.stem($0, count: buffer.count) } ?? 0
        }
        #expect(String(decoding: bytes[..<count], as: UTF8.self) == stem)
    }

    @Test("A word longer than the stemmer takes stays as it is, as in SQLite", arguments: [2, 3, 63, 64, 65, 1000])
    func stemmedLengths(count: Int) {
        let word = String(repeating: "a", count: count - 1) + "s"
        let token = PorterTokenizer().tokens(in: word).first?.text
        #expect(token == (PorterStemmer.stemmedLengths.contains(count) ? String(word.dropLast()) : word))
    }

    /// Texts, and the tokens that SQLite 3.54.1 makes of them.
    @Test(
        "The trigram tokenizer without diacritics",
        arguments: [
            ("abcd", ["abc[0..<3]", "bcd[1..<4]"]),
            ("Éclair", ["ecl[0..<4]", "cla[2..<5]", "lai[3..<6]", "air[4..<7]"]),
            ("e\u{301}clair", ["ecl[0..<5]", "cla[3..<6]", "lai[4..<7]", "air[5..<8]"]),
            ("\u{301}abc\u{301}d\u{302}", ["abc[2..<7]", "bcd[3..<10]"]),
            ("ab\0cd", ["abc[0..<4]", "bcd[1..<5]"]),
            ("İIab", ["iia[0..<4]", "iab[2..<5]"]),
            ("ab", []), ("", []), ("\u{301}", []),
            ("a\u{301}\u{301}\u{301}bc", ["abc[0..<9]"]),
            ("xệ z", ["xe [0..<5]", "e z[1..<6]"]),
        ] as [(String, [String])])
    func trigramWithoutDiacritics(text: String, expected: [String]) throws {
        let tokenizer = try TrigramTokenizer(arguments: ["remove_diacritics", "1"])
        #expect(tokenizer.log(Array(text.utf8)).calls.map(\.description) == expected)
    }

    @Test(
        "Arguments that make no sense are refused with advice",
        arguments: [
            (
                ["nonsense"],
                "there is no tokenizer 'nonsense'; use one of: unicode61, ascii, trigram, words, porter, guess"
            ),
            (
                ["unicode61", "stem", "1"],
                "tokenizer 'unicode61' has no option 'stem'; use one of: remove_diacritics, categories, tokenchars, separators"
            ),
            (
                ["ascii", "tokenchars"],
                "option 'tokenchars' of tokenizer 'ascii' has no value; write the value after it"
            ),
            (
                ["porter", "unicode61", "remove_diacritics", "3"],
                "option 'remove_diacritics' of tokenizer 'unicode61' cannot be '3'; use 0 or 1 or 2"
            ),
            (
                ["unicode61", "categories", "L* Lq"],
                "option 'categories' of tokenizer 'unicode61' cannot be 'L* Lq'; use names of general categories, such as 'L* N* Co'"
            ),
            (
                ["trigram", "case_sensitive", "1", "remove_diacritics", "1"],
                "option 'remove_diacritics' of tokenizer 'trigram' cannot be '1'; use 0, or remove case_sensitive"
            ),
            (
                Array(repeating: "porter", count: 100_000),
                "option 'parent' of tokenizer 'porter' cannot be 'porter'; use at most 16 of them in a row"
            ),
        ])
    func errors(components: [String], message: String) {
        let error = #expect(throws: TokenizerError.self) { try TokenizerSpecification(components: components) }
        #expect(error?.description == message)
    }

    @Test("A category list prints the way SQLite reads it")
    func categories() throws {
        #expect(Unicode61Tokenizer.Categories.standard.description == "L* N* Co")
        let some = try #require(Unicode61Tokenizer.Categories("Lu  Mnemonic\tP*"))
        #expect(some.description == "Lu Mn P*")
        #expect(Unicode61Tokenizer.Categories("") == [])
        #expect(Unicode61Tokenizer.Categories("L* ? l*") == .letters)
        #expect(Unicode61Tokenizer.Categories("L* L") == nil)
    }
}
