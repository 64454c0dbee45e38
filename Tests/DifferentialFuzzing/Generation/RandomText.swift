/// The words of random texts and queries: few, so that they meet, the frequent ones first.
enum Vocabulary {
    static let words = [
        "a", "b", "the", "one", "apple", "c", "two", "apples", "run", "naïve", "d", "application", "running", "x1",
        "日本語", "three", "naive", "Über", "12", "привет", "it's", "foo-bar", "ab", "abc", "abcd", "appl", "b1", "Straße",
        "123", "日本", "Ａｂ", "uber", "e\u{301}te", "été", "😀", "İx", "ﬁne", "мир", "Привет", "x_y", "near", "and", "OR",
        "a.b", "relational", "relate", "caresses", "ponies", "q\u{AD}q", "ǅ", "\u{0}z",
        "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
    ]

    /// Words that a bareword of a query may hold as they are.
    static let barewords = words.filter { word in
        !["and", "OR", "near"].contains(word)
            && word.utf8.allSatisfy { $0 >= 0x80 || isBareword($0) }
    }

    /// Words that are one token to every tokenizer but the trigram one.
    static let letters = words.filter { word in word != "x_y" && word.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7A } }

    /// Those among them of three characters or more.
    static let trigrams = letters.filter { $0.utf8.count >= 3 }

    private static func isBareword(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
    }
}

extension Chance {
    mutating func word() -> String { pickZipf(Vocabulary.words) }

    /// A text of at most `maximum` words.
    mutating func text(maximum: Int) -> String {
        var text = ""
        for index in 0..<int(0...maximum) {
            if index > 0 { text += percent(85) ? " " : pick([", ", "  ", "-", "\n", ". ", "'", "\""]) }
            text += word()
        }
        return text
    }

    /// A value for a column as an SQL expression: mostly a text.
    mutating func value() -> String {
        weighted([
            (60, text(maximum: 8)), (20, text(maximum: 3)), (6, text(maximum: 40)), (1, text(maximum: 400)),
            (13, nil as String?),
        ])?.textExpression
            ?? (percent(3)
                ? longText() : pick(["NULL", "NULL", "''", "12", "-3.5", "x'616220636420'", "1e300", "123"]))
    }

    /// More tokens than 16 bits count, or a token longer than an index keeps. The tokens that 16 bits cannot count are of a word
    /// that queries rarely ask for, because FTS5's snippet() takes time that is quadratic in a row's hits.
    private mutating func longText() -> String {
        let size = pick([300, 2000])
        return pick([
            "replace(hex(zeroblob(\(size))), '00', 'a ')", "replace(hex(zeroblob(\(size))), '0', 'the ')",
            "replace(hex(zeroblob(33000)), '0', 'w12 ')", "'b ' || hex(zeroblob(\(10 * size))) || ' c'",
        ])
    }
}

extension String {
    /// The string as an SQL expression; a NUL, which no literal can hold, by `char(0)`.
    var textExpression: String {
        split(separator: "\0", omittingEmptySubsequences: false).map { String($0).sqlLiteral }
            .joined(separator: "||char(0)||")
    }
}
