import ConcordanceSearch

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
        let parts = parts(of: text)
        return parts.indices.filter { !parts[$0].isQuoted }.flatMap { index in
            let part = parts[index].text
            // A sign directly after a quotation excludes nothing.
            let isJoined = index > 0 && part.first?.isWhitespace == false
            let words = part.split(whereSeparator: \.isWhitespace).dropFirst(isJoined ? 1 : 0)
            return words.filter(isExcluded).map { word in
                let end = word.lastIndex(where: isOfWord) ?? word.startIndex
                return String(word[...end].dropFirst())
            }
        }
    }

    private static func isExcluded(_ word: Substring) -> Bool {
        isSign(word.first) && word.dropFirst().first.map(isOfWord) ?? false
    }

    private static func isSign(_ character: Character?) -> Bool { character == "-" || character == "\u{2212}" }

    private static func isOfWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    /// Replaces the words of a query, except those in quotation marks, and those with a sign or a field.
    private static func words(of text: String, _ replace: (String) -> String) -> String {
        parts(of: text).map { part in
            if part.isQuoted { return String(part.text) }
            return part.text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace).map { word in
                let start = word.drop { $0 == "(" || $0 == "|" }
                return isSign(start.first) || word.contains(":") ? String(word) : replace(String(word))
            }.joined(separator: " ")
        }.joined()
    }

    /// What is in quotation marks, with them, and what is not.
    private static func parts(of text: String) -> [(text: Substring, isQuoted: Bool)] {
        var parts: [(text: Substring, isQuoted: Bool)] = []
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            let mark = QuotationMark(opening: first)
            let end =
                if let mark {
                    rest.dropFirst().firstIndex(where: mark.isClosed).map(rest.index(after:))
                } else {
                    rest.firstIndex { QuotationMark(opening: $0) != nil }
                }
            parts.append((Substring(rest[..<(end ?? rest.endIndex)]), mark != nil))
            rest = rest[(end ?? rest.endIndex)...]
        }
        return parts
    }

    /// Puts spaces between pairs of characters in runs of three or more that are written without spaces.
    private static func pairs(in word: String, overlap: Bool) -> String {
        var parts: [String] = []
        var rest = Array(word)[...]
        while let first = rest.first {
            let spacing = Spacing(first)
            // The mark of a long vowel belongs to any kana.
            let run = rest.prefix { $0 == "\u{30FC}" || $0 == "\u{FF70}" || Spacing($0) == spacing }
            rest = rest.dropFirst(run.count)
            if spacing == .none, run.count > 2 {
                parts += pairs(of: run, overlap: overlap)
            } else {
                parts.append(String(run))
            }
        }
        // Punctuation before the first word and after the last one stays with it.
        let last = parts.lastIndex { $0.contains(where: isOfWord) } ?? 0
        return parts.indices.reduce(into: "") { text, index in
            if index <= last, text.contains(where: isOfWord) { text += " " }
            text += parts[index]
        }
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
