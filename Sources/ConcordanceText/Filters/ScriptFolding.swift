// Folding of characters whose neighbours matter, in sequences of scalars that are already decomposed.

/// The part of `Folding.scripts` that no table can express, since it depends on neighbouring characters.
enum ScriptFolding {
    /// Whether `scalar` may fold by its neighbours.
    static func dependsOnContext(_ scalar: UInt32) -> Bool {
        scalar == 0x22 || isVirama(scalar) || isThaiMark(scalar) || scalar == 0xE33 || isArmenianMark(scalar)
            || scalar == yiwn || scalar == 0x587
    }

    /// Folds in place.
    static func fold(_ scalars: inout [UInt32]) {
        var count = 0
        for index in scalars.indices {
            let scalar = scalars[index]
            // Within a Hebrew word the quotation mark stands for gershayim.
            if scalar == 0x22, index > 0, (0x5D0...0x5EA).contains(scalars[index - 1]) { continue }
            if isVirama(scalar), count > 0, isNasal(scalars[count - 1]), index + 1 < scalars.count {
                scalars[count - 1] = scalar & ~0x7F | 0x02
                continue
            }
            if isArmenianMark(scalar) { continue }
            // The ligature և is եւ; its capitals are ԵՎ, which is how the two letters are written today.
            let isYiwn = scalar == yiwn && count > 0 && scalars[count - 1] == 0x565
            scalars[count] = isYiwn ? 0x57E : scalar
            count += 1
        }
        scalars.removeLast(scalars.count - count)
        orderThaiMarks(&scalars)
    }

    // MARK: Armenia

    private static let yiwn: UInt32 = 0x582

    /// The marks of emphasis, exclamation, question and abbreviation, which stand within words.
    private static func isArmenianMark(_ scalar: UInt32) -> Bool {
        (0x55B...0x55C).contains(scalar) || (0x55E...0x55F).contains(scalar)
    }

    // MARK: India

    /// The scripts from Devanagari to Kannada, each in a block of 128 with the same layout, except Tamil, which does
    /// not write its nasals as anusvara.
    private static func isIndic(_ scalar: UInt32) -> Bool {
        (0x900...0xCFF).contains(scalar) && !(0xB80...0xBFF).contains(scalar)
    }

    private static func isVirama(_ scalar: UInt32) -> Bool { isIndic(scalar) && scalar & 0x7F == 0x4D }

    /// Where the nasal begins, with or without virama, that a folded token ends in, and the anusvara that it becomes if a
    /// consonant follows; nil if the token ends in something else, or is nothing else.
    static func finalNasal(_ token: UnsafeBufferPointer<UInt8>) -> (start: Int, anusvara: UInt32)? {
        // All of these characters are three bytes long.
        var start = token.count - 3
        guard start > 0, case var (scalar, length) = UTF8Scalars.decode(token, at: start), length == 3 else {
            return nil
        }
        var isOpen = true
        if isVirama(scalar), start > 3 {
            start -= 3
            (scalar, length) = UTF8Scalars.decode(token, at: start)
            isOpen = false
        }
        // Most words with a vowel after their m are no beginnings of those with a nasal: सम is not that of संदेश.
        guard length == 3, isNasal(scalar), !isOpen || scalar & 0x7F != 0x2E else { return nil }
        return (start, scalar & ~0x7F | 0x02)
    }

    /// ङ ञ ण न म, and those of the other scripts.
    private static func isNasal(_ scalar: UInt32) -> Bool {
        guard isIndic(scalar) else { return false }
        switch scalar & 0x7F {
        case 0x19, 0x1E, 0x23, 0x28, 0x2E: return true
        default: return false
        }
    }

    // MARK: Thai

    private static func isThaiMark(_ scalar: UInt32) -> Bool {
        scalar == 0xE31 || (0xE34...0xE3A).contains(scalar) || (0xE47...0xE4E).contains(scalar)
    }

    /// Puts vowel signs before tone marks, and a nikhahit, which is half of sara am, after them.
    private static func orderThaiMarks(_ scalars: inout [UInt32]) {
        var index = 0
        while index < scalars.count {
            guard isThaiMark(scalars[index]) else {
                index += 1
                continue
            }
            let start = index
            while index < scalars.count, isThaiMark(scalars[index]) { index += 1 }
            for place in start + 1..<max(index, start + 1) {
                var target = place
                while target > start, thaiOrder(scalars[target]) < thaiOrder(scalars[target - 1]), place - target < 8 {
                    scalars.swapAt(target, target - 1)
                    target -= 1
                }
            }
        }
    }

    private static func thaiOrder(_ mark: UInt32) -> Int {
        switch mark {
        case 0xE48...0xE4B: 1
        case 0xE4D: 2
        case 0xE4C, 0xE4E: 3
        default: 0
        }
    }
}

/// The part of `Folding.japanese` that concerns katakana.
enum JapaneseFolding {
    private static let longMark: UInt32 = 0x30FC
    private static let voicing: UInt32 = 0x3099
    /// Words of fewer characters keep their long mark: キー.
    private static let shortestWord = 4

    /// Whether `scalar` may fold by its neighbours.
    static func dependsOnContext(_ scalar: UInt32) -> Bool {
        scalar == longMark || scalar == 0xFF70 || scalar == 0x30F4 || scalar == 0x3094 || scalar == voicing
    }

    /// Folds in place.
    static func fold(_ scalars: inout [UInt32]) {
        var characters = 0
        for scalar in scalars where scalar != voicing { characters += 1 }
        if characters >= shortestWord, scalars.last == longMark { scalars.removeLast() }
        var count = 0
        var index = 0
        while index < scalars.count {
            let isV = scalars[index] == 0x30A6 && index + 1 < scalars.count && scalars[index + 1] == voicing
            guard isV || scalars[index] == 0x30F4 else {
                scalars[count] = scalars[index]
                count += 1
                index += 1
                continue
            }
            index += isV ? 2 : 1
            let vowel = index < scalars.count ? syllable(withSmall: scalars[index]) : nil
            if vowel != nil { index += 1 }
            if isV {
                scalars[count] = vowel ?? 0x30D5
                scalars[count + 1] = voicing
                count += 2
            } else {
                // As one character: the syllables from ba to bo each follow their unvoiced one in Unicode.
                scalars[count] = (vowel ?? 0x30D5) + 1
                count += 1
            }
        }
        scalars.removeLast(scalars.count - count)
    }

    /// ハ, ヒ, ヘ or ホ for a small vowel.
    private static func syllable(withSmall vowel: UInt32) -> UInt32? {
        switch vowel {
        case 0x30A1: 0x30CF
        case 0x30A3: 0x30D2
        case 0x30A7: 0x30D8
        case 0x30A9: 0x30DB
        default: nil
        }
    }
}
