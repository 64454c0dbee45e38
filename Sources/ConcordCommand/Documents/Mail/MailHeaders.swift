/// The headers of a message or of one of its parts (RFC 5322), decoded on access.
struct MailHeaders {
    private var fields: [(name: String, value: [UInt8])] = []
    private static let most = 1000
    private static let longest = 64 << 10

    /// Removes the headers, and the empty line after them, from the beginning of `bytes`.
    init(_ bytes: inout ArraySlice<UInt8>) {
        while let line = Self.takeLine(&bytes), !line.isEmpty {
            if let first = line.first, first == 32 || first == 9 {
                append(line)
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), fields.count < Self.most {
                let name = String(decoding: line[..<colon].prefix(100), as: UTF8.self).trimmingSpaces().lowercased()
                fields.append((name, []))
                append(line[(colon + 1)...])
            }
        }
    }

    private mutating func append(_ part: ArraySlice<UInt8>) {
        guard let last = fields.indices.last else { return }
        fields[last].value += part.prefix(max(0, Self.longest - fields[last].value.count))
    }

    private static func takeLine(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard !bytes.isEmpty else { return nil }
        let end = bytes.firstIndex(of: 10) ?? bytes.endIndex
        var line = bytes[..<end]
        bytes = bytes[min(end + 1, bytes.endIndex)...]
        if line.last == 13 { line.removeLast() }
        return line
    }

    var isEmpty: Bool { fields.isEmpty }

    private func raw(_ name: String) -> [UInt8]? { fields.first { $0.name == name }?.value }

    /// The value of a header as people read it.
    subscript(name: String) -> String? {
        raw(name).map { EncodedWords.decode($0).joiningSpaces() }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A value with parameters, in lower case: `text/plain` and `charset`.
    func structured(_ name: String) -> StructuredHeader? { raw(name).map(StructuredHeader.init) }
}

/// `text/plain; charset="utf-8"; name*=utf-8''caf%C3%A9.txt` (RFC 2045, 5.1; RFC 2231).
struct StructuredHeader {
    let value: String
    private var parameters: [String: String] = [:]
    private static let most = 100

    init(_ bytes: [UInt8]) {
        var parts = Self.split(bytes)
        value = parts.isEmpty ? "" : String(decoding: parts.removeFirst(), as: UTF8.self).trimmingSpaces().lowercased()
        var pieces: [String: [(number: Int, isEncoded: Bool, value: [UInt8])]] = [:]
        for part in parts.prefix(Self.most) {
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
            var name = String(decoding: part[..<equals], as: UTF8.self).trimmingSpaces().lowercased()
            let value = Self.unquoted(part[(equals + 1)...])
            let isEncoded = name.hasSuffix("*")
            if isEncoded { name.removeLast() }
            let names = name.split(separator: "*", maxSplits: 1)
            let number = names.count == 2 ? Int(names[1]) ?? 0 : 0
            pieces[names.first.map(String.init) ?? "", default: []].append((number, isEncoded, value))
        }
        for (name, values) in pieces { parameters[name] = Self.join(values) }
    }

    subscript(name: String) -> String? { parameters[name] }

    private static func join(_ pieces: [(number: Int, isEncoded: Bool, value: [UInt8])]) -> String {
        let pieces = pieces.sorted { $0.number < $1.number }
        guard let first = pieces.first, pieces.contains(where: { $0.isEncoded }) else {
            return EncodedWords.decode(pieces.flatMap { $0.value })
        }
        var bytes: [UInt8] = []
        var encoding: String?
        for piece in pieces {
            var value = piece.value[...]
            if piece.isEncoded, piece.number == first.number {
                // charset'language'text
                let quotes = value.indices.filter { value[$0] == UInt8(ascii: "'") }
                if quotes.count >= 2 {
                    encoding = String(decoding: value[..<quotes[0]], as: UTF8.self)
                    value = value[(quotes[1] + 1)...]
                }
            }
            bytes += piece.isEncoded ? percentDecoded(value) : Array(value)
        }
        return String(decoding: CharacterDecoder.text(bytes, encoding: encoding), as: UTF8.self)
    }

    private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var at = bytes.startIndex
        while at < bytes.endIndex {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.endIndex,
                let high = TransferEncoding.hexadecimal(bytes[at + 1]),
                let low = TransferEncoding.hexadecimal(bytes[at + 2])
            {
                output.append(high << 4 | low)
                at += 3
            } else {
                output.append(bytes[at])
                at += 1
            }
        }
        return output
    }

    /// The parts between semicolons that are not inside quotes.
    private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var isQuoted = false
        var isEscaped = false
        for (at, byte) in bytes.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\"), isQuoted {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ";"), !isQuoted {
                parts.append(bytes[start..<at])
                start = at + 1
            }
        }
        parts.append(bytes[start...])
        return parts
    }

    private static func unquoted(_ value: ArraySlice<UInt8>) -> [UInt8] {
        var value = value.drop { $0 <= 32 }
        while let last = value.last, last <= 32 { value.removeLast() }
        guard value.first == UInt8(ascii: "\""), value.count >= 2 else { return Array(value) }
        value = value.dropFirst()
        if value.last == UInt8(ascii: "\"") { value.removeLast() }
        var output: [UInt8] = []
        var isEscaped = false
        for byte in value {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                output.append(byte)
                isEscaped = false
            }
        }
        return output
    }
}

/// Words in headers that are not ASCII: `=?utf-8?Q?caf=C3=A9?=` (RFC 2047).
enum EncodedWords {
    static func decode(_ bytes: [UInt8]) -> String {
        guard bytes.firstRange(of: Array("=?".utf8)) != nil else {
            return String(decoding: CharacterDecoder.text(bytes, encoding: nil), as: UTF8.self)
        }
        var output: [UInt8] = []
        var plainStart = 0
        var at = 0
        // A character may be split between two words of the same encoding, so these are decoded together.
        var run: (encoding: String, bytes: [UInt8])?
        func flush() {
            if let run { output += CharacterDecoder.text(run.bytes, encoding: run.encoding) }
            run = nil
        }
        while at + 1 < bytes.count {
            guard bytes[at] == UInt8(ascii: "="), bytes[at + 1] == UInt8(ascii: "?"), let word = word(bytes[at...])
            else {
                at += 1
                continue
            }
            let between = bytes[plainStart..<at]
            // White space between two encoded words is not part of the text.
            if run == nil || between.contains(where: { $0 > 32 }) {
                flush()
                output += CharacterDecoder.text(Array(between), encoding: nil)
            }
            if let open = run, open.encoding == word.encoding {
                run = (open.encoding, open.bytes + word.bytes)
            } else {
                flush()
                run = (word.encoding, word.bytes)
            }
            at = word.end
            plainStart = at
        }
        flush()
        output += CharacterDecoder.text(Array(bytes[plainStart...]), encoding: nil)
        return String(decoding: output, as: UTF8.self)
    }

    /// By the standard words are at most 75 bytes long; some programs write longer ones.
    private static let longest = 1000

    private static func word(_ bytes: ArraySlice<UInt8>) -> (encoding: String, bytes: [UInt8], end: Int)? {
        let question = UInt8(ascii: "?")
        let text = bytes.prefix(longest)
        let start = text.startIndex + 2
        guard let first = text[start...].firstIndex(of: question), first + 2 < text.endIndex,
            text[first + 2] == question
        else { return nil }
        let content = text[(first + 3)...]
        guard let last = content.firstIndex(of: question), last + 1 < text.endIndex, text[last + 1] == UInt8(ascii: "=")
        else { return nil }
        // An asterisk and a language may follow the encoding (RFC 2231, 5).
        let name = String(decoding: text[start..<first].prefix { $0 != UInt8(ascii: "*") }, as: UTF8.self).lowercased()
        switch text[first + 1] | 0x20 {
        case UInt8(ascii: "b"): return (name, TransferEncoding.base64(content[..<last]), last + 2)
        case UInt8(ascii: "q"):
            return (name, TransferEncoding.quotedPrintable(content[..<last], isWord: true), last + 2)
        default: return nil
        }
    }
}
