/// Org (https://orgmode.org/worg/org-syntax.html): the text without stars, keywords, drawers and link addresses.
struct OrgText: LineMarkup {
    private var keywordTitle: String?
    private var headline: String?
    private(set) var metadata = Document(title: "", body: "")
    private var isInsideDrawer = false
    private var isBody = false

    /// A headline is the title only if no keyword sets one.
    var title: String? { keywordTitle ?? (isBody ? headline : nil) }

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout [UInt8]) {
        let text = MarkupLine.trimmed(line)
        if isInsideDrawer {
            if Self.name(text) == ":END:" { isInsideDrawer = false }
            return
        }
        if text.starts(with: Array("#+".utf8)) { return readKeyword(text.dropFirst(2), into: &output) }
        if text.count > 2, text.first == UInt8(ascii: ":"), text.last == UInt8(ascii: ":"), !text.contains(32) {
            isInsideDrawer = true
            return
        }
        if MarkupLine.rule(text, atLeast: 5) == UInt8(ascii: "-") || text.starts(with: Array("|-".utf8)) { return }
        let stars = line.prefix { $0 == UInt8(ascii: "*") }.count
        if stars > 0, line.dropFirst(stars).first == 32 {
            let start = output.count
            Self.append(MarkupLine.trimmed(line.dropFirst(stars)), to: &output)
            headline = headline ?? MarkupLine.string(output[start...])
        } else {
            Self.append(line, to: &output)
        }
        if !text.isEmpty { isBody = true }
    }

    private static func name(_ text: ArraySlice<UInt8>) -> String { MarkupLine.string(text.prefix(20)).uppercased() }

    /// `#+TITLE: words`, `#+BEGIN_SRC c`
    private mutating func readKeyword(_ text: ArraySlice<UInt8>, into output: inout [UInt8]) {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = MarkupLine.string(text[(colon + 1)...])
        switch Self.name(text[..<colon]) {
        case "TITLE":
            keywordTitle = keywordTitle.map { "\($0) \(value)" } ?? value
            output += Array(value.utf8)
        case "AUTHOR":
            metadata.author = value
            output += Array(value.utf8)
        case "DATE": metadata.date = DocumentDate.iso(value.trimming { "<>[]".contains($0) })
        case "LANGUAGE": metadata.language = value
        case "CAPTION", "SUBTITLE", "DESCRIPTION", "KEYWORDS", "FILETAGS": output += Array(value.utf8)
        default: break
        }
    }

    /// `[[address][words]]` is shown as the words.
    private static func append(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        let (opening, closing) = (UInt8(ascii: "["), UInt8(ascii: "]"))
        var (ends, lasts) = (ByteFinder(closing), ByteFinder(closing))
        var at = text.startIndex
        while at < text.endIndex {
            if text[at] == opening, at + 1 < text.endIndex, text[at + 1] == opening,
                let end = ends.next(in: text, from: at + 2), end + 1 < text.endIndex
            {
                if text[end + 1] == closing {
                    output += text[(at + 2)..<end]
                    at = end + 2
                    continue
                }
                if text[end + 1] == opening, let last = lasts.next(in: text, from: end + 2) {
                    output += text[(end + 2)..<last]
                    at = min(last + 2, text.endIndex)
                    continue
                }
            }
            output.append(text[at])
            at += 1
        }
    }
}
