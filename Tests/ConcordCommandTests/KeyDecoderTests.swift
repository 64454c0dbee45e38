import TestSupport
import Testing

@testable import ConcordCommand

@Suite("What a terminal sends becomes keys, in whatever pieces it comes")
struct KeyDecoderTests {
    private static let cases: [(sent: String, inputs: [TerminalInput])] = [
        ("aé漢", [.key(.character("a")), .key(.character("é")), .key(.character("漢"))]),
        ("\r\t\u{7F}\u{8}", [.key(.enter), .key(.tab), .key(.backspace), .key(.backspace)]),
        ("\u{3}\u{1A}", [.key(.control("c")), .key(.control("z"))]),
        ("\u{1B}[A\u{1B}OB\u{1B}[1;2A\u{1B}[1;5C", [.key(.up), .key(.down), .key(.shiftUp), .key(.wordRight)]),
        (
            "\u{1B}[5~\u{1B}[6~\u{1B}[3~\u{1B}[H\u{1B}[4~",
            [.key(.pageUp), .key(.pageDown), .key(.delete), .key(.home), .key(.end)]
        ),
        ("\u{1B}OP\u{1B}[11~\u{1B}[Z", [.key(.function(1)), .key(.function(1)), .key(.backTab)]),
        ("\u{1B}n\u{1B}N", [.key(.alt("n")), .key(.alt("N"))]),
        ("\u{1B}\u{1B}[A", [.key(.escape), .key(.up)]),
        ("\u{1B}[<0;12;3M\u{1B}[<0;12;3m", [.press(x: 11, y: 2)]),
        (
            "\u{1B}[<64;1;1M\u{1B}[<65;2;9M\u{1B}[<69;2;9M",
            [.wheel(-1, x: 0, y: 0), .wheel(1, x: 1, y: 8), .wheel(1, x: 1, y: 8)]
        ),
        ("\u{1B}[<2;1;1M\u{1B}[<0;0;0M\u{1B}[<99999999999999999999;1;1M", []),
        ("\u{1B}[200~one\ntwo\u{1B}[31m\u{1B}[201~x", [.paste("one two [31m"), .key(.character("x"))]),
        ("\u{1B}[?1;2c\u{1B}[99z", []),
    ]

    @Test(arguments: cases.indices)
    func sequences(_ index: Int) {
        let (sent, expected) = Self.cases[index]
        let bytes = Array(sent.utf8)
        for size in [bytes.count, 1, 2, 3] {
            var decoder = KeyDecoder()
            var inputs: [TerminalInput] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                inputs += decoder.feed(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(inputs == expected, "in pieces of \(size)")
            #expect(!decoder.isPending)
        }
    }

    @Test func anEscapeAloneIsAKeyAfterAMoment() {
        var decoder = KeyDecoder()
        #expect(decoder.feed([27]) == [] && decoder.isPending)
        #expect(decoder.flush() == [.key(.escape)] && !decoder.isPending)
        #expect(decoder.feed(Array("\u{1B}[1".utf8)) == [] && decoder.flush() == [])
        #expect(decoder.feed(Array("a".utf8)) == [.key(.character("a"))])
    }

    @Test func theTerminalsOwnSequencesComeFirst() {
        var decoder = KeyDecoder(keys: [Array("\u{1B}[[A".utf8): .function(1)])
        #expect(decoder.feed(Array("\u{1B}[[A".utf8)) == [.key(.function(1))])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func anyBytesAreReadToTheEnd(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var decoder = KeyDecoder()
        let likely: [UInt8] = [27, 91, 60, 59, 77, 48, 57, 65, 126, 200, 128, 0x5F]
        for _ in 0..<20_000 {
            let byte =
                Bool.random(using: &generator)
                ? likely.randomElement(using: &generator)! : UInt8.random(in: 0...255, using: &generator)
            for case .key(.character(let character)) in decoder.feed([byte]) {
                #expect(character.unicodeScalars.allSatisfy { $0.value >= 32 && !(0x7F..<0xA0).contains($0.value) })
            }
        }
        // Whatever is left, the next key is understood.
        _ = decoder.feed(Array("\u{1B}[201~".utf8))
        _ = decoder.flush()
        #expect(decoder.feed([UInt8(ascii: "q")]) == [.key(.character("q"))])
    }
}

@Suite("A line is edited as one expects")
struct LineEditorTests {
    @Test(
        arguments: [
            ("word", [Key.backspace], "wor", 3), ("two words", [.control("w")], "two ", 4),
            ("two words", [.control("u")], "", 0),
            ("abc", [.left, .left, .character("x")], "axbc", 2), ("abc", [.home, .delete], "bc", 0),
            ("two words", [.wordLeft, .control("k")], "two ", 4), ("", [.backspace, .delete, .left, .right], "", 0),
            ("ab", [.control("a"), .wordRight, .character("c")], "abc", 3),
            ("e", [.character("\u{301}")], "e\u{301}", 1),
            ("👩‍👩‍👧 x", [.wordLeft, .wordLeft, .delete], " x", 0),
        ] as [(String, [Key], String, Int)])
    func edits(_ text: String, keys: [Key], expected: String, cursor: Int) {
        var line = LineEditor(text)
        for key in keys {
            let isEdit = line.apply(key)
            #expect(isEdit)
        }
        #expect(line.text == expected && line.cursor == cursor)
    }

    @Test func itStaysBounded() {
        var line = LineEditor(String(repeating: "x", count: 5000))
        line.insert(String(repeating: "y", count: 5000))
        #expect(line.text.count <= 1000)
        line.insert("\u{301}")
        #expect(line.text.hasSuffix("x\u{301}") && line.text.count == 1000)
        var paste = LineEditor("ab")
        _ = paste.apply(.left)
        paste.insert(String(repeating: "y", count: 5000))
        #expect(paste.text == "a" + String(repeating: "y", count: 998) + "b" && paste.cursor == 999)
        var marks = LineEditor("e")
        for _ in 0..<9_000 { _ = marks.apply(.character("\u{301}")) }
        #expect(marks.text.utf8.count <= 16_000)
    }
}
