/// Texts that are read line by line, in documents of bounded size.
enum PlainText {
    /// Emits the text of `stream`, in several documents where it is long, each with the line where it begins.
    static func read(
        _ stream: any ByteStream, title: String?, fileName: String, limits: ExtractionLimits,
        emit: (Document) throws -> Void
    ) throws {
        var buffer: [UInt8] = []
        var title = title
        var line = 1
        var isSplit = false
        while let piece = try stream.next() {
            buffer.append(contentsOf: piece)
            while buffer.count > limits.bodyBytes {
                isSplit = true
                title = title ?? heading(of: buffer) ?? fileName
                let end = splitPoint(of: buffer, near: limits.bodyBytes)
                line = try emitPart(buffer[..<end], title: title ?? fileName, line: line, emit: emit)
                buffer.removeFirst(end)
            }
        }
        guard !isSplit || buffer.contains(where: { $0 > 32 }) else { return }
        let body = String(decoding: buffer, as: UTF8.self)
        try emit(Document(title: title ?? heading(of: buffer) ?? fileName, body: body, line: isSplit ? line : nil))
    }

    /// Emits a text that is in memory.
    static func emit(
        _ text: [UInt8], title: String, limits: ExtractionLimits, emit: (Document) throws -> Void
    ) throws {
        // Lines of a converted text are not those of its file, so the parts have none.
        try read(MemoryStream([text]), title: title, fileName: title, limits: limits) { document in
            var document = document
            document.line = nil
            try emit(document)
        }
    }

    private static func emitPart(
        _ part: ArraySlice<UInt8>, title: String, line: Int, emit: (Document) throws -> Void
    ) throws -> Int {
        try emit(Document(title: title, body: String(decoding: part, as: UTF8.self), line: line))
        return part.reduce(into: line) { if $1 == 10 { $0 += 1 } }
    }

    /// After the last line end before `limit`; else after a space; else between two characters.
    private static func splitPoint(of buffer: [UInt8], near limit: Int) -> Int {
        let earliest = limit / 2
        for separator: UInt8 in [10, 32] {
            if let at = buffer[earliest..<limit].lastIndex(of: separator) { return at + 1 }
        }
        var at = limit
        while at > earliest, buffer[at] & 0xC0 == 0x80 { at -= 1 }
        return at
    }

    /// The title that a text gives itself: a first line that is underlined, or stands alone above an empty line.
    static func heading(of text: [UInt8]) -> String? {
        let lines = text.prefix(2000).split(separator: 10, maxSplits: 40, omittingEmptySubsequences: false).prefix(40)
        var rest = lines.drop { isBlank($0) || isRule($0) || isComment($0) }
        guard let first = rest.popFirst(), first.count <= 120, first.contains(where: isLetter) else { return nil }
        guard let second = rest.first, isBlank(second) || isRule(second) else { return nil }
        let title = first.drop { $0 <= 32 }
        return String(decoding: title, as: UTF8.self).trimmingSpaces()
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy { $0 <= 32 } }

    /// `=====`, `-----`, `*****`: an underline, or an ornament.
    private static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
        let marks = line.filter { $0 > 32 }
        guard marks.count >= 3, let first = marks.first, !isLetter(first) else { return false }
        return marks.allSatisfy { $0 == first }
    }

    /// reStructuredText's directives and comments.
    private static func isComment(_ line: ArraySlice<UInt8>) -> Bool { line.starts(with: Array("..".utf8)) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte >= 0x80
    }
}

extension String {
    func trimmingSpaces() -> String {
        let trimmed = drop(while: \.isWhitespace)
        guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(trimmed[...last])
    }
}
