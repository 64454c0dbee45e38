import Foundation

/// LaTeX: the text without commands, but with the arguments that commands print.
struct LaTeXText: LineMarkup {
    private(set) var title: String?
    private(set) var metadata = Document(title: "", body: "")
    private var verbatim: String?
    private var depth = 0
    /// The braces whose content is captured, or skipped, until the depth is this again.
    private var capture: (name: String, depth: Int, text: [UInt8])?
    private var silentDepth: Int?

    private static let longestCapture = 2000
    private static let verbatims: Set<String> = ["verbatim", "lstlisting", "minted", "Verbatim", "alltt", "comment"]

    /// Commands whose arguments are not text.
    private static let silent: Set<String> = [
        "documentclass", "usepackage", "label", "includegraphics", "input", "include", "bibliographystyle",
        "bibliography", "vspace", "hspace", "setlength", "addtolength", "pagestyle", "thispagestyle", "hypersetup",
        "RequirePackage", "newcommand", "renewcommand", "providecommand", "def", "newenvironment", "setcounter",
        "definecolor", "color", "geometry", "graphicspath", "DeclareMathOperator", "pagenumbering", "selectlanguage",
        "newtheorem", "theoremstyle", "lstset", "PassOptionsToPackage", "href", "textcolor", "hypertarget", "protect",
    ]

    private static let symbols: [String: String] = [
        "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å",
        "AA": "Å", "i": "ı", "j": "ȷ", "ldots": "…", "dots": "…", "textbackslash": "\\", "LaTeX": "LaTeX",
        "TeX": "TeX", "item": "", "par": "", "quad": " ", "qquad": " ", "newline": " ", "textendash": "–",
        "textemdash": "—", "copyright": "©", "euro": "€", "pounds": "£", "S": "§",
    ]

    /// The combining characters of accents (`\'e`, `\c{c}`).
    private static let accents: [String: String] = [
        "'": "\u{301}", "`": "\u{300}", "^": "\u{302}", "\"": "\u{308}", "~": "\u{303}", "=": "\u{304}", ".": "\u{307}",
        "c": "\u{327}", "v": "\u{30C}", "H": "\u{30B}", "u": "\u{306}", "r": "\u{30A}", "k": "\u{328}", "d": "\u{323}",
    ]

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout [UInt8]) {
        if let verbatim {
            if line.firstRange(of: Array("\\end{\(verbatim)}".utf8)) != nil {
                self.verbatim = nil
            } else if verbatim != "comment" {
                output += line
            }
            return
        }
        var at = line.startIndex
        while at < line.endIndex {
            let byte = line[at]
            switch byte {
            case UInt8(ascii: "%"): at = line.endIndex
            case UInt8(ascii: "\\"): at = readCommand(line, at + 1, into: &output)
            case UInt8(ascii: "{"):
                depth += 1
                at += 1
            case UInt8(ascii: "}"):
                close()
                at += 1
            case UInt8(ascii: "$"), UInt8(ascii: "&"): at += 1
            case UInt8(ascii: "~"):
                append([32], to: &output)
                at += 1
            default:
                append(CollectionOfOne(byte), to: &output)
                at += 1
            }
        }
        if capture != nil { capture?.text.append(32) }
    }

    private mutating func append(_ text: some Collection<UInt8>, to output: inout [UInt8]) {
        guard silentDepth == nil else { return }
        output += text
        if let count = capture?.text.count, count < Self.longestCapture { capture?.text += text }
    }

    private mutating func close() {
        if depth > 0 { depth -= 1 }
        if let silentDepth, depth <= silentDepth { self.silentDepth = nil }
        guard let done = capture, depth <= done.depth else { return }
        capture = nil
        let text = MarkupLine.string(done.text).joiningSpaces()
        switch done.name {
        case "title": title = title ?? text
        case "author": metadata.author = metadata.author ?? text
        default: metadata.date = metadata.date ?? DocumentDate.iso(text)
        }
    }

    /// Reads what follows a backslash; returns where the text continues.
    private mutating func readCommand(_ line: ArraySlice<UInt8>, _ start: Int, into output: inout [UInt8]) -> Int {
        guard start < line.endIndex else { return start }
        let letters = line[start...].prefix { (97...122).contains($0 | 0x20) && $0 < 0x80 }
        guard !letters.isEmpty else { return readSymbol(line, start, into: &output) }
        let name = String(decoding: letters.prefix(40), as: UTF8.self)
        var at = letters.endIndex
        if let accent = Self.accents[name] { return readAccent(accent, line, at, into: &output) }
        if at < line.endIndex, line[at] == UInt8(ascii: "*") { at += 1 }
        if name == "begin" || name == "end" { return readEnvironment(name, line, at) }
        if let symbol = Self.symbols[name] {
            append(symbol.utf8, to: &output)
            return at < line.endIndex && line[at] == 32 ? at + 1 : at
        }
        at = skipOptions(line, at)
        let isArgument = at < line.endIndex && line[at] == UInt8(ascii: "{")
        if Self.silent.contains(name) {
            if silentDepth == nil, isArgument { silentDepth = depth }
        } else if ["title", "author", "date"].contains(name), isArgument, capture == nil {
            capture = (name, depth, [])
        }
        return at
    }

    private mutating func readSymbol(_ line: ArraySlice<UInt8>, _ at: Int, into output: inout [UInt8]) -> Int {
        let symbol = String(UnicodeScalar(line[at]))
        if let accent = Self.accents[symbol] { return readAccent(accent, line, at + 1, into: &output) }
        switch line[at] {
        case UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), 32: append([32], to: &output)
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "-"),
            UInt8(ascii: "/"), UInt8(ascii: "!"):
            break
        case 0x80...: return at
        default: append(CollectionOfOne(line[at]), to: &output)
        }
        return at + 1
    }

    /// Reads the letter after an accent command, in braces or not, and appends it and the accent as a combining
    /// character.
    private mutating func readAccent(
        _ accent: String, _ line: ArraySlice<UInt8>, _ start: Int, into output: inout [UInt8]
    ) -> Int {
        var at = start
        while at < line.endIndex, line[at] == 32 { at += 1 }
        let isBraced = at < line.endIndex && line[at] == UInt8(ascii: "{")
        if isBraced { at += 1 }
        var letter: UInt8?
        // `\i` is a letter without its dot; a space after a command is not part of the text.
        let isCommand = at + 1 < line.endIndex && line[at] == UInt8(ascii: "\\")
        if isCommand { at += 1 }
        if at < line.endIndex, (97...122).contains(line[at] | 0x20), line[at] < 0x80 {
            letter = line[at]
            at += 1
            if isCommand, at < line.endIndex, line[at] == 32 { at += 1 }
        }
        if isBraced, at < line.endIndex, line[at] == UInt8(ascii: "}") { at += 1 } else if isBraced { depth += 1 }
        guard let letter else { return at }
        let text = (String(UnicodeScalar(letter)) + accent).precomposedStringWithCanonicalMapping
        append(text.utf8, to: &output)
        return at
    }

    /// `\begin{verbatim}` begins a text without commands; the names of other environments are skipped.
    private mutating func readEnvironment(_ command: String, _ line: ArraySlice<UInt8>, _ start: Int) -> Int {
        guard start < line.endIndex, line[start] == UInt8(ascii: "{"),
            let end = line[start...].prefix(60).firstIndex(of: UInt8(ascii: "}"))
        else { return start }
        let name = String(decoding: line[(start + 1)..<end], as: UTF8.self)
        if command == "begin", Self.verbatims.contains(name) {
            verbatim = name
            return line.endIndex
        }
        return command == "begin" ? skipOptions(line, end + 1) : end + 1
    }

    /// `[options]`
    private func skipOptions(_ line: ArraySlice<UInt8>, _ start: Int) -> Int {
        guard start < line.endIndex, line[start] == UInt8(ascii: "["),
            let end = line[start...].prefix(500).firstIndex(of: UInt8(ascii: "]"))
        else { return start }
        return end + 1
    }
}
