/// Messages: the subject is the title, the sender the author; attachments are entries of the file.
enum MailText {
    /// Reads one message, as in a Maildir or an `.eml` file.
    static func read(_ stream: any ByteStream, _ input: Input, in extraction: Extraction) throws {
        var bytes = try stream.whole(limit: extraction.limits.wholeBytes)[...]
        skipLength(&bytes)
        try read(bytes, line: nil, input, in: extraction) { input.inner([$0]) }
    }

    /// Reads a mailbox in the mbox format (RFC 4155): each message is a document, with the line where it begins. Its
    /// attachments are in a folder named after its number.
    static func readMailbox(_ stream: any ByteStream, _ input: Input, in extraction: Extraction) throws {
        var lines = LineReader(stream, limit: extraction.limits.recordBytes)
        var message: [UInt8] = []
        var number = 0
        var start = 1
        var isBehindBlank = true
        var isCut = false
        func finish() throws {
            guard number > 0 else { return }
            let count = String(number)
            if isCut {
                extraction.refuse(input.inner([count]), .tooLarge(limit: extraction.limits.wholeBytes))
            } else if extraction.openEntry() {
                try read(message[...], line: start, input, in: extraction) { input.inner([count, $0]) }
            }
            message.removeAll(keepingCapacity: message.count < 1 << 20)
            isCut = false
        }
        while var line = try lines.next() {
            if isBehindBlank, isSeparator(line) {
                try finish()
                number += 1
                start = lines.line
                continue
            }
            isBehindBlank = line.allSatisfy { $0 <= 32 }
            // Inside a message, `From ` at the beginning of a line is written as `>From `.
            let quotes = line.prefix { $0 == UInt8(ascii: ">") }.count
            if quotes > 0, line.dropFirst(quotes).starts(with: separator) { line = line.dropFirst() }
            if number == 0 { number = 1 }
            if message.count + line.count >= extraction.limits.wholeBytes { isCut = true }
            if !isCut {
                message += line
                message.append(10)
            }
        }
        try finish()
    }

    private static let separator = Array("From ".utf8)

    /// `From ann@example.org Tue Jul  1 10:52:37 2003`
    static func isSeparator(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.starts(with: separator), line.count < 500 else { return false }
        let words = line.split(separator: 32)
        return words.count >= 3 && words.dropFirst(2).contains { $0.contains(UInt8(ascii: ":")) }
            && line.contains { (48...57).contains($0) }
    }

    /// Apple Mail writes the message's length before the message.
    private static func skipLength(_ bytes: inout ArraySlice<UInt8>) {
        guard let end = bytes.prefix(20).firstIndex(of: 10) else { return }
        let digits = String(decoding: bytes[..<end], as: UTF8.self).trimmingSpaces()
        guard let length = Int(digits), length > 0 else { return }
        bytes = bytes[(end + 1)...].prefix(length)
    }

    private static func read(
        _ bytes: ArraySlice<UInt8>, line: Int?, _ input: Input, in extraction: Extraction, place: (String) -> Input
    ) throws {
        var bytes = bytes
        let headers = MailHeaders(&bytes)
        let parts = MessageParts(bytes, headers)
        var body: [UInt8] = []
        for (name, header) in [
            ("From", "from"), ("To", "to"), ("Cc", "cc"), ("Bcc", "bcc"), ("Newsgroups", "newsgroups"),
        ] {
            guard let value = headers[header] else { continue }
            body += Array("\(name): \(value)\n".utf8)
        }
        body.append(10)
        body += parts.text
        let names = parts.attachments.map { EntryPath.name($0.name) }
        if !names.isEmpty { body += Array("\n\nAttachments: \(names.joined(separator: ", "))\n".utf8) }

        var common = Document(title: "", body: "")
        common.line = line
        common.author = headers["from"]
        common.date = headers["date"].flatMap(DocumentDate.message)
        common.language = headers["content-language"]
        let output = extraction.output(for: .mail, input)
        try output.write(TextStream.clean(body), title: headers["subject"] ?? "", common)

        if let problem = parts.problem { output.endEarly(problem) }
        if parts.isTooDeep { extraction.refuse(input, .tooDeep(limit: extraction.limits.depth)) }
        for (attachment, name) in zip(parts.attachments, names) where extraction.openEntry() {
            let content = attachment.encoding.decode(attachment.content)
            try extraction.readEntry(MemoryStream([content]), place(name.isEmpty ? "attachment" : name))
        }
    }

    /// Headers that are common in messages and rare in other texts.
    private static let known: Set<String> = [
        "from", "to", "date", "subject", "received", "message-id", "return-path", "delivered-to", "mime-version",
        "content-type", "reply-to", "sender", "cc", "newsgroups", "in-reply-to", "references", "x-mailer",
        "dkim-signature",
    ]

    /// Whether a text begins like a message: with headers, at least three of them known, and From or Received among
    /// them.
    static func looksLikeMessage(_ beginning: ArraySlice<UInt8>) -> Bool {
        var found: Set<String> = []
        for line in beginning.prefix(16 << 10).split(separator: 10, omittingEmptySubsequences: false) {
            if line.isEmpty || line.elementsEqual([13]) { break }
            if let first = line.first, first == 32 || first == 9 { continue }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy({ (33...126).contains($0) })
            else { return false }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            if known.contains(name) { found.insert(name) }
        }
        return found.count >= 3 && (found.contains("from") || found.contains("received"))
    }

    /// Whether a text begins like a mailbox: with a line `From … date`, followed by a header.
    static func looksLikeMailbox(_ beginning: ArraySlice<UInt8>) -> Bool {
        let lines = beginning.prefix(4096).split(separator: 10, maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count >= 2, isSeparator(lines[0]) else { return false }
        let second = lines[1].prefix { $0 != UInt8(ascii: ":") }
        return second.count < lines[1].count && !second.isEmpty
            && second.allSatisfy { (33...126).contains($0) || $0 == 62 }
    }
}
