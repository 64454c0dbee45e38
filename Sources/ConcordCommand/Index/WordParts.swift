/// The parts of typed words that count as words of their own in lenient searches.
enum WordParts {
    /// The parts of a name, such as `pthread_create`. In scripts without spaces, pairs of characters are words, as most words of
    /// Chinese are: `天气预报` `天气 预报`.
    static func apart(_ word: String) -> [String] {
        orWhole(word, word.split { "_.-/".contains($0) }.flatMap { parts(of: $0, overlap: false) })
    }

    /// In scripts without spaces, all pairs of neighbours, so that the beginning of a word may be anywhere:
    /// `天气预报` `天气 气预 预报`. Other words are whole.
    static func paired(_ word: String) -> [String] { orWhole(word, parts(of: word[...], overlap: true)) }

    private static func orWhole(_ word: String, _ parts: [String]) -> [String] { parts.isEmpty ? [word] : parts }

    /// Runs of characters that are divided in the same way, if they have a letter or digit; those of three or more without
    /// spaces in pairs.
    private static func parts(of word: Substring, overlap: Bool) -> [String] {
        var parts: [String] = []
        var rest = Array(word)[...]
        while let first = rest.first {
            let spacing = Spacing(first)
            // The mark of a long vowel belongs to any kana.
            let run = rest.prefix { $0 == "\u{30FC}" || $0 == "\u{FF70}" || Spacing($0) == spacing }
            rest = rest.dropFirst(run.count)
            if spacing == .none, run.count > 2 {
                parts += pairs(of: run, overlap: overlap)
            } else if run.contains(where: { $0.isLetter || $0.isNumber }) {
                parts.append(String(run))
            }
        }
        return parts
    }

    private static func pairs(of run: ArraySlice<Character>, overlap: Bool) -> [String] {
        if overlap { return zip(run, run.dropFirst()).map { String([$0, $1]) } }
        var pairs: [String] = []
        var rest = run
        while !rest.isEmpty {
            // The last of an odd number joins the pair before it.
            let count = rest.count == 3 ? 3 : 2
            pairs.append(String(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pairs
    }

    /// How words are divided in the script of a character.
    private enum Spacing {
        /// By nothing, as in texts of ideographs, hiragana, or syllables of Hangul that were typed without spaces.
        case none
        /// By a change of script: a run of katakana is a word.
        case byScript
        case bySpaces

        init(_ character: Character) {
            guard let scalar = character.unicodeScalars.first else {
                self = .bySpaces
                return
            }
            switch scalar.value {
            case 0x30A0...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .byScript
            case 0x3005, 0x3040...0x309F, 0xAC00...0xD7A3: self = .none
            default: self = scalar.properties.isIdeographic ? .none : .bySpaces
            }
        }
    }
}
