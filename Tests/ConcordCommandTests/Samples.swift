import TestSupport

@testable import ConcordCommand

/// Small files of each kind, made here.
enum Samples {
    static func zip(_ parts: [(String, String)], _ format: ArchiveFormat = .zip) -> [UInt8] {
        archive(parts.map { ($0.0, Array($0.1.utf8)) }, format)
    }

    static let core = """
        <?xml version="1.0" encoding="UTF-8"?><cp:coreProperties xmlns:cp="c" xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Yearly report</dc:title><dc:creator>Ann Example</dc:creator>
        <cp:keywords>budget, forecast</cp:keywords><dcterms:modified>2024-05-06T07:08:09Z</dcterms:modified>
        <dc:language>en-GB</dc:language></cp:coreProperties>
        """

    static func docx(core: String = Samples.core, document: String = Samples.wordDocument) -> [UInt8] {
        zip([
            ("[Content_Types].xml", "<Types/>"), ("word/document.xml", document),
            (
                "word/footnotes.xml",
                "<w:footnotes xmlns:w=\"w\"><w:p><w:r><w:t>A footnote.</w:t></w:r></w:p></w:footnotes>"
            ),
            ("docProps/core.xml", core),
        ])
    }

    static let wordDocument = """
        <?xml version="1.0"?><w:document xmlns:w="w" xmlns:mc="mc"><w:body>
        <w:p><w:pPr><w:pStyle w:val="Heading1"/><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>First </w:t></w:r><w:r><w:t>heading</w:t></w:r></w:p>
        <w:p><w:r><w:t xml:space="preserve">Gro&#xDF;mann &amp; Söhne</w:t><w:tab/><w:t>tabbed</w:t><w:br/><w:t>broken</w:t></w:r>
        <w:del><w:r><w:delText>deleted</w:delText></w:r></w:del></w:p>
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>left</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>right</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
        <mc:AlternateContent><mc:Choice><w:p><w:r><w:t>chosen</w:t></w:r></w:p></mc:Choice>
        <mc:Fallback><w:p><w:r><w:t>fallen</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>
        </w:body></w:document>
        """

    static func xlsx() -> [UInt8] {
        zip([
            ("[Content_Types].xml", "<Types/>"),
            (
                "xl/workbook.xml",
                "<workbook xmlns:r=\"r\"><sheets><sheet name=\"Costs\" sheetId=\"1\" r:id=\"rId2\"/><sheet name=\"Empty\" sheetId=\"2\" r:id=\"rId3\"/><sheet name=\"Notes\" sheetId=\"3\" r:id=\"rId1\"/></sheets></workbook>"
            ),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id=\"rId1\" Target=\"/xl/worksheets/sheet1.xml\"/><Relationship Id=\"rId2\" Target=\"worksheets/sheet2.xml\"/><Relationship Id=\"rId3\" Target=\"worksheets/sheet3.xml\"/></Relationships>"
            ),
            (
                "xl/worksheets/sheet1.xml",
                "<worksheet><sheetData><row><c t=\"inlineStr\"><is><t>remember this</t></is></c></row></sheetData></worksheet>"
            ),
            (
                "xl/worksheets/sheet2.xml",
                "<worksheet><sheetData><row r=\"1\"><c t=\"s\"><v>1</v></c><c><v>42.5</v></c><c t=\"b\"><v>1</v></c></row><row r=\"2\"><c t=\"s\"><v>0</v></c><c t=\"s\"><v>99</v></c><c t=\"str\"><f>A1</f><v>computed</v></c></row></sheetData></worksheet>"
            ),
            ("xl/worksheets/sheet3.xml", "<worksheet><sheetData/></worksheet>"),
            (
                "xl/sharedStrings.xml",
                "<sst><si><r><t>rent </t></r><r><t>monthly</t></r></si><si><t>東京</t><rPh><t>トウキョウ</t></rPh></si></sst>"
            ),
        ])
    }

    static func pptx() -> [UInt8] {
        func slide(_ text: String) -> String {
            "<p:sld xmlns:p=\"p\" xmlns:a=\"a\"><p:txBody><a:p><a:r><a:t>\(text)</a:t></a:r></a:p></p:txBody></p:sld>"
        }
        return zip([
            ("[Content_Types].xml", "<Types/>"),
            (
                "ppt/presentation.xml",
                "<p:presentation xmlns:p=\"p\" xmlns:r=\"r\"><p:sldIdLst><p:sldId id=\"256\" r:id=\"rId9\"/><p:sldId id=\"257\" r:id=\"rId8\"/></p:sldIdLst></p:presentation>"
            ),
            (
                "ppt/_rels/presentation.xml.rels",
                "<Relationships><Relationship Id=\"rId8\" Target=\"slides/slide1.xml\"/><Relationship Id=\"rId9\" Target=\"slides/slide2.xml\"/></Relationships>"
            ),
            ("ppt/slides/slide1.xml", slide("shown last")), ("ppt/slides/slide2.xml", slide("shown first")),
            (
                "ppt/slides/_rels/slide2.xml.rels",
                "<Relationships><Relationship Id=\"rId1\" Target=\"../notesSlides/notesSlide1.xml\"/></Relationships>"
            ),
            ("ppt/notesSlides/notesSlide1.xml", slide("spoken words")), ("docProps/core.xml", core),
        ])
    }

    static let openDocumentMetadata = """
        <office:document-meta xmlns:office="o" xmlns:meta="m" xmlns:dc="d"><office:meta><meta:initial-creator>Ann
        </meta:initial-creator><dc:date>2023-01-02T03:04:05</dc:date><meta:keyword>garden</meta:keyword><dc:language>de</dc:language>
        </office:meta></office:document-meta>
        """

    static func openDocument(_ type: String, _ body: String) -> [UInt8] {
        let content = """
            <?xml version="1.0"?><office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="ta" xmlns:draw="dr">
            <office:body>\(body)</office:body></office:document-content>
            """
        return zip(
            [
                ("mimetype", "application/vnd.oasis.opendocument.\(type)"), ("content.xml", content),
                ("meta.xml", openDocumentMetadata),
            ], .storedZip)
    }

    static func odt() -> [UInt8] {
        openDocument(
            "text",
            """
            <office:text><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
            <text:h text:outline-level="1">The <text:span>garden</text:span></text:h>
            <text:p>two<text:s text:c="3"/>spaces<text:tab/>tab<text:line-break/>line</text:p>
            <table:table><table:table-row><table:table-cell><text:p>left</text:p></table:table-cell>
            <table:table-cell><text:p>right</text:p></table:table-cell></table:table-row></table:table></office:text>
            """)
    }

    static func ods() -> [UInt8] {
        openDocument(
            "spreadsheet",
            """
            <office:spreadsheet><table:table table:name="Plants"><table:table-row><table:table-cell><text:p>rose</text:p>
            </table:table-cell><table:table-cell table:number-columns-repeated="1000000"/><table:table-cell><text:p>red</text:p>
            </table:table-cell></table:table-row></table:table><table:table table:name="Blank"/><table:table table:name="Tools">
            <table:table-row><table:table-cell><text:p>spade</text:p></table:table-cell></table:table-row></table:table>
            </office:spreadsheet>
            """)
    }

    static func odp() -> [UInt8] {
        openDocument(
            "presentation",
            """
            <office:presentation><draw:page draw:name="p1"><text:p>opening</text:p></draw:page>
            <draw:page draw:name="p2"><text:p>closing</text:p></draw:page></office:presentation>
            """)
    }

    static func epub() -> [UInt8] {
        zip(
            [
                ("mimetype", "application/epub+zip"),
                (
                    "META-INF/container.xml",
                    "<container><rootfiles><rootfile full-path=\"EPUB/book.opf\"/></rootfiles></container>"
                ),
                (
                    "EPUB/text/two.xhtml",
                    "<html><head><title>x</title></head><body><h1>The end</h1><p>They lived happily.</p></body></html>"
                ),
                (
                    "EPUB/text/one%20a.xhtml", "<html><body><p>not this</p></body></html>"
                ),
                (
                    "EPUB/text/one a.xhtml",
                    "<html><head><title>The tale</title></head><body><p>Once upon a time&#8230;</p></body></html>"
                ),
                (
                    "EPUB/book.opf",
                    """
                    <package xmlns:dc="d"><metadata><dc:title>The tale</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator>
                    <dc:language>fr</dc:language><dc:date>1999</dc:date></metadata><manifest>
                    <item id="a" href="text/one%20a.xhtml"/><item id="b" href="./text/../text/two.xhtml"/><item id="c" href="style.css"/>
                    </manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>
                    """
                ),
            ], .storedZip)
    }

    static let rtf = #"""
        {\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil Times;}{\f1\fnil\fcharset204 Arial;}}
        {\colortbl;\red0\green0\blue0;}{\info{\title A letter}{\author Ann \'c4hn}{\company None}}{\*\generator Some program;}
        \pard Gr\'fc\'dfe, \u26085\'93\u26412?\u-10179?\u-8704? \{braces\}\par
        {\f1 \'cf\'f0\'e8\'e2\'e5\'f2}\tab next\line {\pict\wmetafile8 0123456789abcdef}{\b bold\b0} end\'85{\bin3 }}}}x\par
        }
        """#

    static let message = """
        Return-Path: <ann@example.org>\r
        From: =?iso-8859-1?Q?Ann_=C4hn?= <ann@example.org>\r
        To: bob@example.org,\r
         =?utf-8?B?w4lt?= =?utf-8?B?aWxl?= <emile@example.org>\r
        Subject: =?utf-8?Q?Caf=C3=A9_?=\r
         =?utf-8?Q?tomorrow?=\r
        Date: Tue, 1 Jul 2003 10:52:37 +0200\r
        MIME-Version: 1.0\r
        Content-Type: multipart/mixed; boundary="outer"\r
        \r
        This is for programs that know no parts.\r
        --outer\r
        Content-Type: multipart/alternative; boundary=inner\r
        \r
        --inner\r
        Content-Type: text/plain; charset=koi8-r\r
        Content-Transfer-Encoding: quoted-printable\r
        \r
        =F0=D2=C9=D7=C5=D4 long =\r
        line\r
        --inner\r
        Content-Type: text/html\r
        \r
        <p>only in HTML</p>\r
        --inner--\r
        --outer\r
        Content-Type: text/plain; name="notes.txt"\r
        Content-Disposition: attachment; filename*=utf-8''n%C3%B6tes.txt\r
        Content-Transfer-Encoding: base64\r
        \r
        YXR0YWNoZWQg\r
        d29yZHM=\r
        --outer\r
        Content-Type: message/rfc822\r
        \r
        From: carl@example.org\r
        Date: Mon, 30 Jun 2003 00:00:00 GMT\r
        Subject: Forwarded\r
        \r
        inner message\r
        --outer\r
        Content-Type: image/png; name=photo.png\r
        Content-Transfer-Encoding: base64\r
        \r
        iVBORw0KGgo=\r
        --outer--\r
        after all parts\r

        """

    static let mailbox = """
        From ann@example.org Tue Jul  1 10:52:37 2003
        From: ann@example.org
        Subject: First
        Date: Tue, 1 Jul 2003 10:52:37 +0000

        Hello.
        >From here on all is quoted.

        From bob@example.org Wed Jul  2 10:52:37 2003
        From: bob@example.org
        Subject: Second
        Content-Type: multipart/mixed; boundary=b

        --b

        text
        --b
        Content-Disposition: attachment; filename="../../list.csv"

        name,x
        parsley,1
        --b--

        """

    static let notebook = #"""
        {"cells": [{"cell_type": "markdown", "source": ["# Rainfall\n", "Some *text*."]},
        {"cell_type": "code", "source": "plot(rain)", "outputs": [{"output_type": "stream", "text": ["drawn\n"]},
        {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo", "text/plain": ["<Figure>"]}}]}],
        "metadata": {"authors": [{"name": "Ann"}]}, "nbformat": 4, "nbformat_minor": 5}
        """#

    static let vcard = """
        BEGIN:VCARD
        VERSION:3.0
        N:Example;Ann;;;
        FN:Ann Exam
         ple
        item1.EMAIL;TYPE=home:ann@example.org
        NOTE:likes tea\\, and\\nbooks
        PHOTO;ENCODING=b:AAAA
        END:VCARD
        BEGIN:VCARD
        VERSION:2.1
        N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=FCr=
        gen
        END:VCARD

        """

    static let calendar = """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        SUMMARY:Dentist
        DTSTART;TZID=Europe/Berlin:20240506T101112
        LOCATION:Main street
        ORGANIZER;CN="Ann E.":mailto:ann@example.org
        END:VEVENT
        BEGIN:VTODO
        SUMMARY:Taxes
        DESCRIPTION:find the
          papers
        DUE:20240531
        END:VTODO
        END:VCALENDAR

        """

    /// A name and the bytes of a file of each kind that has a reader of its own.
    static let all: [(name: String, bytes: [UInt8])] = [
        ("a.docx", docx()), ("a.xlsx", xlsx()), ("a.pptx", pptx()), ("a.odt", odt()), ("a.ods", ods()),
        ("a.odp", odp()),
        ("a.epub", epub()), ("a.rtf", Array(rtf.utf8)), ("a.eml", Array(message.utf8)),
        ("a.mbox", Array(mailbox.utf8)), ("a.ipynb", Array(notebook.utf8)), ("a.vcf", Array(vcard.utf8)),
        ("a.ics", Array(calendar.utf8)),
        (
            "a.fodt",
            Array("<office:document xmlns:office=\"o\" xmlns:text=\"t\"><text:p>flat</text:p></office:document>".utf8)
        ),
        ("a.xml", Array("<a><title>T</title><b c=\"words\">text &amp; &lt;more&gt;</b><![CDATA[raw]]></a>".utf8)),
        ("a.json", Array(#"{"a": "caf\u00e9 \ud83d\ude00 \n", "b": [1, 2]}"#.utf8)),
        ("a.srt", Array("1\n00:00:01,000 --> 00:00:02,000\n<i>Hello</i> {\\an8}there\n\n".utf8)),
        ("a.org", Array("#+TITLE: T\n* Head\n[[http://a][b]] [[c]]\n:PROPERTIES:\n:ID: 1\n:END:\n".utf8)),
        ("a.rst", Array("Title\n=====\n\n:Author: A\n\n.. note:: `a <b>`_ :c:`d` ``e`` *f*\n".utf8)),
        ("a.adoc", Array("= T\nA B <c>\n:lang: de\n\n== S\nlink:a[b] <<c,d>> image::e[f]\n----\ncode\n----\n".utf8)),
        (
            "a.tex",
            Array(
                "\\title{A}\\begin{document}\\'e \\\"{o} \\emph{x} % c\n\\begin{verbatim}\n\\y\n\\end{verbatim}\n".utf8)
        ),
        ("a.zip", archive([("in/a.txt", Array("zipped".utf8)), ("b.docx", docx())])),
        ("a.tar", archive([("in/a.txt", Array("tarred".utf8)), ("c.zip", zip([("d.md", "# deep")]))], .tar)),
        ("a.tar.gz", archive([("in/a.txt", Array("tarred".utf8))], .tarGzip)),
        ("a.tar.xz", archive([("in/a.txt", Array("tarred".utf8))], .tarXz)),
        ("a.tar.bz2", archive([("in/a.txt", Array("tarred".utf8))], .tarBzip2)),
        ("a.tar.zst", archive([("in/a.txt", Array("tarred".utf8))], .tarZstandard)),
        ("a.rar", storedRAR([("in/a.txt", Array("an entry".utf8)), ("b.md", Array("# Second".utf8))])),
        ("a.c", Array("static int main(int argc)\n{\n}\nstruct point {\n".utf8)),
    ]
}

/// The documents of a file with that name and those bytes, its kind, and what could not be read of it.
func extracted(
    _ name: String, _ bytes: [UInt8], limits: ExtractionLimits = ExtractionLimits(),
    converters: Converters = Converters()
) throws -> (documents: [Document], kind: DocumentKind, remark: String?) {
    let folder = try TemporaryFolder()
    let path = try folder.write(name, bytes)
    var documents: [Document] = []
    let summary = try Extractor(limits: limits, converters: converters).extract(path) { documents.append($0) }
    return (documents, summary.kind, summary.remark)
}

/// Why a file is refused; nil if it is read.
func refusal(_ name: String, _ bytes: [UInt8], limits: ExtractionLimits = ExtractionLimits()) -> ExtractionProblem? {
    do {
        _ = try extracted(name, bytes, limits: limits)
        return nil
    } catch {
        return error as? ExtractionProblem
    }
}
