/// Any other XML: the text of its elements, and the values of their attributes, which contain words in many
/// vocabularies.
enum XMLText {
    /// A file that turns out not to be XML is read as plain text.
    static func read(_ content: PeekedStream, beginning: [UInt8], _ output: Output) throws {
        let bytes = try content.whole(limit: output.limits.wholeBytes)
        let reader = XMLTextReader(output)
        try XMLEvents.read(MemoryStream([bytes]), into: reader)
        if reader.wroteText { return try reader.finish() }
        let text = try TextStream(MemoryStream([bytes]), beginning: beginning)
        try PlainText.read(text, title: output.name, fileName: output.name, limits: output.limits, emit: output.emit)
    }
}

private final class XMLTextReader: XMLReceiver {
    private let writer: DocumentWriter
    private(set) var wroteText = false
    private var value: [UInt8]?
    private var isTitle = false
    private static let longestTitle = 2000
    private static let titleNames: Set<String> = ["title", "book-title", "name", "h1"]

    init(_ output: Output) { writer = output.writer(title: nil) }

    var isFinished: Bool { writer.isFailed }

    func finish() throws {
        try writer.finish()
    }

    func start(_ element: XMLElement) {
        writer.endLine()
        if writer.title == nil, Self.titleNames.contains(element.name) { value = [] }
        for (name, value) in element.values where !Self.isPassedOver(name, value) {
            append(TextStream.clean(Array(value.utf8)))
            writer.endLine()
        }
        if let language = element["lang"], writer.common.language == nil { writer.common.language = language }
    }

    func end(_ name: String) {
        writer.endLine()
        guard Self.titleNames.contains(name), let value else { return }
        let title = String(decoding: value, as: UTF8.self).joiningSpaces()
        if !title.isEmpty { writer.title = writer.title ?? title }
        self.value = nil
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        let text = TextStream.clean(Array(bytes))
        if writer.last == nil || writer.last == 10, !text.contains(where: { $0 > 32 }) { return }
        if let count = value?.count, count < Self.longestTitle { value? += text }
        append(text)
    }

    private func append(_ text: [UInt8]) {
        wroteText = true
        writer.append(text)
    }

    /// Whether a value has no words: numbers, drawing instructions, styles.
    private static func isPassedOver(_ name: String, _ value: String) -> Bool {
        ["d", "style", "points", "transform", "id", "class", "xmlns"].contains(name)
            || !value.utf8.contains { (97...122).contains($0 | 0x20) || $0 >= 0x80 }
    }
}
