/// The text of a Markdown document without its markup: CommonMark's blocks and inlines, as far as they matter in plain
/// text, tables, and the title in the front matter.
struct MarkdownText {
    private(set) var title: String?
    /// The metadata in the front matter.
    private(set) var metadata = Document(title: "", body: "")
    private(set) var body: [UInt8] = []
    /// The character and length of the fence that must end the open code block.
    private var fence: (mark: UInt8, count: Int)?
    private var isInsideComment = false
    /// The next ends of links and tags in the line.
    private var linkEnds = ByteFinder(UInt8(ascii: "]"))
    private var tagEnds = ByteFinder(UInt8(ascii: ">"))

    init(_ text: [UInt8]) {
        body.reserveCapacity(text.count)
        var lines = text.split(separator: 10, omittingEmptySubsequences: false)[...]
        readFrontMatter(&lines)
        for line in lines {
            readLine(line)
            body.append(10)
        }
    }

    /// `--- title: … ---` at the very beginning.
    private mutating func readFrontMatter(_ lines: inout ArraySlice<ArraySlice<UInt8>>) {
        guard let first = lines.first, first.elementsEqual("---".utf8) else { return }
        let rest = lines.dropFirst()
        guard
            let end = rest.prefix(200).firstIndex(where: {
                $0.elementsEqual("---".utf8) || $0.elementsEqual("...".utf8)
            })
        else { return }
        for line in rest[..<end] {
            let line = String(decoding: line, as: UTF8.self)
            let pair = line.split(separator: ":", maxSplits: 1)
            if pair.count == 2 {
                let value = String(pair[1]).trimmingSpaces().trimming { $0 == "\"" || $0 == "'" }
                switch pair[0].lowercased() {
                case "title": title = value
                case "author": metadata.author = value
                case "date": metadata.date = DocumentDate.iso(value)
                case "lang", "language": metadata.language = value
                default: break
                }
            }
            body.append(contentsOf: line.utf8)
            body.append(10)
        }
        lines = lines[(end + 1)...]
    }

    private mutating func readLine(_ line: ArraySlice<UInt8>) {
        let indent = line.prefix { $0 == 32 || $0 == 9 }.count
        var text = line.dropFirst(indent)
        if let (mark, count) = Self.fence(text) {
            if let open = fence {
                // A shorter fence, or one of the other kind, is part of the block's text.
                if open.mark == mark, count >= open.count, text.dropFirst(count).allSatisfy({ $0 <= 32 }) {
                    fence = nil
                    return
                }
            } else {
                fence = (mark, count)
                return
            }
        }
        if fence != nil || indent >= 4 {
            body.append(contentsOf: line)
            return
        }
        if isUnderline(text) { return }
        let isHeading = dropBlockMarks(&text)
        if Self.isLinkDefinition(text) { return }
        let start = body.count
        appendInline(text)
        if isHeading, title == nil { takeTitle(from: start) }
    }

    /// Whether a line is a heading's underline, a thematic break, or the rule below a table's head. A heading above it
    /// becomes the title.
    private mutating func isUnderline(_ text: ArraySlice<UInt8>) -> Bool {
        let marks = text.filter { $0 > 32 }
        guard let first = marks.first else { return false }
        let isTableRule = marks.contains(UInt8(ascii: "-")) && marks.allSatisfy { "|-:+".utf8.contains($0) }
        let isRule =
            "=-*_".utf8.contains(first) && marks.allSatisfy { $0 == first }
            && (marks.count > 2 || first == UInt8(ascii: "="))
        if isRule, title == nil, first == UInt8(ascii: "=") || first == UInt8(ascii: "-"), body.last == 10 {
            takeTitle(from: (body.dropLast().lastIndex(of: 10) ?? -1) + 1)
        }
        return isRule || isTableRule
    }

    private mutating func takeTitle(from start: Int) {
        let heading = String(decoding: body[start...], as: UTF8.self).trimmingSpaces()
        if !heading.isEmpty { title = heading }
    }

    /// Drops quote marks, list marks and a heading's number signs; true for a heading.
    private func dropBlockMarks(_ text: inout ArraySlice<UInt8>) -> Bool {
        while let first = text.first {
            let rest = text.dropFirst()
            if first == UInt8(ascii: ">") {
                text = rest.drop { $0 == 32 }
            } else if "-+*".utf8.contains(first), rest.first == 32 {
                text = rest.drop { $0 == 32 }
            } else {
                break
            }
        }
        let level = text.prefix { $0 == UInt8(ascii: "#") }.count
        guard (1...6).contains(level), text.count == level || (text.dropFirst(level).first ?? 0) <= 32 else {
            return false
        }
        text = text.dropFirst(level).drop { $0 <= 32 }
        while let last = text.last, last <= 32 || last == UInt8(ascii: "#") { text = text.dropLast() }
        return true
    }

    private static func fence(_ text: ArraySlice<UInt8>) -> (mark: UInt8, count: Int)? {
        guard let mark = text.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else { return nil }
        let count = text.prefix { $0 == mark }.count
        // Text between backquotes on one line is a code span.
        if mark == UInt8(ascii: "`"), text.dropFirst(count).contains(mark) { return nil }
        return count >= 3 ? (mark, count) : nil
    }

    /// `[name]: address`, perhaps with a title in quotation marks or parentheses. `[^1]: …` is a footnote, and other words
    /// behind the colon are text.
    private static func isLinkDefinition(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "["), text.dropFirst().first != UInt8(ascii: "^"),
            let end = text.firstIndex(of: UInt8(ascii: "]")), text[(end + 1)...].first == UInt8(ascii: ":")
        else { return false }
        let rest = text[(end + 2)...].drop { $0 <= 32 }
        let isBracketed = rest.first == UInt8(ascii: "<")
        let address = rest.prefix { isBracketed ? $0 != UInt8(ascii: ">") : $0 > 32 }
        let title = rest[address.endIndex...].drop { $0 <= 32 || $0 == UInt8(ascii: ">") }
        guard let mark = title.first else { return true }
        let last = title.last { $0 > 32 }
        switch mark {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return last == mark
        case UInt8(ascii: "("): return last == UInt8(ascii: ")")
        default: return false
        }
    }
}

// Inlines.
extension MarkdownText {
    /// The greatest length in bytes of a link's address; a longer one is text.
    private static let longestAddress = 2000

    private mutating func appendInline(_ text: ArraySlice<UInt8>) {
        linkEnds = ByteFinder(UInt8(ascii: "]"))
        tagEnds = ByteFinder(UInt8(ascii: ">"))
        var at = text.startIndex
        while at < text.endIndex {
            if isInsideComment {
                guard let end = text[at...].firstRange(of: Array("-->".utf8)) else { return }
                isInsideComment = false
                at = end.upperBound
                continue
            }
            switch text[at] {
            case UInt8(ascii: "\\") where at + 1 < text.endIndex && Self.isPunctuation(text[at + 1]):
                body.append(text[at + 1])
                at += 2
            case UInt8(ascii: "`"): at = appendCode(text, at: at)
            case UInt8(ascii: "!") where at + 1 < text.endIndex && text[at + 1] == UInt8(ascii: "["): at += 1
            case UInt8(ascii: "["): at = appendLinkStart(text, at: at)
            case UInt8(ascii: "]"): at = skipLinkEnd(text, at: at)
            case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): at = skipEmphasis(text, at: at)
            case UInt8(ascii: "|"):
                body.append(32)
                at += 1
            case UInt8(ascii: "<"): at = skipTag(text, at: at)
            case UInt8(ascii: "&"): at = appendEntity(text, at: at)
            default:
                body.append(text[at])
                at += 1
            }
        }
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        switch byte {
        case 33...47, 58...64, 91...96, 123...126: true
        default: false
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool { byte >= 0x80 || (byte > 32 && !isPunctuation(byte)) }

    /// The most backquotes around code; more of them are an ornament.
    private static let longestCodeMark = 16

    private mutating func appendCode(_ text: ArraySlice<UInt8>, at start: Int) -> Int {
        let count = text[start...].prefix { $0 == UInt8(ascii: "`") }.count
        let inside = start + count
        guard count <= Self.longestCodeMark,
            let end = text[inside...].firstRange(of: [UInt8](repeating: UInt8(ascii: "`"), count: count))
        else {
            return inside
        }
        body.append(contentsOf: text[inside..<end.lowerBound])
        return end.upperBound
    }

    /// Drops the bracket of a link; keeps a bracket that is text.
    private mutating func appendLinkStart(_ text: ArraySlice<UInt8>, at start: Int) -> Int {
        if let end = linkEnds.next(in: text, from: start), end + 1 < text.endIndex,
            "([".utf8.contains(text[end + 1])
        {
            return start + 1
        }
        body.append(text[start])
        return start + 1
    }

    /// Drops `](address)` and `][name]`.
    private mutating func skipLinkEnd(_ text: ArraySlice<UInt8>, at start: Int) -> Int {
        let rest = text[(start + 1)...].prefix(Self.longestAddress)
        for (opening, closing) in [("(", ")"), ("[", "]")] where rest.first == opening.utf8.first {
            var depth = 0
            for at in rest.indices {
                if rest[at] == opening.utf8.first { depth += 1 }
                if rest[at] == closing.utf8.first { depth -= 1 }
                if depth == 0 { return at + 1 }
            }
        }
        body.append(text[start])
        return start + 1
    }

    /// Drops marks that touch a word, except underscores inside one.
    private mutating func skipEmphasis(_ text: ArraySlice<UInt8>, at start: Int) -> Int {
        let mark = text[start]
        let end = start + text[start...].prefix { $0 == mark }.count
        let before = start > text.startIndex ? text[start - 1] : 32
        let after = end < text.endIndex ? text[end] : 32
        let isMark: Bool
        switch mark {
        case UInt8(ascii: "*"): isMark = before > 32 || after > 32
        case UInt8(ascii: "_"):
            isMark = (before > 32 || after > 32) && !(Self.isWordByte(before) && Self.isWordByte(after))
        default: isMark = end - start == 2
        }
        if !isMark { body.append(contentsOf: text[start..<end]) }
        return end
    }

    /// Drops a tag or a comment; keeps an address between angle brackets. Tags such as `<br>` separate words.
    private mutating func skipTag(_ text: ArraySlice<UInt8>, at start: Int) -> Int {
        let rest = text[(start + 1)...]
        if rest.starts(with: Array("!--".utf8)) {
            isInsideComment = true
            return start + 4
        }
        if let next = rest.first, next == UInt8(ascii: "/") || Self.isWordByte(next),
            let end = tagEnds.next(in: text, from: start + 1)
        {
            let inside = rest[..<end]
            if inside.contains(UInt8(ascii: "@")) || inside.firstRange(of: Array("://".utf8)) != nil,
                !inside.contains(32)
            {
                body.append(contentsOf: inside)
            } else if !Self.isInline(inside), let last = body.last, last > 32 {
                body.append(32)
            }
            return end + 1
        }
        body.append(text[start])
        return start + 1
    }

    /// Whether a tag stands within a line in HTML, from what is between its angle brackets.
    private static func isInline(_ tag: ArraySlice<UInt8>) -> Bool {
        let name = tag.drop { $0 == UInt8(ascii: "/") }.prefix {
            (97...122).contains($0 | 0x20) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
        }
        return HTMLText.inline.contains(String(decoding: name.prefix(20), as: UTF8.self).lowercased())
    }

    private static let entities: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "©", "mdash": "—",
        "ndash": "–",
        "hellip": "…", "reg": "®", "trade": "™", "rarr": "→", "larr": "←",
    ]

    private mutating func appendEntity(_ text: ArraySlice<UInt8>, at start: Int) -> Int {
        let name = text[(start + 1)...].prefix(12).prefix { $0 != UInt8(ascii: ";") }
        let end = start + 1 + name.count
        guard end < text.endIndex, text[end] == UInt8(ascii: ";"),
            let character = Self.character(named: String(decoding: name, as: UTF8.self))
        else {
            body.append(text[start])
            return start + 1
        }
        body.append(contentsOf: character.utf8)
        return end + 1
    }

    private static func character(named name: String) -> String? {
        if let character = entities[name] { return character }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let value = digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        // A numeric reference must not produce a control character.
        guard let value, value >= 32, !(0x7F..<0xA0).contains(value), let scalar = Unicode.Scalar(value) else {
            return nil
        }
        return String(scalar)
    }
}

extension String {
    func trimming(_ isTrimmed: (Character) -> Bool) -> String {
        var text = self[...]
        while let first = text.first, isTrimmed(first) { text = text.dropFirst() }
        while let last = text.last, isTrimmed(last) { text = text.dropLast() }
        return String(text)
    }
}

extension ArraySlice<UInt8> {
    /// Where `pattern` occurs first.
    func firstRange(of pattern: [UInt8]) -> Range<Int>? {
        guard let first = pattern.first else { return nil }
        var at = startIndex
        while let found = self[at...].firstIndex(of: first) {
            if self[found...].starts(with: pattern) { return found..<found + pattern.count }
            at = found + 1
        }
        return nil
    }
}
