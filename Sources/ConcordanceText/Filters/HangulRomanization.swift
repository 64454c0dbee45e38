/// Korean words in Latin letters, by the Revised Romanization of Korean (Ministry of Culture and Tourism, notification
/// 2000-8, which writes the standard pronunciation): 한국어 hangugeo, 독립 dongnip, 신라 silla.
///
/// People also type variants: each syllable as if it stood alone (hangukeo, dokrip), and k, t, p, ch at the beginning
/// of a word, as in Kim, Pusan and other established names.
enum HangulRomanization {
    /// Consonants at the beginning of a syllable, two bytes each, padded with dots.
    private static let initials: StaticString = "g.kkn.d.ttr.m.b.pps.ss..j.jjchk.t.p.h."
    /// Vowels, three bytes each.
    private static let vowels: StaticString = "a..ae.ya.yaeeo.e..yeoye.o..wa.waeoe.yo.u..wo.we.wi.yu.eu.ui.i.."
    /// What each consonant at the end of a syllable, from number one on, sounds like when nothing follows; G is ng.
    private static let endings: StaticString = "kkknnntlkmlllplmppttGttktpt"
    /// What it sounds like before a vowel, two bytes each.
    private static let liaisons: StaticString = "g.kkksn.njn.d.r.lglmlblsltlpr.m.b.pss.ssngj.chk.t.p..."

    /// Consonants by their number in a syllable.
    private static let (giyeok, nieun, digeut, rieul, mieum, siot, ieung, jieut, hieut) = (0, 2, 3, 5, 6, 9, 11, 12, 18)
    /// Consonants at the end of a syllable, by their number there: ㄶ, ㄷ, ㅀ, ㅈ, ㅌ, ㅎ.
    private static let (finalNieunHieut, finalDigeut, finalRieulHieut) = (6, 7, 15)
    private static let (finalJieut, finalTieut, finalHieut) = (22, 25, 27)
    private static let vowelI = 20

    private struct Syllable {
        let initial: Int
        let vowel: Int
        let final: Int

        init(_ scalar: UInt32) {
            let number = Int(scalar - 0xAC00)
            (initial, vowel, final) = (number / 588, number % 588 / 28, number % 28)
        }
    }

    /// Whether a character is a syllable.
    static func isSyllable(_ scalar: UInt32) -> Bool { (0xAC00...0xD7A3).contains(scalar) }

    /// A word without the particle at its end; nil if there is none, or if it is just as likely a part of the word.
    static func withoutParticle(_ word: ArraySlice<UInt32>) -> ArraySlice<UInt32>? {
        guard let last = word.last, word.count > 1 else { return nil }
        let rest = word.dropLast()
        if rest.count > 1, let before = rest.last {
            switch (before, last) {
            // 에서 에게 까지 부터 으로 처럼 보다 한테 께서
            case (0xC5D0, 0xC11C), (0xC5D0, 0xAC8C), (0xAE4C, 0xC9C0), (0xBD80, 0xD130), (0xC73C, 0xB85C),
                (0xCC98, 0xB7FC), (0xBCF4, 0xB2E4), (0xD55C, 0xD14C), (0xAED8, 0xC11C):
                return rest.dropLast()
            default: break
            }
        }
        switch last {
        // 을 를 은 는 에
        case 0xC744, 0xB97C, 0xC740, 0xB294, 0xC5D0: return rest
        // 이 가 로 와 과 의 도 만 께 들
        case 0xC774, 0xAC00, 0xB85C, 0xC640, 0xACFC, 0xC758, 0xB3C4, 0xB9CC, 0xAED8, 0xB4E4:
            return rest.count > 1 ? rest : nil
        default: return nil
        }
    }

    /// Appends a variant of a word; false if there is no such variant. `word` must consist of syllables.
    static func append(_ word: ArraySlice<UInt32>, variant: Int, to output: inout TokenBuffer) -> Bool {
        guard let first = word.first else { return false }
        if variant == 1, word.count == 1 { return false }
        let start = output.count
        var ending = 0
        for index in word.indices {
            let syllable = Syllable(word[index])
            if index == word.startIndex || variant == 1 {
                appendName(initials, syllable.initial * 2, 2, to: &output)
            } else {
                appendBoundary(ending, syllable, to: &output)
            }
            appendName(vowels, syllable.vowel * 3, 3, to: &output)
            ending = syllable.final
            if variant == 1 || index == word.endIndex - 1 { appendEnding(ending, to: &output) }
        }
        return variant != 2 || harden(Syllable(first).initial, at: start, of: &output)
    }

    /// Replaces g, d, b, j at the beginning by k, t, p, ch; false if another consonant stands there.
    private static func harden(_ initial: Int, at start: Int, of output: inout TokenBuffer) -> Bool {
        switch output.base[start] {
        case UInt8(ascii: "g"): output.base[start] = UInt8(ascii: "k")
        case UInt8(ascii: "d"): output.base[start] = UInt8(ascii: "t")
        case UInt8(ascii: "b"): output.base[start] = UInt8(ascii: "p")
        case UInt8(ascii: "j") where initial == jieut:
            output.append(UInt8(ascii: "."))
            for index in stride(from: output.count - 1, to: start + 1, by: -1) {
                output.base[index] = output.base[index - 1]
            }
            output.base[start] = UInt8(ascii: "c")
            output.base[start + 1] = UInt8(ascii: "h")
        default: return false
        }
        return true
    }

    /// What a consonant at the end of a syllable and the one at the beginning of the next become together.
    private static func appendBoundary(_ ending: Int, _ next: Syllable, to output: inout TokenBuffer) {
        let sound = ending == 0 ? 0 : endings.utf8Start[ending - 1]
        switch next.initial {
        case ieung where ending > 0:
            // ㄷ and ㅌ become j and ch before i.
            if next.vowel == vowelI, ending == finalDigeut || ending == finalTieut {
                return output.append(ending == finalDigeut ? "j" : "ch")
            }
            return appendName(liaisons, (ending - 1) * 2, 2, to: &output)
        case giyeok, digeut, jieut, siot:
            guard ending == finalHieut || ending == finalNieunHieut || ending == finalRieulHieut else { break }
            if ending != finalHieut { output.append(sound) }
            return output.append(
                next.initial == giyeok ? "k" : next.initial == digeut ? "t" : next.initial == jieut ? "ch" : "ss")
        case hieut where ending == finalDigeut || ending == finalJieut:
            return output.append(ending == finalDigeut ? "t" : "ch")
        case rieul where sound != 0:
            if sound == UInt8(ascii: "n") || sound == UInt8(ascii: "l") { return output.append("ll") }
            appendNasal(sound, to: &output)
            return output.append("n")
        case nieun where sound == UInt8(ascii: "l"): return output.append("ll")
        case nieun, mieum:
            appendNasal(sound, to: &output)
            return output.append(next.initial == nieun ? "n" : "m")
        default: break
        }
        appendEnding(ending, to: &output)
        appendName(initials, next.initial * 2, 2, to: &output)
    }

    private static func appendEnding(_ ending: Int, to output: inout TokenBuffer) {
        guard ending > 0 else { return }
        let sound = endings.utf8Start[ending - 1]
        if sound == UInt8(ascii: "G") { output.append("ng") } else { output.append(sound) }
    }

    /// A consonant as it sounds before n and m.
    private static func appendNasal(_ sound: UInt8, to output: inout TokenBuffer) {
        switch sound {
        case 0: break
        case UInt8(ascii: "k"), UInt8(ascii: "G"): output.append("ng")
        case UInt8(ascii: "t"): output.append("n")
        case UInt8(ascii: "p"): output.append("m")
        default: output.append(sound)
        }
    }

    private static func appendName(_ names: StaticString, _ place: Int, _ width: Int, to output: inout TokenBuffer) {
        for offset in 0..<width {
            let byte = names.utf8Start[place + offset]
            if byte == UInt8(ascii: ".") { return }
            output.append(byte)
        }
    }
}
