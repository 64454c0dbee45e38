import ConcordanceText

/// What is written in an encoding.
enum EncodedText {
    /// Languages in Latin script, in which bytes that are not ASCII are accented letters. Their texts differ from those of western
    /// languages by their language only.
    case latin(Set<TextLanguage>)
    /// Languages in another script, whose letters are not ASCII.
    case alphabet(Set<TextLanguage>)
    /// Chinese characters, kana or Hangul, of two or more bytes.
    case characters

    /// Enough letters to tell languages in one script apart that use different accents.
    private static let enoughForAccents = 60
    /// Enough letters to guess a language.
    private static let manyLetters = 40
    /// So many characters of several bytes are none by chance.
    private static let manyCharacters = 8

    /// Whether a text looks like this, and not like one with the accents of western languages.
    ///
    /// - Parameter western: The same bytes in the encoding of these languages; nil if they are not in it.
    func describes(_ text: String, ratherThan western: @autoclosure () -> String?) -> Bool {
        switch self {
        case .latin(let languages):
            guard text.unicodeScalars.count(where: \.properties.isAlphabetic) >= Self.enoughForAccents,
                let language = TextLanguage.guess(text), languages.contains(language)
            else { return false }
            return western().flatMap(TextLanguage.guess).map(languages.contains) ?? true
        case .alphabet(let languages):
            let words = ForeignWords(text, isMixed: { $0 || $1 })
            guard words.isPlausible else { return false }
            if words.letterCount < Self.manyLetters { return words.areMost }
            return TextLanguage.guess(words.text).map(languages.contains) ?? false
        case .characters:
            // Words in ASCII are next to them as often as not.
            let words = ForeignWords(text, isMixed: { $0 && $1 })
            return words.isPlausible && (words.letterCount >= Self.manyCharacters || words.areMost)
        }
    }
}

/// The runs of letters of a text that are not ASCII.
private struct ForeignWords {
    /// The runs, separated by spaces.
    private(set) var text = ""
    /// The number of their letters.
    private(set) var letterCount = 0
    /// That of runs within words with ASCII letters, as accents in a wrong encoding are: `CONFIGURAﾇﾃO`.
    private var mixedCount = 0
    private var asciiCount = 0

    /// - Parameter isMixed: Whether a run with an ASCII letter before it, or behind it, counts as part of a word with these.
    init(_ text: String, isMixed: (_ before: Bool, _ behind: Bool) -> Bool) {
        var run = String.UnicodeScalarView()
        var hasASCIIBefore = false
        var last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            let isASCII = Self.isASCIILetter(scalar)
            if isASCII { asciiCount += 1 }
            if !scalar.isASCII, Self.isLetter(scalar) {
                if run.isEmpty { hasASCIIBefore = Self.isASCIILetter(last) }
                run.append(scalar)
            } else {
                end(&run, isMixed: isMixed(hasASCIIBefore, isASCII))
            }
            last = scalar
        }
        end(&run, isMixed: isMixed(hasASCIIBefore, false))
    }

    private mutating func end(_ run: inout String.UnicodeScalarView, isMixed: Bool) {
        if run.isEmpty { return }
        if isMixed {
            mixedCount += run.count
        } else {
            letterCount += run.count
            text.unicodeScalars.append(contentsOf: run)
            text += " "
        }
        run.removeAll(keepingCapacity: true)
    }

    private static func isASCIILetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    /// Letters, and the marks of scripts that write vowels and tones so.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
    }

    /// Whether there are such words, and few letters elsewhere.
    var isPlausible: Bool { letterCount > 1 && mixedCount * 4 <= letterCount }

    /// Whether at least half of all letters are in such words.
    var areMost: Bool { letterCount >= mixedCount + asciiCount }
}
