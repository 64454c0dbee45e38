import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Cells hold what a terminal may show, each text in its columns")
struct CellGridTests {
    @Test(arguments: [
        ("漢字", 4), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("❤\u{FE0F}", 2), ("🇩🇪", 2), ("\u{1100}\u{1161}\u{11A8}", 2), ("가", 2),
        ("½", 1), ("ｱ", 1), ("Ａ", 2), ("\u{200D}", 0), ("\u{AD}", 0), ("☎", 1), ("⌚", 2), ("", 0),
        ("\u{5E9}\u{5C1}", 1),
    ])
    func widths(_ text: String, columns: Int) { #expect(TerminalText.width(text) == columns) }

    @Test func textsAreCutBetweenCharacters() {
        for (text, columns, expected) in [
            ("漢字かな", 5, "漢字…"), ("漢字かな", 4, "漢…"), ("漢字", 4, "漢字"), ("word", 3, "wo…"), ("word", 1, "…"), ("x", 0, ""),
        ] {
            var grid = CellGrid(width: 10, height: 1)
            let used = grid.write(text, x: 0, y: 0, columns: columns)
            #expect(grid.text(row: 0) == expected)
            #expect(used <= columns)
        }
    }

    @Test func nothingReachesTheTerminalThatItObeys() {
        var grid = CellGrid(width: 40, height: 2)
        grid.write("a\u{1B}[2Jb\u{9B}c\u{202E}d\u{0}e\nf\u{7F}", x: 0, y: 0)
        grid.write("z" + String(repeating: "\u{301}", count: 500), x: 0, y: 1)
        for cell in grid.cells {
            #expect(cell.text.unicodeScalars.count <= 9)
            #expect(
                !cell.text.unicodeScalars.contains {
                    $0.value < 32 || (0x7F..<0xA0).contains($0.value) || (0x202A...0x202E).contains($0.value)
                })
        }
    }

    @Test func textsFromRightToLeftKeepTheirNeighboursInPlace() {
        var grid = CellGrid(width: 20, height: 1)
        grid.write("שלום", x: 0, y: 0, columns: 8)
        grid.write("│", x: 8, y: 0)
        #expect(grid.row(0).map(\.text).joined().hasPrefix("שלום\u{200E}    │"))
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func anyTextsStayInTheirRectangles(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("ab 漢é\u{301}👍\u{200D}\u{FE0F}\u{1B}\u{9B}\u{202E}\n\tש…हि".unicodeScalars)
        for _ in 0..<300 {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0..<40, using: &generator) {
                view.append(alphabet.randomElement(using: &generator)!)
            }
            var grid = CellGrid(width: 30, height: 1)
            grid.write(String(repeating: "|", count: 30), x: 0, y: 0)
            let (x, columns) = (Int.random(in: 0..<28, using: &generator), Int.random(in: 0..<30, using: &generator))
            let used = grid.write(String(view), x: x, y: 0, columns: columns)
            #expect(used <= min(columns, 30 - x))
            for (column, cell) in grid.row(0).enumerated() where column < x || column >= x + columns {
                #expect(cell.text == "|")
            }
            // A cell is empty only behind a wide character.
            #expect(grid.row(0).first?.text.isEmpty == false)
        }
    }
}

@Suite("A text is broken into lines, with its matches")
struct WrappedTextTests {
    private func wrapped(_ text: String, _ columns: Int, matching word: String = "") -> WrappedText {
        var ranges: [Range<String.Index>] = []
        var rest = text.startIndex..<text.endIndex
        while !word.isEmpty, let range = text.range(of: word, range: rest) {
            ranges.append(range)
            rest = range.upperBound..<text.endIndex
        }
        return WrappedText(HighlightedText(text, ranges: ranges), columns: columns)
    }

    private func lines(_ text: WrappedText) -> [String] {
        text.lines.indices.map { text.runs(line: $0, current: nil).map(\.text).joined() }
    }

    @Test(arguments: [
        ("one two three", 7, ["one ", "two ", "three"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("a\n\nb", 9, ["a", "", "b"]),
        ("a\r\nb\r\n", 9, ["a", "b"]), ("漢字かな", 4, ["漢字", "かな"]), ("a\tb", 9, ["a   b"]), ("", 9, [""]),
        ("e\u{301}e\u{301}e", 2, ["e\u{301}e\u{301}", "e"]), ("x", 0, ["x"]),
        ("a\n漢\r\né", 9, ["a", "漢", "é"]), ("ab 漢字", 4, ["ab ", "漢字"]),
    ])
    func breaks(_ text: String, columns: Int, expected: [String]) { #expect(lines(wrapped(text, columns)) == expected) }

    @Test func matchesGoOnOverLines() {
        let text = wrapped("xx needle yy needle", 6, matching: "needle")
        #expect(text.matches.count == 2)
        #expect(text.line(of: text.matches[1].lowerBound) > text.line(of: text.matches[0].lowerBound))
        let all = text.lines.indices.flatMap { text.runs(line: $0, current: 1) }
        #expect(all.filter { $0.role == .match }.map(\.text).joined() == "needle")
        #expect(all.filter { $0.role == .currentMatch }.map(\.text).joined() == "needle")
        let broken = wrapped("abcneedledef", 5, matching: "needle")
        #expect(
            broken.lines.indices.flatMap { broken.runs(line: $0, current: nil) }.filter { $0.role == .match }.map(
                \.text) == ["ne", "edle"])
    }

    @Test func placesInTheText() {
        let text = wrapped("one\ntwo needle here\nthree", 5, matching: "needle")
        #expect(text.sourceLine(of: text.matches[0].lowerBound) == 1)
        #expect(text.context(of: text.matches[0]) == "two needle here")
    }

    @Test(arguments: [5, 6, 7] as [UInt64])
    func allOfATextIsInItsLines(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("ab  漢é\u{301}👍\n\r\t".unicodeScalars)
        for _ in 0..<300 {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0..<80, using: &generator) {
                view.append(alphabet.randomElement(using: &generator)!)
            }
            let text = wrapped(String(view), Int.random(in: 2...20, using: &generator))
            // Each line of the text itself begins one.
            let ends = Array(text.text.utf8).indices.filter { Array(text.text.utf8)[$0] == 10 }
            #expect(ends.allSatisfy { end in !text.lines.contains { $0.contains(end) } })
            var place = 0
            for (index, line) in text.lines.enumerated() {
                #expect(line.lowerBound >= place && line.lowerBound - place <= 2)
                place = line.upperBound
                let width = text.runs(line: index, current: nil).reduce(0) { $0 + TerminalText.width($1.text) }
                #expect(width <= text.columns, "\(text.text.debugDescription)")
                #expect(text.line(of: line.lowerBound) == index || line.isEmpty)
            }
            #expect(text.text.utf8.count - place <= 2)
        }
    }
}

@Suite("Only what has changed is painted", .serialized)
struct ScreenPainterTests {
    private func painter(_ name: String = "xterm-256color", isColored: Bool = true) throws -> ScreenPainter {
        ScreenPainter(try #require(TerminalCapabilities(name: name, isColored: isColored)))
    }

    @Test func differences() throws {
        var painter = try painter()
        var grid = CellGrid(width: 20, height: 3)
        grid.write("hello world", x: 0, y: 1)
        let first = painter.paint(grid)
        #expect(first.contains("hello world"))
        #expect(first.hasPrefix(TerminalCapabilities.beginFrame) && first.hasSuffix(TerminalCapabilities.endFrame))
        #expect(painter.paint(grid) == "")
        grid.write("there", x: 6, y: 1)
        let second = painter.paint(grid)
        #expect(second.contains("\u{1B}[2;7H") && second.contains("there") && !second.contains("hello"))
        painter.forget()
        #expect(painter.paint(grid).contains("hello there"))
        grid.cursor = (3, 0)
        #expect(painter.paint(grid).contains("\u{1B}[1;4H"))
    }

    @Test func theLastPlaceOfTheScreenStaysEmpty() throws {
        var painter = try painter()
        var grid = CellGrid(width: 4, height: 2)
        grid.write("abcd", x: 0, y: 0)
        grid.write("efgh", x: 0, y: 1)
        let text = painter.paint(grid)
        #expect(text.contains("abcd") && text.contains("efg") && !text.contains("efgh"))
    }

    @Test func theCursorIsPlacedAnewBehindCharactersOfDoubtfulWidth() throws {
        var painter = try painter()
        var grid = CellGrid(width: 20, height: 2)
        grid.write("a👩‍👩‍👧b", x: 0, y: 0)
        #expect(painter.paint(grid).contains("👩‍👩‍👧\u{1B}[1;4Hb"))
    }

    @Test func withoutColoursMatchesStandOutStill() throws {
        var grid = CellGrid(width: 20, height: 2)
        grid.write("match", .match, x: 0, y: 0)
        var plain = try painter(isColored: false)
        let text = plain.paint(grid)
        #expect(text.contains("\u{1B}[4m") && !text.contains("\u{1B}[3"))
        var colored = try painter()
        #expect(colored.paint(grid).contains("\u{1B}[33m"))
    }

    @Test(arguments: [nil, "", "dumb"]) func noScreenWithoutACursor(_ name: String?) {
        #expect(TerminalCapabilities(name: name, isColored: true) == nil)
    }

    @Test func unknownTerminalsGetTheCommonSequences() throws {
        #expect(
            try #require(TerminalCapabilities(name: "no-such-terminal", isColored: true)).moved(x: 1, y: 2)
                == "\u{1B}[3;2H")
    }
}
