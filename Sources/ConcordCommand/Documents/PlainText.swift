/// Reads texts line by line into documents of bounded size.
enum PlainText {
    /// Emits the text of `stream`, as several documents if it is long, each with the line where it begins.
    static func read(
        _ stream: any ByteStream, title: String?, fileName: String, limits: ExtractionLimits,
        emit: (Document) throws -> Void
    ) throws {
        try withoutActuallyEscaping(emit) { emit in
            let writer = DocumentWriter(
                title: title, fallbackTitle: fileName, countsLines: true, limits: limits, emit: emit)
            while let piece = try stream.next() {
                writer.append(piece)
                try writer.check()
            }
            try writer.finish()
        }
    }

    /// Emits a text that is in memory, whose lines are not those of its file.
    ///
    /// - Parameter common: The properties of the documents besides title and body.
    static func emit(
        _ text: [UInt8], title: String, common: Document = Document(title: "", body: ""), limits: ExtractionLimits,
        emit: (Document) throws -> Void
    ) throws {
        try withoutActuallyEscaping(emit) { emit in
            let writer = DocumentWriter(
                title: title, fallbackTitle: title, common: common, limits: limits, emit: emit)
            writer.append(text)
            try writer.finish()
        }
    }

    /// The title at the beginning of a text: a first line that is underlined, or is followed by an empty line.
    static func heading(of text: some Collection<UInt8>) -> String? {
        let beginning = Array(text.prefix(2000))
        let lines = beginning.split(separator: 10, maxSplits: 40, omittingEmptySubsequences: false).prefix(40)
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
