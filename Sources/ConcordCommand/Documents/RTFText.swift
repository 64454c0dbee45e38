/// The text of Rich Text Format (Microsoft's specification, version 1.9.1), read from beginning to end.
///
/// Groups are kept on a stack of bounded depth; content that is not text (fonts, colours, pictures) is skipped as it
/// comes.
struct RTFText {
    static let signature = Array("{\\rtf".utf8)

    /// The state inside a group, which nested groups inherit.
    private struct Group {
        var isIgnored = false
        var destination = ""
        /// How many bytes after `\u` stand for the same character in older programs.
        var fallbackBytes = 1
        var encoding = "windows-1252"
    }

    private static let deepest = 1000
    private static let longestValue = 2000
    private let writer: DocumentWriter
    private var groups: [Group] = []
    private var group = Group()
    /// The number of open groups below the deepest that is kept.
    private var uncounted = 0
    private var isAtGroupStart = false
    private var fallbackLeft = 0
    private var highSurrogate: UInt16?
    /// Bytes written as `\'xx`, which may be parts of characters.
    private var encoded: [UInt8] = []
    private var documentEncoding = "windows-1252"
    private var fontEncodings: [Int: String] = [:]
    private var font = 0
    private var info: [String: [UInt8]] = [:]
    private var wroteText = false

    private init(_ output: Output) {
        writer = output.writer(title: nil)
        writer.takesHeading = false
    }

    static func read(_ stream: any ByteStream, _ output: Output) throws {
        var reader = RTFText(output)
        try reader.read(Bytes(stream))
    }

    private mutating func read(_ bytes: Bytes) throws {
        while let byte = try bytes.next() {
            switch byte {
            case UInt8(ascii: "{"): open()
            case UInt8(ascii: "}"): close()
            case UInt8(ascii: "\\"): try readControl(bytes)
            case 10, 13, 0: break
            default:
                isAtGroupStart = false
                if byte >= 0x80 { encoded.append(byte) } else { write(byte) }
            }
            try writer.check()
        }
        flush()
        guard wroteText || groups.isEmpty else { throw ExtractionProblem.damaged("it ends too early") }
        takeInfo()
        try writer.finish()
    }

    private mutating func open() {
        flush()
        isAtGroupStart = true
        guard groups.count < Self.deepest else {
            uncounted += 1
            return
        }
        groups.append(group)
    }

    private mutating func close() {
        flush()
        isAtGroupStart = false
        guard uncounted == 0 else {
            uncounted -= 1
            return
        }
        let isInfoEnd = group.destination != "" && groups.last?.destination == ""
        if let outer = groups.popLast() { group = outer }
        if isInfoEnd { takeInfo() }
    }

    private mutating func readControl(_ bytes: Bytes) throws {
        guard let first = try bytes.next() else { return }
        guard Self.isLetter(first) else { return try readSymbol(first, bytes) }
        var name = [first]
        while let byte = try bytes.peek(), Self.isLetter(byte), name.count < 40 {
            name.append(byte)
            _ = try bytes.next()
        }
        var digits = ""
        while let byte = try bytes.peek(), (48...57).contains(byte) || (byte == 45 && digits.isEmpty), digits.count < 12
        {
            digits.append(Character(Unicode.Scalar(byte)))
            _ = try bytes.next()
        }
        if try bytes.peek() == 32 { _ = try bytes.next() }
        let word = String(decoding: name, as: UTF8.self)
        let number = Int(digits)
        if word == "bin" {
            try bytes.skip(max(number ?? 0, 0))
        } else {
            apply(word, number)
        }
        isAtGroupStart = false
    }

    private mutating func readSymbol(_ symbol: UInt8, _ bytes: Bytes) throws {
        switch symbol {
        case UInt8(ascii: "'"):
            guard let high = try bytes.next().flatMap(TransferEncoding.hexadecimal),
                let low = try bytes.next().flatMap(TransferEncoding.hexadecimal)
            else { return }
            if fallbackLeft > 0 { fallbackLeft -= 1 } else { encoded.append(high << 4 | low) }
        // A destination that programs may ignore if they do not know it; none that we know has text.
        case UInt8(ascii: "*"): if isAtGroupStart { group.isIgnored = true }
        case UInt8(ascii: "~"): write(32)
        case UInt8(ascii: "_"): write(45)
        case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): write(symbol)
        case 10, 13: endLine()
        default: break
        }
        isAtGroupStart = false
    }

    private mutating func apply(_ word: String, _ number: Int?) {
        if word != "u" { flush() }
        switch word {
        case "par", "line", "sect", "row", "page": endLine()
        case "tab", "cell", "nestcell": write(9)
        case "footnote", "annotation": write(32)
        case "emdash": append("—")
        case "endash": append("–")
        case "lquote": append("‘")
        case "rquote": append("’")
        case "ldblquote": append("“")
        case "rdblquote": append("”")
        case "bullet": append("•")
        case "emspace", "enspace": write(32)
        case "u": appendCharacter(number ?? 0)
        case "uc": group.fallbackBytes = min(max(number ?? 1, 0), 100)
        case "ansicpg":
            documentEncoding = Self.encoding(codePage: number ?? 1252)
            group.encoding = documentEncoding
        case "mac": documentEncoding = "macintosh"
        case "f":
            font = number ?? 0
            group.encoding = fontEncodings[font] ?? documentEncoding
        case "fcharset":
            if fontEncodings.count < Self.deepest {
                fontEncodings[font] = Self.encodings[number ?? 0] ?? documentEncoding
            }
        case "plain": group.encoding = documentEncoding
        // The metadata; groups in it with unknown names are not text either.
        case "info": group.destination = "info"
        case "author", "title", "keywords", "subject", "doccomm": group.destination = word
        case _ where Self.ignored.contains(word): group.isIgnored = true
        default: break
        }
    }

    /// `\u` has a signed 16-bit number; characters beyond 16 bits have two.
    private mutating func appendCharacter(_ number: Int) {
        flush()
        fallbackLeft = group.fallbackBytes
        let unit = UInt16(truncatingIfNeeded: number)
        if let high = highSurrogate, UTF16.isTrailSurrogate(unit) {
            highSurrogate = nil
            let value = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF))
            if let scalar = Unicode.Scalar(value) { append(String(Character(scalar))) }
        } else if UTF16.isLeadSurrogate(unit) {
            highSurrogate = unit
        } else if let scalar = Unicode.Scalar(UInt32(unit)) {
            highSurrogate = nil
            append(String(Character(scalar)))
        }
    }

    private mutating func write(_ byte: UInt8) {
        flush()
        if fallbackLeft > 0 {
            fallbackLeft -= 1
            return
        }
        guard !group.isIgnored, group.destination.isEmpty else { return append(CollectionOfOne(byte)) }
        wroteText = true
        writer.append(CollectionOfOne((byte < 32 && byte != 9) || byte == 127 ? 32 : byte))
    }

    private mutating func endLine() {
        flush()
        guard !group.isIgnored, group.destination.isEmpty else { return }
        writer.endLine()
    }

    private mutating func flush() {
        guard !encoded.isEmpty else { return }
        let bytes = encoded
        encoded = []
        append(CharacterDecoder.text(bytes, encoding: group.encoding))
    }

    private mutating func append(_ text: String) { append(text.utf8) }

    private mutating func append(_ text: some Collection<UInt8>) {
        guard !group.isIgnored else { return }
        guard group.destination.isEmpty else {
            if info[group.destination, default: []].count < Self.longestValue {
                info[group.destination, default: []] += Array(text)
            }
            return
        }
        wroteText = true
        writer.append(TextStream.clean(Array(text)))
    }

    private mutating func takeInfo() {
        func text(_ name: String) -> String? {
            info[name].map { String(decoding: $0, as: UTF8.self).joiningSpaces() }.flatMap { $0.isEmpty ? nil : $0 }
        }
        writer.title = writer.title ?? text("title")
        writer.common.author = text("author")
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) && byte < 0x80 }

    private static let ignored: Set<String> = [
        "fonttbl", "colortbl", "stylesheet", "pict", "object", "objdata", "themedata", "datastore", "listtable",
        "listoverridetable", "revtbl", "rsidtbl", "generator", "xmlnstbl", "filetbl", "fldinst", "bkmkstart",
        "bkmkend", "nonshppict", "latentstyles", "operator", "company", "manager", "category", "hlinkbase",
    ]

    private static func encoding(codePage: Int) -> String {
        switch codePage {
        case 65001: "utf-8"
        case 10000: "macintosh"
        case 932: "cp932"
        case 936: "gbk"
        case 949: "cp949"
        case 950: "big5"
        case 437, 850, 852, 855, 857, 858, 860...866, 869: "cp\(codePage)"
        default: "windows-\(codePage)"
        }
    }

    /// The encodings of Windows' character sets.
    private static let encodings: [Int: String] = [
        77: "macintosh", 128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "windows-1253", 162: "windows-1254",
        163: "windows-1258", 177: "windows-1255", 178: "windows-1256", 186: "windows-1257", 204: "windows-1251",
        222: "cp874", 238: "windows-1250",
    ]
}

/// A stream byte by byte.
private final class Bytes {
    private let stream: any ByteStream
    private var piece: [UInt8] = []
    private var at = 0

    init(_ stream: any ByteStream) { self.stream = stream }

    func peek() throws -> UInt8? {
        if at == piece.count {
            guard let more = try stream.next() else { return nil }
            piece = more
            at = 0
        }
        return piece[at]
    }

    func next() throws -> UInt8? {
        let byte = try peek()
        if byte != nil { at += 1 }
        return byte
    }

    func skip(_ count: Int) throws {
        var left = count
        while left > 0, try peek() != nil {
            let skipped = min(left, piece.count - at)
            at += skipped
            left -= skipped
        }
    }
}
