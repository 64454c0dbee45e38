import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Where matches are in the file")
struct MatchPlaceTests {
    /// The places of a word as `line:column:text`.
    private func places(
        of word: String, in body: String, _ extent: DocumentExtent = DocumentExtent(), source: SourceLines?
    ) -> [String] {
        var ranges: [Range<String.Index>] = []
        while let range = body[(ranges.last?.upperBound ?? body.startIndex)...].range(of: word) { ranges.append(range) }
        var places: [String] = []
        MatchPlaces.forEach(in: HighlightedText(body, ranges: ranges), extent, source: source) {
            places.append("\($0.line):\($0.column):\($0.text)")
        }
        return places
    }

    private func source(_ text: String) -> SourceLines { SourceLines(Array(text.utf8)) }

    @Test func longLinesAreCutAroundTheMatch() throws {
        let line = String(repeating: "é needle x ", count: 5000)
        for source in [source(line), nil] {
            let places = places(of: "needle", in: line, source: source)
            #expect(places.count == 5000)
            for (index, place) in places.enumerated() {
                #expect(place.hasPrefix("1:\(12 * index + 4):"))
                #expect(place.utf8.count < 450 && place.contains("needle"))
            }
            #expect(try #require(places.first).hasPrefix("1:4:é needle x é") && places[0].hasSuffix("…"))
            let middle = places[2500].split(separator: ":").last ?? ""
            #expect(middle.hasPrefix("…") && middle.hasSuffix("…") && !middle.contains("\u{FFFD}"))
            #expect(places[4999].hasSuffix("é needle x ") && !places[4999].hasSuffix("…"))
        }
    }

    @Test func shortLinesStayWhole() {
        let line = String(repeating: "x", count: 390) + " needle"
        #expect(places(of: "needle", in: line, source: source(line)) == ["1:392:\(line)"])
    }

    @Test func anythingCanBeCut() {
        let marks = String(repeating: "\u{301}", count: 3000)
        #expect(places(of: "needle", in: "a\(marks) needle \(marks)", source: nil) == ["1:6003:… needle…"])
        let bytes = [UInt8](repeating: 0x80, count: 1000)
        #expect(MatchPlace.excerpt(of: 0..<1000, around: 500, in: bytes).utf8.count < 1500)
        #expect(MatchPlace.excerpt(of: 0..<1000, around: 2000, in: bytes).hasPrefix("…"))
        #expect(MatchPlace.excerpt(of: 0..<1000, around: -5, in: bytes).hasSuffix("…"))
    }

    @Test func formFeedsEndLinesOfTheTextButNotOfTheFile() {
        let file = "one\n\u{C}\nthree\nff line4\u{C}ff again\r\nff five\r\n"
        let text = "one\n\n\nthree\nff line4\nff again\nff five\n"
        #expect(
            places(of: "ff", in: text, source: source(file)).map { $0.replacing("\u{C}", with: "^L") } == [
                "4:1:ff line4^Lff again", "4:10:ff line4^Lff again", "5:1:ff five",
            ])
    }

    @Test func rowsStayWithinTheirLines() {
        let file = source("a,b\n1,v\n\"x\ny\",v\n3,v\n")
        let row = DocumentExtent(firstLine: 3, endLine: 5)
        #expect(places(of: "v", in: "x\ny\nv", row, source: file) == ["4:4:y\",v"])
        let last = DocumentExtent(firstLine: 5, endLine: .max)
        #expect(places(of: "v", in: "3\nv", last, source: file) == ["5:3:3,v"])
        let lines = source(#"{"text":"one\napple","name":"caf\u00e9"}"# + "\n" + #"{"text":"apple café"}"#)
        let first = DocumentExtent(firstLine: 1, endLine: 2)
        #expect(
            places(of: "apple", in: "one\napple\ncafé", first, source: lines) == [
                #"1:15:{"text":"one\napple","name":"caf\u00e9"}"#
            ])
        #expect(places(of: "café", in: "one\napple\ncafé", first, source: lines) == ["1:1:café"])
    }

    @Test func aLineOfSeveralDocuments() {
        let file = source("needle a needle b needle c needle d")
        let extent = DocumentExtent(firstLine: 1, skipped: 18)
        let expected = ["1:19:needle a needle b needle c needle d", "1:28:needle a needle b needle c needle d"]
        #expect(places(of: "needle", in: "needle c needle d", extent, source: file) == expected)
        #expect(places(of: "needle", in: "needle c", extent, source: nil) == ["1:19:needle c"])
    }

    @Test func ofTwoLinesAtTheSameDistanceTheFirst() {
        let file = source("needle one\nx\nneedle one")
        #expect(file.nearest(to: 2, with: "needle one") == 1)
        #expect(places(of: "needle", in: "y\nneedle one", source: file) == ["1:1:needle one"])
        #expect(places(of: "needle", in: "- needle", source: source("needle needle")) == ["1:1:needle needle"])
    }

    @Test func linesOfMarkupAreBetweenThoseOfTheText() {
        let numbers = 0..<500
        let file = numbers.map { "<div>\n<b>same</b>\nword\($0) needle\n</div>\n" }.joined()
        let text = numbers.map { "same\nword\($0) needle\n" }.joined()
        let expected = numbers.map { "\(4 * $0 + 3):\("word\($0) ".count + 1):word\($0) needle" }
        #expect(places(of: "needle", in: text, source: source(file)) == expected)
    }

    @Test func extremes() {
        for extent in [
            DocumentExtent(firstLine: .min, endLine: .min), DocumentExtent(firstLine: .max, endLine: .max),
            DocumentExtent(firstLine: .max), DocumentExtent(firstLine: 7, endLine: 3), DocumentExtent(skipped: 1 << 40),
        ] {
            for file in ["", "\n", "needle", "other"] {
                #expect(places(of: "needle", in: "a\nneedle", extent, source: source(file)).count == 1)
            }
        }
        #expect(places(of: "needle", in: "", source: source("needle")) == [])
    }

    @Test func encodingsAndCompression() throws {
        let folder = try TemporaryFolder()
        let latin: [UInt8] = [0x78, 10, 0xE9, 0x20] + Array("needle\n".utf8)
        try folder.write("latin", latin)
        try folder.write("latin.gz", gzip(latin))
        try folder.write("mark", [0xEF, 0xBB, 0xBF] + Array("x\né needle\n".utf8))
        try folder.write("wide", [0xFF, 0xFE] + "x\né needle\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        for name in ["latin", "latin.gz", "mark", "wide"] {
            let source = try #require(SourceLines(file: folder[name]))
            #expect(places(of: "needle", in: "x\né needle\n", source: source) == ["2:4:é needle"], "\(name)")
        }
        try folder.write("pages.gz", gzip(Array("a\n\u{C}\nneedle one\n\u{C}\nneedle two\n".utf8)))
        let pages = SourceLines(file: folder["pages.gz"])
        #expect(
            places(of: "needle", in: "a\n\n\nneedle one\n\n\nneedle two\n", source: pages) == [
                "3:1:needle one", "5:1:needle two",
            ])
        try folder.write("pdf.gz", gzip(Array("%PDF-1.4 needle".utf8)))
        #expect(SourceLines(file: folder["pdf.gz"]) == nil && SourceLines(file: folder["none"]) == nil)
    }
}

@Suite("Places of matches are printed one by one")
struct PrintedPlaceTests {
    private let command: BuiltCommand
    private let folder: TemporaryFolder

    init() throws {
        command = try #require(BuiltCommand())
        folder = try TemporaryFolder()
    }

    /// The places in the only file, without its path.
    private func places(_ name: String, _ bytes: [UInt8], _ query: String) throws -> [String] {
        try folder.write("docs/\(name)", bytes)
        let environment = ["CONCORD_DB": folder["index.db"]]
        #expect(try command.run(["index", folder["docs"]], environment: environment).code == 0)
        let found = try command.run(["search", "--vimgrep", query], environment: environment)
        #expect(found.code == 0 && found.messages == "")
        let path = try #require(DirectoryWalk.resolve(folder["docs"])) + "/\(name):"
        let lines = found.output.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix(path) })
        return lines.map { String($0.dropFirst(path.count)) }
    }

    @Test func everyMatchOfADocument() throws {
        let places = try places("many.txt", Array(String(repeating: "needle\n", count: 12_000).utf8), "needle")
        #expect(places == (1...12_000).map { "\($0):1:needle" })
    }

    @Test func rowsOfSeveralLines() throws {
        let places = try places("d.csv", Array("a,b\n1,needle\n\"x\ny\",needle\n3,needle\n".utf8), "needle")
        #expect(places.sorted() == ["2:3:1,needle", "4:4:y\",needle", "5:3:3,needle"])
    }

    @Test func compressedPages() throws {
        let text = Array("a\n\u{C}\nneedle one\n\u{C}\nneedle two\n".utf8)
        #expect(try places("pages.txt.gz", gzip(text), "needle") == ["3:1:needle one", "5:1:needle two"])
    }

    @Test func latin() throws {
        #expect(try places("latin.txt", [0xE9, 0x20] + Array("needle\n".utf8), "needle") == ["1:4:é needle"])
    }

    /// The line has several documents.
    @Test func columnsInAVeryLongLine() throws {
        let words = (0..<45_000).map { "needle w\($0)" }
        let places = try places("long.txt", Array(words.joined(separator: " ").utf8), "needle")
        var expected: Set<String> = []
        var column = 1
        for word in words {
            expected.insert("1:\(column)")
            column += word.utf8.count + 1
        }
        let columns = places.map { $0.split(separator: ":").prefix(2).joined(separator: ":") }
        #expect(columns.count == words.count && Set(columns) == expected)
        #expect(places.allSatisfy { $0.utf8.count < 450 })
    }
}
