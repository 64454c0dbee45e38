import TestSupport
import Testing

/// Kinds of text for testing tokenizers.
enum TextKind: String, CaseIterable, CustomTestStringConvertible {
    case ascii, english, latin, mixedScripts, anyScalar, marks, mutated, anyBytes, brokenSequences, longTokens

    var testDescription: String { rawValue }
}

/// Makes texts and options at random.
struct RandomText {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    mutating func oneOf<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// Mostly short; sometimes longer than several of the blocks that a vectorized loop reads at once.
    private mutating func length() -> Int { oneOf([below(4), below(20), below(80), below(80), below(400)]) }

    mutating func text(_ kind: TextKind) -> [UInt8] {
        switch kind {
        case .ascii: (0..<length()).map { _ in UInt8(below(128)) }
        case .english:
            (0..<length() / 4).flatMap { _ in Array(word().utf8) + oneOf([" ", " ", ", ", "-", "\n", "\0"]).utf8 }
        case .latin: scalars(in: [0x20...0x7E, 0x61...0x7A, 0x61...0x7A, 0x61...0x7A, 0xA0...0x24F])
        case .mixedScripts:
            scalars(in: [
                0x20...0x20, 0x30...0x7A, 0x80...0x7FF, 0x800...0x1FFF, 0x2000...0x2FFF, 0x3040...0x30FF,
                0x4E00...0x4E20,
                0xAC00...0xAC20, 0xFF00...0xFFFF, 0x1_0400...0x1_0450, 0x1_F300...0x1_F6FF, 0xE_0000...0xE_01FF,
            ])
        case .anyScalar: scalars(in: [0x20...0x7E, 0x80...0xFFFF, 0x1_0000...0x10_FFFF])
        case .marks: scalars(in: [0x61...0x62, 0x20...0x20, 0x2FE...0x335, 0xC0...0x180, 0x1E00...0x1FFF])
        case .mutated: mutated()
        case .anyBytes: (0..<length()).map { _ in UInt8(below(256)) }
        case .brokenSequences:
            (0..<length()).map { _ in
                oneOf([
                    0x00, 0x20, 0x41, 0x61, 0x7F, 0x80, 0x88, 0xA0, 0xBF, 0xBE, 0xC0, 0xC1, 0xC3, 0xCC, 0xDF, 0xE0,
                    0xED, 0xEF,
                    0xF0, 0xF4, 0xF5, 0xF8, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF,
                ])
            }
        case .longTokens: longToken() + scalars(in: [0x20...0x7E])
        }
    }

    private mutating func longToken() -> [UInt8] {
        let piece = oneOf(["a", "Z", "é", "中", "\u{301}", "x9\u{1F600}", "a\u{300}"])
        return Array(String(repeating: piece, count: 1 + below(3000)).utf8)
    }

    /// A word such as the Porter stemmer meets, and many that it does not: random stems with many endings.
    mutating func word() -> String {
        let parts = [
            "a", "e", "i", "o", "u", "y", "b", "bl", "c", "d", "ff", "g", "h", "l", "ll", "m", "n", "p", "pp", "r", "s",
            "ss",
            "t", "tt", "w", "x", "z", "zz", "at", "iz", "log",
        ]
        let endings = [
            "", "", "s", "es", "ies", "sses", "ed", "eed", "ing", "y", "e", "ational", "tional", "enci", "anci", "izer",
            "logi",
            "bli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism", "iveness", "fulness",
            "ousness", "aliti",
            "iviti", "biliti", "ical", "ness", "icate", "iciti", "ful", "ative", "alize", "al", "ance", "ence", "er",
            "ic", "able",
            "ible", "ant", "ement", "ment", "ent", "ion", "sion", "tion", "ou", "ism", "ate", "iti", "ous", "ive",
            "ize", "ll",
        ]
        var word = (0..<below(7)).map { _ in oneOf(parts) }.joined() + oneOf(endings) + oneOf(endings)
        if below(8) == 0 { word = word.uppercased() }
        if below(16) == 0 { word += (0..<below(40)).map { _ in oneOf(parts) }.joined() }
        return word
    }

    private mutating func scalars(in ranges: [ClosedRange<UInt32>]) -> [UInt8] {
        let scalars = (0..<length()).compactMap { _ -> UnicodeScalar? in
            UnicodeScalar(UInt32.random(in: oneOf(ranges), using: &generator))
        }
        return Array(String(String.UnicodeScalarView(scalars)).utf8)
    }

    /// Well-formed text with some bytes changed, added, taken out, or cut off at the end.
    private mutating func mutated() -> [UInt8] {
        var bytes = text(oneOf([.latin, .mixedScripts, .marks, .english]))
        for _ in 0..<below(6) where !bytes.isEmpty {
            let place = below(bytes.count)
            switch below(5) {
            case 0: bytes[place] = UInt8(below(256))
            case 1: bytes[place] ^= 1 << UInt8(below(8))
            case 2: bytes.insert(UInt8(below(256)), at: place)
            case 3: bytes.remove(at: place)
            default: bytes.removeLast(min(bytes.count, below(4)))
            }
        }
        return bytes
    }

    /// A few characters for `tokenchars` and `separators`; no NUL, since SQLite's arguments end there.
    mutating func characters() -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x01...0x7F, 0x21...0x2F, 0x61...0x7A, 0x80...0x2FF, 0x300...0x333, 0x370...0x3FF, 0x2000...0x206F,
            0x4E00...0x4E20,
            0xFFF0...0xFFFF, 0x1_F600...0x1_F64F, 0x10_0000...0x10_FFFF,
        ]
        let scalars = (0..<below(6)).compactMap { _ in
            UnicodeScalar(UInt32.random(in: oneOf(ranges), using: &generator))
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// A list for `categories`.
    mutating func categories() -> String {
        let names = [
            "L*", "N*", "Co", "M*", "P*", "S*", "Z*", "C*", "Lu", "Ll", "LC", "Lm", "Lo", "Lt", "Mn", "Mc", "Me", "Nd",
            "Nl", "No",
            "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Sc", "Sk", "Sm", "So", "Zl", "Zp", "Zs", "Cc", "Cf", "Cn", "Cs",
            "Luxury",
        ]
        return (0...below(5)).map { _ in oneOf(names) }.joined(separator: oneOf([" ", "\t", "  "]))
    }
}
