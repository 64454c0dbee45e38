/// Takes the endings off German words by the Snowball algorithm (M. F. Porter, German stemming algorithm,
/// https://snowballstem.org/algorithms/german/stemmer.html), written from its description.
///
/// It works on Latin-1, one byte a letter. A word with a letter that Latin-1 does not have is left alone. Umlauts lose
/// their dots in the stem, so it makes no difference whether the word was folded before; ae, oe and ue count as umlauts
/// (ue not behind q).
enum GermanStemmer: Stemmer {
    static func stem(_ word: inout StemmedWord) -> Bool {
        guard decode(&word) else { return false }
        prepare(&word)
        let regions = Regions(word)
        removeInflection(&word, regions)
        removeComparison(&word, regions)
        removeDerivation(&word, regions)
        encode(&word)
        return true
    }

    private static let aUmlaut: UInt8 = 0xE4
    private static let oUmlaut: UInt8 = 0xF6
    private static let uUmlaut: UInt8 = 0xFC

    // MARK: Letters

    /// UTF-8 to Latin-1.
    private static func decode(_ word: inout StemmedWord) -> Bool {
        var isASCII = true
        var read = 0
        while read < word.count {
            let byte = word.bytes[read]
            if byte >= 0x80 {
                isASCII = false
                guard byte == 0xC2 || byte == 0xC3, read + 1 < word.count, word.bytes[read + 1] & 0xC0 == 0x80
                else { return false }
                read += 1
            }
            read += 1
        }
        if isASCII { return true }
        read = 0
        var count = 0
        while read < word.count {
            let byte = word.bytes[read]
            word.bytes[count] = byte < 0x80 ? byte : byte << 6 | word.bytes[read + 1] & 0x3F
            read += byte < 0x80 ? 1 : 2
            count += 1
        }
        word.count = count
        return true
    }

    /// Latin-1 to UTF-8, without dots; a stem is never longer than its word was.
    private static func encode(_ word: inout StemmedWord) {
        var wide = 0
        for index in 0..<word.count {
            switch word.bytes[index] {
            case aUmlaut: word.bytes[index] = UInt8(ascii: "a")
            case oUmlaut: word.bytes[index] = UInt8(ascii: "o")
            case uUmlaut, UInt8(ascii: "U"): word.bytes[index] = UInt8(ascii: "u")
            case UInt8(ascii: "Y"): word.bytes[index] = UInt8(ascii: "y")
            case 0x80...: wide += 1
            default: break
            }
        }
        var write = word.count + wide
        let count = write
        for index in stride(from: word.count - 1, through: 0, by: -1) where wide > 0 {
            let byte = word.bytes[index]
            if byte >= 0x80 {
                word.bytes[write - 1] = 0x80 | byte & 0x3F
                word.bytes[write - 2] = 0xC0 | byte >> 6
                write -= 2
            } else {
                word.bytes[write - 1] = byte
                write -= 1
            }
        }
        word.count = count
    }

    /// u and y between vowels become the consonants U and Y; ß, ae, oe, ue become ss, ä, ö, ü.
    private static func prepare(_ word: inout StemmedWord) {
        for index in 0..<word.count where index > 0 && index + 1 < word.count {
            let byte = word.bytes[index]
            guard byte == UInt8(ascii: "u") || byte == UInt8(ascii: "y"), isVowel(word.bytes[index - 1]),
                isVowel(word.bytes[index + 1])
            else { continue }
            word.bytes[index] = byte - 0x20
        }
        var sharp = 0
        for index in 0..<word.count where word.bytes[index] == 0xDF { sharp += 1 }
        if sharp > 0 { spellSharpS(&word, sharp) }
        var count = 0
        var index = 0
        while index < word.count {
            let umlaut =
                index + 1 < word.count && word.bytes[index + 1] == UInt8(ascii: "e") ? umlaut(at: index, of: word) : nil
            word.bytes[count] = umlaut ?? word.bytes[index]
            count += 1
            index += umlaut == nil ? 1 : 2
        }
        word.count = count
    }

    /// The umlaut that a vowel before an e stands for.
    private static func umlaut(at index: Int, of word: StemmedWord) -> UInt8? {
        switch word.bytes[index] {
        case UInt8(ascii: "a"): aUmlaut
        case UInt8(ascii: "o"): oUmlaut
        case UInt8(ascii: "u"): index > 0 && word.bytes[index - 1] == UInt8(ascii: "q") ? nil : uUmlaut
        default: nil
        }
    }

    /// ß had two bytes in UTF-8, so there is room.
    private static func spellSharpS(_ word: inout StemmedWord, _ sharp: Int) {
        var write = word.count + sharp
        word.count = write
        for index in stride(from: write - sharp - 1, through: 0, by: -1) {
            let byte = word.bytes[index]
            write -= 1
            word.bytes[write] = byte == 0xDF ? UInt8(ascii: "s") : byte
            if byte == 0xDF {
                write -= 1
                word.bytes[write] = UInt8(ascii: "s")
            }
        }
    }

    private static func isVowel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"),
            UInt8(ascii: "y"), aUmlaut, oUmlaut, uUmlaut:
            true
        default: false
        }
    }

    /// One of b d f g h k l m n t; r is none here.
    private static func isSTEnding(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "b"), UInt8(ascii: "d"), UInt8(ascii: "f"), UInt8(ascii: "g"), UInt8(ascii: "h"),
            UInt8(ascii: "k"), UInt8(ascii: "l"), UInt8(ascii: "m"), UInt8(ascii: "n"), UInt8(ascii: "t"):
            true
        default: false
        }
    }

    /// One of d f g k l m n r s t U z ä.
    private static func isETEnding(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "d"), UInt8(ascii: "f"), UInt8(ascii: "g"), UInt8(ascii: "k"), UInt8(ascii: "l"),
            UInt8(ascii: "m"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "s"), UInt8(ascii: "t"),
            UInt8(ascii: "U"), UInt8(ascii: "z"), aUmlaut:
            true
        default: false
        }
    }

    /// R1 begins behind the first consonant that follows a vowel, and not before the fourth letter; R2 behind the next
    /// such one.
    private struct Regions {
        var r1: Int
        var r2: Int

        init(_ word: StemmedWord) {
            r1 = word.count
            r2 = word.count
            if word.count < 3 { return }
            var changes = 0
            var wasVowel = false
            for index in 0..<word.count {
                let isVowel = GermanStemmer.isVowel(word.bytes[index])
                if wasVowel, !isVowel {
                    changes += 1
                    if changes == 1 { r1 = max(index + 1, 3) }
                    if changes == 2 {
                        r2 = index + 1
                        return
                    }
                }
                wasVowel = isVowel
            }
        }
    }

    // MARK: Steps

    /// Step 1: plurals and cases.
    private static func removeInflection(_ word: inout StemmedWord, _ regions: Regions) {
        guard let found = word.longestSuffix(inflections), word.count - found.length >= regions.r1 else { return }
        switch found.index {
        case 0:
            if !word.ends(with: "syst", before: 2) { word.count -= 2 }
        case 1...4: word.count -= found.length
        case 5...7:
            word.count -= found.length
            if word.ends(with: "niss") { word.count -= 1 }
        case 8:
            if isSTEnding(word[fromEnd: 2]) || word[fromEnd: 2] == UInt8(ascii: "r") { word.count -= 1 }
        default: word.count -= found.length - 1
        }
    }
    private static let inflections: [StaticString] = [
        "em", "ern", "er", "erin", "erinnen", "e", "en", "es", "s", "ln", "lns",
    ]

    /// Step 2: comparison, and what step 1 has laid open.
    private static func removeComparison(_ word: inout StemmedWord, _ regions: Regions) {
        guard let found = word.longestSuffix(comparisons), word.count - found.length >= regions.r1 else { return }
        switch found.index {
        case 0...2: word.count -= found.length
        case 3:
            if isSTEnding(word[fromEnd: 3]), word.count >= 6 { word.count -= 2 }
        default:
            if isETEnding(word[fromEnd: 3]), !keepET.contains(where: { word.ends(with: $0, before: 2) }) {
                word.count -= 2
            }
        }
    }
    private static let comparisons: [StaticString] = ["en", "er", "est", "st", "et"]
    private static let keepET: [StaticString] = ["geordn", "intern", "plan", "tick", "tr"]

    /// Step 3: suffixes that make nouns and adjectives.
    private static func removeDerivation(_ word: inout StemmedWord, _ regions: Regions) {
        guard let found = word.longestSuffix(derivations), word.count - found.length >= regions.r2 else { return }
        switch found.index {
        case 0, 1:
            word.count -= found.length
            if word.ends(with: "ig"), word.count - 2 >= regions.r2, word[fromEnd: 3] != UInt8(ascii: "e") {
                word.count -= 2
            }
        case 2...4:
            if word[fromEnd: found.length + 1] != UInt8(ascii: "e") { word.count -= found.length }
        case 5, 6:
            word.count -= found.length
            if word.ends(with: "er") || word.ends(with: "en"), word.count - 2 >= regions.r1 { word.count -= 2 }
        default:
            word.count -= found.length
            if let more = word.longestSuffix(["lich", "ig"]), word.count - more.length >= regions.r2 {
                word.count -= more.length
            }
        }
    }
    private static let derivations: [StaticString] = ["end", "ung", "ig", "ik", "isch", "lich", "heit", "keit"]
}
