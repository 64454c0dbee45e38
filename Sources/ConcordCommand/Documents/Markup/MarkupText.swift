/// A markup language in which each line can be read with only the lines before it.
protocol LineMarkup {
    /// The document's title, as soon as it is known.
    var title: String? { get }
    /// The document's other metadata.
    var metadata: Document { get }
    /// Appends the visible text of the line to `output`, without the line end.
    mutating func read(_ line: ArraySlice<UInt8>, into output: inout [UInt8])
}

/// Reads texts in light markup. Each line of the file stays a line, so that hits have line numbers.
enum MarkupText {
    static func read(_ text: any ByteStream, _ markup: some LineMarkup, _ output: Output) throws {
        var markup = markup
        var lines = LineReader(text, limit: output.limits.recordBytes)
        let writer = output.writer(title: nil, countsLines: true)
        writer.takesHeading = false
        var visible: [UInt8] = []
        while let line = try lines.next() {
            visible.removeAll(keepingCapacity: true)
            markup.read(line, into: &visible)
            visible.append(10)
            writer.title = writer.title ?? markup.title
            writer.common.author = markup.metadata.author
            writer.common.date = markup.metadata.date
            writer.common.language = markup.metadata.language
            writer.append(visible)
            try writer.check()
        }
        try writer.finish()
    }
}

/// Functions for lines of all markup languages.
enum MarkupLine {
    static func string(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).trimmingSpaces()
    }

    static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line.drop { $0 <= 32 }
        while let last = line.last, last <= 32 { line.removeLast() }
        return line
    }

    /// The character of which a line consists, if it is punctuation and there are enough of it.
    static func rule(_ line: ArraySlice<UInt8>, atLeast count: Int) -> UInt8? {
        let marks = trimmed(line)
        guard marks.count >= count, let first = marks.first, first > 32, first < 127, !isWordByte(first) else {
            return nil
        }
        return marks.allSatisfy { $0 == first } ? first : nil
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (48...57).contains(byte) || (97...122).contains(byte | 0x20)
    }

    /// `:name: value`
    static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: ArraySlice<UInt8>)? {
        let line = trimmed(line)
        let colon = UInt8(ascii: ":")
        guard line.first == colon, let end = line.dropFirst().prefix(60).firstIndex(of: colon),
            end > line.startIndex + 1,
            line.endIndex == end + 1 || line[end + 1] == 32
        else { return nil }
        let name = line[(line.startIndex + 1)..<end]
        guard name.allSatisfy({ isWordByte($0) || $0 == 45 || $0 == 95 || $0 == 32 || $0 == 33 }) else { return nil }
        return (string(name).lowercased(), trimmed(line[(end + 1)...]))
    }
}

/// Finds the next occurrence of a byte from places that only move forward, so that each byte is examined once.
struct ByteFinder {
    private let byte: UInt8
    private var found = Int.min

    init(_ byte: UInt8) { self.byte = byte }

    mutating func next(in text: ArraySlice<UInt8>, from start: Int) -> Int? {
        if found < start { found = text[min(start, text.endIndex)...].firstIndex(of: byte) ?? .max }
        return found == .max ? nil : found
    }
}
