/// Comma-separated values (RFC 4180), with commas, semicolons, tabs or bars: each row below the header is a document.
struct CSVText {
    private let stream: any ByteStream
    private let limits: ExtractionLimits
    private let separator: UInt8?
    private var buffer: [UInt8] = []
    private var at = 0
    private var line = 1
    private var isAtEnd = false
    private var foundSeparator: UInt8?
    private var unclosedQuotes = 0

    private static let titleNames = ["title", "name", "subject", "headline", "label"]
    /// Searching for the end of a quote costs up to a record's length. A file with more unclosed quotes than this is
    /// assumed to use quotes as plain characters, so that the cost stays linear.
    private static let toleratedUnclosedQuotes = 4

    struct Row: Equatable {
        var fields: [String]
        /// The line of the file where the row begins, from 1.
        var line: Int
    }

    /// - Parameter separator: The byte between fields; nil to detect it in the first line.
    init(_ stream: any ByteStream, separator: UInt8?, limits: ExtractionLimits) {
        self.stream = stream
        self.separator = separator
        self.limits = limits
    }

    static func read(
        _ stream: any ByteStream, separator: UInt8?, fileName: String, limits: ExtractionLimits,
        emit: (Document) throws -> Void
    ) throws {
        var rows = CSVText(stream, separator: separator, limits: limits)
        guard let header = try rows.next() else { return }
        let names = header.fields.map { $0.lowercased() }
        let titleColumn = titleNames.lazy.compactMap { names.firstIndex(of: $0) }.first
        while let row = try rows.next() {
            let document = document(row, titleColumn: titleColumn, fileName: fileName)
            try PlainText.emit(Array(document.body.utf8), title: document.title, limits: limits) { part in
                try emit(Document(title: part.title, body: part.body, line: row.line))
            }
        }
    }

    private static func document(_ row: Row, titleColumn: Int?, fileName: String) -> Document {
        var title = titleColumn.flatMap { row.fields.indices.contains($0) ? row.fields[$0] : nil } ?? ""
        // Without a title column, the row's first words identify it best.
        if title.isEmpty {
            title = row.fields.first { $0.unicodeScalars.contains { $0.properties.isAlphabetic } } ?? fileName
        }
        let body = row.fields.filter { !$0.isEmpty }.joined(separator: "\n")
        return Document(title: String(title.prefix(200)).joiningSpaces(), body: body)
    }

    /// The next row that is not empty; nil after the last.
    mutating func next() throws -> Row? {
        while true {
            try fill()
            guard at < buffer.count else { return nil }
            let start = line
            let fields = parseRow()
            if fields.count > 1 || fields.first?.isEmpty == false { return Row(fields: fields, line: start) }
        }
    }

    /// Fills the buffer with the bytes of a row of the greatest length, or with all that remain.
    private mutating func fill() throws {
        guard buffer.count - at <= limits.recordBytes, !isAtEnd else { return }
        buffer.removeFirst(at)
        at = 0
        while buffer.count <= limits.recordBytes, !isAtEnd {
            if let piece = try stream.next() { buffer.append(contentsOf: piece) } else { isAtEnd = true }
        }
    }

    private mutating func parseRow() -> [String] {
        let separator = separator ?? foundSeparator ?? Self.findSeparator(buffer[at...])
        foundSeparator = separator
        let end = min(buffer.count, at + limits.recordBytes)
        var parsed: (fields: [String], end: Int)?
        if unclosedQuotes <= Self.toleratedUnclosedQuotes {
            parsed = Self.parse(buffer[at..<end], separator: separator, quotes: true)
            if parsed == nil { unclosedQuotes += 1 }
        }
        // A quote that is never closed would swallow the rest of the file, so quotes are then plain characters.
        parsed = parsed ?? Self.parse(buffer[at..<end], separator: separator, quotes: false)
        guard let parsed else { return [] }
        line += buffer[at..<parsed.end].reduce(into: 0) { if $1 == 10 { $0 += 1 } }
        at = parsed.end
        return parsed.fields
    }

    /// One row; nil if a quoted field does not end.
    private static func parse(
        _ bytes: ArraySlice<UInt8>, separator: UInt8, quotes: Bool
    ) -> (fields: [String], end: Int)? {
        let quote = UInt8(ascii: "\"")
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var at = bytes.startIndex
        while at < bytes.endIndex {
            let byte = bytes[at]
            at += 1
            if isQuoted {
                if byte != quote {
                    field.append(byte)
                } else if at < bytes.endIndex, bytes[at] == quote {
                    field.append(quote)
                    at += 1
                } else {
                    isQuoted = false
                }
            } else if byte == quote, quotes, field.allSatisfy({ $0 == 32 }) {
                field.removeAll()
                isQuoted = true
            } else if byte == separator || byte == 10 {
                fields.append(String(decoding: field, as: UTF8.self).trimmingSpaces())
                field.removeAll(keepingCapacity: true)
                if byte == 10 { return (fields, at) }
            } else {
                field.append(byte)
            }
        }
        if isQuoted { return nil }
        fields.append(String(decoding: field, as: UTF8.self).trimmingSpaces())
        return (fields, at)
    }

    /// The candidate that is most frequent in the first line, outside quotes.
    private static func findSeparator(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes.prefix(64 << 10) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 10 { break }
            if ",;\t|".utf8.contains(byte) { counts[byte, default: 0] += 1 }
        }
        let comma = UInt8(ascii: ",")
        return counts.max { ($0.value, $0.key == comma ? 1 : 0) < ($1.value, $1.key == comma ? 1 : 0) }?.key ?? comma
    }
}
