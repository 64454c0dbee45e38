/// OpenDocument (ISO/IEC 26300): texts, spreadsheets, presentations and drawings, as packages or as single XML files.
enum OpenDocumentText {
    static func read(_ package: Package, kind: DocumentKind, _ output: Output) throws {
        let metadata = try PackageMetadata(package.parts { $0 == "meta.xml" }["meta.xml"])
        var found = false
        try package.forEach({ $0 == "content.xml" && !found }) { _, content in
            found = true
            try read(content, kind: kind, metadata, output)
        }
        if !found { throw ExtractionProblem.damaged("it has no content.xml") }
    }

    /// Reads a single XML file with the content of a whole package (`.fodt`).
    static func read(flat content: any ByteStream, kind: DocumentKind, _ output: Output) throws {
        try read(content, kind: kind, PackageMetadata(nil), output)
    }

    private static func read(
        _ content: any ByteStream, kind: DocumentKind, _ metadata: PackageMetadata, _ output: Output
    ) throws {
        let reader = OpenDocumentReader(kind: kind, metadata, output)
        let isWhole = try XMLEvents.read(content, into: reader)
        let isEmpty = try reader.finish()
        if !isWhole, isEmpty { throw ExtractionProblem.damaged("content.xml is not XML") }
    }
}

private final class OpenDocumentReader: XMLReceiver {
    private let kind: DocumentKind
    private let metadata: PackageMetadata
    private let output: Output
    private var writer: DocumentWriter
    /// The number of open elements that contain text.
    private var openTexts = 0
    private var openIgnored = 0
    private var openCells = 0
    private var heading: [UInt8]?
    private var pages = 0
    private var wroteText = false
    private var title: String?
    private var failure: (any Error)?

    init(kind: DocumentKind, _ metadata: PackageMetadata, _ output: Output) {
        self.kind = kind
        self.metadata = metadata
        self.output = output
        title = metadata.title
        var common = metadata.common
        if kind != .document { common.page = 1 }
        writer = output.writer(title: title, common)
        writer.takesHeading = false
        append(metadata.notes)
    }

    var isFinished: Bool { failure != nil || writer.isFailed }

    /// - Returns: Whether there was nothing to read.
    func finish() throws -> Bool {
        if let failure { throw failure }
        if kind == .spreadsheet, pages > 0 {
            try writer.check()
        } else {
            try writer.finish()
        }
        return !wroteText
    }

    private func append(_ notes: [String]) {
        for note in notes {
            writer.append(TextStream.clean(Array(note.utf8)))
            writer.endLine()
        }
    }

    func start(_ element: XMLElement) {
        if openIgnored > 0 || Self.ignored.contains(element.name) {
            openIgnored += 1
            return
        }
        if Self.apart.contains(element.name) { separate() }
        switch element.name {
        case "p", "h":
            openTexts += 1
            if element.name == "h", title == nil, heading == nil { heading = [] }
        case "table-cell", "covered-table-cell": openCells += 1
        case "tab": write([9])
        case "line-break": write([10])
        case "s": write([UInt8](repeating: 32, count: min(max(element["c"].flatMap { Int($0) } ?? 1, 1), 100)))
        case "page" where kind == .presentation: startPage()
        case "table" where kind == .spreadsheet: startSheet(element["name"] ?? "")
        default: break
        }
    }

    func end(_ name: String) {
        if openIgnored > 0 {
            openIgnored -= 1
            return
        }
        if Self.apart.contains(name), name != "p", name != "h" { separate() }
        switch name {
        case "p", "h":
            openTexts -= 1
            if name == "h", let heading {
                title = String(decoding: heading, as: UTF8.self).trimmingSpaces()
                if title?.isEmpty == false { writer.title = writer.title ?? title } else { title = nil }
                self.heading = nil
            }
            if openTexts == 0, openCells == 0 { writer.endLine() } else { writer.append([32]) }
        case "table-cell", "covered-table-cell":
            openCells -= 1
            if let last = writer.last, last != 9, last != 10 { writer.append([9]) }
        case "table-row": writer.endLine()
        case "table" where kind == .spreadsheet: endSheet()
        default: break
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard openTexts > 0, openIgnored == 0 else { return }
        write(TextStream.clean(Array(bytes)))
    }

    private func write(_ bytes: [UInt8]) {
        guard openTexts > 0 else { return }
        wroteText = true
        if heading != nil, (heading?.count ?? 0) < 2000 { heading?.append(contentsOf: bytes) }
        writer.append(bytes)
    }

    /// Keeps the words of a paragraph apart from those of a note, a comment or a box within it.
    private func separate() {
        if let last = writer.last, last > 32 { write([32]) }
    }

    private static let apart: Set<String> = [
        "p", "h", "note", "note-citation", "note-body", "annotation", "creator", "date", "text-box",
    ]

    private func startPage() {
        if pages > 0 { writer.append([Document.pageBreak]) }
        pages += 1
    }

    /// Each sheet is a document.
    private func startSheet(_ name: String) {
        pages += 1
        var common = metadata.common
        common.page = pages
        writer = output.writer(title: SheetTitle.make(name, of: title ?? output.name), common)
        if pages == 1 { append(metadata.notes) }
    }

    private func endSheet() {
        if pages > 1, writer.isEmpty { return }
        do { try writer.finish() } catch { failure = error }
    }

    /// Elements with deleted text that is kept for review, and with content that is not text of the document.
    private static let ignored: Set<String> = ["tracked-changes", "meta", "settings", "scripts", "binary-data"]
}

/// The title of a sheet.
enum SheetTitle {
    static func make(_ sheet: String, of book: String) -> String {
        sheet.isEmpty ? book : "\(book): \(sheet)"
    }
}
