import Concordance
import ConcordanceSearch
import ConcordanceText
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Hits say the page of their first match")
struct PageTests {
    /// Wherever a snippet was taken from, it is found there again.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func snippetsAreFoundWhereTheyWereTaken(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let spaces = [" ", " ", " ", "  ", "\n", "\n\n", "\t", "\u{C}", "\n\u{C}", "\u{C}\u{C}"]
        let words = ["alpha", "béta", "gamma", "漢字", "delta…", "…", "epsilon", "a", "b", "[x]"]
        for round in 0..<400 {
            var text = ["", " ", "\u{C}", "…"].randomElement(using: &generator)!
            for _ in 0..<Int.random(in: 0..<120, using: &generator) {
                text += words.randomElement(using: &generator)! + spaces.randomElement(using: &generator)!
            }
            let marker = text.isEmpty || Bool.random(using: &generator) ? "needle" : "gamma"
            if marker == "needle" { text += "needle" + (0..<round % 50).map { " w\($0)" }.joined() }
            let highlighter = Highlighter(.standard, phrases: [MatchPhrase(marker)])
            let snippet = highlighter.snippet(of: text, SnippetOptions(length: .words(1 + round % 40)))
            guard snippet.text.contains(where: \.isLetter) else { continue }
            let place = try #require(SnippetPlace(of: snippet, in: text), "\(text.debugDescription)")
            guard let match = snippet.utf8Ranges.first else { continue }
            let shown = Array(snippet.text.utf8)[match]
            #expect(text.utf8.dropFirst(place.offset).starts(with: shown), "\(seed) \(round) \(text.debugDescription)")
            if marker == "needle" {
                let expected = highlighter.highlights(in: text).utf8Ranges.first?.lowerBound
                #expect(place.offset == expected, "\(seed) \(round) \(text.debugDescription)")
            }
        }
    }

    @Test func textsWithoutTheSnippetHaveNoPlace() {
        let text = String(repeating: "a", count: 1 << 20)
        #expect(SnippetPlace(of: HighlightedText("aaab"), in: text) == nil)
        #expect(SnippetPlace(of: HighlightedText(String(repeating: "a", count: 5000) + "b"), in: text) == nil)
        #expect(SnippetPlace(of: HighlightedText(""), in: "text") == nil)
        #expect(SnippetPlace(of: HighlightedText("……"), in: "text") == nil)
        #expect(SnippetPlace(of: HighlightedText("text"), in: "") == nil)
        #expect(Document.page(of: HighlightedText("gone"), in: "a\u{C}b", from: 7) == 7)
        #expect(Document.page(of: HighlightedText("b"), in: "a\u{C}b", from: nil) == nil)
        #expect(Document.page(of: HighlightedText("b"), in: "a\u{C}b", from: 7) == 8)
    }

    /// A PDF of so many pages, as `pdftotext` prints it, long enough for several documents.
    private static let pageCount = 400

    @Test func everyWayToSearchSaysThePage() throws {
        let command = try #require(BuiltCommand())
        let folder = try TemporaryFolder()
        try folder.write("docs/paper.pdf", "%PDF-1.4 ...")
        try folder.write("docs/plain.txt", "word17 without pages")
        let filler = String(repeating: "filler ", count: 150)
        let pages = (1...Self.pageCount).map { "Heading of page\n\(filler)\nword\($0) stands here\n\(filler)\n\u{C}" }
        try folder.write("printed", pages.joined())
        try FileManager.default.createDirectory(atPath: folder["bin"], withIntermediateDirectories: true)
        _ = try program("#!/bin/sh\nexec /bin/cat '\(folder["printed"])'\n", at: folder["bin/pdftotext"])
        let database = folder["index.db"]
        let indexed = try command.run(
            ["index", "-q", folder["docs"], "--db", database], environment: ["PATH": folder["bin"]])
        #expect(indexed.code == 0)
        #expect(
            try IndexFile.number(IndexFile(path: database, isReadOnly: true).database, "SELECT count(*) FROM parts") > 3
        )
        func hits(_ query: String) throws -> [[String: Any]] {
            try command.run(["search", query, "--json", "--db", database]).output.split(separator: "\n").map {
                try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
        }
        let source = try FileSource(SourceConnections(path: database, readers: 2))
        let server = try TestServer(source)
        for page in [1, 2, 17, 166, 333, 400] {
            let hit = try #require(try hits("word\(page)").first { $0["kind"] as? String == "pdf" })
            #expect(hit["page"] as? Int == page)
            let found = try #require(
                try (server.json("/api/search?q=word\(page)")["hits"] as? [[String: Any]])?.first {
                    $0["kind"] as? String == "pdf"
                })
            #expect(found["page"] as? Int == page)
        }
        #expect(try hits("without")[0]["page"] == nil)
        let shown = try command.run(["search", "word333", "--db", database]).output
        #expect(shown.contains("docs/paper.pdf  page 333"), "\(shown)")
        let tools = MCPTools(SearchService(source))
        let answer = try tools.call("search", ["query": .string("word166 stands")]).text
        #expect(answer.contains("paper.pdf, page 166") && answer.contains("\"page\":166"), "\(answer)")
        // The preview says where a part begins.
        let last = try #require(try (server.json("/api/search?q=word400")["hits"] as? [[String: Any]])?.first)
        let id = try #require(last["id"] as? String)
        let document = try server.json("/api/document?id=\(id)&q=word400")
        let first = try #require(document["page"] as? Int)
        let columns = try #require(document["columns"] as? [[String: Any]])
        let text = (columns[0]["runs"] as? [[String: Any]] ?? []).map { $0["text"] as? String ?? "" }.joined()
        let before = try #require(text.range(of: "word400")).lowerBound
        #expect(first > 1 && first + text[..<before].filter { $0 == "\u{C}" }.count == 400)
    }

    @Test func thePreviewCountsPages() {
        let text = WrappedText(HighlightedText("one\u{C}two\n\u{C}three"), columns: 40)
        #expect([0, 3, 4, 8, 9, 99].map(text.pageBreaks) == [0, 0, 1, 1, 2, 2])
    }
}
