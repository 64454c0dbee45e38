/// The macros of mdoc(7) within a line, and the state that later macros refer to.
struct MdocState {
    var isActive = false
    /// The name that `.Nm` without arguments stands for.
    private var name = ""

    /// Macros that put their arguments between two strings.
    private static let enclosures: [String: (open: String, close: String)] = [
        "Op": ("[", "]"), "Dq": ("“", "”"), "Sq": ("‘", "’"), "Qq": ("\"", "\""), "Ql": ("‘", "’"), "Pq": ("(", ")"),
        "Bq": ("[", "]"), "Brq": ("{", "}"), "Aq": ("<", ">"), "In": ("<", ">"),
    ]

    /// Halves of enclosures that span lines.
    private static let halves: [String: String] = [
        "Oo": "[", "Oc": "]", "Do": "“", "Dc": "”", "So": "‘", "Sc": "’", "Qo": "\"", "Qc": "\"", "Po": "(", "Pc": ")",
        "Bo": "[", "Bc": "]", "Bro": "{", "Brc": "}", "Ao": "<", "Ac": ">", "Xo": "", "Xc": "", "Fc": ")", "Ap": "'",
        "Ux": "UNIX", "Bx": "BSD", "Fx": "FreeBSD", "Nx": "NetBSD", "Ox": "OpenBSD", "Dx": "DragonFly",
    ]

    /// Macros whose arguments are plain text, including those that may follow another macro on its line.
    private static let plain: Set<String> = [
        "Ar", "Cm", "Ic", "Li", "Pa", "Ev", "Dv", "Er", "Va", "Vt", "Ft", "Fa", "Fn", "Fo", "Xr", "No", "Em", "Sy",
        "Lk",
        "Mt", "An", "Tn", "St", "Sx", "Cd", "Ms", "Nm", "Nd", "Fl", "Ns", "Pf", "At", "Ad", "Lb", "Bf", "Ta",
    ]

    private static let silent: Set<String> = [
        "Dd", "Os", "Bl", "El", "Bd", "Ed", "Bk", "Ek", "Pp", "Lp", "Sm", "Tg", "Ud", "Bt", "Rs", "Re", "br", "sp",
        "nr", "hy",
        "nh", "Ef", "Hf", "ad", "in", "ne", "ll",
    ]

    private static let lineStarts: Set<String> = [
        "It", "Bl", "El", "Bd", "Ed", "Pp", "Lp", "Ss", "Dl", "D1", "Rs", "Re",
    ]

    static func startsLine(_ macro: String) -> Bool { lineStarts.contains(macro) }

    private static let punctuation: Set<String> = [".", ",", ":", ";", ")", "]", "?", "!"]

    mutating func text(of macro: String, _ arguments: [String]) -> String {
        if Self.silent.contains(macro) { return "" }
        if macro.hasPrefix("%") { return arguments.joined(separator: " ") }
        var line = Line()
        var closers: [String] = []
        apply(macro, isAlone: arguments.isEmpty, to: &line, closers: &closers)
        for (index, word) in arguments.enumerated() {
            let next = index + 1 < arguments.count ? arguments[index + 1] : nil
            if isMacro(word), word != macro || Self.halves[word] == nil {
                let isAlone = next.map { isMacro($0) || Self.punctuation.contains($0) } ?? true
                apply(word, isAlone: isAlone, to: &line, closers: &closers)
            } else if Self.punctuation.contains(word) {
                // Punctuation at the end of the line stands after all closing marks.
                if next == nil { close(&closers, of: &line) }
                line.append(word, joined: true)
            } else {
                line.appendWord(word)
                if line.macro == "Nm", name.isEmpty { name = word }
            }
        }
        close(&closers, of: &line)
        return line.text
    }

    private func isMacro(_ word: String) -> Bool {
        Self.plain.contains(word) || Self.enclosures[word] != nil || Self.halves[word] != nil
    }

    private func close(_ closers: inout [String], of line: inout Line) {
        while let closer = closers.popLast() { line.append(closer, joined: true) }
        line.isInFunction = false
    }

    private func apply(_ macro: String, isAlone: Bool, to line: inout Line, closers: inout [String]) {
        line.macro = macro
        switch macro {
        case "Ns": line.joinsNext = true
        case "Nd": line.append("- ", joined: false)
        case "Nm" where isAlone: line.append(name, joined: false)
        case "Ar" where isAlone: line.append("file ...", joined: false)
        case "Fl" where isAlone: line.append("-", joined: false)
        case "Fn", "Fo":
            line.isInFunction = true
            if macro == "Fn" { closers.append(")") }
        default:
            if let (open, close) = Self.enclosures[macro] {
                line.append(open, joined: false)
                line.joinsNext = true
                closers.append(close)
            } else if let half = Self.halves[macro] {
                let isClosing = macro.hasSuffix("c") || macro == "Ap"
                line.append(half, joined: isClosing)
                line.joinsNext = !isClosing || macro == "Ap"
            }
        }
    }

    private struct Line {
        var text = ""
        /// The current macro, which determines how words are written.
        var macro = "" { didSet { wordsOfMacro = 0 } }
        var joinsNext = false
        var isInFunction = false
        private var wordsOfMacro = 0

        mutating func append(_ part: String, joined: Bool) {
            if !text.isEmpty, !joined, !joinsNext, text.last != " " { text += " " }
            joinsNext = false
            text += part
        }

        mutating func appendWord(_ word: String) {
            wordsOfMacro += 1
            switch macro {
            case "Fl": append("-" + word, joined: false)
            case "Xr" where wordsOfMacro == 2: append("(" + word + ")", joined: true)
            case "Pf" where wordsOfMacro == 1:
                append(word, joined: false)
                joinsNext = true
            case "Fn" where isInFunction && wordsOfMacro == 1, "Fo" where isInFunction && wordsOfMacro == 1:
                append(word + "(", joined: false)
                joinsNext = true
            case "Fn" where isInFunction && wordsOfMacro > 2: append(", " + word, joined: true)
            default: append(word, joined: false)
            }
        }
    }
}
