import Concordance
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("A hit is shown within the width of the terminal, with nothing that the terminal would obey")
struct HitRenderingTests {
    private func hit(title: String, snippet: String, path: String = "/a/b") -> Hit {
        Hit(
            title: marked(title), path: path, line: 7, kind: "text", snippet: marked(snippet), score: 1.25)
    }

    /// A text whose matches are between U+0002 and U+0003.
    private func marked(_ text: String) -> HighlightedText {
        var plain = ""
        var ranges: [Range<String.Index>] = []
        for (index, part) in text.split(separator: "\u{2}", omittingEmptySubsequences: false).enumerated() {
            let pieces = part.split(separator: "\u{3}", maxSplits: 1, omittingEmptySubsequences: false)
            let start = plain.utf8.count
            plain += pieces[0]
            if index > 0 {
                let lower = plain.utf8.index(plain.startIndex, offsetBy: start)
                ranges.append(lower..<plain.endIndex)
            }
            plain += pieces.dropFirst().joined()
        }
        return HighlightedText(plain, ranges: ranges)
    }

    @Test func layout() {
        let lines = HitRendering(style: Style(isColored: false), width: 40).lines(
            hit(
                title: "A \u{2}title\u{3}",
                snippet: "some words before the \u{2}match\u{3}, and a good many after it, all of them longer"),
            number: 3)
        #expect(
            lines == [
                " 3. A title                          1.3", "    /a/b:7", "    some words before the [match], and",
                "    a good many after it, all of them…",
            ])
    }

    @Test func aLineBeginsLateEnoughForItsMatchToBeSeen() {
        let rendering = HitRendering(style: Style(isColored: false), width: 40)
        let far = hit(title: "t", snippet: "many words that lead up to it at some length \u{2}match\u{3} and go on")
        #expect(rendering.lines(far, number: 1, snippetLines: 1).last == "    …it at some length [match] and go on")
        let long = hit(title: "t", snippet: "before \u{2}" + String(repeating: "m", count: 50) + "\u{3}")
        #expect(rendering.lines(long, number: 1, snippetLines: 1).last?.hasPrefix("    …[mmm") == true)
    }

    @Test func colours() {
        let lines = HitRendering(style: Style(isColored: true), width: 40).lines(
            hit(title: "t", snippet: "a \u{2}b\u{3}c"), number: 1)
        #expect(lines.last == "    a \u{1B}[1;33mb\u{1B}[0mc")
    }

    @Test func anyTextStaysInsideItsLines() {
        var generator = SeededGenerator(seed: 9)
        let alphabet = Array("ab  漢é\u{301}👍\u{1B}\u{9B}\u{202E}\u{2}\u{3}\n\t-…".unicodeScalars)
        for round in 0..<500 {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0..<150, using: &generator) {
                view.append(alphabet.randomElement(using: &generator)!)
            }
            let text = String(view)
            let width = Int.random(in: 20...60, using: &generator)
            let lines = HitRendering(style: Style(isColored: false), width: width).lines(
                hit(title: text, snippet: text, path: "/p"), number: round)
            #expect(lines.count <= 4)
            for line in lines {
                #expect(
                    TerminalText.width(line) <= width, "\(width): \(line.debugDescription) of \(text.debugDescription)")
                #expect(
                    !line.unicodeScalars.contains {
                        $0.value < 32 || (0x7F..<0xA0).contains($0.value) || $0 == "\u{202E}"
                    })
            }
        }
    }

    @Test(arguments: [
        (0.00042, "0.42 ms"), (0.0123, "12 ms"), (3.44, "3.4 s"), (125.0, "2 min 5 s"), (7300.0, "2 h 1 min"),
    ])
    func durations(_ seconds: Double, expected: String) { #expect(duration(seconds) == expected) }

    @Test(arguments: [
        (0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (12_345_678, "12 MB"), (9_960_000, "10 MB"),
        (.max, "9223372 TB"),
    ])
    func byteCounts(_ bytes: Int, expected: String) { #expect(byteCount(bytes) == expected) }

    @Test func groups() {
        #expect([0, 12, 123, 1234, -1_234_567].map(grouped) == ["0", "12", "123", "1,234", "-1,234,567"])
    }
}
