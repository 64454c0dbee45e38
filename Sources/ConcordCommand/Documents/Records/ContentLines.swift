/// The properties of vCard (RFC 6350) and iCalendar (RFC 5545): in both, lines `NAME;PARAMETER=x:value`, folded if they
/// are long.
struct ContentLines {
    struct Property: Equatable {
        /// In capitals, without a group.
        var name: String
        var parameters: [String: String]
        var value: String
        /// Where it begins, from 1.
        var line: Int
    }

    private var lines: LineReader
    private let limit: Int
    private var ahead: (bytes: [UInt8], line: Int)?

    init(_ stream: any ByteStream, limits: ExtractionLimits) {
        lines = LineReader(stream, limit: limits.recordBytes)
        limit = limits.recordBytes
    }

    /// The next property; nil after the last. Skips lines that are not properties.
    mutating func next() throws -> Property? {
        while let begun = try takeLine() {
            var bytes = begun.bytes
            while let (more, number) = try takeLine() {
                if let first = more.first, first == 32 || first == 9 {
                    if bytes.count < limit { bytes += more.dropFirst() }
                } else if bytes.last == UInt8(ascii: "="), Self.isQuotedPrintable(bytes) {
                    // vCard 2.1 continues lines in its own way.
                    bytes.removeLast()
                    if bytes.count < limit { bytes += more }
                } else {
                    ahead = (more, number)
                    break
                }
            }
            if let property = Self.parse(bytes, line: begun.line) { return property }
        }
        return nil
    }

    private mutating func takeLine() throws -> (bytes: [UInt8], line: Int)? {
        if let ahead {
            self.ahead = nil
            return ahead
        }
        return try lines.next().map { (Array($0), lines.line) }
    }

    private static func isQuotedPrintable(_ line: [UInt8]) -> Bool {
        String(decoding: line.prefix(200), as: UTF8.self).uppercased().contains("QUOTED-PRINTABLE")
    }

    private static func parse(_ bytes: [UInt8], line: Int) -> Property? {
        var isQuoted = false
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var colon: Int?
        for (at, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard !isQuoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") else { continue }
            parts.append(bytes[start..<at])
            start = at + 1
            if byte == UInt8(ascii: ":") {
                colon = at
                break
            }
            if parts.count > 100 { return nil }
        }
        guard let colon, let first = parts.first else { return nil }
        let group = first.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? first.startIndex
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
            let name = String(decoding: pair.first ?? [], as: UTF8.self).uppercased()
            parameters[name] = pair.count > 1 ? String(decoding: pair[1], as: UTF8.self).trimming { $0 == "\"" } : ""
        }
        let encoding = parameters["ENCODING"]?.uppercased() ?? ""
        var value = Array(bytes[(colon + 1)...])
        if encoding == "QUOTED-PRINTABLE" || parameters["QUOTED-PRINTABLE"] != nil {
            value = CharacterDecoder.text(TransferEncoding.quotedPrintable(value[...]), encoding: parameters["CHARSET"])
        } else if encoding == "B" || encoding == "BASE64" || parameters["BASE64"] != nil {
            value = []
        }
        return Property(
            name: String(decoding: first[group...], as: UTF8.self).trimmingSpaces().uppercased(),
            parameters: parameters,
            value: unescaped(value), line: line)
    }

    /// `\n`, `\,`, `\;`, `\\`; a semicolon that is not escaped separates the parts of a name or an address.
    private static func unescaped(_ value: [UInt8]) -> String {
        var output: [UInt8] = []
        var isEscaped = false
        for byte in value {
            if isEscaped {
                output.append(byte | 0x20 == UInt8(ascii: "n") ? 10 : byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                output.append(byte == UInt8(ascii: ";") ? 32 : byte)
            }
        }
        return String(decoding: output, as: UTF8.self).trimmingSpaces()
    }
}
