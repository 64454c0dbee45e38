import ConcordanceText
import Testing

@Suite("Filters keep, drop, cut and add tokens")
struct FilterTests {
    @Test(
        "Tokens of documents",
        arguments: [
            (Analyzer(.words(), .fold, .stop(.english)), "The cat isn’t on the mat", "cat isn’t mat"),
            (Analyzer(.words(), .fold, .latin, .stop(.english)), "The cat isn’t on the mat", "cat mat"),
            (Analyzer(.words(), .fold, .stop(["été", "THE"])), "the ete x", "x"),
            (Analyzer(.words(), .stop(["the"])), "The the", "The"),
            (Analyzer(.unicode61(), .unique), "b a b c a", "b a c"),
            (Analyzer(.words(), .length(2...3)), "a bb éé ccc dddd", "bb éé ccc"),
            (
                Analyzer(.words(), .fold, .elision(.french)), "L'avion qu’il j'ai aujourd'hui l'",
                "avion +l il +qu ai +j aujourd'hui l"
            ),
            (Analyzer(.words(), .elision(.french)), "L'avion", "avion +L"),
            (Analyzer(.words(), .elision(.italian)), "dell'arte un'altra", "arte +dell altra +un"),
            (Analyzer(.words(), .elision(["o"])), "o'clock d'or", "clock +o d'or"),
            (
                Analyzer(.words(), .possessive), "dog's dog’s dogs' it's s 's x's S'S",
                "dog +s dog +s dogs it +s s s x +s S +S"
            ),
            (Analyzer(.words(), .apostrophes), "O'Brien don’t it", "OBrien +O +Brien dont +don +t it"),
            (Analyzer(.words(), .apostropheEnds), "Ankara'nın o'", "Ankara +nın o"),
            (
                Analyzer(.words(), .hebrewPrefixes), "מהבית וכשבאנו ביד בית x",
                "מהבית +הבית +בית וכשבאנו +כשבאנו +באנו +אנו ביד בית x"
            ),
            (Analyzer(.words(), .fold, .porter), "Relational Databases running", "relat databas run"),
            (Analyzer(.words(), .ngrams(2...3)), "abcd", "ab +abc bc +bcd cd"),
            (Analyzer(.words(), .ngrams(3...3)), "ab abc éèêë", "ab abc éèê èêë"),
            (Analyzer(.words(), .edgeNGrams(2...3)), "a ab abcd éèê", "a ab abcd +ab +abc éèê +éè"),
            (Analyzer(.words(), .cjk), "我在中国x国", "我在 +我 在中 +在 中国 +中 国 x 国"),
            (Analyzer(.words(), .cjk), "カタカナ テ", "カタ +カ タカ +タ カナ +カ ナ テ"),
            (Analyzer(.words(), .pinyin), "中国 x", "中 +py~zhong +py~zhongguo 国 +py~guo x"),
            (Analyzer(.unicode61(), .pinyin), "中国 x", "中国 +py~zhong +py~zhongguo +py~guo x"),
            (Analyzer(.words(), .pinyinInitials), "中国人", "中 +pi~zgr 国 +pi~gr 人"),
        ])
    func documents(analyzer: Analyzer, text: String, tokens: String) {
        #expect(analyzer.line(text) == tokens, "\(analyzer)")
        #expect(analyzer.line(text, for: .auxiliary) == tokens, "\(analyzer): highlighting counts the same positions")
    }

    @Test(
        "Tokens of queries",
        arguments: [
            (Analyzer(.words(), .ngrams(2...3)), "abcd", "abc bcd"),
            (Analyzer(.words(), .ngrams(2...3)), "ab a", "ab a"),
            (Analyzer(.words(), .ngrams(2...3)), "abc x", "abc bc x"),
            (Analyzer(.words(), .ngrams(2...4)), "abcdef xyz", "abcd bcde cdef def ef xyz"),
            (Analyzer(.words(), .ngrams(3...3)), "abcd xy", "abc bcd xy"),
            (Analyzer(.words(), .edgeNGrams(1...3)), "abcd", "abcd"),
            (Analyzer(.words(), .cjk), "中国人 国", "中国 国人 人 国"),
            (Analyzer(.words(), .cjk), "中国人", "中国 国人"),
            (Analyzer(.words(), .clusters), "ภาษา x", "ภา าษ ษา า x"),
            (Analyzer(.words(), .cjk, .pinyin), "中国", "中国 +zhongguo"),
            (Analyzer(.words(), .pinyin), "zhong1guo2 search", "zhong1guo2 +py~zhongguo search"),
            (Analyzer(.words(), .pinyin), "zhongguorenminhen", "zhongguorenminhen +py~zhongguorenmin"),
            (
                Analyzer(.words(), .pinyin), "zhongguorenminhenduoren",
                "zhongguorenminhenduoren +py~zhongguorenmin py~guorenminhen py~renminhenduo py~minhenduoren"
            ),
            (Analyzer(.words(), .romaji), "tookyoo", "tookyoo +ro~tokyo"),
        ])
    func queries(analyzer: Analyzer, text: String, tokens: String) {
        #expect(analyzer.line(text, for: .query) == tokens, "\(analyzer)")
    }

    @Test("A prefix query may end within a reading")
    func prefixes() {
        #expect(Analyzer(.words(), .pinyin).line("zhonggu", for: [.query, .prefix]) == "zhonggu +py~zhonggu")
        #expect(Analyzer(.words(), .pinyin).line("zhonggu", for: .query) == "zhonggu +py~zhonggu")
        #expect(Analyzer(.words(), .pinyin).line("zhongg", for: [.query, .prefix]) == "zhongg +py~zhongg")
        #expect(Analyzer(.words(), .pinyin).line("zhongg", for: .query) == "zhongg")
        #expect(Analyzer(.words(), .romaji).line("katak", for: [.query, .prefix]) == "katak +ro~katak")
        #expect(Analyzer(.words(), .romaji).line("katak", for: .query) == "katak")
    }

    @Test("A synonym takes the place of a head that is dropped")
    func heads() {
        let synonyms = Synonyms(groups: [["the", "le"], ["cat", "chat"]])
        let analyzer = Analyzer(.words(), .synonyms(synonyms), .stop(["the"]), .length(2...9))
        #expect(analyzer.line("the cat a") == "le cat +chat")
        #expect(Analyzer(.words(), .synonyms(synonyms), .unique).line("cat chat the") == "cat +chat the +le")
    }

    @Test("Set semantics: each distinct word once, as a keyword index wants it")
    func keywords() {
        let analyzer = Analyzer(
            .unicode61(.init(tokenCharacters: "'")), .fold, .stop(["the", "a", "of"]), .unique)
        #expect(analyzer.line("The tail of the dog: a DOG's tail, the Dög") == "tail dog dog's")
        let tokenizer = analyzer.makeTokenizer()
        #expect(tokenizer.line("x y x") == "x y")
        #expect(tokenizer.line("x y x") == "x y", "each text anew")
    }

    @Test("A custom filter comes last")
    func custom() {
        final class Reverse: TokenFilter {
            override func receive(
                _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
            ) -> Int32 {
                Array(token.reversed()).withUnsafeBufferPointer { emit($0, flags: flags, start: start, end: end) }
            }
        }
        #expect(Analyzer(.words(), .fold).makeTokenizer(appending: [Reverse()]).line("Abc DE") == "cba ed")
    }

    @Test("A sink that calls back into its tokenizer gets an error")
    func reentrance() {
        final class Box {
            var tokenizer: any Tokenizer = Analyzer.standard.makeTokenizer()
            var code: Int32 = 0
        }
        let box = Box()
        let text = Array("a b".utf8)
        text.withUnsafeBufferPointer { text in
            let sink = TokenSink(context: Unmanaged.passUnretained(box).toOpaque()) { context, _, token, count, _, _ in
                guard let context, let token else { return 1 }
                let box = Unmanaged<Box>.fromOpaque(context).takeUnretainedValue()
                box.code = token.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
                    box.tokenizer.tokenize(
                        UnsafeBufferPointer(start: $0, count: Int(count)), for: .document,
                        into: TokenSink(context: nil) { _, _, _, _, _, _ in 0 })
                }
                return 0
            }
            #expect(box.tokenizer.tokenize(text, for: .document, into: sink) == 0)
        }
        #expect(box.code == FilteredTokenizer.misuse)
    }
}
