import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Office documents give their text, in order, with their metadata")
struct OfficeTests {
    @Test func word() throws {
        let (documents, kind, remark) = try extracted("a.docx", Samples.docx())
        #expect(kind == .document && remark == nil)
        let document = try #require(documents.first)
        #expect(documents.count == 1)
        #expect(
            document.body == """
                budget, forecast
                First heading
                Großmann & Söhne\ttabbed
                broken
                left \tright
                chosen
                A footnote.

                """)
        #expect(document.title == "Yearly report")
        #expect(document.author == "Ann Example")
        #expect(document.date == 1_714_979_289)
        #expect(document.language == "en-GB")
        #expect(document.line == nil && document.page == nil && document.entry == nil)
    }

    @Test func aHeadingIsTheTitleWhereNothingSaysWhatIs() throws {
        let documents = try extracted("a.docx", Samples.docx(core: "<x/>")).documents
        #expect(documents.map(\.title) == ["First heading"])
        let plain = Samples.docx(core: "", document: "<d><p><t>words</t></p></d>")
        #expect(try extracted("plain.docx", plain).documents.map(\.title) == ["plain.docx"])
    }

    @Test func aTextBoxDoesNotContinueTheWordBeforeIt() throws {
        let text = "<d><p><t>before</t><txbx><p><t>boxed</t></p></txbx><t>after</t></p></d>"
        let document = try #require(try extracted("a.docx", Samples.docx(core: "<x/>", document: text)).documents.first)
        let words = document.body.split(whereSeparator: \.isWhitespace)
        #expect(words.starts(with: ["before", "boxed", "after"]))
    }

    @Test func sheetsAreDocuments() throws {
        let (documents, kind, _) = try extracted("book.xlsx", Samples.xlsx())
        #expect(kind == .spreadsheet)
        let sheets = documents.sorted { ($0.page ?? 0) < ($1.page ?? 0) }
        #expect(sheets.map(\.title) == ["book.xlsx: Costs", "book.xlsx: Notes"])
        #expect(sheets.map(\.page) == [1, 3])
        #expect(sheets.map(\.body) == ["東京\t42.5\nrent monthly\tcomputed\n", "remember this\n"])
    }

    @Test func slidesArePagesInTheirOrder() throws {
        let document = try #require(try extracted("a.pptx", Samples.pptx()).documents.first)
        #expect(document.title == "Yearly report")
        #expect(document.page == 1)
        #expect(document.body == "budget, forecast\nshown first\nspoken words\n\u{C}shown last\n")
        let last = try #require(document.body.utf8.firstRange(of: "last".utf8))
        #expect(
            document.page(at: document.body.utf8.distance(from: document.body.utf8.startIndex, to: last.lowerBound))
                == 2)
        #expect(document.page(at: 0) == 1)
    }

    @Test func openDocument() throws {
        let text = try #require(try extracted("a.odt", Samples.odt()).documents.first)
        #expect(text.title == "The garden")
        #expect(text.body == "garden\nThe garden\ntwo   spaces\ttab\nline\nleft \tright\n")
        #expect(text.author == "Ann" && text.language == "de" && text.date == 1_672_628_645)

        let notes = Samples.openDocument(
            "text",
            """
            <office:text><text:p>clams<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>in \
            shells</text:p></text:note-body></text:note>eat<office:annotation><dc:creator>Ann</dc:creator><dc:date>2020\
            </dc:date><text:p>why</text:p></office:annotation>fish<draw:text-box><text:p>box</text:p></draw:text-box>too\
            </text:p></office:text>
            """)
        let body = try #require(try extracted("a.odt", notes).documents.first).body
        #expect(body.joiningSpaces() == "garden clams 1 in shells eat Ann 2020 why fish box too")

        let sheets = try extracted("a.ods", Samples.ods()).documents
        #expect(sheets.map(\.title) == ["a.ods: Plants", "a.ods: Tools"])
        #expect(sheets.map(\.page) == [1, 3])
        #expect(sheets.map(\.body) == ["garden\nrose \tred\n", "spade\n"])

        let slides = try #require(try extracted("a.odp", Samples.odp()).documents.first)
        #expect(slides.body == "garden\nopening\n\u{C}closing\n")
        #expect(slides.page == 1)
    }

    @Test(arguments: [
        ("a", "odt", DocumentKind.document), ("b", "ods", .spreadsheet), ("c", "odp", .presentation),
        ("d", "epub", .book),
    ])
    func aNameWithoutASuffixDoes(_ name: String, _ suffix: String, kind: DocumentKind) throws {
        let sample = try #require(Samples.all.first { $0.name == "a.\(suffix)" })
        #expect(try extracted(name, sample.bytes).kind == kind)
    }

    @Test func chaptersAreDocuments() throws {
        let (documents, kind, _) = try extracted("tale.epub", Samples.epub())
        #expect(kind == .book)
        let chapters = documents.sorted { ($0.page ?? 0) < ($1.page ?? 0) }
        #expect(chapters.map(\.title) == ["The tale", "The tale: The end"])
        #expect(chapters.map(\.page) == [1, 2])
        #expect(chapters.first?.body.contains("Once upon a time…") == true)
        #expect(chapters.allSatisfy { $0.author == "Ann, Bob" && $0.language == "fr" && $0.date == 915_148_800 })
    }

    @Test func richText() throws {
        let document = try #require(try extracted("a.rtf", Array(Samples.rtf.utf8)).documents.first)
        #expect(document.body == "Grüße, 日本😀 {braces}\nПривет\tnext\nbold end…x\n")
        #expect(document.title == "A letter")
        #expect(document.author == "Ann Ähn")
        let note = Array("{\\rtf1 word{\\footnote note} next}".utf8)
        #expect(try extracted("a.rtf", note).documents.first?.body.contains("word note next") == true)
        // Word writes RTF into files that are called .doc.
        #expect(try extracted("a.doc", Array(Samples.rtf.utf8)).kind == .document)
    }

    @Test(arguments: [
        ("a.docx", Samples.zip([("x.txt", "x")]), "neither"), ("a.odt", Samples.zip([("mimetype", "x")]), "neither"),
        ("a.docx", Samples.zip([("[Content_Types].xml", "x")]), "document.xml"),
        ("a.xlsx", Samples.zip([("[Content_Types].xml", "x")]), "workbook.xml"),
        ("a.pptx", Samples.zip([("[Content_Types].xml", "x")]), "presentation.xml"),
        ("a.epub", Samples.zip([("mimetype", "application/epub+zip")]), "package document"),
        ("a.docx", Samples.docx(document: "no XML"), "not XML"),
    ])
    func whatIsMissingIsNamed(_ name: String, _ bytes: [UInt8], _ word: String) {
        let found = refusal(name, bytes)
        #expect(
            found?.description.hasPrefix("damaged: ") == true && found?.description.contains(word) == true,
            "\(String(describing: found))")
    }

    @Test func anOldOfficeFileIsNamed() {
        let bytes: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 600)
        #expect(refusal("a.doc", bytes) == .converterMissing("catdoc or antiword"))
        #expect(refusal("a.docx", bytes) == .binary("an older or encrypted Office file"))
    }
}

@Suite("Messages give their headers, texts and attachments")
struct MailTests {
    @Test func aMessageWithParts() throws {
        let (documents, kind, remark) = try extracted("a.eml", Array(Samples.message.utf8))
        #expect(kind == .mail && remark == nil)
        #expect(documents.map(\.entry) == [nil, "nötes.txt", "part-2.eml"])
        #expect(documents.map(\.kind) == [nil, .text, .mail])
        let message = documents[0]
        #expect(message.title == "Café tomorrow")
        #expect(message.author == "Ann Ähn <ann@example.org>")
        #expect(message.date == 1_057_049_557)
        #expect(
            message.body == """
                From: Ann Ähn <ann@example.org>
                To: bob@example.org, Émile <emile@example.org>

                Привет long line

                Attachments: nötes.txt, part-2.eml, photo.png

                """)
        #expect(documents[1].body == "attached words")
        #expect(documents[2].title == "Forwarded")
        #expect(documents[2].body.contains("inner message"))
        #expect(documents.allSatisfy { !$0.body.contains("only in HTML") && !$0.body.contains("programs that know") })
    }

    @Test func htmlIsReadWhereThereIsNothingElse() throws {
        let text = """
            From: a@b
            Subject: News
            Date: Mon, 30 Jun 2003 00:00:00 GMT
            Content-Type: text/html; charset=windows-1251

            <html><body><p>\u{1}
            """
        let bytes = Array(text.utf8.dropLast()) + [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2] + Array("<br>next</body>".utf8)
        // Without a suffix, as in a Maildir.
        let (documents, kind, _) = try extracted("1700000000.M1P2.host:2,S", bytes)
        #expect(kind == .mail)
        #expect(documents.first?.body.contains("Привет\nnext") == true)
        #expect(documents.first?.title == "News")
    }

    @Test func aMailboxIsADocumentAMessage() throws {
        let (documents, kind, _) = try extracted("inbox", Array(Samples.mailbox.utf8))
        #expect(kind == .mail)
        #expect(documents.map(\.title) == ["First", "Second", "parsley"])
        #expect(documents.map(\.entry) == [nil, nil, "2/list.csv"])
        #expect(documents.map(\.line) == [1, 9, 2])
        #expect(documents[0].body.contains("Hello.\nFrom here on all is quoted."))
        #expect(documents[1].author == "bob@example.org")
    }

    @Test func appleMailsLengthIsNoHeader() throws {
        let message = "From: a@b\nSubject: Apple\n\nbody\n"
        let bytes = Array("\(message.utf8.count)\n\(message)<?xml version=\"1.0\"?><plist/>".utf8)
        let documents = try extracted("1.emlx", bytes).documents
        #expect(documents.map(\.title) == ["Apple"])
        #expect(documents.first?.body == "From: a@b\n\nbody\n")
    }

    @Test(arguments: [
        ("=?utf-8?q?a_b=C3=A9?=", "a bé"), ("=?UTF-8?B?w6k=?= =?UTF-8?B?w6k=?=", "éé"), ("x =?utf-8?q?y?= z", "x y z"),
        ("=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=", "日本"),
        ("=?nonsense?Q?plain?=", "plain"), ("=?utf-8*en?q?tagged?=", "tagged"), ("=?utf-8?x?no?=", "=?utf-8?x?no?="),
        ("plain", "plain"), ("=?", "=?"), ("=?a?q?", "=?a?q?"),
    ])
    func wordsOfHeaders(_ written: String, read: String) {
        #expect(EncodedWords.decode(Array(written.utf8)) == read)
    }

    @Test func parametersOfHeaders() {
        let header = StructuredHeader(
            Array("Attachment; filename*0*=utf-8''a%20; filename*1=b; filename*2*=%C3%A9; x=\"q;\\\"r\"; y".utf8))
        #expect(header.value == "attachment")
        #expect(header["filename"] == "a bé")
        #expect(header["x"] == "q;\"r")
        #expect(header["y"] == nil)
    }

    @Test func partsInPartsEnd() throws {
        var text = "From: a@b\nSubject: Deep\nDate: x\n"
        for level in 0..<3000 { text += "Content-Type: multipart/mixed; boundary=b\(level)\n\n--b\(level)\n" }
        let (documents, _, remark) = try extracted("deep.eml", Array(text.utf8))
        #expect(documents.map(\.title) == ["Deep"])
        #expect(remark != nil)
    }

    @Test func messagesInMessagesEnd() throws {
        var text = ""
        for level in 0..<50 { text += "From: a@b\nSubject: Level \(level)\nContent-Type: message/rfc822\n\n" }
        let (documents, _, remark) = try extracted("deep.eml", Array(text.utf8))
        #expect(documents.first?.title == "Level 0")
        #expect(documents.count <= ExtractionLimits().depth + 1)
        #expect(remark?.contains("containers") == true)
    }

    @Test func base64AndQuotedPrintable() {
        for length in 0..<40 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
            #expect(TransferEncoding.base64(Array(Data(bytes).base64EncodedString().utf8)) == bytes)
        }
        #expect(TransferEncoding.quotedPrintable(Array("a=3D=\r\nb= \nc=zz=4".utf8)[...]) == Array("a=bc=zz=4".utf8))
    }
}
