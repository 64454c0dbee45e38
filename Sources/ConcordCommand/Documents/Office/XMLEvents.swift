import CConcordanceXML

/// Receives the events of an XML document. Names come without their namespace prefix.
protocol XMLReceiver: AnyObject {
    func start(_ element: XMLElement)
    func end(_ name: String)
    func text(_ bytes: UnsafeBufferPointer<UInt8>)
    /// Whether the rest of the document can be skipped.
    var isFinished: Bool { get }
}

/// The beginning of an element, valid during the receiver's call.
struct XMLElement {
    let name: String
    fileprivate let attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    fileprivate let count: Int

    /// The value of an attribute.
    subscript(name: String) -> String? {
        for index in 0..<count where Self.string(attributes?[index * 5]) == name { return value(index) }
        return nil
    }

    /// All values, in order.
    var values: [(name: String, value: String)] {
        (0..<count).map { (Self.string(attributes?[$0 * 5]), value($0)) }
    }

    /// libxml2 passes five pointers per attribute: its local name, prefix, namespace, and the beginning and end of its
    /// value.
    private func value(_ index: Int) -> String {
        guard let start = attributes?[index * 5 + 3], let end = attributes?[index * 5 + 4], end > start else {
            return ""
        }
        return String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
    }

    fileprivate static func string(_ name: UnsafePointer<xmlChar>?) -> String { name.map { String(cString: $0) } ?? "" }
}

/// Reads XML with libxml2's parser in event mode: without a tree, and with a stack that libxml2 limits to 256 elements.
///
/// Nothing is fetched. Entities that a document declares are ignored, so that none expands, as are declared default
/// values of attributes.
final class XMLEvents {
    private let receiver: any XMLReceiver
    private static let feedBytes = 64 << 10
    /// libxml2 must be initialized once, before threads use it.
    private static let startLibrary: Void = xmlInitParser()

    private init(_ receiver: any XMLReceiver) { self.receiver = receiver }

    /// Reads a document to its end, or as far as the parser recovers from errors.
    ///
    /// - Returns: Whether it was well-formed.
    @discardableResult
    static func read(_ stream: any ByteStream, into receiver: any XMLReceiver) throws -> Bool {
        startLibrary
        let events = XMLEvents(receiver)
        var handler = makeHandler()
        // The parser borrows the object during this call.
        let context = Unmanaged.passUnretained(events).toOpaque()
        // The first four bytes reveal the encoding of a document that declares none.
        var pending: [UInt8] = []
        while pending.count < 4, let piece = try stream.next() { pending += piece }
        let first = pending.prefix(4).map { CChar(bitPattern: $0) }
        guard
            let parser = xmlCreatePushParserCtxt(&handler, context, first, Int32(clamping: first.count), nil)
        else { throw ExtractionProblem.unreadable("libxml2 cannot start") }
        defer {
            if let document = parser.pointee.myDoc { xmlFreeDoc(document) }
            xmlFreeParserCtxt(parser)
        }
        let options = [XML_PARSE_RECOVER, XML_PARSE_NOERROR, XML_PARSE_NOWARNING, XML_PARSE_NONET, XML_PARSE_COMPACT]
        xmlCtxtUseOptions(parser, options.reduce(0) { $0 | Int32(bitPattern: $1.rawValue) })
        var next: [UInt8]? = Array(pending.dropFirst(4))
        while let piece = next, !receiver.isFinished {
            feed(piece, to: parser, receiver)
            next = try stream.next()
        }
        if receiver.isFinished { return true }
        xmlParseChunk(parser, nil, 0, 1)
        return parser.pointee.wellFormed == 1
    }

    private static func feed(_ bytes: [UInt8], to parser: xmlParserCtxtPtr, _ receiver: any XMLReceiver) {
        bytes.withUnsafeBytes { raw in
            let chars = raw.bindMemory(to: CChar.self)
            var at = 0
            while at < chars.count, !receiver.isFinished, let base = chars.baseAddress {
                let count = min(feedBytes, chars.count - at)
                xmlParseChunk(parser, base + at, Int32(clamping: count), 0)
                at += count
            }
        }
    }

    private static func makeHandler() -> xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = { context, name, _, _, _, _, count, defaulted, attributes in
            let written = max(0, Int(count) - Int(defaulted))
            XMLEvents.receiver(context)?.start(
                XMLElement(
                    name: XMLElement.string(name), attributes: attributes, count: attributes == nil ? 0 : written))
        }
        handler.endElementNs = { context, name, _, _ in
            XMLEvents.receiver(context)?.end(XMLElement.string(name))
        }
        let characters: charactersSAXFunc = { context, bytes, count in
            XMLEvents.receiver(context)?.text(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
        handler.characters = characters
        handler.cdataBlock = characters
        handler.ignorableWhitespace = characters
        return handler
    }

    private static func receiver(_ context: UnsafeMutableRawPointer?) -> (any XMLReceiver)? {
        context.map { Unmanaged<XMLEvents>.fromOpaque($0).takeUnretainedValue().receiver }
    }
}
