import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

/// The documents of a file with that name and those bytes.
private func documents(
    _ name: String, _ bytes: [UInt8], limits: ExtractionLimits = ExtractionLimits(), pdfConverter: String? = nil,
    pdfInfo: String? = nil
) throws -> (kind: DocumentKind, documents: [Document]) {
    let folder = try TemporaryFolder()
    let path = try folder.write(name, bytes)
    var documents: [Document] = []
    let converters = Converters(pdfToText: pdfConverter, pdfInfo: pdfInfo)
    let summary = try Extractor(limits: limits, converters: converters).extract(path) { documents.append($0) }
    return (summary.kind, documents)
}

private func problem(_ name: String, _ bytes: [UInt8], limits: ExtractionLimits = ExtractionLimits())
    -> ExtractionProblem?
{
    do {
        _ = try documents(name, bytes, limits: limits)
        return nil
    } catch {
        return error as? ExtractionProblem
    }
}

/// Makes a script. Another process writes it: a file that this process has open for writing cannot be run, and a child
/// that another test starts meanwhile would keep it open.
func program(_ script: String, at path: String) throws -> String {
    let make = "printf '%s' \"$0\" > \"$1\" && chmod 755 \"$1\""
    _ = try Subprocess.output(of: "/bin/sh", ["-c", make, script, path], limit: 0, seconds: 10)
    return path
}

@Suite("Each kind of file gives its title and text")
struct ExtractionTests {
    struct Case: CustomStringConvertible, Sendable {
        var name: String
        var text: String
        var kind: DocumentKind
        var title: String
        var contains: [String]
        var lacks: [String] = []
        var description: String { name }
    }

    static let cases = [
        Case(
            name: "notes.txt", text: "Heading\n=======\n\nSome text.\n", kind: .text, title: "Heading",
            contains: ["Some text."]),
        Case(name: "plain", text: "first line goes\non here\n", kind: .text, title: "plain", contains: ["first line"]),
        Case(
            name: "page.md",
            text: """
                ---
                author: Ann
                ---
                # The *Great* `title` #

                Hello **bold** and _soft_ snake_case_name, 2 * 3 * 4, [link](http://a.b/c "t") ![alt](i.png) <b>tag</b> a < b.
                > quoted
                - item \\*literal\\* &amp; &copy;

                ```swift
                let x = [1](2) // *kept*
                ```
                | head | two |
                |------|:---:|
                | cell | x   |
                <!-- hidden
                comment -->
                [ref]: http://example.com
                https <http://auto.link> array[0] end
                """,
            kind: .markdown, title: "The Great title",
            contains: [
                "Hello bold and soft snake_case_name, 2 * 3 * 4, link alt tag a < b.", "quoted", "item *literal* & ©",
                "let x = [1](2) // *kept*", "cell", "http://auto.link", "array[0] end", "author: Ann",
            ], lacks: ["http://a.b", "i.png", "hidden", "----", "```", "example.com"]),
        Case(
            name: "set.md", text: "Title here\n----------\ntext\n", kind: .markdown, title: "Title here",
            contains: ["text"]),
        Case(
            name: "front.md", text: "---\ntitle: \"From front\"\n---\n# Other\n", kind: .markdown, title: "From front",
            contains: ["Other"]),
        Case(
            name: "page.html",
            text: """
                <!DOCTYPE html><html><head><title>A &amp; B
                page</title><style>p{color:red}</style><script>var hidden = 1;</script></head>
                <body><h1>Head</h1><p>One <b>bo</b>ld&nbsp;word<br>next<table><tr><td>left</td><td>right</td></tr></table>
                <p>unclosed <i>x<svg><text>drawn</text></svg> caf&eacute;</body></html>
                """,
            kind: .html, title: "A & B page",
            contains: ["One bold\u{A0}word\nnext", "left\tright", "café", "unclosed x\n", "drawn"],
            lacks: ["color", "hidden", "<"]),
        Case(name: "odd", text: "<HTML><body>found", kind: .html, title: "odd", contains: ["found"]),
        Case(
            name: "ls.1",
            text: """
                .\\" comment
                .TH LS "1" "September 2022" "GNU"
                .SH NAME
                ls \\- list directory contents
                .SH SYNOPSIS
                .B ls
                [\\fI\\,OPTION\\/\\fR]... [\\fI\\,FILE\\/\\fR]...
                .if n .ad l
                .ie t printed \\
                words
                .el shown words
                .de XX
                never
                ..
                .BR a (1),
                .IP \\(bu 2
                \\s-1SMALL\\s0 \\(em dash \\*(lqq\\*(rq e\\.g. \\e \\[u00E9]
                .TP
                \\fB\\-\\-all\\fR
                .if t \\{\\
                gone
                .\\}
                """,
            kind: .man, title: "ls(1) - list directory contents",
            contains: [
                "SYNOPSIS", "[OPTION]... [FILE]...", "shown words", "a(1),", "SMALL — dash “q” e.g. \\ é", "--all", "•",
            ], lacks: ["comment", "printed", "never", "\\f", ".SH", "gone"]),
        Case(
            name: "cat.1",
            text: """
                .Dd May 2, 1995
                .Dt CAT 1
                .Os
                .Sh NAME
                .Nm cat
                .Nd concatenate and print files
                .Sh SYNOPSIS
                .Nm
                .Op Fl bels
                .Op Ar
                .Sh DESCRIPTION
                The
                .Nm
                utility reads files, see
                .Xr head 1 ,
                .Fn main "int argc" "char **argv" .
                .Bl -tag
                .It Fl b Ns Ar num
                Number.
                .El
                """,
            kind: .man, title: "cat(1) - concatenate and print files",
            contains: ["cat\n[-bels]\n[file ...]", "head(1),", "main(int argc, char **argv).", "-bnum", "Number."],
            lacks: [".Nm", "May"]),
        Case(
            name: "tool.py", text: "#!/usr/bin/env python\nprint('hi')\n", kind: .code, title: "tool.py",
            contains: ["print('hi')"]),
        Case(name: "script", text: "#!/bin/sh\necho hi\n", kind: .code, title: "script", contains: ["echo hi"]),
    ]

    @Test(arguments: cases)
    func kindTitleAndText(_ example: Case) throws {
        for (name, bytes) in [
            (example.name, Array(example.text.utf8)), (example.name + ".gz", gzip(Array(example.text.utf8))),
        ] {
            let (kind, found) = try documents(name, bytes)
            #expect(kind == example.kind)
            let document = try #require(found.first)
            #expect(found.count == 1)
            #expect(document.title == example.title)
            for part in example.contains { #expect(document.body.contains(part), "\(part) in:\n\(document.body)") }
            for part in example.lacks { #expect(!document.body.contains(part), "\(part) in:\n\(document.body)") }
        }
    }

    @Test func aManualPageThatPointsToAnotherIsAnAlias() {
        #expect(problem("egrep.1", Array(".so man1/grep.1\n".utf8)) == .alias("man1/grep.1"))
    }

    @Test func jsonLinesGiveADocumentEach() throws {
        let text = """
            {"id": 7, "title": "First", "text": "alpha", "tags": ["x", {"deep": "y"}], "n": 3}

            {"id": "k2", "body": "beta \\u001b[31m esc"}
            not json at all
            ["a", "b"]
            """
        let found = try documents("data.jsonl", Array(text.utf8)).documents
        #expect(found.map(\.title) == ["First", "k2", "data.jsonl", "data.jsonl"])
        #expect(found.map(\.line) == [1, 3, 4, 5])
        #expect(found.map(\.body) == ["alpha\nx\ny", "beta  esc", "not json at all", "a\nb"])
    }

    @Test(arguments: [
        ("a,title,c\n1,\"Two, \"\"quoted\"\"\nlines\",3\r\n4,Five,6", ["Two, \"quoted\" lines", "Five"], [2, 4]),
        ("a;name\n1;x\n", ["x"], [2]),
        ("a\ttitle\n1\tx\n", ["x"], [2]),
        ("n,word\n1,first\n2,sec\"ond\n", ["first", "sec\"ond"], [2, 3]),
        ("n,word\n1,\"never closed\n2,next\n", ["\"never closed", "next"], [2, 3]),
        ("only,header\n", [], []),
    ])
    func rowsOfCSV(_ text: String, titles: [String], lines: [Int]) throws {
        let found = try documents("table.csv", Array(text.utf8)).documents
        #expect(found.map(\.title) == titles)
        #expect(found.compactMap(\.line) == lines)
    }

    @Test func manyUnclosedQuotesTakeLinearTime() throws {
        let text = "n,word\n" + String(repeating: "1,\"x\n2,y\n", count: 40_000) + "3,\"z"
        let found = try documents("table.csv", Array(text.utf8)).documents
        #expect(found.count > 40_000)
    }

    @Test func longTextIsSplitBetweenLines() throws {
        let line = "The quick brown fox jumps over the lazy dog, again and again.\n"
        let text = String(repeating: line, count: 10_000)
        let found = try documents("long.txt", Array(text.utf8)).documents
        #expect(found.map(\.body).joined() == text)
        #expect(found.count > 1)
        #expect(
            found.allSatisfy { $0.body.hasPrefix("The quick") && $0.body.utf8.count <= ExtractionLimits().bodyBytes })
        var expected = 1
        for document in found {
            #expect(document.line == expected)
            expected += document.body.utf8.filter { $0 == 10 }.count
        }
    }

    @Test func textWithoutAnyLineEndIsSplitBetweenCharacters() throws {
        let text = String(repeating: "é", count: 300_000)
        let found = try documents("long.txt", Array(text.utf8)).documents
        #expect(found.map(\.body).joined() == text)
    }

    @Test func anUnderstoodPDF() throws {
        let folder = try TemporaryFolder()
        let converter = try program(
            "#!/bin/sh\necho 'Page one'\nprintf '\\nwords here \\033[1m\\fon page two\\f'\n", at: folder["pdftotext"])
        let (kind, found) = try documents("paper.pdf", Array("%PDF-1.4 ...".utf8), pdfConverter: converter)
        #expect(kind == .pdf)
        #expect(found == [Document(title: "Page one", body: "Page one\n\nwords here \u{C}on page two", page: 1)])
        #expect(found.first?.page(at: 20) == 1 && found.first?.page(at: 30) == 2)
    }

    @Test func whatAPDFSaysOfItself() throws {
        let folder = try TemporaryFolder()
        let converter = try program("#!/bin/sh\necho words\n", at: folder["pdftotext"])
        let info = try program(
            "#!/bin/sh\necho 'Title:          Microsoft Word - On: frogs'\necho 'Author: Ann'\necho 'CreationDate:   2024-05-06T07:08:09Z'\n",
            at: folder["pdfinfo"])
        for (name, bytes) in [
            ("paper.pdf", Array("%PDF-1.4 ...".utf8)), ("paper.pdf.gz", gzip(Array("%PDF-1.4 ...".utf8))),
        ] {
            let found = try documents(name, bytes, pdfConverter: converter, pdfInfo: info).documents
            #expect(found.map(\.title) == ["On: frogs"])
            #expect(found.first?.author == "Ann" && found.first?.date == 1_714_979_289)
        }
    }

    @Test func textInImagesIfItIsAskedFor() throws {
        let folder = try TemporaryFolder()
        let tesseract = try program("#!/bin/sh\necho 'words in a picture'\n", at: folder["tesseract"])
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
        let (found, kind, _) = try extracted("sign.png", picture, converters: Converters(tesseract: tesseract))
        #expect(kind == .image)
        #expect(found == [Document(title: "sign.png", body: "words in a picture\n")])
        #expect(problem("sign.png", picture) == .binary("PNG"))
    }

    @Test(arguments: [
        ("exit 3", ExtractionProblem.converter("pdftotext: failed with 3")),
        ("kill -9 $$", .converter("pdftotext: failed with -9")),
        ("exec sleep 3600", .converter("pdftotext: no end after 0 seconds")),
        ("exec cat /dev/zero", .tooLarge(limit: 1000)),
    ])
    func aConverterThatFails(_ script: String, expected: ExtractionProblem) throws {
        let folder = try TemporaryFolder()
        let converter = try program("#!/bin/sh\n\(script)\n", at: folder["pdftotext"])
        var limits = ExtractionLimits()
        limits.wholeBytes = 1000
        // The others end by themselves, however late on a busy machine.
        limits.converterSeconds = script == "exec sleep 3600" ? 0.3 : 3600
        #expect(throws: expected) {
            try documents("paper.pdf", Array("%PDF-1.4 ...".utf8), limits: limits, pdfConverter: converter)
        }
    }

    @Test func withoutAConverterAPDFWaits() {
        let found = problem("paper.pdf", Array("%PDF-1.4".utf8))
        #expect(found == .converterMissing("pdftotext (poppler)"))
        #expect(found?.isLasting == false)
    }
}

@Suite("Hostile files are skipped or bounded, and never hang")
struct HostileFileTests {
    @Test(arguments: [
        ("a.bin", [UInt8](repeating: 0, count: 5000)), ("p.txt", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]),
        ("elf", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]), ("u32.txt", [0xFF, 0xFE, 0, 0, 65, 0, 0, 0]),
        ("random.txt", (0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }),
    ])
    func binaries(_ name: String, bytes: [UInt8]) {
        guard case .binary = problem(name, bytes) else {
            Issue.record("\(name) was taken for text")
            return
        }
        guard case .binary = problem(name + ".gz", gzip(bytes)) else {
            Issue.record("\(name), packed, was taken for text")
            return
        }
    }

    @Test func damagedGzip() {
        let packed = gzip(Array(String(repeating: "some text ", count: 1000).utf8), level: 0)
        #expect(problem("a.txt.gz", Array(packed.dropLast(20))) == .compressed("the file ends too early"))
        #expect(problem("a.txt.gz", Array(packed.prefix(11))) == .compressed("the file ends too early"))
        var broken = packed
        broken[5000] ^= 0xFF
        guard case .compressed = problem("a.txt.gz", broken) else {
            Issue.record("a wrong checksum was accepted")
            return
        }
    }

    @Test func joinedGzipMembersAndPadding() throws {
        let joined = gzip(Array("one ".utf8)) + gzip(Array("two".utf8)) + [0, 0, 0]
        #expect(try documents("a.txt.gz", joined).documents.map(\.body) == ["one two"])
    }

    @Test func aGzipBombStops() {
        let bomb = gzip([UInt8](repeating: UInt8(ascii: "a"), count: 40 << 20), level: 9)
        #expect(bomb.count < 100_000)
        #expect(problem("bomb.txt.gz", bomb) == .bomb)
        var limits = ExtractionLimits()
        limits.unpackedBytes = 1 << 20
        #expect(problem("bomb.txt.gz", bomb, limits: limits) == .tooLarge(limit: 1 << 20))
    }

    @Test func aFileBeyondTheLimitIsNotRead() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("huge.txt", "x")
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 10_000_000_000)
        try handle.close()
        #expect(throws: ExtractionProblem.tooLarge(limit: 1 << 30)) { _ = try Extractor().extract(path) { _ in } }
    }

    @Test func whatIsNoFileIsRefusedAtOnce() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder["fifo"], 0o600) == 0)
        #expect(throws: ExtractionProblem.notAFile("a FIFO")) { _ = try Extractor().extract(folder["fifo"]) { _ in } }
        #expect(throws: ExtractionProblem.notAFile("a folder")) { _ = try Extractor().extract(folder.path) { _ in } }
        #expect(throws: ExtractionProblem.notAFile("a device")) { _ = try Extractor().extract("/dev/zero") { _ in } }
        #expect(throws: ExtractionProblem.self) { _ = try Extractor().extract(folder["absent"]) { _ in } }
    }

    @Test func deeplyNestedHTML() throws {
        for tag in ["<div>", "<b>", "<table><tr><td>", "<ul><li>", "<svg>", "<title>"] {
            let text = "<html><body>start " + String(repeating: tag, count: 100_000) + " end"
            let found = try documents("deep.html", Array(text.utf8)).documents
            #expect(found.first?.body.contains("start") == true, "\(tag)")
        }
    }

    @Test func htmlWithEntityDeclarationsExpandsNothing() throws {
        let text = """
            <!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
            <!ENTITY x SYSTEM "file:///etc/passwd">]><html><body>before &b; &x; after</body></html>
            """
        let body = try documents("bomb.html", Array(text.utf8)).documents.map(\.body).joined()
        #expect(body.contains("before") && body.contains("after"))
        #expect(!body.contains("root:"))
        #expect(body.count < 1000)
    }

    @Test func pagesThatNestTooDeep() throws {
        let page = Array(("<p>before</p>" + String(repeating: "<div>", count: 6000) + "deep</div>").utf8)
        let mail = Array(
            "From: a@b\nSubject: c\nDate: Tue, 1 Jul 2003 10:52:37 +0200\nContent-Type: text/html\n\n".utf8)
        for (name, bytes, entry) in [
            ("deep.html", page, ""), ("deep.eml", mail + page, ""),
            ("deep.zip", archive([("a.html", page)]), "a.html: "),
        ] {
            let found = try extracted(name, bytes)
            let text = found.documents.map(\.body).joined()
            #expect(text.contains("before") && !text.contains("deep"), "\(name)")
            #expect(found.remark == "read in part: \(entry)damaged: elements are nested more than 5,000 deep")
        }
    }

    @Test func manualPagesThatRecur() throws {
        let conditions = String(repeating: ".if n ", count: 5000) + "deep"
        let strings = (0..<60).map { ".ds s\($0) \\*[s\($0 - 1)]\\*[s\($0 - 1)]xxxxxxxxxxxxxxxx" }.joined(
            separator: "\n")
        let text = ".TH X 1\n.SH NAME\nx \\- y\n\(conditions)\n\(strings)\n\\*[s59]\n.if t \\{\nnever ends\n"
        let found = try documents("x.1", Array(text.utf8)).documents
        #expect(found.first?.title == "x(1) - y")
        #expect((found.first?.body.count ?? 0) < 10_000)
    }

    @Test func readersTakeAnyBytes() throws {
        var generator = SeededGenerator(seed: 11)
        let fragments = [
            ".TH", ".SH", ".if", ".ie n \\{", ".el", "\\f", "\\*(", "\\[", "\\s-", "\\h'", ".Nm", ".Fn", ".Op", "\"",
            "`", "```",
            "](", "![", "<", "<!--", "-->", "&#", ";", "#", "---\n", "*", "_", "|", ",", "{\"a\":", "[", "\\u00",
            "\u{8}",
            "\u{1B}[", "\r", "\n", "\n", " ", "word", "é", "\t", "<b", "title:", ".Dd", ".It", "T{", ".TS\n", "\\", "'",
            ".",
        ]
        for round in 0..<400 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<60, using: &generator) {
                if Int.random(in: 0..<12, using: &generator) == 0 {
                    bytes.append(UInt8.random(in: 128...255, using: &generator))
                } else {
                    bytes += Array(fragments.randomElement(using: &generator)!.utf8)
                }
            }
            for name in ["a.md", "a.html", "a.1", "a.jsonl", "a.csv", "a.txt"] {
                var limits = ExtractionLimits()
                limits.bodyBytes = 16
                limits.recordBytes = 64
                do {
                    for document in try documents(name, bytes, limits: limits).documents {
                        let hasControl = document.body.unicodeScalars.contains {
                            ($0.value < 32 && $0 != "\n" && $0 != "\t") || (0x7F..<0xA0).contains($0.value)
                        }
                        #expect(!hasControl, "round \(round) \(name) \(bytes)")
                    }
                } catch let error as ExtractionProblem {
                    guard case .binary = error else {
                        Issue.record("round \(round) \(name) \(bytes): \(error)")
                        continue
                    }
                }
            }
        }
    }
}
