import Foundation

/// EPUB (https://www.w3.org/TR/epub-33): each chapter, a file of the book's reading order, is a document.
enum BookText {
    private static let container = "META-INF/container.xml"

    static func read(_ package: Package, _ output: Output) throws {
        // META-INF/encryption.xml is ignored, since it also lists obfuscated fonts; an encrypted chapter is noticed
        // because it is not text.
        let index = try package.parts { $0 == container || $0.hasSuffix(".opf") }
        let root = try RootFile(index[container])
        guard let path = root.path ?? index.keys.filter({ $0.hasSuffix(".opf") }).min(), let bytes = index[path] else {
            throw ExtractionProblem.damaged("it has no package document")
        }
        let metadata = try PackageMetadata(bytes)
        let spine = try Spine(bytes, path: path)
        var places: [String: Int] = [:]
        for (number, item) in spine.paths.enumerated() { places[item] = places[item] ?? number }
        var chapters = 0
        try package.forEach({ places[$0] != nil }) { name, content in
            guard let number = places[name] else { return }
            let page = try HTMLText(content.whole(limit: output.limits.wholeBytes))
            if let problem = page.problem { output.endEarly(problem) }
            var common = metadata.common
            common.page = number + 1
            let book = metadata.title ?? output.name
            let heading = page.heading.isEmpty ? (page.title == book ? "" : page.title) : page.heading
            guard chapters == 0 || page.body.contains(where: { $0 > 32 }) else { return }
            chapters += 1
            let notes = chapters == 1 ? metadata.notes.joined(separator: "\n") + "\n" : ""
            try output.write(
                TextStream.clean(Array(notes.utf8)) + page.body, title: SheetTitle.make(heading, of: book), common)
        }
        if chapters == 0 { throw ExtractionProblem.damaged("it has no chapters") }
    }
}

private final class RootFile: XMLReceiver {
    private(set) var path: String?

    init(_ bytes: [UInt8]?) throws {
        if let bytes { try XMLEvents.read(MemoryStream([bytes]), into: self) }
    }

    var isFinished: Bool { path != nil }
    func end(_ name: String) {}
    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}

    func start(_ element: XMLElement) {
        if element.name == "rootfile", path == nil { path = element["full-path"] }
    }
}

/// The reading order of a book.
private final class Spine: XMLReceiver {
    private let path: String
    private var hrefs: [String: String] = [:]
    private var ids: [String] = []
    private static let most = 100_000

    init(_ bytes: [UInt8], path: String) throws {
        self.path = path
        try XMLEvents.read(MemoryStream([bytes]), into: self)
    }

    var paths: [String] {
        ids.compactMap { hrefs[$0] }.map { Package.resolve($0.removingPercentEncoding ?? $0, from: path) }
    }

    var isFinished: Bool { hrefs.count > Self.most || ids.count > Self.most }
    func end(_ name: String) {}
    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}

    func start(_ element: XMLElement) {
        switch element.name {
        case "item": if let id = element["id"], let href = element["href"] { hrefs[id] = href }
        case "itemref": if let id = element["idref"] { ids.append(id) }
        default: break
        }
    }
}
