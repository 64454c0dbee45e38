/// reStructuredText (https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html), with what Sphinx adds.
struct RestructuredText: LineMarkup {
    private(set) var title: String?
    private(set) var metadata = Document(title: "", body: "")
    private var previous: [UInt8] = []
    private var line = 0

    /// Directives whose argument is not text of the document.
    private static let silent: Set<String> = [
        "code-block", "code", "sourcecode", "image", "figure", "include", "literalinclude", "toctree", "highlight",
        "raw",
        "module", "currentmodule", "automodule", "autoclass", "autofunction", "contents", "role", "default-role",
        "doctest", "testcode", "parsed-literal", "list-table", "csv-table", "math", "index", "only",
    ]

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout [UInt8]) {
        self.line += 1
        let text = MarkupLine.trimmed(line)
        if MarkupLine.rule(text, atLeast: 2) != nil {
            // A section's title is underlined with punctuation of the same length.
            if title == nil, !previous.isEmpty, previous.first.map({ $0 > 32 }) == true {
                title = MarkupLine.string(previous)
            }
            previous = []
            return
        }
        let start = output.count
        if text.starts(with: Array("..".utf8)), text.count == 2 || text.dropFirst(2).first == 32 {
            readDirective(MarkupLine.trimmed(text.dropFirst(2)), into: &output)
            previous = []
            return
        }
        if let field = MarkupLine.field(line) {
            readField(field.name, field.value, into: &output)
        } else {
            Self.append(line, to: &output)
        }
        previous = output.count - start <= 300 ? Array(output[start...]) : []
    }

    private mutating func readField(_ name: String, _ value: ArraySlice<UInt8>, into output: inout [UInt8]) {
        switch name {
        case "author", "authors": metadata.author = MarkupLine.string(value)
        case "date": metadata.date = DocumentDate.iso(MarkupLine.string(value))
        // Options of directives; other fields belong to a field list, which has text for readers.
        case "maxdepth", "hidden", "glob", "width", "height", "align", "scale", "class", "name", "target", "linenos",
            "emphasize-lines", "members", "undoc-members", "show-inheritance", "language", "header-rows", "widths",
            "noindex":
            return
        default: break
        }
        Self.append(value, to: &output)
    }

    /// `.. note:: words`, `.. [1] words`, `.. _label:`, `.. a comment`
    private func readDirective(_ text: ArraySlice<UInt8>, into output: inout [UInt8]) {
        if text.first == UInt8(ascii: "["), let end = text.firstIndex(of: UInt8(ascii: "]")) {
            return Self.append(MarkupLine.trimmed(text[(end + 1)...]), to: &output)
        }
        guard let mark = text.firstRange(of: Array("::".utf8)) else { return }
        let name = MarkupLine.string(text[..<mark.lowerBound]).split(separator: ":").last.map(String.init) ?? ""
        if !Self.silent.contains(name) { Self.append(MarkupLine.trimmed(text[mark.upperBound...]), to: &output) }
    }

    /// Drops backquotes, the roles before them and the targets inside, and asterisks.
    private static func append(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        let backquote = UInt8(ascii: "`")
        var at = text.startIndex
        while at < text.endIndex {
            let byte = text[at]
            if byte == backquote {
                let marks = text[at...].prefix { $0 == backquote }.count
                let start = at + marks
                guard let end = text[start...].firstIndex(of: backquote) else {
                    at = start
                    continue
                }
                if marks == 1 { dropRole(&output) }
                let words = text[start..<end]
                let angle = marks == 1 && words.last == UInt8(ascii: ">") ? words.lastIndex(of: UInt8(ascii: "<")) : nil
                output += angle.map { $0 > start ? words[..<$0] : words[($0 + 1)...].dropLast() } ?? words
                while let last = output.last, angle != nil, last == 32 { output.removeLast() }
                at = end + text[end...].prefix { $0 == backquote }.count
                while at < text.endIndex, text[at] == UInt8(ascii: "_") { at += 1 }
            } else if byte == UInt8(ascii: "*"), isMark(text, at) {
                at += 1
            } else {
                output.append(byte)
                at += 1
            }
        }
    }

    /// Asterisks beside a word are markup; those with space on both sides are bullets or signs.
    private static func isMark(_ text: ArraySlice<UInt8>, _ at: Int) -> Bool {
        let before = at > text.startIndex ? text[at - 1] : 32
        let after = at + 1 < text.endIndex ? text[at + 1] : 32
        return (before <= 32) != (after <= 32) || before == UInt8(ascii: "*") || after == UInt8(ascii: "*")
    }

    /// Drops a role such as `:func:` at the end of the output.
    private static func dropRole(_ output: inout [UInt8]) {
        guard output.last == UInt8(ascii: ":") else { return }
        let name = output.suffix(100).dropLast().reversed().prefix {
            MarkupLine.isWordByte($0) || "-+:.".utf8.contains($0)
        }
        guard name.last == UInt8(ascii: ":") else { return }
        output.removeLast(name.count + 1)
    }
}
