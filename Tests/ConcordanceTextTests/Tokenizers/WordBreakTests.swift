import Foundation
import TestSupport
import Testing

@testable import ConcordanceText

/// The boundaries of UAX #29 found the slow way: every rule in turn, as the report writes it, for every place between
/// two characters.
private struct WordBreakRules {
    private let properties: [WordBreakProperty]
    private let isPictographic: [Bool]

    init(_ scalars: [UnicodeScalar]) {
        let values = scalars.map { WordBreakTables.value(of: $0.value) }
        properties = values.map { WordBreakProperty(rawValue: UInt8($0 & 0x1F)) ?? .other }
        isPictographic = values.map { $0 & 0x20 != 0 }
    }

    /// The indices of the characters that a segment begins with, and the number of characters.
    var boundaries: [Int] {
        properties.isEmpty ? [0] : [0] + (1..<properties.count).filter(isBoundary) + [properties.count]
    }

    private func isIgnored(_ index: Int) -> Bool { [.extend, .format, .zwj].contains(properties[index]) }

    /// WB4: the index of the nearest character before, or from, `index` that is not skipped. Those at the start of the
    /// text or of a line are not.
    private func base(before index: Int) -> Int? {
        var place = index - 1
        while place > 0, isIgnored(place), ![.cr, .lf, .newline].contains(properties[place - 1]) { place -= 1 }
        return place >= 0 ? place : nil
    }

    private func base(from index: Int) -> Int? { (index..<properties.count).first { !isIgnored($0) } }

    private func isBoundary(before index: Int) -> Bool {
        let left = properties[index - 1]
        let right = properties[index]
        let lineEnds: Set<WordBreakProperty> = [.cr, .lf, .newline]
        if left == .cr, right == .lf { return false }
        if lineEnds.contains(left) || lineEnds.contains(right) { return true }
        if left == .zwj, isPictographic[index] { return false }
        if left == .wSegSpace, right == .wSegSpace { return false }
        if isIgnored(index) { return false }

        guard let previous = base(before: index) else { return true }
        let a = properties[previous]
        let before = base(before: previous).map { properties[$0] }
        let after = base(from: index + 1).map { properties[$0] }
        let letters: Set<WordBreakProperty> = [.aLetter, .hebrewLetter]
        let midLetters: Set<WordBreakProperty> = [.midLetter, .midNumLet, .singleQuote]
        let midNumbers: Set<WordBreakProperty> = [.midNum, .midNumLet, .singleQuote]
        func isLetter(_ property: WordBreakProperty?) -> Bool { property.map(letters.contains) ?? false }
        if isLetter(a), isLetter(right) { return false }
        if isLetter(a), midLetters.contains(right), isLetter(after) { return false }
        if isLetter(before), midLetters.contains(a), isLetter(right) { return false }
        if a == .hebrewLetter, right == .singleQuote { return false }
        if a == .hebrewLetter, right == .doubleQuote, after == .hebrewLetter { return false }
        if before == .hebrewLetter, a == .doubleQuote, right == .hebrewLetter { return false }
        if a == .numeric || isLetter(a), right == .numeric { return false }
        if a == .numeric, isLetter(right) { return false }
        if before == .numeric, midNumbers.contains(a), right == .numeric { return false }
        if a == .numeric, midNumbers.contains(right), after == .numeric { return false }
        if a == .katakana, right == .katakana { return false }
        if isLetter(a) || [.numeric, .katakana, .extendNumLet].contains(a), right == .extendNumLet { return false }
        if a == .extendNumLet, isLetter(right) || [.numeric, .katakana].contains(right) { return false }
        if a == .regionalIndicator, right == .regionalIndicator {
            var count = 0
            var place: Int? = previous
            while let index = place, properties[index] == .regionalIndicator {
                count += 1
                place = base(before: index)
            }
            return count % 2 == 0
        }
        return true
    }
}

@Suite("Word boundaries are those of UAX #29")
struct WordBreakTests {
    private func boundaries(_ bytes: [UInt8]) -> [Int] {
        bytes.withUnsafeBufferPointer { text in
            let breaker = WordBreaker(text: text)
            var boundaries = [0]
            while let last = boundaries.last, last < text.count { boundaries.append(breaker.segment(from: last).end) }
            return boundaries
        }
    }

    @Test("in every line of WordBreakTest.txt")
    func conformance() throws {
        let files = ["/usr/share/unicode/auxiliary/WordBreakTest.txt"].map(URL.init(fileURLWithPath:))
        guard
            let url = SharedData.url("unicode-15.0/WordBreakTest.txt")
                ?? files.first(where: { FileManager.default.fileExists(atPath: $0.path) })
        else { return }
        var count = 0
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            var bytes: [UInt8] = []
            var expected: [Int] = []
            for field in line.prefix(while: { $0 != "#" }).split(whereSeparator: { $0 == " " || $0 == "\t" }) {
                switch field {
                case "÷": expected.append(bytes.count)
                case "×": break
                default:
                    bytes += UInt32(field, radix: 16).flatMap(UnicodeScalar.init).map { Array(String($0).utf8) } ?? []
                }
            }
            #expect(boundaries(bytes) == expected, "\(line)")
            count += 1
        }
        #expect(count > 1800)
    }

    @Test("in random sequences of every property, by the rules one by one")
    func randomSequences() {
        var random = RandomText(seed: 21)
        let characters: [UnicodeScalar] = [
            "\r", "\n", "\u{85}", "\u{300}", "\u{301}", "\u{AD}", "\u{200D}", "\u{1F1E6}", "\u{1F1E7}", "ア", "カ", "א",
            "ב", "a", "B",
            "é", "'", "\"", ".", ":", ",", ";", "1", "2", "_", " ", "\u{3000}", "中", "の", "ก", "!", "\u{1F600}",
            "\u{1F3FD}", "©",
            "Ⓜ", "\u{FE0F}",
        ]
        for _ in 0..<4000 {
            let scalars = (0..<random.below(12)).map { _ in random.oneOf(characters) }
            let offsets = scalars.reduce(into: [0]) { $0.append(($0.last ?? 0) + UTF8.width($1)) }
            let expected = WordBreakRules(scalars).boundaries.map { offsets[$0] }
            let bytes = Array(String(String.UnicodeScalarView(scalars)).utf8)
            #expect(boundaries(bytes) == expected, "\(scalars.map { String($0.value, radix: 16) })")
        }
    }

    @Test("and any bytes are split without a gap", arguments: TextKind.allCases)
    func anyBytes(kind: TextKind) {
        var random = RandomText(seed: 8)
        for _ in 0..<50 {
            let text = random.text(kind)
            let boundaries = boundaries(text)
            #expect(
                boundaries.last == text.count && zip(boundaries, boundaries.dropFirst()).allSatisfy(<),
                "\(text.readable)")
        }
    }

    @Test("in linear time where reading ahead finds nothing")
    func noQuadraticTime() {
        // A letter, an apostrophe and marks without end: what is read ahead is thrown away once.
        let text = Array(("a'" + String(repeating: "\u{301}", count: 100_000) + "!").utf8)
        #expect(boundaries(text) == [0, 1, text.count - 1, text.count])
    }
}

@Suite("Words are tokens")
struct WordTokenizerTests {
    @Test(
        "as written, with their places",
        arguments: [
            ("", []), ("  \n\t ", []), ("…!?—“”", []), ("___", []),
            (
                "The quick (“brown”) fox can’t jump 32.3 feet, right?",
                [
                    "The", "quick", "brown", "fox", "can’t", "jump", "32.3", "feet", "right",
                ]
            ),
            (
                "e-mail user_name@example.com 1,000.50 3rd",
                ["e", "mail", "user_name", "example.com", "1,000.50", "3rd"]
            ),
            ("Straße naïve cafe\u{301}", ["Straße", "naïve", "cafe\u{301}"]),
            ("日本語のテキスト", ["日", "本", "語", "の", "テキスト"]),
            ("ひらがな ｶﾀｶﾅ ラーメン", ["ひ", "ら", "が", "な", "ｶﾀｶﾅ", "ラーメン"]),
            ("한국어 텍스트", ["한국어", "텍스트"]),
            ("ที่นี่", ["ที่", "นี่"]),
            ("שלום צה״ל", ["שלום", "צה״ל"]),
            ("½ Ⅷ ① Ⓐ", ["½", "Ⅷ", "①", "Ⓐ"]),
        ] as [(String, [String])])
    func words(text: String, expected: [String]) {
        let tokens = WordTokenizer().tokens(in: text)
        #expect(tokens.map(\.text) == expected)
        for token in tokens {
            #expect(Array(Array(text.utf8)[token.range]) == Array(token.text.utf8))
        }
    }

    @Test(
        "and so are emoji, unless told otherwise",
        arguments: [
            ("party 🎉!", ["party", "🎉"]), ("👩‍👩‍👧", ["👩‍👩‍👧"]), ("👍🏽👎", ["👍🏽", "👎"]), ("🇩🇪🇫🇷 🇩", ["🇩🇪", "🇫🇷"]),
            ("© ↔ ™", []), ("©\u{FE0F} ❤\u{FE0F}", ["©\u{FE0F}", "❤\u{FE0F}"]),
            ("1\u{FE0F}\u{20E3}", ["1\u{FE0F}\u{20E3}"]),
        ] as [(String, [String])])
    func emoji(text: String, expected: [String]) throws {
        #expect(WordTokenizer().tokens(in: text).map(\.text) == expected)
        let quiet = try WordTokenizer(arguments: ["emoji", "0"])
        #expect(
            quiet.tokens(in: text).map(\.text)
                == expected.filter { $0.unicodeScalars.contains { $0.properties.isAlphabetic || "0"..."9" ~= $0 } })
    }

    @Test("and exactly the segments with something to find are", arguments: TextKind.allCases)
    func segments(kind: TextKind) {
        var random = RandomText(seed: 31)
        let tokenizer = WordTokenizer()
        func check(_ text: [UInt8]) {
            let expected = text.withUnsafeBufferPointer { text in
                let breaker = WordBreaker(text: text)
                var tokens: [Range<Int32>] = []
                var start = 0
                while start < text.count {
                    let segment = breaker.segment(from: start)
                    if segment.isWord || segment.isEmoji { tokens.append(Int32(start)..<Int32(segment.end)) }
                    start = segment.end
                }
                return tokens
            }
            let calls = tokenizer.log(text).calls
            #expect(calls.map { $0.start..<$0.end } == expected, "\(text.readable)")
            #expect(calls.allSatisfy { $0.bytes == Array(text[Int($0.start)..<Int($0.end)]) }, "\(text.readable)")
        }
        for _ in 0..<100 { check(random.text(kind)) }
        // Few characters, those that join and separate words, so that they meet at every place of a block.
        let pieces = [
            "a", "B", "7", "_", ".", "'", ":", ",", ";", "-", " ", "\n", "é", "\u{301}", "\u{200D}", "❤", "中", "ア", "א",
            "\"",
        ]
        for _ in 0..<200 {
            let some = (0...random.below(5)).map { _ in random.oneOf(pieces) } + ["a", "a", "1"]
            check((0..<random.below(150)).flatMap { _ in Array(random.oneOf(some).utf8) })
        }
    }

    @Test("and broken UTF-8 stands between them")
    func brokenText() {
        let text: [UInt8] =
            Array("ab".utf8) + [0xFF] + Array("cd".utf8) + [0xED, 0xA0, 0x80] + Array("é".utf8) + [0xE4, 0xB8]
        #expect(WordTokenizer().log(text).calls.map(\.bytes) == [Array("ab".utf8), Array("cd".utf8), Array("é".utf8)])
    }
}
