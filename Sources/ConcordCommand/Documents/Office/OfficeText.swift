/// Office Open XML (ECMA-376), OpenDocument and EPUB: determines the kind of a package by its parts.
enum OfficeText {
    static func read(_ package: Package, kind: DocumentKind, _ output: Output) throws {
        switch kind {
        case .book: return try BookText.read(package, output)
        case .document, .spreadsheet, .presentation: break
        default: return
        }
        var isOpenDocument = false
        var isOpenXML = false
        try package.forEach { name in
            isOpenDocument = isOpenDocument || name == "content.xml"
            isOpenXML = isOpenXML || name == "[Content_Types].xml"
            return false
        } _: { _, _ in
        }
        if isOpenDocument { return try OpenDocumentText.read(package, kind: kind, output) }
        guard isOpenXML else { throw ExtractionProblem.damaged("it is neither OpenDocument nor Office Open XML") }
        let core = try package.parts { $0 == "docProps/core.xml" }
        let metadata = try PackageMetadata(core["docProps/core.xml"])
        switch kind {
        case .spreadsheet: try SpreadsheetText.read(package, metadata, output)
        case .presentation: try PresentationText.read(package, metadata, output)
        default: try WordText.read(package, metadata, output)
        }
    }
}

/// The parts to which a part of an Office Open XML package refers, by identifier.
final class Relationships: XMLReceiver {
    private(set) var targets: [(id: String, path: String)] = []
    private let part: String
    private static let most = 100_000

    /// - Parameter part: The path of the part that has these relationships.
    init(_ bytes: [UInt8]?, of part: String) throws {
        self.part = part
        if let bytes { try XMLEvents.read(MemoryStream([bytes]), into: self) }
    }

    /// The path of a part's relationships.
    static func path(of part: String) -> String {
        var components = part.split(separator: "/").map(String.init)
        let name = components.popLast() ?? ""
        return (components + ["_rels", name + ".rels"]).joined(separator: "/")
    }

    func path(_ id: String?) -> String? { targets.first { $0.id == id }?.path }

    var isFinished: Bool { targets.count >= Self.most }
    func end(_ name: String) {}
    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}

    func start(_ element: XMLElement) {
        guard element.name == "Relationship", let id = element["Id"], let target = element["Target"] else { return }
        targets.append((id, Package.resolve(target, from: part)))
    }
}

/// The sheets of a workbook or the slides of a presentation, in order: their names and paths.
final class PartList: XMLReceiver {
    private(set) var items: [(name: String, path: String)] = []
    private let element: String
    private let paths: [String: String]
    private static let most = 10_000

    /// - Parameters:
    ///   - element: `sheet` or `sldId`.
    init(_ bytes: [UInt8]?, element: String, _ relationships: Relationships) throws {
        self.element = element
        paths = Dictionary(relationships.targets.map { ($0.id, $0.path) }) { first, _ in first }
        if let bytes { try XMLEvents.read(MemoryStream([bytes]), into: self) }
    }

    var isFinished: Bool { items.count >= Self.most }
    func end(_ name: String) {}
    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}

    func start(_ element: XMLElement) {
        guard element.name == self.element else { return }
        // There are two attributes with this local name: the application's number and, with a prefix, the
        // relationship's identifier, which is the one that leads to a path.
        let ids = element.values.filter { $0.name == "id" }.map { $0.value }
        guard let path = ids.lazy.compactMap({ self.paths[$0] }).first else { return }
        items.append((element["name"] ?? "", path))
    }
}

/// The paragraphs of text in WordprocessingML and DrawingML.
final class ParagraphReader: XMLReceiver {
    private let writer: DocumentWriter
    private(set) var wroteText = false
    /// The first paragraph with words, unless there was a title before it.
    private(set) var first: String?
    private var openTexts = 0
    private var openFallbacks = 0
    private var openTabStops = 0
    private var openCells = 0
    private var style: String?
    private var heading: [UInt8] = []
    private static let longestHeading = 2000

    init(_ writer: DocumentWriter) { self.writer = writer }

    var isFinished: Bool { writer.isFailed }

    func start(_ element: XMLElement) {
        // `Fallback` has the same text as `Choice`, for older programs.
        if openFallbacks > 0 || element.name == "Fallback" {
            openFallbacks += 1
            return
        }
        switch element.name {
        case "t": openTexts += 1
        // A `tab` inside `tabs` is a tab stop, not a character.
        case "tabs": openTabStops += 1
        case "tab": if openTabStops == 0 { write([9]) }
        case "tc": openCells += 1
        case "br", "cr": write([10])
        case "noBreakHyphen": write([45])
        case "p":
            // In the middle of a paragraph, that of a text box begins.
            if let last = writer.last, last > 32 { writer.append([32]) }
            style = ""
            heading = []
        case "pStyle": style = element["val"] ?? ""
        default: break
        }
    }

    func end(_ name: String) {
        if openFallbacks > 0 {
            openFallbacks -= 1
            return
        }
        switch name {
        case "t": openTexts -= 1
        case "tabs": openTabStops -= 1
        case "p":
            takeTitle()
            if openCells > 0 { writer.append([32]) } else { writer.endLine() }
        case "tc":
            openCells -= 1
            writer.append([9])
        case "tr": writer.endLine()
        default: break
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard openTexts > 0, openFallbacks == 0 else { return }
        wroteText = true
        write(TextStream.clean(Array(bytes)))
    }

    private func write(_ bytes: [UInt8]) {
        if writer.title == nil, heading.count < Self.longestHeading { heading += bytes }
        writer.append(bytes)
    }

    /// Uses the first paragraph that is styled as a title or a heading as the title.
    private func takeTitle() {
        defer { style = nil }
        guard writer.title == nil else { return }
        let text = String(decoding: heading, as: UTF8.self).joiningSpaces()
        if first == nil, !text.isEmpty { first = text }
        guard !text.isEmpty, let style = style?.lowercased(),
            style.hasPrefix("title") || style.hasPrefix("heading") || style.hasPrefix("berschrift") || style == "titel"
        else { return }
        writer.title = text
    }
}

/// Word's documents.
enum WordText {
    private static let folder = "word/"

    static func read(_ package: Package, _ metadata: PackageMetadata, _ output: Output) throws {
        let writer = output.writer(title: metadata.title, metadata.common)
        writer.takesHeading = false
        for note in metadata.notes {
            writer.append(TextStream.clean(Array(note.utf8)))
            writer.endLine()
        }
        let reader = ParagraphReader(writer)
        var found = false
        var isWhole = true
        try package.forEach(isMain) { _, content in
            found = true
            isWhole = try XMLEvents.read(content, into: reader) && isWhole
        }
        guard found else { throw ExtractionProblem.damaged("it has no word/document.xml") }
        if !isWhole, !reader.wroteText { throw ExtractionProblem.damaged("word/document.xml is not XML") }
        try package.forEach(isNote) { _, content in try XMLEvents.read(content, into: reader) }
        try writer.finish()
    }

    private static func isMain(_ name: String) -> Bool {
        name.hasPrefix(folder + "document") && name.hasSuffix(".xml") && !name.dropFirst(folder.count).contains("/")
    }

    private static func isNote(_ name: String) -> Bool {
        name.hasSuffix(".xml")
            && ["footnotes", "endnotes", "comments.", "header", "footer"].contains { name.hasPrefix(folder + $0) }
    }
}

/// PowerPoint's presentations: each slide is a page, with its notes.
enum PresentationText {
    private static let main = "ppt/presentation.xml"

    static func read(_ package: Package, _ metadata: PackageMetadata, _ output: Output) throws {
        let index = try package.parts { $0 == main || $0 == Relationships.path(of: main) || isSlideRelationships($0) }
        let list = try PartList(
            index[main], element: "sldId", Relationships(index[Relationships.path(of: main)], of: main))
        guard !list.items.isEmpty || index[main] != nil else { throw ExtractionProblem.damaged("it has no \(main)") }

        let slides = try package.parts { isPart($0, of: "slides") || isPart($0, of: "notesSlides") }
        var common = metadata.common
        common.page = 1
        let writer = output.writer(title: metadata.title, common)
        writer.takesHeading = false
        for note in metadata.notes {
            writer.append(TextStream.clean(Array(note.utf8)))
            writer.endLine()
        }
        for (number, item) in list.items.enumerated() {
            if number > 0 { writer.append([Document.pageBreak]) }
            let first = try read(slides[item.path], into: writer)
            if number == 0 { writer.title = writer.title ?? first }
            let related = try Relationships(index[Relationships.path(of: item.path)], of: item.path)
            for target in related.targets where isPart(target.path, of: "notesSlides") {
                _ = try read(slides[target.path], into: writer)
            }
        }
        try writer.finish()
    }

    /// - Returns: The part's first paragraph, which is a slide's title.
    private static func read(_ part: [UInt8]?, into writer: DocumentWriter) throws -> String? {
        guard let part else { return nil }
        let reader = ParagraphReader(writer)
        try XMLEvents.read(MemoryStream([part]), into: reader)
        try writer.check()
        return reader.first
    }

    private static func isPart(_ name: String, of folder: String) -> Bool {
        name.hasPrefix("ppt/\(folder)/") && name.hasSuffix(".xml")
    }

    private static func isSlideRelationships(_ name: String) -> Bool { name.hasPrefix("ppt/slides/_rels/") }
}
