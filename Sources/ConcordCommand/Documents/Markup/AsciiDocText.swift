/// AsciiDoc (https://docs.asciidoctor.org/asciidoc/latest/): the text without block delimiters, attributes and link
/// targets.
struct AsciiDocText: LineMarkup {
    private(set) var title: String?
    private(set) var metadata = Document(title: "", body: "")
    private var isInsideComment = false
    /// The delimiter of the listing or literal block that is being read.
    private var listing: [UInt8]?
    /// The lines directly below the title name the author and the revision.
    private var headerLine = 0
    private var previous: [UInt8] = []

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout [UInt8]) {
        let text = MarkupLine.trimmed(line)
        if !isInsideComment {
            if isListingDelimiter(text) { return }
            if listing != nil {
                output += line
                return
            }
        }
        if text.elementsEqual("////".utf8) {
            isInsideComment.toggle()
            return
        }
        if isInsideComment { return }
        if text.starts(with: Array("//".utf8)) { return }
        if text.isEmpty { headerLine = 0 }
        if headerLine > 0, MarkupLine.field(text) == nil { return readHeader(text, into: &output) }
        if let field = MarkupLine.field(line), line.first == UInt8(ascii: ":") {
            return readAttribute(field.name, field.value)
        }
        if isDelimiter(text) {
            previous = []
            return
        }
        let level = text.prefix { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "#") }.count
        let start = output.count
        if (1...6).contains(level), text.dropFirst(level).first == 32 {
            Self.append(MarkupLine.trimmed(text.dropFirst(level)), to: &output)
            if title == nil {
                title = MarkupLine.string(output[start...])
                headerLine = level == 1 ? 1 : 0
            }
        } else if text.first == UInt8(ascii: "."), text.count > 1, MarkupLine.isWordByte(text[text.startIndex + 1]) {
            Self.append(text.dropFirst(), to: &output)
            // The title of a block, which no line underlines.
            previous = []
            return
        } else {
            Self.append(line, to: &output)
        }
        previous = output.count - start <= 300 ? Array(output[start...]) : []
    }

    /// `Ann Smith <ann@example.org>`, then `v1.0, 2024-05-06`.
    private mutating func readHeader(_ text: ArraySlice<UInt8>, into output: inout [UInt8]) {
        output += text
        let words = MarkupLine.string(text)
        if headerLine == 1 {
            metadata.author = MarkupLine.string(words.utf8.prefix { $0 != UInt8(ascii: "<") })
        } else {
            metadata.date =
                metadata.date ?? words.split(separator: ",").lazy.compactMap { DocumentDate.iso(String($0)) }.first
        }
        headerLine = headerLine == 1 ? 2 : 0
    }

    private mutating func readAttribute(_ name: String, _ value: ArraySlice<UInt8>) {
        let value = MarkupLine.string(value)
        switch name {
        case "author": metadata.author = value
        case "lang": metadata.language = value
        case "revdate", "date": metadata.date = DocumentDate.iso(value)
        default: break
        }
    }

    /// Whether a line begins or ends a block whose lines have no markup: `----`, `....` or `++++`. Below a line of text as long,
    /// hyphens or signs underline a title in the old style.
    private mutating func isListingDelimiter(_ text: ArraySlice<UInt8>) -> Bool {
        if let listing {
            guard text.elementsEqual(listing) else { return false }
            self.listing = nil
            return true
        }
        guard let mark = MarkupLine.rule(text, atLeast: 4), "-.+".utf8.contains(mark),
            mark == UInt8(ascii: ".") || abs(text.count - MarkupLine.trimmed(previous[...]).count) > 2
        else { return false }
        listing = Array(text)
        return true
    }

    /// Whether a line delimits a block, has only attributes, or underlines a title in the old style.
    private mutating func isDelimiter(_ text: ArraySlice<UInt8>) -> Bool {
        if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") { return true }
        if text.starts(with: Array("|===".utf8)) || text.elementsEqual("--".utf8) || text.elementsEqual("+".utf8) {
            return true
        }
        guard let mark = MarkupLine.rule(text, atLeast: 4) else { return false }
        if title == nil, !previous.isEmpty, "=-~^+".utf8.contains(mark) { title = MarkupLine.string(previous) }
        return true
    }

    /// `link:target[words]`, `https://example.org[words]` and `<<anchor,words>>` are shown as the words.
    private static func append(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        var (brackets, angles) = (ByteFinder(UInt8(ascii: "]")), ByteFinder(UInt8(ascii: ">")))
        var at = text.startIndex
        while at < text.endIndex {
            let byte = text[at]
            if byte == UInt8(ascii: "["), let end = brackets.next(in: text, from: at), end > at + 1 {
                let isMacro = dropTarget(&output)
                if !isMacro, let last = output.last, last > 32 { output.append(32) }
                output += text[(at + 1)..<end]
                at = end + 1
                if !isMacro, at < text.endIndex, MarkupLine.isWordByte(text[at]) { output.append(32) }
            } else if byte == UInt8(ascii: "<"), at + 1 < text.endIndex, text[at + 1] == byte,
                let end = angles.next(in: text, from: at + 2)
            {
                let inside = text[(at + 2)..<end]
                output += inside.firstIndex(of: UInt8(ascii: ",")).map { inside[($0 + 1)...] } ?? inside
                at = end + text[end...].prefix(2).filter { $0 == UInt8(ascii: ">") }.count
            } else {
                output.append(byte)
                at += 1
            }
        }
    }

    /// Drops the macro and its target, or the address, at the end of the output; false for a name of another kind, which stays.
    private static func dropTarget(_ output: inout [UInt8]) -> Bool {
        let start = output.count - output.suffix(300).reversed().prefix { $0 > 32 }.count
        for colon in start..<output.count where output[colon] == UInt8(ascii: ":") {
            let word = output[start..<colon]
            let names = output[(colon + 1)...].starts(with: "//".utf8) ? schemes : macros
            guard let name = names.first(where: { word.suffix($0.count).elementsEqual($0) }) else { continue }
            let isFootnote = name.starts(with: "footnote".utf8)
            let first = colon - name.count
            if first > start, MarkupLine.isWordByte(output[first - 1]), !isFootnote { continue }
            output.removeLast(output.count - first)
            // The words of a footnote do not continue the word before it.
            if isFootnote, let last = output.last, last > 32 { output.append(32) }
            return true
        }
        return false
    }

    /// The macros with a text in brackets (https://docs.asciidoctor.org/asciidoc/latest/syntax-quick-reference/).
    private static let macros = [
        "footnote", "footnoteref", "link", "xref", "image", "icon", "video", "audio", "kbd", "btn", "menu", "mailto",
        "pass", "stem", "latexmath", "asciimath", "include", "anchor", "indexterm", "indexterm2", "term",
    ].map { Array($0.utf8) }
    private static let schemes = ["https", "http", "ftp", "irc", "ircs", "file"].map { Array($0.utf8) }
}
