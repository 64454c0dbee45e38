/// The text of a manual page: man(7) or mdoc(7) macros over roff.
struct ManualPage {
    /// `ls(1) - list directory contents`
    private(set) var title: String
    private(set) var body: [UInt8] = []
    /// The page to which this one merely points with `.so`.
    private(set) var alias: String?

    private var roff = RoffText()
    private var section: String?
    private var isNextLineHeading = false
    /// Where the first section's text is in `body`: by convention the name and a description.
    private var nameStart: Int?
    private var nameEnd: Int?
    private var mdoc = MdocState()
    private var lastCondition = false
    /// The number of open blocks `\{` of a condition that does not hold.
    private var skippedBlocks = 0
    /// The line that ends the definition or comment being skipped.
    private var skipUntil: [UInt8]?
    private var isInTableFormat = false
    private static let deepestCondition = 100

    /// - Parameter fileName: The name without `.gz`, such as `ls.1`.
    init(_ text: [UInt8], fileName: String) {
        let dot = fileName.lastIndex(of: ".") ?? fileName.endIndex
        let name = String(fileName[..<dot])
        title = fileName
        body.reserveCapacity(text.count)
        var continued: [UInt8] = []
        for line in text.split(separator: 10, omittingEmptySubsequences: false) {
            if line.last == UInt8(ascii: "\\"), line.dropLast().last != UInt8(ascii: "\\"), continued.count < 10_000 {
                continued.append(contentsOf: line.dropLast())
            } else if continued.isEmpty {
                readLine(line, depth: 0)
            } else {
                continued.append(contentsOf: line)
                readLine(continued[...], depth: 0)
                continued.removeAll()
            }
        }
        title = makeTitle(name: name, suffix: String(fileName[dot...].dropFirst()))
        if body.contains(where: { $0 > 32 }) { alias = nil }
    }

    private func makeTitle(name: String, suffix: String) -> String {
        let section = section.flatMap { $0.isEmpty ? nil : $0 } ?? suffix
        let plain = section.isEmpty ? name : "\(name)(\(section))"
        guard let nameStart, nameStart <= body.count else { return plain }
        let lineEnd = body[nameStart...].firstIndex(of: 10) ?? body.count
        let end = max(nameStart, min(nameEnd ?? lineEnd, nameStart + 1000, body.count))
        let line = String(decoding: body[nameStart..<end], as: UTF8.self).joiningSpaces()
        for dash in [" - ", " – ", " — ", " -- "] {
            guard let range = line.range(of: dash) else { continue }
            let names = line[..<range.lowerBound]
            guard !names.isEmpty, names.count <= 100 else { continue }
            return "\(names)(\(section)) - \(line[range.upperBound...].prefix(200))"
        }
        return plain
    }

    private mutating func readLine(_ line: ArraySlice<UInt8>, depth: Int) {
        if let end = skipUntil {
            if line.elementsEqual(end) || line.elementsEqual(end + [32]) { skipUntil = nil }
            return
        }
        if skippedBlocks > 0 {
            skippedBlocks += Self.count("\\{", in: line) - Self.count("\\}", in: line)
            skippedBlocks = max(0, skippedBlocks)
            return
        }
        guard let first = line.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "'") else {
            readText(line)
            return
        }
        let request = line.dropFirst().drop { $0 == 32 || $0 == 9 }
        let name = request.prefix { $0 > 32 && $0 != UInt8(ascii: "\\") }
        let rest = request.dropFirst(name.count).drop { $0 == 32 || $0 == 9 }
        guard !name.isEmpty else {
            // `.\"` is a comment, `.\}` ends a block.
            return
        }
        let word = String(decoding: name, as: UTF8.self)
        if !readControl(word, rest, depth: depth) { readMacro(word, rest) }
    }

    private mutating func readText(_ line: ArraySlice<UInt8>) {
        if isInTableFormat {
            // A table's format ends with a dot.
            if line.last(where: { $0 > 32 }) == UInt8(ascii: ".") { isInTableFormat = false }
            return
        }
        if line.elementsEqual("T{".utf8) || line.elementsEqual("T}".utf8) { return }
        let start = body.count
        roff.append(line, to: &body)
        if isNextLineHeading, body.count > start {
            isNextLineHeading = false
            body.append(10)
            beganSection()
            return
        }
        body.append(10)
    }

    static func count(_ pattern: String, in line: ArraySlice<UInt8>) -> Int {
        let bytes = Array(pattern.utf8)
        var count = 0
        var rest = line
        while let range = rest.firstRange(of: bytes) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}

// Definitions and conditions.
extension ManualPage {
    /// Handles the requests that steer roff; false for all others.
    private mutating func readControl(_ name: String, _ rest: ArraySlice<UInt8>, depth: Int) -> Bool {
        switch name {
        case "de", "de1", "am", "dei":
            let words = rest.split(separator: 32)
            skipUntil = [UInt8(ascii: ".")] + (words.count > 1 ? Array(words[1]) : [UInt8(ascii: ".")])
        case "ig": skipUntil = [UInt8(ascii: ".")] + (rest.isEmpty ? [UInt8(ascii: ".")] : Array(rest))
        case "ds", "ds1":
            let key = rest.prefix { $0 > 32 }
            var value = rest.dropFirst(key.count).drop { $0 == 32 || $0 == 9 }
            if value.first == UInt8(ascii: "\"") { value = value.dropFirst() }
            roff.define(String(decoding: key, as: UTF8.self), as: value)
        case "if", "ie":
            let (holds, body) = condition(rest)
            if name == "ie" { lastCondition = holds }
            readConditional(body, holds: holds, depth: depth)
        case "el": readConditional(rest, holds: !lastCondition, depth: depth)
        case "so": if body.isEmpty { alias = String(decoding: rest.prefix(200), as: UTF8.self).trimmingSpaces() }
        case "TS": isInTableFormat = true
        case "TE": isInTableFormat = false
        default: return false
        }
        return true
    }

    private mutating func readConditional(_ rest: ArraySlice<UInt8>, holds: Bool, depth: Int) {
        guard holds else {
            skippedBlocks = max(0, Self.count("\\{", in: rest) - Self.count("\\}", in: rest))
            return
        }
        var inner = rest
        if inner.starts(with: Array("\\{".utf8)) { inner = inner.dropFirst(2).drop { $0 == 32 || $0 == 9 } }
        if !inner.isEmpty, depth < Self.deepestCondition { readLine(inner, depth: depth + 1) }
    }

    /// Whether a condition holds for text output, and what follows it. Registers are taken as zero, except the one that
    /// identifies GNU roff.
    private func condition(_ rest: ArraySlice<UInt8>) -> (holds: Bool, body: ArraySlice<UInt8>) {
        var rest = rest
        var isNegated = false
        while rest.first == UInt8(ascii: "!") {
            isNegated.toggle()
            rest = rest.dropFirst()
        }
        guard let first = rest.first else { return (false, rest) }
        var holds = false
        switch first {
        case UInt8(ascii: "n"), UInt8(ascii: "o"):
            holds = true
            rest = rest.dropFirst()
        case UInt8(ascii: "t"), UInt8(ascii: "e"), UInt8(ascii: "v"):
            rest = rest.dropFirst()
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            let parts = rest.dropFirst().split(separator: first, maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return (false, []) }
            holds = roff.plain(parts[0]) == roff.plain(parts[1])
            rest = parts[2]
        default:
            let expression = rest.prefix { $0 > 32 }
            holds = expression.starts(with: Array("\\n(.g".utf8)) || expression.starts(with: Array("\\n[.g]".utf8))
            if let digit = expression.first, (49...57).contains(digit) { holds = true }
            rest = rest.dropFirst(expression.count)
        }
        return (holds != isNegated, rest.drop { $0 == 32 || $0 == 9 })
    }
}

// The macros of man(7), and the dispatch to those of mdoc(7).
extension ManualPage {
    private static let joined: Set<String> = ["BR", "BI", "IB", "IR", "RB", "RI"]
    private static let spaced: Set<String> = ["B", "I", "SM", "SB", "R", "UR", "MT", "SY", "Q", "QW", "CW"]
    private static let breaks: Set<String> = [
        "PP", "P", "LP", "TP", "TQ", "HP", "sp", "br", "RS", "RE", "nf", "fi", "EX", "EE", "Vb", "Ve", "Sp", "in", "ti",
        "ce",
        "YS", "UE", "ME", "bp",
    ]
    private static let silent: Set<String> = [
        "IX", "PD", "AT", "UC", "DT", "FT", "BP", "OF", "EQ", "EN", "INDENT", "UNINDENT", "HAUTOINDEX", "SAVE",
        "RESTORE",
    ]

    private mutating func readMacro(_ name: String, _ rest: ArraySlice<UInt8>) {
        if name == "Dd" || name == "Dt" { mdoc.isActive = true }
        if mdoc.isActive, name != "TH" {
            readMdoc(name, arguments(rest))
            return
        }
        switch name {
        case "TH":
            section = arguments(rest).dropFirst().first.map(text)
        case "SH", "SS":
            startLine()
            if nameStart != nil, nameEnd == nil, name == "SH" { nameEnd = body.count }
            let words = arguments(rest)
            if words.isEmpty {
                isNextLineHeading = true
                return
            }
            appendWords(words, separator: [32])
            if name == "SH" { beganSection() }
        case "IP":
            startLine()
            if let tag = arguments(rest).first { appendWords([tag], separator: []) }
        case "OP":
            body.append(UInt8(ascii: "["))
            roff.append(rest, to: &body)
            body.append(contentsOf: [UInt8(ascii: "]"), 10])
        case _ where Self.joined.contains(name): appendWords(arguments(rest), separator: [])
        case _ where Self.spaced.contains(name): appendWords(arguments(rest), separator: [32])
        case _ where Self.breaks.contains(name): startLine()
        case _ where Self.silent.contains(name) || name.allSatisfy(\.isLowercase): break
        default: appendWords(arguments(rest), separator: [32])
        }
    }

    private mutating func readMdoc(_ name: String, _ words: [[UInt8]]) {
        let words = words.map(text)
        switch name {
        case "Dt":
            section = words.dropFirst().first
        case "Sh":
            startLine()
            if nameStart != nil, nameEnd == nil { nameEnd = body.count }
            body.append(contentsOf: words.joined(separator: " ").utf8)
            body.append(10)
            beganSection()
        default:
            if MdocState.startsLine(name) { startLine() }
            let line = mdoc.text(of: name, words)
            guard !line.isEmpty else { return }
            body.append(contentsOf: line.utf8)
            body.append(10)
        }
    }

    private func text(_ word: [UInt8]) -> String { String(decoding: roff.plain(word[...]), as: UTF8.self) }

    private mutating func beganSection() {
        if nameStart == nil { nameStart = body.count }
    }

    private mutating func startLine() {
        if let last = body.last, last != 10 { body.append(10) }
    }

    private mutating func appendWords(_ words: [[UInt8]], separator: [UInt8]) {
        for (index, word) in words.enumerated() {
            if index > 0 { body.append(contentsOf: separator) }
            roff.append(word[...], to: &body)
        }
        if !words.isEmpty { body.append(10) }
    }

    /// The arguments of a macro: words, or strings in double quotes in which `""` is a quote.
    private func arguments(_ rest: ArraySlice<UInt8>) -> [[UInt8]] {
        let quote = UInt8(ascii: "\"")
        var words: [[UInt8]] = []
        var at = rest.startIndex
        while at < rest.endIndex {
            if rest[at] <= 32 {
                at += 1
                continue
            }
            var word: [UInt8] = []
            let isQuoted = rest[at] == quote
            if isQuoted { at += 1 }
            while at < rest.endIndex {
                let byte = rest[at]
                if byte == UInt8(ascii: "\\"), at + 1 < rest.endIndex {
                    if rest[at + 1] == quote { return word.isEmpty ? words : words + [word] }
                    word.append(contentsOf: rest[at...at + 1])
                    at += 2
                    continue
                }
                at += 1
                if isQuoted, byte == quote {
                    guard at < rest.endIndex, rest[at] == quote else { break }
                    at += 1
                } else if !isQuoted, byte <= 32 {
                    break
                }
                word.append(byte)
            }
            words.append(word)
        }
        return words
    }
}
