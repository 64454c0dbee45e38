/// Romaji in one canonical spelling, from kana and from what people type, so that the two meet.
///
/// The canonical spelling is Hepburn's without long vowels: とうきょう, トーキョー, "toukyou", "tookyoo", "tōkyō" (folded to
/// "tokyo") and "tokyo" are all "tokyo". Spellings of other systems and of foreign sounds are merged: ti and ティ with
/// chi, tu and トゥ with tsu, si with shi, hu with fu, di and du with ji and zu, v with b; n stands for ん before every
/// consonant (shinbun, not shimbun); a double consonant repeats its first letter (matcha, 抹茶, is "maccha").
enum Romaji {
    /// The canonical romaji of U+30A1 to U+30FA, three bytes each, padded with dots; "-" for ッ, and small vowels like
    /// large ones.
    private static let kana: StaticString = """
        a..a..i..i..u..u..e..e..o..o..ka.ga.ki.gi.ku.gu.ke.ge.ko.go.sa.za.shiji.su.zu.se.ze.so.zo.ta.da.chiji.-..tsu\
        zu.te.de.to.do.na.ni.nu.ne.no.ha.ba.pa.hi.bi.pi.fu.bu.pu.he.be.pe.ho.bo.po.ma.mi.mu.me.mo.ya.ya.yu.yu.yo.yo.\
        ra.ri.ru.re.ro.wa.wa.wi.we.o..n..bu.ka.ke.ba.bi.be.bo.
        """

    /// Whether the character is kana: hiragana, katakana, an iteration mark or the long vowel mark.
    @inline(__always)
    static func isKana(_ scalar: UInt32) -> Bool {
        scalar >= 0x3041 && scalar <= 0x3096 || scalar >= 0x309D && scalar <= 0x309F
            || scalar >= 0x30A1 && scalar <= 0x30FA || scalar >= 0x30FC && scalar <= 0x30FF
            || scalar >= 0x31F0 && scalar <= 0x31FF
    }

    /// Appends a kana to the canonical romaji that begins at `start` in `output`. `isDoubled` carries ッ over to the
    /// next call.
    static func appendKana(
        _ scalar: UInt32, to output: inout TokenBuffer, from start: Int, isDoubled: inout Bool
    ) {
        let katakana = scalar >= 0x3041 && scalar <= 0x3096 ? scalar + 0x60 : scalar
        guard katakana >= 0x30A1, katakana <= 0x30FA else { return }
        if katakana == 0x30C3 {
            isDoubled = true
            return
        }
        let record = Int(katakana - 0x30A1) * 3
        let isSmallY = katakana == 0x30E3 || katakana == 0x30E5 || katakana == 0x30E7
        let isSmallVowel = katakana <= 0x30A9 && katakana & 1 == 1 || katakana == 0x30EE
        if isSmallY || isSmallVowel, output.count > start {
            appendSmall(kana.utf8Start + record, isY: isSmallY, to: &output, from: start)
            return
        }
        if isDoubled { output.append(kana.utf8Start[record]) }
        isDoubled = false
        for offset in 0..<3 where kana.utf8Start[record + offset] != UInt8(ascii: ".") {
            output.append(kana.utf8Start[record + offset])
        }
    }

    /// Joins a small kana to the syllable before it: ki + ya is kya, shi + ya sha, fu + a fa, te + i (ti) chi.
    private static func appendSmall(
        _ small: UnsafePointer<UInt8>, isY: Bool, to output: inout TokenBuffer, from start: Int
    ) {
        let vowel = isY || small[0] == UInt8(ascii: "w") ? small[1] : small[0]
        let isHigh = isY || vowel == UInt8(ascii: "i") || vowel == UInt8(ascii: "u")
        func letter(_ distance: Int) -> UInt8 {
            output.count - start >= distance ? output.base[output.count - distance] : 0
        }
        let (last, before, first) = (letter(1), letter(2), letter(3))
        guard isVowel(last) else { return output.append(vowel) }
        let isHushing = before == UInt8(ascii: "j") || before == UInt8(ascii: "h") && first != 0 && !isVowel(first)
        output.count -= 1
        switch (last, before) {
        case (UInt8(ascii: "e"), UInt8(ascii: "t")) where isHigh:  // ティ, テュ
            output.count -= 1
            output.append("ch")
        case (UInt8(ascii: "e"), UInt8(ascii: "d")) where isHigh:  // ディ, デュ
            output.base[output.count - 1] = UInt8(ascii: "j")
        case (UInt8(ascii: "o"), UInt8(ascii: "t")) where vowel == UInt8(ascii: "u"):  // トゥ
            output.append("s")
        case (UInt8(ascii: "o"), UInt8(ascii: "d")) where vowel == UInt8(ascii: "u"):  // ドゥ
            output.base[output.count - 1] = UInt8(ascii: "z")
        case (UInt8(ascii: "u"), UInt8(ascii: "s")) where vowel == UInt8(ascii: "i") && first != UInt8(ascii: "t"):
            output.append("h")  // スィ
        case (UInt8(ascii: "u"), UInt8(ascii: "z")) where vowel == UInt8(ascii: "i"):  // ズィ
            output.base[output.count - 1] = UInt8(ascii: "j")
        case (UInt8(ascii: "u"), UInt8(ascii: "f")), (UInt8(ascii: "u"), UInt8(ascii: "s")),
            (UInt8(ascii: "u"), UInt8(ascii: "b")) where !isY, (UInt8(ascii: "i"), _) where isHushing:
            break  // ファ, ツァ, ヴァ, シャ
        case (UInt8(ascii: "i"), _),
            (UInt8(ascii: "u"), _) where isY:
            output.append("y")  // キャ, イェ, ヴュ
        case (UInt8(ascii: "u"), _): output.append("w")  // ウィ, クァ
        default: output.append(last)
        }
        output.append(vowel)
    }

    /// Appends what a person typed, in canonical spelling; false if it is not romaji. With `isPrefix` it may end within
    /// a syllable.
    static func append(
        typed token: UnsafeBufferPointer<UInt8>, isPrefix: Bool, to output: inout TokenBuffer
    ) -> Bool {
        let start = output.count
        var index = 0
        while index < token.count {
            var onset = index
            while onset < token.count, isConsonant(token[onset]) { onset += 1 }
            let consonants = UnsafeBufferPointer(rebasing: token[index..<onset])
            if onset == token.count || !isVowel(token[onset]) {
                // ん before an apostrophe or at the end; an h that lengthens o; or the beginning of a syllable.
                let isApostrophe = onset < token.count && token[onset] == 0x27
                if onset < token.count, !isApostrophe { return false }
                guard appendCoda(consonants, isEnd: !isApostrophe, isPrefix: isPrefix, to: &output) else {
                    return false
                }
                index = onset + (isApostrophe ? 1 : 0)
                continue
            }
            guard appendSyllable(consonants, vowel: token[onset], to: &output, from: start) else { return false }
            index = onset + 1
        }
        collapse(&output, from: start)
        return output.count > start
    }

    private static func appendCoda(
        _ consonants: UnsafeBufferPointer<UInt8>, isEnd: Bool, isPrefix: Bool, to output: inout TokenBuffer
    ) -> Bool {
        if !consonants.isEmpty, consonants.allSatisfy({ $0 == UInt8(ascii: "n") }), let base = consonants.baseAddress {
            output.append(base, count: consonants.count)
            return true
        }
        if consonants.isEmpty { return !isEnd }
        if consonants.count == 1, consonants[0] == UInt8(ascii: "h"), isEnd, output.count > 0 { return true }
        guard isEnd, isPrefix, consonants.count <= 3, let base = consonants.baseAddress else { return false }
        output.append(base, count: consonants.count)
        return true
    }

    /// Appends a vowel with the consonants before it, the first of which may belong to the syllable before.
    private static func appendSyllable(
        _ consonants: UnsafeBufferPointer<UInt8>, vowel: UInt8, to output: inout TokenBuffer, from start: Int
    ) -> Bool {
        var rest = consonants[...]
        // ん, typed as n or, before b, p and m, as m; and the h of oh.
        while rest.count > 1, let first = rest.first, let second = rest.dropFirst().first {
            let isLip = second == UInt8(ascii: "b") || second == UInt8(ascii: "p") || second == UInt8(ascii: "m")
            let isNasal =
                first == UInt8(ascii: "n") && second != UInt8(ascii: "y") || first == UInt8(ascii: "m") && isLip
            let isLengthening =
                first == UInt8(ascii: "h") && second != first && second != UInt8(ascii: "y") && output.count > start
            guard isNasal || isLengthening else { break }
            if isNasal { output.append(UInt8(ascii: "n")) }
            rest = rest.dropFirst()
        }
        // っ: a double consonant, or t before ch.
        var isDoubled = false
        if rest.count > 1, let first = rest.first, let second = rest.dropFirst().first,
            first == second || first == UInt8(ascii: "t") && second == UInt8(ascii: "c")
        {
            isDoubled = true
            rest = rest.dropFirst()
        }
        guard let onset = canonicalOnset(String(decoding: rest, as: UTF8.self), vowel) else { return false }
        for byte in onset.utf8.prefix(isDoubled ? 1 : 0) { output.append(byte) }
        for byte in onset.utf8 { output.append(byte) }
        output.append(vowel)
        return true
    }

    /// The canonical spelling of a syllable's consonants; nil if no syllable begins with them.
    private static func canonicalOnset(_ typed: String, _ vowel: UInt8) -> String? {
        let isI = vowel == UInt8(ascii: "i")
        let isU = vowel == UInt8(ascii: "u")
        switch typed {
        case "", "k", "g", "n", "b", "p", "m", "r", "f", "j", "ts", "sh", "ch", "ky", "gy", "ny", "hy", "by", "py",
            "my",
            "ry", "kw", "gw":
            return typed
        case "s": return isI ? "sh" : "s"
        case "t": return isI ? "ch" : isU ? "ts" : "t"
        case "d": return isI ? "j" : isU ? "z" : "d"
        case "z": return isI ? "j" : "z"
        case "h": return isU ? "f" : "h"
        case "y": return isI ? "" : "y"
        case "w": return isU || vowel == UInt8(ascii: "o") ? "" : "w"
        case "sy": return "sh"
        case "ty", "cy", "th": return "ch"
        case "zy", "jy", "dy", "dh": return "j"
        case "fy": return "f"
        case "v": return "b"
        case "vy": return "by"
        default: return nil
        }
    }

    /// Shortens long vowels from `start` on, and spells a double consonant with the letter that follows (tch becomes
    /// cch).
    static func collapse(_ output: inout TokenBuffer, from start: Int) {
        var count = start
        for index in start..<output.count {
            let letter = output.base[index]
            let last = count > start ? output.base[count - 1] : 0
            let isLong = letter == last || letter == UInt8(ascii: "u") && last == UInt8(ascii: "o")
            if isLong, isVowel(letter) { continue }
            let isDouble =
                last == UInt8(ascii: "t") && letter == UInt8(ascii: "c")
                || last == UInt8(ascii: "d") && (letter == UInt8(ascii: "j") || letter == UInt8(ascii: "z"))
            if isDouble { output.base[count - 1] = letter }
            output.base[count] = letter
            count += 1
        }
        output.count = count
    }

    private static func isVowel(_ byte: UInt8) -> Bool {
        byte == 0x61 || byte == 0x65 || byte == 0x69 || byte == 0x6F || byte == 0x75
    }

    private static func isConsonant(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A && !isVowel(byte) }
}
