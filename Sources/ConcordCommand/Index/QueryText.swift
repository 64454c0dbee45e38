/// What people type, taken apart for lenient searches.
enum QueryText {
    /// A query with the parts of names as words of their own. Exclusions and fields stay whole: in `-pthread_create` and
    /// `path:src/main.c`, the sign and the field apply to all parts. In scripts without spaces, pairs of characters become words,
    /// as most words of Chinese are: `天气预报` `天气 预报`.
    static func apart(_ text: String) -> String {
        words(of: text) { word in
            pairs(in: String(word.map { "_.-/".contains($0) ? " " : $0 }), overlap: false)
        }
    }

    /// A query in which pairs of neighbours are the words of scripts without spaces, so that the beginning of a word may be
    /// anywhere: `天气预报` `天气 气预 预报`.
    static func paired(_ text: String) -> String { words(of: text) { pairs(in: $0, overlap: true) } }

    /// The words that a query excludes, without their signs.
    static func excludedWords(_ text: String) -> [String] {
        text.contains("\"")
            ? []
            : text.split(whereSeparator: \.isWhitespace).filter(isExcluded).map { word in
                let end = word.lastIndex { $0.isLetter || $0.isNumber } ?? word.startIndex
                return String(word[...end].dropFirst())
            }
    }

    private static func isExcluded(_ word: Substring) -> Bool {
        isSign(word.first) && word.dropFirst().first.map { $0.isLetter || $0.isNumber } ?? false
    }

    private static func isSign(_ character: Character?) -> Bool { character == "-" || character == "\u{2212}" }

    /// Replaces the words of a query, except those with a sign or a field. A text with quotation marks stays as it is.
    private static func words(of text: String, _ replace: (String) -> String) -> String {
        if text.contains("\"") { return text }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace).map { word in
            let start = word.drop { $0 == "(" || $0 == "|" }
            return isSign(start.first) || word.contains(":") ? String(word) : replace(String(word))
        }.joined(separator: " ")
    }

    /// Puts spaces between pairs of characters in runs of three or more that are written without spaces.
    private static func pairs(in word: String, overlap: Bool) -> String {
        var parts: [String] = []
        var rest = Array(word)[...]
        while let first = rest.first {
            let isUnspaced = isUnspaced(first)
            let run = rest.prefix { self.isUnspaced($0) == isUnspaced }
            rest = rest.dropFirst(run.count)
            if isUnspaced, run.count > 2 {
                parts += pairs(of: run, overlap: overlap)
            } else {
                parts.append(String(run))
            }
        }
        return parts.joined(separator: " ")
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

    /// Whether a character is an ideograph, of kana, or a syllable of Hangul.
    private static func isUnspaced(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return switch scalar.value {
        case 0x3040...0x30FF, 0x31F0...0x31FF, 0xAC00...0xD7A3, 0xFF66...0xFF9D: true
        default: scalar.properties.isIdeographic
        }
    }
}
