import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Scanned pages, older office files and RAR archives")
struct ConverterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let pdf = Array("%PDF-1.4 ...".utf8)

    /// `pdftotext` finds text on the second page of four; the others say their number when they are painted and read.
    private func converters(painter: String? = nil, reader: String? = nil) throws -> Converters {
        var converters = Converters()
        converters.pdfToText = try program(
            "#!/bin/sh\nprintf '\\f typed words\\n\\f \\n\\f\\n\\f'\n", at: folder["pdftotext"])
        // The last argument is where the picture goes.
        converters.pdfToImage = try program(
            painter ?? "#!/bin/sh\nfor last; do :; done\nprintf 'read from page %s' \"$3\" > \"$last.png\"\n",
            at: folder["pdftoppm"])
        converters.tesseract = try program(reader ?? "#!/bin/sh\nexec /bin/cat \"$1\"\n", at: folder["tesseract"])
        return converters
    }

    @Test func pagesWithoutTextAreRead() throws {
        let (documents, kind, remark) = try extracted("scan.pdf", Self.pdf, converters: converters())
        #expect(kind == .pdf && remark == nil)
        let pages = documents.first?.body.split(separator: "\u{C}", omittingEmptySubsequences: false).map {
            String($0).trimmingSpaces()
        }
        #expect(pages == ["read from page 1", "typed words", "read from page 3", "read from page 4"])
        // Only if that is asked for.
        var plain = try converters()
        plain.tesseract = nil
        #expect(
            try extracted("scan.pdf", Self.pdf, converters: plain).documents.map { $0.body.trimmingSpaces() } == [
                "typed words"
            ])
    }

    @Test func whatKeepsThemFromBeingRead() throws {
        for (painter, reader, text) in [
            ("#!/bin/sh\nexit 3\n", nil, "pdftoppm: failed with 3"),
            ("#!/bin/sh\nexit 0\n", nil, "tesseract: failed with 1"),
            (nil, "#!/bin/sh\nkill -9 $$\n", "tesseract: failed with -9"),
        ] as [(String?, String?, String)] {
            let (documents, _, remark) = try extracted(
                "scan.pdf", Self.pdf, converters: converters(painter: painter, reader: reader))
            #expect(remark == "read in part: \(text)")
            #expect(documents.count == 1 && documents[0].body.contains("typed words"))
        }
        var limits = ExtractionLimits()
        limits.recognizedPages = 2
        let (documents, _, remark) = try extracted("scan.pdf", Self.pdf, limits: limits, converters: converters())
        #expect(remark == "read in part: more than 2 pages without text")
        #expect(documents[0].body.contains("page 3") && !documents[0].body.contains("page 4"))
        var lacking = try converters()
        lacking.pdfToImage = nil
        #expect(
            try extracted("scan.pdf", Self.pdf, converters: lacking).remark == "read in part: needs pdftoppm (poppler)")
    }

    // MARK: Older office files

    private static let compound = LegacyOfficeText.signature + [UInt8](repeating: 0, count: 600)

    @Test(arguments: [
        ("a.doc", DocumentKind.document, "catdoc or antiword"), ("a.DOT", .document, "catdoc or antiword"),
        ("a.xls", .spreadsheet, "xls2csv (catdoc)"), ("a.ppt", .presentation, "catppt (catdoc)"),
        ("a.pps", .presentation, "catppt (catdoc)"),
    ])
    func olderFilesAreReadByPrograms(_ name: String, _ kind: DocumentKind, _ missing: String) throws {
        #expect(refusal(name, Self.compound) == .converterMissing(missing))
        let printer = try program(
            "#!/bin/sh\n[ \"$1\" = -x ] && [ -s \"$2\" ] && printf 'Quarterly figures\\n\\nrent\\t42\\n\\fsecond\\033[1m\\n\\f'\n",
            at: folder["printer"])
        let read = TextProgram(path: printer, options: ["-x"])
        var converters = Converters()
        switch kind {
        case .spreadsheet: converters.spreadsheetToText = read
        case .presentation: converters.presentationToText = read
        default: converters.wordToText = read
        }
        let found = try extracted(name, Self.compound, converters: converters)
        #expect(found.kind == kind && found.documents.count == 1)
        let document = try #require(found.documents.first)
        #expect(document.body.hasPrefix("Quarterly figures\n\nrent\t42"))
        #expect(!document.body.contains("\u{1B}"))
        #expect(document.page == (kind == .document ? nil : 1))
        if kind != .document { #expect(document.page(at: document.body.utf8.count) == 2) }
        // In an archive as well.
        let packed = try extracted("a.zip", archive([("in/" + name, Self.compound)]), converters: converters)
        #expect(packed.documents.map(\.entry) == ["in/" + name])
        let silent = TextProgram(path: try program("#!/bin/sh\nprintf ' \\f'\n", at: folder["silent"]), options: [])
        converters.wordToText = silent
        converters.spreadsheetToText = silent
        converters.presentationToText = silent
        #expect(throws: ExtractionProblem.converter("silent: found no text")) {
            _ = try extracted(name, Self.compound, converters: converters)
        }
        let failing = TextProgram(path: try program("#!/bin/sh\nexit 1\n", at: folder["failing"]), options: [])
        converters.wordToText = failing
        converters.spreadsheetToText = failing
        converters.presentationToText = failing
        #expect(throws: ExtractionProblem.converter("failing: failed with 1")) {
            _ = try extracted(name, Self.compound, converters: converters)
        }
    }

    @Test func compoundFilesOfOtherPrograms() {
        #expect(refusal("a.msi", Self.compound) == .binary("an older or encrypted Office file"))
        #expect(refusal("a.docx", Self.compound) == .binary("an older or encrypted Office file"))
    }

    // MARK: RAR

    @Test func archivesOfRAR() throws {
        let bytes = storedRAR([("in/a.txt", Array("first entry".utf8)), ("b.md", Array("# Second\nentry".utf8))])
        let (documents, kind, remark) = try extracted("a.rar", bytes)
        #expect(kind == .archive && remark == nil)
        #expect(documents.map(\.entry) == ["in/a.txt", "b.md"])
        #expect(documents.map(\.body) == ["first entry", "Second\nentry\n"])
        // Whatever its name is, and one in another archive.
        #expect(try extracted("a.cbr", bytes).kind == .archive)
        #expect(
            try extracted("a.zip", archive([("x.rar", bytes)])).documents.map(\.entry) == [
                "x.rar/in/a.txt", "x.rar/b.md",
            ])
        var limits = ExtractionLimits()
        limits.unpackedBytes = 15
        #expect(try extracted("a.rar", bytes, limits: limits).remark?.hasPrefix("read in part") == true)
        #expect(try extracted("a.rar", Array(bytes.prefix(40))).remark?.hasPrefix("read in part") == true)
    }
}
