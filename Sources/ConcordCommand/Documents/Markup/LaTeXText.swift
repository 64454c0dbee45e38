import Foundation

/// LaTeX: the text without commands, but with the arguments that commands print.
///
/// A command separates the words around it and around each of its arguments (`word\footnote{text}word`), unless it is
/// known to work inside a word. That is right for sections, captions, items, notes, references and line breaks, and for
/// an unknown command: after a separation both words can still be found, but words that are glued together cannot.
struct LaTeXText: LineMarkup {
    private(set) var title: String?
    private(set) var metadata = Document(title: "", body: "")
    private var verbatim: String?
    private var depth = 0
    /// The braces whose content is captured, or skipped, until the depth is this again.
    private var capture: (name: String, depth: Int, text: [UInt8])?
    private var silentDepth: Int?
    /// How many of the next arguments are not text.
    private var silentArguments = 0
    /// The depths outside the arguments of open commands that separate words.
    private var separatingDepths: [Int] = []
    /// Whether a command that separates words stands between the last character and the next one.
    private var isSeparated = false

    /// TeX itself nests at most 255 groups.
    private static let deepestArgument = 255
    private static let longestCapture = 2000
    private static let verbatims: Set<String> = ["verbatim", "lstlisting", "minted", "Verbatim", "alltt", "comment"]

    /// Commands whose arguments are not text.
    private static let silent: Set<String> = [
        "documentclass", "usepackage", "label", "includegraphics", "input", "include", "bibliographystyle",
        "bibliography", "vspace", "hspace", "setlength", "addtolength", "pagestyle", "thispagestyle", "hypersetup",
        "RequirePackage", "newcommand", "renewcommand", "providecommand", "def", "newenvironment", "setcounter",
        "definecolor", "color", "geometry", "graphicspath", "DeclareMathOperator", "pagenumbering", "selectlanguage",
        "newtheorem", "theoremstyle", "lstset", "PassOptionsToPackage", "href", "textcolor", "hypertarget", "protect",
        "cline",
    ]

    /// How many leading arguments of these commands and environments are not text, such as the column types of a table.
    private static let silentCounts = ["multicolumn": 2, "multirow": 2]
    private static let silentEnvironments = [
        "tabular": 1, "array": 1, "longtable": 1, "supertabular": 1, "xtabular": 1, "tabu": 1, "longtabu": 1, "tblr": 1,
        "longtblr": 1, "tabular*": 2, "tabularx": 2, "tabulary": 2, "xltabular": 2, "minipage": 1, "multicols": 1,
        "subfigure": 1, "subtable": 1, "wrapfigure": 2, "wraptable": 2, "thebibliography": 1,
    ]

    /// Commands that may stand inside a word, since they only change how it looks.
    private static let inline: Set<String> = [
        "textbf", "textit", "textsl", "textsc", "texttt", "textrm", "textsf", "textup", "textmd", "textnormal",
        "textsuperscript", "textsubscript", "emph", "underline", "uline", "sout", "ul", "st", "so", "hl", "text",
        "mbox", "hbox", "mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "mathbb", "mathfrak", "boldsymbol",
        "bm", "operatorname", "ensuremath", "bf", "it", "em", "sl", "sc", "tt", "rm", "sf", "bfseries", "mdseries",
        "itshape", "slshape", "scshape", "upshape", "ttfamily", "rmfamily", "sffamily", "normalfont", "tiny",
        "scriptsize", "footnotesize", "small", "normalsize", "large", "Large", "LARGE", "huge", "Huge", "uppercase",
        "lowercase", "MakeUppercase", "MakeLowercase", "color", "textcolor", "href", "hypertarget", "protect", "relax",
        "nobreak", "allowbreak", "textcompwordmark", "t",
    ]

    /// What commands without arguments print; those that print nothing here separate words.
    private static let symbols: [String: String] = [
        "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å",
        "AA": "Å", "i": "ı", "j": "ȷ", "ldots": "…", "dots": "…", "textbackslash": "\\", "LaTeX": "LaTeX",
        "TeX": "TeX", "item": "", "par": "", "quad": " ", "qquad": " ", "newline": " ", "textendash": "–",
        "textemdash": "—", "copyright": "©", "euro": "€", "pounds": "£", "S": "§", "th": "þ", "TH": "Þ", "dh": "ð",
        "DH": "Ð", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ", "textquoteright": "’", "textunderscore": "_", "hyp": "-",
        "slash": "/",
    ]

    /// The combining characters of accents (`\'e`, `\c{c}`).
    private static let accents: [String: String] = [
        "'": "\u{301}", "`": "\u{300}", "^": "\u{302}", "\"": "\u{308}", "~": "\u{303}", "=": "\u{304}", ".": "\u{307}",
        "c": "\u{327}", "v": "\u{30C}", "H": "\u{30B}", "u": "\u{306}", "r": "\u{30A}", "k": "\u{328}", "d": "\u{323}",
        "b": "\u{331}", "textcommabelow": "\u{326}",
    ]

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout [UInt8]) {
        if verbatim == nil {
            isSeparated = false
            if line.allSatisfy({ $0 <= 32 }) { silentArguments = 0 }
        }
        var rest = line
        while !rest.isEmpty {
            rest = verbatim == nil ? readText(rest, into: &output) : readVerbatim(rest, into: &output)
        }
    }

    /// Reads text without commands; returns what follows its end on the line.
    private mutating func readVerbatim(_ line: ArraySlice<UInt8>, into output: inout [UInt8]) -> ArraySlice<UInt8> {
        guard let verbatim else { return line }
        let end = line.firstRange(of: Array("\\end{\(verbatim)}".utf8))
        let text = line[..<(end?.lowerBound ?? line.endIndex)]
        if verbatim != "comment", !text.isEmpty {
            if let last = output.last, last > 32 { output.append(32) }
            output += text
        }
        guard let end else { return [] }
        self.verbatim = nil
        separate()
        return line[end.upperBound...]
    }

    /// Reads text with commands; returns what follows on the line if a text without commands begins.
    private mutating func readText(_ line: ArraySlice<UInt8>, into output: inout [UInt8]) -> ArraySlice<UInt8> {
        var at = line.startIndex
        while at < line.endIndex, verbatim == nil {
            let byte = line[at]
            if silentArguments > 0, silentDepth == nil {
                // Options and spaces may stand between arguments, and the next line may begin with one.
                let next = skipOptions(line, at)
                if next > at {
                    at = next
                    continue
                }
                if byte > 32, byte != UInt8(ascii: "{"), byte != UInt8(ascii: "%") { silentArguments = 0 }
            }
            switch byte {
            case UInt8(ascii: "%"): at = line.endIndex
            case UInt8(ascii: "\\"): at = readCommand(line, at + 1, into: &output)
            case UInt8(ascii: "{"):
                open()
                at += 1
            case UInt8(ascii: "}"):
                let isArgument = close()
                at += 1
                if isArgument { separateArgument(line, at) }
            case UInt8(ascii: "$"):
                at += 1
                // A formula on lines of its own.
                if at < line.endIndex, line[at] == byte {
                    separate()
                    at += 1
                }
            case UInt8(ascii: "&"):
                if let last = output.last, last > 32 { append([32], to: &output) }
                at += 1
            case UInt8(ascii: "~"):
                append([32], to: &output)
                at += 1
            default:
                append(CollectionOfOne(byte), to: &output)
                at += 1
            }
        }
        if capture != nil { capture?.text.append(32) }
        return line[at...]
    }

    private mutating func append(_ text: some Collection<UInt8>, to output: inout [UInt8]) {
        guard silentDepth == nil, let first = text.first else { return }
        if isSeparated {
            isSeparated = false
            if first > 32, !Self.isJoinedBefore(first), let last = output.last, last > 32, !Self.isJoinedAfter(last) {
                append([32], to: &output)
            }
        }
        output += text
        if let count = capture?.text.count, count < Self.longestCapture { capture?.text += text }
    }

    /// Puts a space before the next word if it would continue the last one.
    private mutating func separate() {
        if silentDepth == nil { isSeparated = true }
    }

    /// Separates words around the argument that begins here, if there is one.
    private mutating func separateArgument(_ line: ArraySlice<UInt8>, _ at: Int) {
        guard silentDepth == nil, at < line.endIndex, line[at] == UInt8(ascii: "{") else { return }
        if separatingDepths.count >= Self.deepestArgument { separatingDepths.removeAll(keepingCapacity: true) }
        separatingDepths.append(depth)
    }

    /// Whether no space belongs before this punctuation: `\cite{a}, \gls{b}'s`.
    private static func isJoinedBefore(_ byte: UInt8) -> Bool { ".,;:!?)]}'\"-/_^".utf8.contains(byte) }

    /// Whether no space belongs after this punctuation: `(\cite{a}), non-\name`.
    private static func isJoinedAfter(_ byte: UInt8) -> Bool { "([{`\"-/_^".utf8.contains(byte) }

    private mutating func open() {
        if silentArguments > 0, silentDepth == nil {
            silentArguments -= 1
            silentDepth = depth
        }
        depth += 1
    }

    /// Ends a group; true if it was the argument of a command that separates words.
    private mutating func close() -> Bool {
        if depth > 0 { depth -= 1 }
        if let silentDepth, depth <= silentDepth { self.silentDepth = nil }
        endCapture()
        var isArgument = false
        while let last = separatingDepths.last, last >= depth {
            separatingDepths.removeLast()
            isArgument = true
        }
        if isArgument { separate() }
        return isArgument
    }

    private mutating func endCapture() {
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
        if name == "begin" || name == "end" {
            separate()
            return readEnvironment(name, line, at, into: &output)
        }
        if let symbol = Self.symbols[name] {
            if symbol.isEmpty { separate() } else { append(symbol.utf8, to: &output) }
            return at < line.endIndex && line[at] == 32 ? at + 1 : at
        }
        at = skipOptions(line, at)
        if silentDepth == nil { silentArguments = Self.silentCounts[name] ?? (Self.silent.contains(name) ? 1 : 0) }
        if Self.inline.contains(name) {
            // TeX ignores spaces after the name: `un{\em known}`.
            while at < line.endIndex, line[at] == 32 { at += 1 }
            return at
        }
        separate()
        separateArgument(line, at)
        let isArgument = at < line.endIndex && line[at] == UInt8(ascii: "{")
        if isArgument, capture == nil, ["title", "author", "date"].contains(name) { capture = (name, depth, []) }
        return at
    }

    private mutating func readSymbol(_ line: ArraySlice<UInt8>, _ at: Int, into output: inout [UInt8]) -> Int {
        let symbol = String(UnicodeScalar(line[at]))
        if let accent = Self.accents[symbol] { return readAccent(accent, line, at + 1, into: &output) }
        switch line[at] {
        case UInt8(ascii: "\\"):
            // `\\*[2pt]` ends a line.
            append([32], to: &output)
            let isStarred = at + 1 < line.endIndex && line[at + 1] == UInt8(ascii: "*")
            return skipOptions(line, isStarred ? at + 2 : at + 1)
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), 32: append([32], to: &output)
        case UInt8(ascii: "["), UInt8(ascii: "]"): separate()
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "!"),
            UInt8(ascii: "@"):
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
    private mutating func readEnvironment(
        _ command: String, _ line: ArraySlice<UInt8>, _ start: Int, into output: inout [UInt8]
    ) -> Int {
        guard start < line.endIndex, line[start] == UInt8(ascii: "{"),
            let end = line[start...].prefix(60).firstIndex(of: UInt8(ascii: "}"))
        else { return start }
        let name = String(decoding: line[(start + 1)..<end], as: UTF8.self)
        if command == "begin", Self.verbatims.contains(name) {
            verbatim = name
            return readListingOptions(line, end + 1, into: &output)
        }
        guard command == "begin" else { return end + 1 }
        if silentDepth == nil { silentArguments = Self.silentEnvironments[name] ?? 0 }
        let at = skipOptions(line, end + 1)
        separateArgument(line, at)
        return at
    }

    /// `[caption=Words, language=C]` and `[options]{language}`, of which only the caption is text.
    private mutating func readListingOptions(
        _ line: ArraySlice<UInt8>, _ start: Int, into output: inout [UInt8]
    ) -> Int {
        var at = start
        if at < line.endIndex, line[at] == UInt8(ascii: "[") {
            // A caption in braces may have brackets.
            var depth = 0
            while at < line.endIndex, depth > 0 || line[at] != UInt8(ascii: "]") {
                if line[at] == UInt8(ascii: "{") { depth += 1 }
                if line[at] == UInt8(ascii: "}") { depth -= 1 }
                at += 1
            }
            at = min(at + 1, line.endIndex)
        }
        let options = line[start..<at]
        if let caption = options.firstRange(of: Array("caption=".utf8)) {
            let words = options[caption.upperBound...]
            let isBraced = words.first == UInt8(ascii: "{")
            let ends = isBraced ? "}" : ",]"
            append(words.drop { $0 == UInt8(ascii: "{") }.prefix { !ends.utf8.contains($0) }, to: &output)
            append([32], to: &output)
        }
        if verbatim == "minted", at < line.endIndex, line[at] == UInt8(ascii: "{"),
            let end = line[at...].prefix(60).firstIndex(of: UInt8(ascii: "}"))
        {
            at = end + 1
        }
        return at
    }

    /// `[options]`, `[options][options]`
    private func skipOptions(_ line: ArraySlice<UInt8>, _ start: Int) -> Int {
        var at = start
        while at < line.endIndex, line[at] == UInt8(ascii: "["),
            let end = line[at...].prefix(500).firstIndex(of: UInt8(ascii: "]"))
        {
            at = end + 1
        }
        return at
    }
}
