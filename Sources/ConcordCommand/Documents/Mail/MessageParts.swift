/// The text and the attachments of a message (RFC 2045 to 2049).
struct MessageParts {
    struct Attachment {
        var name: String
        var content: ArraySlice<UInt8>
        var encoding: TransferEncoding
    }

    private(set) var text: [UInt8] = []
    private(set) var attachments: [Attachment] = []
    /// Whether parts are nested deeper than the limit.
    private(set) var isTooDeep = false
    private(set) var hasTooMany = false
    /// Why a text was not read to its end.
    private(set) var problem: ExtractionProblem?

    private static let deepest = 20
    private static let most = 10_000
    private var count = 0

    init(_ body: ArraySlice<UInt8>, _ headers: MailHeaders) { read(body, headers, depth: 0) }

    private mutating func read(_ body: ArraySlice<UInt8>, _ headers: MailHeaders, depth: Int) {
        count += 1
        guard count <= Self.most else {
            hasTooMany = true
            return
        }
        guard depth <= Self.deepest else {
            isTooDeep = true
            return
        }
        let type = headers.structured("content-type")
        let kind = type?.value ?? "text/plain"
        if kind.hasPrefix("multipart/"), let boundary = type?["boundary"], !boundary.isEmpty {
            return readParts(Self.split(body, boundary: boundary), kind: kind, depth: depth)
        }
        let disposition = headers.structured("content-disposition")
        let name = disposition?["filename"] ?? type?["name"]
        let encoding = TransferEncoding(headers["content-transfer-encoding"])
        let isText = kind == "text/plain" || kind == "text/html" || !kind.contains("/")
        if isText, disposition?.value != "attachment", name == nil || depth == 0 {
            appendText(encoding.decode(body), isHTML: kind == "text/html", charset: type?["charset"])
        } else if kind != "application/pgp-signature", kind != "application/pkcs7-signature" {
            attachments.append(
                Attachment(name: name ?? Self.name(kind, attachments.count + 1), content: body, encoding: encoding))
        }
    }

    private mutating func readParts(_ parts: [ArraySlice<UInt8>], kind: String, depth: Int) {
        var read: [(headers: MailHeaders, body: ArraySlice<UInt8>)] = parts.prefix(Self.most).map { part in
            var body = part
            let headers = MailHeaders(&body)
            return (headers, body)
        }
        if kind == "multipart/alternative" {
            // The same text in several forms: plain text comes without markup.
            let types = read.map { $0.headers.structured("content-type")?.value ?? "text/plain" }
            let plain = read.indices.filter { index in
                types[index] == "text/plain" && read[index].body.contains { $0 > 32 }
            }
            if let chosen = plain.first {
                read = read.indices.filter { $0 == chosen || types[$0] == "text/calendar" }.map { read[$0] }
            } else {
                read = read.indices.filter { types[$0] != "text/plain" }.map { read[$0] }
            }
        }
        for part in read { self.read(part.body, part.headers, depth: depth + 1) }
    }

    private mutating func appendText(_ bytes: [UInt8], isHTML: Bool, charset: String?) {
        let decoded = CharacterDecoder.text(bytes, encoding: charset)
        if !text.isEmpty { text.append(10) }
        guard isHTML, let page = try? HTMLText(charset == nil ? bytes : decoded) else { return text += decoded }
        text += page.body
        problem = problem ?? page.problem
    }

    /// The parts between the lines `--boundary`.
    private static func split(_ body: ArraySlice<UInt8>, boundary: String) -> [ArraySlice<UInt8>] {
        let mark = Array("--".utf8) + Array(boundary.utf8)
        var parts: [ArraySlice<UInt8>] = []
        var start: Int?
        var at = body.startIndex
        while at < body.endIndex {
            let end = body[at...].firstIndex(of: 10) ?? body.endIndex
            let line = body[at..<end]
            if line.first == mark.first, line.starts(with: mark) {
                let rest = line.dropFirst(mark.count)
                let isLast = rest.starts(with: Array("--".utf8))
                if isLast || rest.allSatisfy({ $0 <= 32 }) {
                    // The line end before a boundary belongs to the boundary.
                    if let start { parts.append(body[start..<max(start, self.end(of: body[..<at]))]) }
                    start = isLast ? nil : min(end + 1, body.endIndex)
                    if isLast { return parts }
                }
            }
            at = end + 1
        }
        if let start, start < body.endIndex { parts.append(body[start...]) }
        return parts
    }

    /// Where a text ends without its final line end.
    private static func end(of text: ArraySlice<UInt8>) -> Int {
        var text = text
        if text.last == 10 { text.removeLast() }
        if text.last == 13 { text.removeLast() }
        return text.endIndex
    }

    private static func name(_ kind: String, _ number: Int) -> String {
        let suffixes = [
            "message/rfc822": "eml", "text/calendar": "ics", "text/html": "html", "text/plain": "txt",
            "text/vcard": "vcf", "text/x-vcard": "vcf", "application/pdf": "pdf", "text/csv": "csv",
            "message/delivery-status": "txt",
        ]
        return "part-\(number)" + (suffixes[kind].map { "." + $0 } ?? "")
    }
}
