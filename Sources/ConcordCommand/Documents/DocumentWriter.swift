/// Turns text into documents of bounded size while it is being written.
///
/// It keeps errors of the receiver, since callbacks of C libraries cannot throw; `check` and `finish` throw them.
final class DocumentWriter {
    /// The documents' title. If it is nil when the first one is emitted, a heading in the text becomes the title, or
    /// else `fallbackTitle`.
    var title: String?
    /// Whether the first line of a text that stands alone counts as a heading.
    var takesHeading = true
    /// The properties that all documents have in common.
    var common: Document
    private let fallbackTitle: String
    private let countsLines: Bool
    private let limit: Int
    private let emit: (Document) throws -> Void
    private var buffer: [UInt8] = []
    private var line = 1
    private var isSplit = false
    private var failure: (any Error)?

    /// - Parameter countsLines: Whether the lines of the text are those of the file.
    init(
        title: String?, fallbackTitle: String, common: Document = Document(title: "", body: ""),
        countsLines: Bool = false,
        limits: ExtractionLimits, emit: @escaping (Document) throws -> Void
    ) {
        self.title = title
        self.fallbackTitle = fallbackTitle
        self.common = common
        self.countsLines = countsLines
        limit = max(limits.bodyBytes, 2)
        self.emit = emit
    }

    var isFailed: Bool { failure != nil }

    /// Whether nothing but white space has been written.
    var isEmpty: Bool { !isSplit && !buffer.contains { $0 > 32 } }

    /// The last byte written, unless a document has been emitted since.
    var last: UInt8? { buffer.last }

    func append(_ bytes: some Collection<UInt8>) {
        guard failure == nil else { return }
        buffer.append(contentsOf: bytes)
        if buffer.count > limit { emitFullParts() }
    }

    func append(_ text: String) { append(text.utf8) }

    /// Ends the current line, if there is one.
    func endLine() {
        while let last = buffer.last, last == 32 || last == 9 { buffer.removeLast() }
        if let last = buffer.last, last != 10, last != Document.pageBreak { append(CollectionOfOne(10)) }
    }

    func check() throws {
        if let failure { throw failure }
    }

    /// Emits the rest. A text that was not split becomes a document even if it is empty.
    func finish() throws {
        try check()
        guard !isSplit || buffer.contains(where: { $0 > 32 }) else { return }
        try emitPart(buffer[...])
        buffer = []
    }

    private func emitFullParts() {
        do {
            var start = 0
            while buffer.count - start > limit {
                isSplit = true
                let end = splitPoint(from: start)
                try emitPart(buffer[start..<end])
                start = end
            }
            buffer.removeFirst(start)
        } catch {
            failure = error
            buffer = []
        }
    }

    private func emitPart(_ part: ArraySlice<UInt8>) throws {
        var document = common
        if title == nil { title = (takesHeading ? PlainText.heading(of: part) : nil) ?? fallbackTitle }
        document.title = title ?? fallbackTitle
        document.body = String(decoding: part, as: UTF8.self)
        if countsLines {
            if isSplit { document.line = line }
            line = part.reduce(into: line) { if $1 == 10 { $0 += 1 } }
        }
        if let page = common.page {
            common.page = part.reduce(into: page) { if $1 == Document.pageBreak { $0 += 1 } }
        }
        try emit(document)
    }

    /// Where to split: after the last line end before the limit, or else after a space, or else between two characters.
    private func splitPoint(from start: Int) -> Int {
        let (earliest, end) = (start + limit / 2, start + limit)
        for separator: UInt8 in [10, 32] {
            if let at = buffer[earliest..<end].lastIndex(of: separator) { return at + 1 }
        }
        var at = end
        while at > earliest, buffer[at] & 0xC0 == 0x80 { at -= 1 }
        return max(at, start + 1)
    }
}
