import CConcordanceArchive
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Archives are looked into, within limits")
struct ArchiveTests {
    private static let files: [(String, [UInt8])] = [
        ("top.txt", Array("at the top".utf8)), ("folder/", []), ("folder/ünder.md", Array("# Heading\ntext".utf8)),
        ("folder/data.bin", [UInt8](repeating: 0, count: 100)), (".hidden/x.txt", Array("hidden".utf8)),
        ("letter.docx", Samples.docx()),
        ("inner.zip", archive([("deep/mail.eml", Array(Samples.message.utf8))])),
    ]

    @Test(arguments: ArchiveFormat.allCases)
    func whatLiesInIt(_ format: ArchiveFormat) throws {
        let (documents, kind, remark) = try extracted("all.\(format.suffix)", archive(Self.files, format))
        #expect(kind == .archive && remark == nil)
        #expect(
            documents.map(\.entry) == [
                "top.txt", "folder/ünder.md", "letter.docx", "inner.zip/deep/mail.eml",
                "inner.zip/deep/mail.eml/nötes.txt", "inner.zip/deep/mail.eml/part-2.eml",
            ])
        #expect(documents.map(\.kind) == [.text, .markdown, .document, .mail, .text, .mail])
        #expect(documents.map(\.title).prefix(3) == ["top.txt", "Heading", "Yearly report"])
        #expect(documents.first?.body == "at the top")
    }

    @Test(arguments: ["xz", "bz2", "zst", "gz"])
    func compressedFiles(_ suffix: String) throws {
        let text = String(repeating: "many words in a line\n", count: 30_000)
        let (documents, kind, _) = try extracted("notes.txt.\(suffix)", packed(Array(text.utf8), suffix))
        #expect(kind == .text)
        #expect(documents.map(\.body).joined() == text)
        #expect(documents.allSatisfy { $0.title == "notes.txt" && $0.entry == nil })
    }

    @Test(arguments: ["xz", "bz2", "zst"])
    func damagedCompression(_ suffix: String) {
        let bytes = packed((0..<200_000).map { UInt8(truncatingIfNeeded: 97 + ($0 &* 7919 >> 4) % 26) }, suffix)
        guard case .damaged = refusal("a.txt.\(suffix)", Array(bytes.dropLast(bytes.count / 2))) else {
            Issue.record("half a file was taken for all of it")
            return
        }
    }

    @Test func namesLeadNowhere() throws {
        let names = [
            "../../etc/passwd", "/abs/./x//y.txt", "..", "a\u{1B}[31mb.txt", "win\\dows.txt",
            String(repeating: "n", count: 5000),
        ]
        let (documents, _, _) = try extracted(
            "a.tar", archive(names.map { ($0, Array("words".utf8)) }, .tar))
        let entries = documents.compactMap(\.entry)
        #expect(entries.count == names.count)
        #expect(entries.prefix(2) == ["etc/passwd", "abs/x/y.txt"])
        #expect(entries.allSatisfy { !$0.split(separator: "/").contains("..") && $0.utf8.count <= 1100 })
        #expect(entries.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 32 } })
    }

    @Test func aBrokenEntryIsARemark() throws {
        let (documents, _, remark) = try extracted(
            "a.zip", archive([("bad.docx", Samples.zip([("x", "y")])), ("good.txt", Array("good".utf8))]))
        #expect(documents.map(\.entry) == ["good.txt"])
        #expect(remark?.hasPrefix("not read: bad.docx: damaged: ") == true)
    }

    @Test func picturesAlone() {
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
        #expect(
            refusal("a.zip", archive([("a.png", picture), ("b.png", picture)])) == .binary("nothing in it is text"))
    }

    @Test func halfAnArchive() throws {
        let noise: [UInt8] = (0..<100_000).map { at in UInt8(truncatingIfNeeded: (at * at) >> 5) % 26 + 97 }
        let bytes = archive([("a.txt", Array("first".utf8)), ("b.txt", noise)])
        let found = try extracted("a.zip", Array(bytes.prefix(bytes.count / 2)))
        #expect(found.documents.first?.body == "first")
        #expect(found.remark != nil)
    }

    @Test func depthEnds() throws {
        var bytes = archive([("a.txt", Array("at the bottom".utf8))])
        for _ in 0..<20 { bytes = archive([("in.zip", bytes)]) }
        let (documents, _, remark) = try extracted("a.zip", bytes)
        #expect(documents.isEmpty)
        #expect(remark?.contains("more than 5 containers") == true)
    }

    @Test func manyEntriesEnd() throws {
        var limits = ExtractionLimits()
        limits.entries = 100
        let many: [(String, [UInt8])] = (0..<1000).map { ("\($0).txt", Array("word \($0)".utf8)) }
        for format in [ArchiveFormat.zip, .tar] {
            let (documents, _, remark) = try extracted("a.\(format.suffix)", archive(many, format), limits: limits)
            #expect(documents.count == 100)
            #expect(remark == "read in part: more than 100 entries")
        }
    }

    @Test(arguments: [ArchiveFormat.zip, .tarGzip, .tarXz, .tarBzip2, .tarZstandard])
    func bombs(_ format: ArchiveFormat) {
        let zeros = [UInt8](repeating: UInt8(ascii: "a"), count: 40 << 20)
        #expect(refusal("a.\(format.suffix)", archive([("a.txt", zeros)], format)) == .bomb)
    }

    @Test func bombsInside() {
        let bomb = archive([("a.txt", [UInt8](repeating: UInt8(ascii: "a"), count: 40 << 20))])
        #expect(bomb.count < 100_000)
        #expect(refusal("a.tar", archive([("x.zip", bomb), ("y.txt", Array("text".utf8))], .tar)) == .bomb)
    }

    @Test func whatUnfoldsToTooMuchIsReadInPart() throws {
        var limits = ExtractionLimits()
        limits.unpackedBytes = 50_000
        let files = (0..<10).map { number -> (String, [UInt8]) in
            let text = (0..<10_000).map { at -> UInt8 in
                let letter: Int = at * (number + 3) % 23
                return UInt8(97 + letter)
            }
            return ("\(number).txt", text)
        }
        let (documents, _, remark) = try extracted("a.zip", archive(files), limits: limits)
        #expect((3...5).contains(documents.count))
        #expect(remark == "read in part: larger than 50 kB")
    }

    /// A string of a megabyte that a million cells share would be a terabyte of text.
    @Test func sharedStringsThatMultiply() {
        let cells = String(repeating: "<c t=\"s\"><v>0</v></c>", count: 200_000)
        let words = String(repeating: "word ", count: 50_000)
        let bytes = Samples.zip([
            ("[Content_Types].xml", "<Types/>"),
            ("xl/workbook.xml", "<workbook xmlns:r=\"r\"><sheet name=\"A\" r:id=\"i\"/></workbook>"),
            ("xl/_rels/workbook.xml.rels", "<R><Relationship Id=\"i\" Target=\"worksheets/a.xml\"/></R>"),
            ("xl/sharedStrings.xml", "<sst><si><t>\(words)</t></si></sst>"),
            ("xl/worksheets/a.xml", "<worksheet><row>\(cells)</row></worksheet>"),
        ])
        #expect(refusal("a.xlsx", bytes) == .bomb)
    }

    @Test func entitiesExpandNothing() throws {
        let laughs = """
            <?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
            <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY x SYSTEM "file:///etc/passwd">
            <!ENTITY % p SYSTEM "file:///etc/passwd"> %p; <!ATTLIST t v CDATA "defaulted">]>
            <d><p><t>before &c; &x; after</t></p></d>
            """
        for (name, bytes) in [
            ("a.xml", Array(laughs.utf8)), ("a.docx", Samples.docx(document: laughs)), ("a.fodt", Array(laughs.utf8)),
        ] {
            guard let documents = try? extracted(name, bytes).documents else { continue }
            let text = documents.map(\.body).joined()
            #expect(
                !text.contains("haha") && !text.contains("root:") && !text.contains("defaulted"), "\(name): \(text)")
            #expect(name != "a.xml" || text.contains("before"))
        }
    }

    @Test func deepXML() throws {
        for tag in ["<p>", "<text:p xmlns:text=\"t\">", "<w:tbl xmlns:w=\"w\">"] {
            let text = "<d><p>start</p>" + String(repeating: tag, count: 100_000)
            #expect(try extracted("a.xml", Array(text.utf8)).documents.first?.body.contains("start") == true)
        }
    }
}
