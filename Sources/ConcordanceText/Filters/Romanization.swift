/// Writes words of Cyrillic and Greek letters in Latin ones; for Hangul see `HangulRomanization`.
///
/// Cyrillic follows the BGN/PCGN systems (Russian 1947, Serbian 2005, Ukrainian 2019, Kazakh 1979, Bulgarian 2013),
/// Greek ELOT 743 (ISO 843:1997, type 2, transcription). Where languages or habits differ, there are variants: г is g,
/// or h as in Ukrainian; щ is shch, or sht as in Bulgarian; Greek digraphs are spelled letter by letter, or as they
/// sound.
struct Romanization: ~Copyable {
    /// The last result, in lower-case ASCII letters.
    private(set) var letters = TokenBuffer()
    private var scalars: [UInt32] = []

    /// The letters from U+0430 to U+045F, four bytes each, padded with dots.
    private static let cyrillic: StaticString = """
        a...b...v...g...d...e...zh..z...i...y...k...l...m...n...o...p...\
        r...s...t...u...f...kh..ts..ch..sh..shch....y.......e...yu..ya..\
        e...e...dj..gj..ye..dz..i...yi..j...lj..nj..c...kj..i...u...dzh.
        """
    /// The letters from U+03B1 to U+03C9, two bytes each, padded with dots.
    private static let greek: StaticString = "a.v.g.d.e.z.i.thi.k.l.m.n.x.o.p.r.s.s.t.y.f.chpso."

    /// The most variants of a word: those of a Korean word, and of the same word without its particle.
    static let variants = 6
    /// In bytes; longer tokens are not words.
    static let longest = 128

    /// Makes a variant of a word in lower case; false if there is no such variant, or if the word is in none of these
    /// scripts.
    mutating func make(_ word: UnsafeBufferPointer<UInt8>, variant: Int) -> Bool {
        letters.count = 0
        guard word.count <= Self.longest, let first = word.first, first >= 0xCE else { return false }
        scalars.removeAll(keepingCapacity: true)
        var index = 0
        while index < word.count {
            let (scalar, length) = UTF8Scalars.decode(word, at: index)
            scalars.append(scalar)
            index += length
        }
        switch scalars[0] {
        case 0x0370...0x03FF: return variant < 2 && makeGreek(asItSounds: variant == 1)
        case 0x0400...0x052F: return variant < 2 && makeCyrillic(isOther: variant == 1)
        case 0xAC00...0xD7A3:
            guard scalars.allSatisfy(HangulRomanization.isSyllable) else { return false }
            let rest = variant < 3 ? scalars[...] : HangulRomanization.withoutParticle(scalars[...])
            return rest.map { HangulRomanization.append($0, variant: variant % 3, to: &letters) } ?? false
        default: return false
        }
    }

    private mutating func makeCyrillic(isOther: Bool) -> Bool {
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case 0x0433 where isOther: letters.append("h")
            case 0x0449 where isOther: letters.append("sht")
            case 0x044A:
                // In Bulgarian it is a vowel, between consonants; in Russian it stands before е, ё, ю, я.
                switch index + 1 < scalars.count ? scalars[index + 1] : 0 {
                case 0, 0x0435, 0x0451, 0x044E, 0x044F: continue
                default: letters.append("a")
                }
            case 0x0430...0x045F: appendName(Self.cyrillic, Int(scalar - 0x0430) * 4, 4)
            case 0x0491, 0x0493: letters.append("g")
            case 0x049B: letters.append("q")
            case 0x04A3: letters.append("ng")
            case 0x04AF, 0x04B1: letters.append("u")
            case 0x04BB: letters.append("h")
            case 0x04D9: letters.append("a")
            case 0x04E9: letters.append("o")
            case 0x27, 0x2019, 0x02BC: continue
            default: return false
            }
        }
        return letters.count > 0
    }

    // MARK: Greek

    private mutating func makeGreek(asItSounds: Bool) -> Bool {
        var index = 0
        while index < scalars.count {
            let length = appendDigraph(at: index, asItSounds: asItSounds)
            if length > 0 {
                index += length
                continue
            }
            let scalar = Self.unaccented(scalars[index])
            guard (0x03B1...0x03C9).contains(scalar) else { return false }
            if asItSounds, scalar == 0x03C7 {
                letters.append("h")
            } else {
                appendName(Self.greek, Int(scalar - 0x03B1) * 2, 2)
            }
            index += 1
        }
        return letters.count > 0
    }

    /// Appends what two letters stand for together, and returns how many letters that covers: zero if they stand for
    /// themselves.
    private mutating func appendDigraph(at index: Int, asItSounds: Bool) -> Int {
        guard index + 1 < scalars.count else { return 0 }
        let isFirst = index == 0
        switch (Self.unaccented(scalars[index]), Self.unaccented(scalars[index + 1])) {
        case (0x03B1, 0x03C5), (0x03B5, 0x03C5), (0x03B7, 0x03C5):  // αυ, ευ, ηυ
            appendName(Self.greek, Int(Self.unaccented(scalars[index]) - 0x03B1) * 2, 2)
            let next = index + 2 < scalars.count ? Self.unaccented(scalars[index + 2]) : 0
            letters.append(Self.isVoiceless(next) ? "f" : "v")
        case (0x03BF, 0x03C5): letters.append(asItSounds ? "u" : "ou")
        case (0x03B3, 0x03B3): letters.append(asItSounds ? "g" : "ng")
        case (0x03B3, 0x03BA) where asItSounds: letters.append("g")
        case (0x03B3, 0x03BE): letters.append("nx")
        case (0x03B3, 0x03C7): letters.append(asItSounds ? "nh" : "nch")
        case (0x03BC, 0x03C0) where isFirst || asItSounds: letters.append("b")
        case (0x03BD, 0x03C4) where asItSounds: letters.append("d")
        case (0x03B1, 0x03B9) where asItSounds: letters.append("e")
        case (0x03B5, 0x03B9) where asItSounds, (0x03BF, 0x03B9) where asItSounds, (0x03C5, 0x03B9) where asItSounds:
            letters.append("i")
        default: return 0
        }
        return 2
    }

    /// Whether υ is f before a letter, as it is at the end of a word: θ κ ξ π ς σ τ φ χ ψ.
    private static func isVoiceless(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0, 0x03B8, 0x03BA, 0x03BE, 0x03C0, 0x03C2...0x03C4, 0x03C6...0x03C8: true
        default: false
        }
    }

    /// A lower-case Greek letter without its accent.
    private static func unaccented(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        case 0x03AC: 0x03B1
        case 0x03AD: 0x03B5
        case 0x03AE: 0x03B7
        case 0x03AF, 0x03CA, 0x0390: 0x03B9
        case 0x03CC: 0x03BF
        case 0x03CD, 0x03CB, 0x03B0: 0x03C5
        case 0x03CE: 0x03C9
        default: scalar
        }
    }

    private mutating func appendName(_ names: StaticString, _ place: Int, _ width: Int) {
        for offset in 0..<width {
            let byte = names.utf8Start[place + offset]
            if byte == UInt8(ascii: ".") { return }
            letters.append(byte)
        }
    }
}
