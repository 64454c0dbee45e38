import Concordance
import ConcordanceSearch
import TestSupport
import Testing

@testable import ConcordCommand

private func text(_ pieces: [[UInt8]]) throws -> String {
    let (beginning, content) = try PeekedStream.beginning(of: MemoryStream(pieces))
    let stream = try TextStream(content, beginning: beginning)
    return String(decoding: try stream.whole(limit: 1 << 20), as: UTF8.self)
}

private func utf16(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
    ((mark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
        let (low, high) = (UInt8(unit & 0xFF), UInt8(unit >> 8))
        return bigEndian ? [high, low] : [low, high]
    }
}

@Suite("Text of any encoding becomes clean UTF-8")
struct TextStreamTests {
    @Test(
        arguments: [
            (Array("plain".utf8), "plain"),
            ([0xEF, 0xBB, 0xBF] + Array("é".utf8), "é"),
            (utf16("Grüße 𝄞 hi", bigEndian: false, mark: true), "Grüße 𝄞 hi"),
            (utf16("Grüße 𝄞 hi", bigEndian: true, mark: true), "Grüße 𝄞 hi"),
            (utf16("no mark at all", bigEndian: false, mark: false), "no mark at all"),
            (utf16("no mark at all", bigEndian: true, mark: false), "no mark at all"),
            (utf16("odd", bigEndian: false, mark: true) + [65], "odd\u{FFFD}"),
            (utf16("half", bigEndian: false, mark: true) + [0x00, 0xD8], "half\u{FFFD}"),
            (utf16("x", bigEndian: false, mark: true) + [0x00, 0xDC, 65, 0], "x\u{FFFD}A"),
            ([0x63, 0x61, 0x66, 0xE9, 0x20, 0x80], "café €"),
            (Array("éééééééééé".utf8) + [0xFF], "éééééééééé\u{FFFD}"),
            (Array("café and a cut ".utf8) + [0xE2, 0x82], "café and a cut \u{FFFD}\u{FFFD}"),
            (Array("a\r\nb\rc\u{C}d".utf8), "a\nb\nc\nd"),
            (Array("\u{1B}[1;31mred\u{1B}[0m \u{1B}x \u{9B}31m \u{7}bell\u{7F}".utf8), "red x  31m  bell "),
            (Array("N\u{8}NA\u{8}AM\u{8}ME _\u{8}x é\u{8}\u{8}e".utf8), "NAME x e"),
            ([], ""),
        ] as [([UInt8], String)])
    func decoding(_ bytes: [UInt8], expected: String) throws {
        #expect(try text([bytes]) == expected)
    }

    /// Where the pieces are cut must not matter.
    @Test func piecesMakeNoDifference() throws {
        var generator = SeededGenerator(seed: 3)
        let alphabet = Array("a é 𝄞 \r\n\r\u{1B}[1m\u{1B}[ \u{9B}\u{8}\t\u{FEFF}".unicodeScalars)
        for round in 0..<300 {
            var string = String.UnicodeScalarView("start of a text, long enough to be one: ".unicodeScalars)
            for _ in 0..<30 { string.append(alphabet.randomElement(using: &generator)!) }
            let bytes = Array(String(string).utf8) + (round % 3 == 0 ? [0xE2, 0x82] : [])
            let whole = try text([bytes])
            let cuts = (0..<4).map { _ in Int.random(in: 38...bytes.count, using: &generator) }.sorted()
            let ends = cuts + [bytes.count]
            let pieces = zip([0] + cuts, ends).map { Array(bytes[$0..<$1]) }
            #expect(try text(pieces) == whole, "\(bytes) cut at \(cuts)")
        }
    }

    @Test func aDeclaredEncodingOfHTMLIsHeeded() throws {
        let head = Array("<html><head><meta charset=\"iso-8859-2\"><title>".utf8)
        let page = try HTMLText(head + [0xA3, 0xF3, 0x64, 0xBC] + Array("</title></head><body>x</body></html>".utf8))
        #expect(page.title == "Łódź")
        let undeclared = try HTMLText(Array("<title>caf".utf8) + [0xE9] + Array("</title><p>x".utf8))
        #expect(undeclared.title == "café")
    }

    /// Values of the reference implementation, `xxhsum -H64`.
    @Test(
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)])
    func xxHash64(_ text: String, expected: UInt64) {
        var hasher = XXHash64()
        hasher.update(Array(text.utf8))
        #expect(hasher.finish() == expected)
    }

    @Test func hashingInPiecesMakesNoDifference() {
        var generator = SeededGenerator(seed: 5)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var whole = XXHash64()
            whole.update(bytes)
            var pieces = XXHash64()
            var rest = bytes[...]
            while !rest.isEmpty {
                let length = Int.random(in: 1...40, using: &generator)
                pieces.update(Array(rest.prefix(length)))
                rest = rest.dropFirst(length)
            }
            #expect(pieces.finish() == whole.finish(), "\(bytes)")
        }
    }
}
