/// The inline escapes of roff: the text of a line without fonts, sizes and motions
/// (https://www.gnu.org/software/groff/manual/groff.html#Escape-Sequences).
struct RoffText {
    /// Strings that the page defines with `.ds`, by name.
    private var strings: [String: [UInt8]] = [
        "R": Array("®".utf8), "Tm": Array("™".utf8), "lq": Array("“".utf8), "rq": Array("”".utf8), "S": [],
        "C+": Array("C++".utf8), "--": Array("-".utf8), "PI": Array("π".utf8), "L\"": Array("\"".utf8),
        "R\"": Array("\"".utf8), "C`": [], "C'": [], "``": Array("\"".utf8), "''": Array("\"".utf8),
    ]
    /// A string longer than this is cut, so that strings made of strings stay small.
    private static let longestString = 1000
    private static let mostStrings = 1000

    mutating func define(_ name: String, as value: ArraySlice<UInt8>) {
        guard strings.count < Self.mostStrings || strings[name] != nil else { return }
        strings[name] = Array(plain(value).prefix(Self.longestString))
    }

    func plain(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(line.count)
        append(line, to: &output)
        return output
    }

    func append(_ line: ArraySlice<UInt8>, to output: inout [UInt8]) {
        var at = line.startIndex
        while at < line.endIndex {
            guard let escape = line[at...].firstIndex(of: UInt8(ascii: "\\")) else {
                output.append(contentsOf: line[at...])
                return
            }
            output.append(contentsOf: line[at..<escape])
            guard escape + 1 < line.endIndex else { return }
            at = appendEscape(line[(escape + 1)...], to: &output)
        }
    }

    /// Handles the escape whose letter is first in `rest`; returns where the text continues.
    private func appendEscape(_ rest: ArraySlice<UInt8>, to output: inout [UInt8]) -> Int {
        let letter = rest[rest.startIndex]
        let after = rest.startIndex + 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "#"): return rest.endIndex
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "\\"), UInt8(ascii: "`"): output.append(letter)
        case UInt8(ascii: "'"): output.append(UInt8(ascii: "'"))
        case UInt8(ascii: "e"), UInt8(ascii: "E"): output.append(UInt8(ascii: "\\"))
        case UInt8(ascii: " "), UInt8(ascii: "~"), UInt8(ascii: "0"), UInt8(ascii: "t"): output.append(32)
        case UInt8(ascii: "("), UInt8(ascii: "["):
            let (name, end) = Self.name(rest)
            if let character = Self.character(name) { output.append(contentsOf: character.utf8) }
            return end
        case UInt8(ascii: "*"):
            let (name, end) = Self.name(rest[after...])
            if let string = strings[name] { output.append(contentsOf: string) }
            return end
        case UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "m"), UInt8(ascii: "M"), UInt8(ascii: "F"),
            UInt8(ascii: "g"), UInt8(ascii: "k"), UInt8(ascii: "Y"), UInt8(ascii: "V"):
            return Self.name(rest[after...].drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }).end
        case UInt8(ascii: "s"): return Self.sizeEnd(rest[after...])
        case UInt8(ascii: "h"), UInt8(ascii: "v"), UInt8(ascii: "l"), UInt8(ascii: "L"), UInt8(ascii: "w"),
            UInt8(ascii: "D"), UInt8(ascii: "X"), UInt8(ascii: "N"), UInt8(ascii: "H"), UInt8(ascii: "S"),
            UInt8(ascii: "x"), UInt8(ascii: "A"), UInt8(ascii: "B"), UInt8(ascii: "R"), UInt8(ascii: "b"):
            return Self.argument(rest[after...]).end
        case UInt8(ascii: "o"), UInt8(ascii: "Z"):
            let (text, end) = Self.argument(rest[after...])
            output.append(contentsOf: text)
            return end
        default:
            // `\&`, `\%`, `\|`, `\/`, `\c` and similar escapes produce no text.
            break
        }
        return after
    }

    /// A name as roff writes it: `x`, `(xx`, `[any]`; and where it ends.
    private static func name(_ rest: ArraySlice<UInt8>) -> (name: String, end: Int) {
        guard let first = rest.first else { return ("", rest.endIndex) }
        let inside = rest.dropFirst()
        switch first {
        case UInt8(ascii: "("):
            let name = inside.prefix(2)
            return (String(decoding: name, as: UTF8.self), name.endIndex)
        case UInt8(ascii: "["):
            guard let close = inside.firstIndex(of: UInt8(ascii: "]")) else { return ("", rest.endIndex) }
            return (String(decoding: inside[..<close], as: UTF8.self), close + 1)
        default:
            // A character may have several bytes.
            let length = 1 + inside.prefix { $0 & 0xC0 == 0x80 }.count
            return (String(decoding: rest.prefix(length), as: UTF8.self), rest.startIndex + length)
        }
    }

    /// An argument between two equal characters, such as `'3n'`.
    private static func argument(_ rest: ArraySlice<UInt8>) -> (text: ArraySlice<UInt8>, end: Int) {
        guard let mark = rest.first else { return ([], rest.endIndex) }
        let inside = rest.dropFirst()
        guard let close = inside.firstIndex(of: mark) else { return ([], rest.endIndex) }
        return (inside[..<close], close + 1)
    }

    /// `\s-1`, `\s+2`, `\s10`, `\s(10`, `\s[10]`, `\s'10'`.
    private static func sizeEnd(_ rest: ArraySlice<UInt8>) -> Int {
        let unsigned = rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") ? rest.dropFirst() : rest
        switch unsigned.first {
        case UInt8(ascii: "("), UInt8(ascii: "["): return name(unsigned).end
        case UInt8(ascii: "'"): return argument(unsigned).end
        case let digit? where (48...57).contains(digit):
            // Two digits only for sizes from 10 to 39.
            let next = unsigned.dropFirst().first ?? 0
            return unsigned.startIndex + ((49...51).contains(digit) && (48...57).contains(next) ? 2 : 1)
        default: return unsigned.startIndex
        }
    }

    private static func character(_ name: String) -> String? {
        if let character = characters[name] { return character }
        if name.hasPrefix("u"), let value = UInt32(name.dropFirst().prefix { $0 != "_" }, radix: 16), value >= 32,
            !(0x7F..<0xA0).contains(value)
        {
            return Unicode.Scalar(value).map(String.init)
        }
        // Letters with an accent: `\('e`, `\(:o`.
        guard let mark = name.first.flatMap({ accents[$0] }), name.count == 2, let letter = name.last else {
            return nil
        }
        return String(letter) + mark
    }

    /// Combining marks; the analyzer folds the result.
    private static let accents: [Character: String] = [
        "'": "\u{301}", "`": "\u{300}", "^": "\u{302}", ":": "\u{308}", "~": "\u{303}", "o": "\u{30A}", ",": "\u{327}",
    ]

    private static let characters: [String: String] = [
        "em": "—", "en": "–", "hy": "-", "mi": "-", "bu": "•", "sq": "▪", "ci": "○", "aq": "'", "cq": "’", "oq": "‘",
        "lq": "“", "rq": "”", "dq": "\"", "Bq": "„", "bq": "‚", "Fo": "«", "Fc": "»", "fo": "‹", "fc": "›", "co": "©",
        "rg": "®", "tm": "™", "mu": "×", "di": "÷", "+-": "±", "ha": "^", "ti": "~", "ga": "`", "aa": "´", "rs": "\\",
        "sl": "/", "ul": "_", "ru": "_", "ba": "|", "br": "|", "bv": "|", "or": "|", "lB": "[", "rB": "]", "lC": "{",
        "rC": "}", "la": "<", "ra": ">", "at": "@", "sh": "#", "Do": "$", "ct": "¢", "Po": "£", "Ye": "¥", "Eu": "€",
        "eu": "€", "de": "°", "sc": "§", "ps": "¶", "dg": "†", "dd": "‡", "->": "→", "<-": "←", "<>": "↔", "ua": "↑",
        "da": "↓", "rA": "⇒", "lA": "⇐", "hA": "⇔", ">=": "≥", "<=": "≤", "!=": "≠", "==": "≡", "~=": "≅", "~~": "≈",
        "if": "∞", "12": "½", "14": "¼", "34": "¾", "S1": "¹", "S2": "²", "S3": "³", "fi": "fi", "fl": "fl", "ff": "ff",
        "Fi": "ffi", "Fl": "ffl", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "/o": "ø", "/O": "Ø",
        "/l": "ł",
        "/L": "Ł", "oa": "å", "oA": "Å", "-D": "Đ", "Sd": "ð", "TP": "Þ", "Tp": "þ", "r!": "¡", "r?": "¿", "Of": "ª",
        "Om": "º", "OK": "✓", "*a": "α", "*b": "β", "*g": "γ", "*d": "δ", "*e": "ε", "*l": "λ", "*m": "μ", "*p": "π",
        "*s": "σ", "*S": "Σ", "*D": "Δ", "*W": "Ω", "*w": "ω", "pl": "+", "eq": "=", "sr": "√", "no": "¬", "pc": "·",
        "md": "⋅", "lf": "⌊", "rf": "⌋", "lc": "⌈", "rc": "⌉", "lh": "☜", "rh": "☞", "sp": " ",
    ]
}
