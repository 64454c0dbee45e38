/// The parts of a document that is a ZIP archive of files: OpenDocument, Office Open XML, EPUB.
///
/// A part that is needed first may come last, so a package is read as often as necessary.
final class Package {
    private let allowance: Allowance
    private let limits: ExtractionLimits
    private let open: () throws -> any ByteStream
    private var isCounted = false

    /// - Parameter content: The bytes of the input, from their beginning.
    init(_ input: Input, _ content: PeekedStream, limits: ExtractionLimits, allowance: Allowance) throws {
        self.limits = limits
        self.allowance = allowance
        if let path = input.path {
            open = { try FileStream(path: path, limit: limits.fileBytes) }
        } else {
            let bytes = try content.whole(limit: limits.wholeBytes)
            open = { MemoryStream([bytes]) }
        }
    }

    /// Visits the parts whose names are wanted, in the order of the archive.
    func forEach(_ isWanted: (String) -> Bool, _ body: (String, any ByteStream) throws -> Void) throws {
        let archive = try ArchiveReader(open(), format: .zip, allowance: allowance)
        while let entry = try archive.next() {
            if !isCounted, !allowance.openEntry() { throw ExtractionProblem.tooMany(limit: limits.entries) }
            // Some writers separate folders with backslashes.
            let name = entry.path.replacing("\\", with: "/")
            guard entry.isFile, isWanted(name) else { continue }
            if entry.isEncrypted { throw ExtractionProblem.encrypted }
            try body(name, archive.content)
        }
        isCounted = true
    }

    /// The wanted parts, by name; fails if together they are too large.
    func parts(_ isWanted: (String) -> Bool) throws -> [String: [UInt8]] {
        var parts: [String: [UInt8]] = [:]
        var count = 0
        try forEach(isWanted) { name, content in
            let bytes = try content.whole(limit: limits.wholeBytes - count)
            count += bytes.count
            parts[name] = parts[name] ?? bytes
        }
        return parts
    }

    /// The path of a part to which another part refers.
    static func resolve(_ target: String, from part: String) -> String {
        var folders = target.hasPrefix("/") ? [] : part.split(separator: "/").dropLast().map(String.init)
        for component in target.split(separator: "/") where component != "." {
            if component == ".." { folders = folders.dropLast() } else { folders.append(String(component)) }
        }
        return folders.joined(separator: "/")
    }
}

/// The metadata of a package in `docProps/core.xml`, `meta.xml` or an EPUB's package document, all of which use Dublin
/// Core.
final class PackageMetadata: XMLReceiver {
    private(set) var title: String?
    private(set) var authors: [String] = []
    private(set) var date: Int64?
    private(set) var language: String?
    /// Subject, keywords, description: words that people may search for.
    private(set) var notes: [String] = []
    private var value: [UInt8] = []
    private static let longestValue = 64 << 10
    private static let mostValues = 100

    init(_ bytes: [UInt8]?) throws {
        if let bytes { try XMLEvents.read(MemoryStream([bytes]), into: self) }
    }

    var common: Document {
        Document(
            title: "", body: "", author: authors.isEmpty ? nil : authors.joined(separator: ", "), date: date,
            language: language)
    }

    var isFinished: Bool { false }
    func start(_ element: XMLElement) { value = [] }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        value.append(contentsOf: bytes.prefix(max(0, Self.longestValue - value.count)))
    }

    func end(_ name: String) {
        let text = String(decoding: value, as: UTF8.self).trimmingSpaces()
        value = []
        guard !text.isEmpty else { return }
        switch name {
        // PowerPoint writes this if nobody has set a title.
        case "title": if text != "PowerPoint Presentation" { title = title ?? text }
        case "creator", "initial-creator":
            if authors.count < Self.mostValues, !authors.contains(text) { authors.append(text) }
        case "modified", "date": date = date ?? DocumentDate.iso(text)
        case "language": language = language ?? text
        case "subject", "keywords", "keyword", "description": if notes.count < Self.mostValues { notes.append(text) }
        default: break
        }
    }
}
