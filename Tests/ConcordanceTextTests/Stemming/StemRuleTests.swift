import Testing

@testable import ConcordanceText

@Suite("Rules of stemmers")
struct StemRuleTests {
    private static func program(_ rules: String) throws -> StemProgram {
        try Array(rules.utf8).withUnsafeBufferPointer { bytes throws(StemRuleError) in
            try StemRuleParser.program(bytes)
        }
    }

    private static func stem(_ word: String, _ rules: String) throws -> String {
        let stemmer = RuleStemmer(try program(rules))
        var word = word
        return word.withUTF8 { String(decoding: stemmer.stem($0) ?? $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("rule stem = back( [{ 'sses': ->'ss'; 'ies': ->'i'; 'ss'; 's': del }] )", "caresses", "caress"),
        ("rule stem = back( [{ 'sses': ->'ss'; 'ies': ->'i'; 'ss'; 's': del }] )", "ponies", "poni"),
        ("rule stem = back( [{ 'sses': ->'ss'; 'ies': ->'i'; 'ss'; 's': del }] )", "caress", "caress"),
        ("letters v = aeiou\nrule stem = *( >( [v] ) del )", "banana", "bnn"),
        ("letters v = aeiou\nrule stem = *( [^v] del | v )", "banana", "aaa"),
        ("letters v = ae\nletters w = <v> io # \nrule stem = ( >>w ['n'] ->'N' )", "bonbon", "boNbon"),
        ("rule stem = 'a' | 'b' [.] del", "bc", "b"), ("rule stem = 'b' & . [.] del", "bc", "b"),
        ("rule stem = !'a' [.] del", "abc", "abc"), ("rule stem = @'a' [.] del", "abc", "bc"),
        ("rule stem = ~( .2 ) ?'x' [.2] del", "abc", "c"), ("rule stem = +'a' [tolimit] del", "aabc", "aa"),
        ("rule stem = +'x' [tolimit] del", "aabc", "aabc"), ("rule stem = .2 insert 'xy' [.] del", "abc", "abxy"),
        ("rule stem = .2 attach 'xy' [.] del", "abc", "abyc"), ("rule stem = [.] keep .2 insert kept", "abc", "abca"),
        ("rule stem = [.] keep ] del kept [.] del", "aab", "a"),
        (
            "number n\nrule stem = . mark n back( behind n ( ['c'] del ) )",
            "abc", "ab"
        ),
        ("number n\nrule stem = $(n = limit) back( behind n ( ['c'] del ) )", "abc", "abc"),
        ("number n\nrule stem = . mark n back( [{ behind n; 'abc': del; 'bc': ->'x' }] )", "abc", "ax"),
        ("number n\nrule stem = .2 mark n back( to n [.] del at n false | [.] del )", "abc", "ab"),
        ("rule stem = $(length > 3) [.] del", "abc", "abc"), ("rule stem = $(length >= 3) [.] del", "abc", "bc"),
        ("number n\nrule stem = $(n = cursor + 2) $(n == 2) [.] del", "abc", "bc"),
        ("number n\nrule stem = $(n = 5) $(n = n - 4) $(n != 1) [.] del", "abc", "abc"),
        ("letters v = a\nrule voiced = v\nrule stem = back( [{ 'c' 'bc'?voiced 'abc'?voiced: del }] )", "abc", "a"),
        ("rule stem = back( [{ : 'a'; 'b': del; 'c': ->'x' }] )", "abac", "abax"),
        ("rule stem = back( [{ : 'a'; 'b': del; 'c': ->'x' }] )", "abab", "aba"),
        ("rule stem = back( half | tail )\nrule tail = ['c'] del\nrule half = 'c' 'x'", "abc", "ab"),
        ("rule stem = [.] ->'\\u{5D0}\\''", "abc", "א'bc"),
        ("rule stem = { 'ab' 'a': [.] del; '': [.] del }", "abc", "ab"),
        // Letters that the rules do not name, of one byte to three.
        ("rule stem = back( ['c'] del )", "łó文zwc", "łó文zw"), ("rule stem = [.] keep ] del kept [.] del", "문문w", "문"),
        ("letters v = ae\nrule stem = *( [^v] ->'-' | . )", "łaść", "-a--"),
        // Rules that are passed over where another letter stands, and rows behind them that are not.
        ("letters v = ae\nrule stem = ?( [v 'x'] del ) ?( [v 'b'] del ) [.] del", "abcd", "d"),
        (
            "letters v = ae\nrule stem = ?long ['b'] del\nrule long = { 'ab' 'ac' 'ad': [ v v v | v 'x' ] del }", "bc",
            "c"
        ),
        ("rule stem = >>( ?'x' 'b' ) [.] del", "aabc", "aab"), ("rule stem = >>( ~'x' 'b' ) [.] del", "aabc", "aab"),
        ("rule stem = >>( *'x' 'b' | !'c' 'd' ) [.] del", "axxdc", "axxd"),
        ("rule stem = ( 'a' 'b' 'x' | 'a' 'b' | 'a' ) [.] del", "abc", "ab"),
        ("rule stem = ( 'a' | 'a' 'b' ) 'b' [.] del", "abc", "ab"),
        ("rule stem = *[{ 'ab': ->'x'; 'cd': del; '': . }]", "yabcdyab", "yxyx"),
        ("rule stem = *[{ 'ab': ->'x'; '': . }] ] [ insert 'z'", "ab", "xz"),
        ("rule stem = ~back( ['b'] del false ) [.] del", "xab", "a"),
        ("rule stem = back( a )\nrule a = ['a'] del ?b\nrule b = ['b'] del ?a", "xbaba", "x"),
        ("rule stem = false | true [.] del", "abc", "bc"), ("rule stem = [{ 'ab': }] limit | . [.] del", "abc", "ac"),
    ])
    func `do what they say`(rules: String, word: String, stem: String) throws {
        #expect(try Self.stem(word, rules) == stem)
    }

    @Test(arguments: [
        "rule stem = *( ?'x' )", "rule stem = *~( . )", "rule stem = stem", "rule stem = *( insert 'aaaa' )",
        "rule stem = back( *( [] ->'ab' ) )", "rule stem = *( ! 'x' )", "rule stem = +( . *stem )",
        // The row that fails takes letters away, and the cursor returns to a place before the word or behind it.
        "rule stem = back( ['b'] tolimit ( del false | insert 'x' ) )",
        "rule stem = back( ['b'] tolimit ( del false | [ keep insert kept ] ->'x' ) )",
        "number n\nrule stem = $(n = limit) [.3] del to n insert 'x'",
    ])
    func `end, whatever they say`(rules: String) throws {
        #expect(try Self.stem(String(repeating: "ab", count: 60), rules).utf16.count <= StemMachine.capacity)
    }

    @Test(arguments: [
        ("", "there is no rule or set of letters stem"), ("rule stem = x", "there is no rule or set of letters x"),
        ("rule stem = ^x", "there is no set of letters x"), ("rule stem = mark x", "there is no number x"),
        ("rule stem = 'x", "a text without a closing quotation mark"), ("rule stem = (", "expected ), found end"),
        ("rule stem = \n rule stem = 'a'", "the rule stem is declared twice"), ("letters v a", "expected ="),
        ("rule stem = { 'a' 'a' }", "'a' occurs twice"), ("rule stem = $(n < 1)", "there is no number n"),
        ("rule stem = . 999999999", "the number is too large"),
        ("number a b c d e f g h i j k l m n o p q", "too many"),
        ("rule stem = '\\u{110000}'", "is not a letter"), ("rule stem = é", "a character without meaning here"),
        ("rule stem = [{ 'a' }", "expected ; or }]"),
        ("rule stem = $(length = 2)", "only a declared number can be assigned"),
        ("letters v = <w>", "there are no letters <w>"),
        ("word stem", "expected letters, number or rule"),
    ])
    func `say what is wrong`(rules: String, message: String) {
        let error = #expect(throws: StemRuleError.self) { try Self.program(rules) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func `may be too many, and say so`() {
        let letters = (0x4E00..<0x4F00).compactMap { UnicodeScalar($0).map(String.init) }.joined()
        let deep = String(repeating: "?( 'a' ", count: 80) + String(repeating: ") ", count: 80)
        for (rules, message) in [("letters v = \(letters)\nrule stem = v", "letters"), ("rule stem = \(deep)", "deep")]
        {
            let error = #expect(throws: StemRuleError.self) { try Self.program(rules) }
            #expect(error?.description.contains("too") == true && error?.description.contains(message) == true)
        }
    }

    @Test(arguments: StemmingLanguage.allCases)
    func `are right for every language`(language: StemmingLanguage) { #expect(language.program != nil) }
}
