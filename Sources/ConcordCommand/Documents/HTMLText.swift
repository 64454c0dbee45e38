import CConcordanceXML

/// The text of an HTML document, read with libxml2's parser for real-world HTML.
///
/// The parser runs in event mode: it keeps the stack of open elements but no tree, so memory is bounded by the deepest
/// nesting, which is limited, and nothing recurses with the input. HTML entities stand for one or two characters each
/// and cannot be declared, so that none expands.
final class HTMLText {
    private(set) var title = ""
    private(set) var body: [UInt8] = []
    /// The first heading.
    private(set) var heading = ""
    /// The page's metadata.
    private(set) var metadata = Document(title: "", body: "")
    private var isInsideHeading = false
    private var openIgnored = 0
    private var openDrawings = 0
    private var isInsideTitle = false
    private var depth = 0
    private var isTooDeep = false

    /// Why the page was not read to its end; nil if it was.
    var problem: ExtractionProblem? {
        isTooDeep ? .damaged("elements are nested more than \(grouped(Self.deepest)) deep") : nil
    }

    /// How deep a page may nest elements; real pages stay below 100.
    private static let deepest = 5000
    private static let feedBytes = 64 << 10

    /// - Parameter bytes: The unchanged bytes of the file, which may declare their encoding.
    init(_ bytes: [UInt8]) throws {
        Self.startLibrary
        body.reserveCapacity(bytes.count / 2)
        var handler = Self.makeHandler()
        // The events borrow this object during the calls below.
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard let parser = htmlCreatePushParserCtxt(&handler, context, nil, 0, nil, XML_CHAR_ENCODING_NONE) else {
            throw ExtractionProblem.unreadable("libxml2 cannot start")
        }
        defer { htmlFreeParserCtxt(parser) }
        let options = [
            HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET, HTML_PARSE_IGNORE_ENC,
        ]
        htmlCtxtUseOptions(parser, options.reduce(0) { $0 | Int32(bitPattern: $1.rawValue) })
        if !bytes.isEmpty {
            if let encoder = xmlFindCharEncodingHandler("UTF-8") { xmlSwitchToEncoding(parser, encoder) }
            feed(try Self.decoded(bytes), to: parser)
        }
        body = TextStream.clean(body)
        heading = String(decoding: TextStream.clean(Array(heading.utf8)), as: UTF8.self).joiningSpaces()
        title = String(decoding: TextStream.clean(Array(title.utf8)), as: UTF8.self).joiningSpaces()
    }

    /// The page in UTF-8.
    private static func decoded(_ bytes: [UInt8]) throws -> [UInt8] {
        try TextStream(MemoryStream([bytes]), encoding(of: bytes)).whole(limit: .max)
    }

    /// The encoding of a page, and the length of a byte order mark, from its first bytes. The encoding that it declares counts
    /// unless the bytes are UTF-8 or UTF-16.
    ///
    /// - Throws: `ExtractionProblem.binary` if they are not text.
    static func encoding(of beginning: [UInt8]) throws -> (encoding: TextEncoding, mark: Int) {
        let detected = try TextEncoding.detect(beginning)
        guard case .legacy = detected.encoding, let label = metaCharset(beginning), !label.hasPrefix("utf"),
            let name = CharacterDecoder.legacyEncoding(named: label)?.name
        else { return detected }
        return (.legacy(name), detected.mark)
    }

    /// The label after `charset=` in the first kilobyte, as browsers look for it.
    static func metaCharset(_ bytes: [UInt8]) -> String? {
        let head = bytes.prefix(1024).map { (65...90).contains($0) ? $0 | 0x20 : $0 }[...]
        guard let found = head.firstRange(of: Array("charset=".utf8)) else { return nil }
        let value = head[found.upperBound...].drop { $0 <= 32 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        let label = value.prefix(40).prefix { byte in
            (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "_")
        }
        return label.isEmpty ? nil : String(decoding: label, as: UTF8.self)
    }

    private func feed(_ bytes: [UInt8], to parser: htmlParserCtxtPtr) {
        bytes.withUnsafeBytes { raw in
            let chars = raw.bindMemory(to: CChar.self)
            var at = 0
            while at < chars.count, !isTooDeep, let base = chars.baseAddress {
                let count = min(Self.feedBytes, chars.count - at)
                htmlParseChunk(parser, base + at, Int32(clamping: count), 0)
                at += count
            }
            if !isTooDeep { htmlParseChunk(parser, nil, 0, 1) }
        }
    }

    /// libxml2 must be initialized once, before threads use it.
    private static let startLibrary: Void = xmlInitParser()

    private static func makeHandler() -> htmlSAXHandler {
        var handler = htmlSAXHandler()
        handler.startElement = { context, name, attributes in
            HTMLText.from(context)?.start(name, attributes)
        }
        handler.endElement = { context, name in
            HTMLText.from(context)?.end(name)
        }
        let characters: charactersSAXFunc = { context, bytes, count in
            HTMLText.from(context)?.add(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
        handler.characters = characters
        handler.cdataBlock = characters
        handler.ignorableWhitespace = characters
        return handler
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> HTMLText? {
        context.map { Unmanaged<HTMLText>.fromOpaque($0).takeUnretainedValue() }
    }
}

// The events of the parser.
extension HTMLText {
    private static let ignored: Set<String> = [
        "script", "style", "template", "noframes", "annotation", "annotation-xml",
    ]

    /// Elements within a line; every other element ends the line.
    static let inline: Set<String> = [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
        "img",
        "ins", "kbd", "label", "mark", "q", "ruby", "rt", "s", "samp", "small", "span", "strike", "strong", "sub",
        "sup",
        "time", "tt", "u", "var", "wbr", "nobr",
    ]

    /// The parts of a formula (MathML) that are shown side by side.
    private static let formula: Set<String> = [
        "math", "mi", "mn", "mo", "ms", "mspace", "mrow", "mfrac", "msqrt", "mroot", "mstyle", "merror", "mpadded",
        "mphantom", "mfenced", "menclose", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts",
        "mprescripts", "none", "maction", "semantics",
    ]

    private func start(_ name: UnsafePointer<xmlChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        depth += 1
        if depth > Self.deepest { isTooDeep = true }
        guard let name else { return }
        let element = String(cString: name)
        if Self.ignored.contains(element) { openIgnored += 1 }
        if element == "svg" { openDrawings += 1 }
        if element == "title", title.isEmpty, openDrawings == 0 { isInsideTitle = true }
        if element == "img" || element == "area", let words = Self.values(attributes)["alt"] { addApart(words) }
        if Self.headings.contains(element), heading.isEmpty { isInsideHeading = true }
        if element == "html" || element == "meta" { readMetadata(element, attributes) }
        if !Self.isInline(element) { endLine() }
    }

    private static func isInline(_ element: String) -> Bool { inline.contains(element) || formula.contains(element) }

    private func end(_ name: UnsafePointer<xmlChar>?) {
        depth -= 1
        guard let name else { return }
        let element = String(cString: name)
        if Self.ignored.contains(element) { openIgnored = max(0, openIgnored - 1) }
        if element == "title" { isInsideTitle = false }
        if Self.headings.contains(element) { isInsideHeading = false }
        if element == "td" || element == "th" { body.append(9) }
        if !Self.isInline(element) { endLine() }
        if element == "svg" { openDrawings = max(0, openDrawings - 1) }
    }

    /// Adds words that stand for an image.
    private func addApart(_ words: String) {
        guard openIgnored == 0, !isTooDeep, !isInsideTitle else { return }
        if let last = body.last, last > 32 { body.append(32) }
        body.append(contentsOf: words.utf8)
        body.append(32)
    }

    private static let headings: Set<String> = ["h1", "h2", "h3"]
    private static let longestHeading = 2000

    /// `<html lang>`, `<meta name="author" content="…">`.
    private func readMetadata(_ element: String, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        let values = Self.values(attributes)
        if element == "html" { metadata.language = metadata.language ?? values["lang"] ?? values["xml:lang"] }
        guard let content = values["content"] else { return }
        switch (values["name"] ?? values["property"])?.lowercased() {
        case "author", "dc.creator", "dcterms.creator": metadata.author = metadata.author ?? content
        case "date", "dc.date", "dcterms.date", "dcterms.modified", "article:published_time":
            metadata.date = metadata.date ?? DocumentDate.iso(content)
        default: break
        }
    }

    private static func values(_ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) -> [String: String] {
        var values: [String: String] = [:]
        var next = attributes
        while let pair = next, let name = pair[0] {
            if let value = pair[1] { values[String(cString: name)] = String(cString: value) }
            next = pair + 2
        }
        return values
    }

    private func endLine() {
        while let last = body.last, last == 32 { body.removeLast() }
        if let last = body.last, last != 10, last != 9 { body.append(10) }
    }

    private func add(_ text: UnsafeBufferPointer<UInt8>) {
        guard openIgnored == 0 else { return }
        if isInsideTitle {
            title += String(decoding: text, as: UTF8.self)
            return
        }
        // Beyond the limit the parser reports no structure, so the text of the rest is dropped.
        if isTooDeep { return }
        if isInsideHeading, heading.utf8.count < Self.longestHeading {
            heading += String(decoding: text, as: UTF8.self)
        }
        body.append(contentsOf: text)
    }
}

extension String {
    /// The words of the text, separated by single spaces.
    func joiningSpaces() -> String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
