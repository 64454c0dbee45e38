/// Converts zhuyin (Bopomofo), the letters in which Mandarin is taught and typed in Taiwan, to pinyin without tones.
///
/// A syllable is an initial (ㄅ to ㄙ), a medial (ㄧ ㄨ ㄩ) and a final (ㄚ to ㄦ), each of which may be missing; tones stand
/// between syllables, and people leave them out. The correspondence is that of the tables of ISO 7098:2015.
enum Zhuyin {
    /// The initials from U+3105 on, two bytes each, padded with dots.
    private static let initials: StaticString = "b.p.m.f.d.t.n.l.g.k.h.j.q.x.zhchshr.z.c.s."
    /// No final at all, then the finals from U+311A on, four bytes each, padded with dots. A line for each medial
    /// (none, ㄧ, ㄨ, ㄩ), first after an initial, then without one. ü is u, as in `ReadingTables`.
    private static let finals: StaticString = """
        ....a...o...e...e...ai..ei..ao..ou..an..en..ang.eng.er..\
        ....a...o...e...e...ai..ei..ao..ou..an..en..ang.eng.er..\
        i...ia..io..ie..ie..iai.iei.iao.iu..ian.in..ianging.ier.\
        yi..ya..yo..ye..ye..yai.yei.yao.you.yan.yin.yangyingyer.\
        u...ua..uo..ue..ue..uai.ui..uao.uou.uan.un..uangong.uer.\
        wu..wa..wo..we..we..wai.wei.wao.wou.wan.wen.wangwengwer.\
        u...ua..uo..ue..ue..uai.ui..uao.uou.uan.un..uangionguer.\
        yu..yua.yuo.yue.yue.yuaiyui.yuaoyou.yuanyun.....yongyuer
        """

    /// A syllable as far as it is known; parts are numbered from one, and zero means none.
    struct Syllable {
        var initial = 0
        var medial = 0
        var final = 0

        var isEmpty: Bool { initial == 0 && medial == 0 && final == 0 }

        /// Takes the next letter; false if it begins another syllable.
        mutating func take(_ letter: Letter) -> Bool {
            switch letter {
            case .initial(let number):
                guard isEmpty else { return false }
                initial = number
            case .medial(let number):
                guard medial == 0, final == 0 else { return false }
                medial = number
            case .final(let number):
                guard final == 0 else { return false }
                final = number
            case .tone: return isEmpty
            }
            return true
        }

        /// Appends its pinyin. For a syllable that is still being typed, appends only what nearly all its continuations
        /// begin with: ㄨ after an initial may still become "ong".
        func append(to output: inout TokenBuffer, isIncomplete: Bool) {
            if initial > 0 { Zhuyin.append(Zhuyin.initials, (initial - 1) * 2, 2, to: &output) }
            let isOpen = medial == 0 && final == 0
            if isOpen, isIncomplete { return }
            // zhi, chi, shi, ri, zi, ci, si are written without a final.
            if isOpen, initial >= 15 { return output.append(UInt8(ascii: "i")) }
            let isYOrW = isIncomplete && initial == 0 && final == 0
            let place = (medial * 2 + (initial == 0 ? 1 : 0)) * 56 + final * 4
            Zhuyin.append(Zhuyin.finals, place, isYOrW ? 1 : 4, to: &output)
        }
    }

    /// The role of a character in a syllable.
    enum Letter {
        case initial(Int), medial(Int), final(Int), tone
    }

    /// The letter of a character; nil for one of another script.
    static func letter(_ scalar: UInt32) -> Letter? {
        switch scalar {
        case 0x3105...0x3119: .initial(Int(scalar - 0x3104))
        case 0x311A...0x3126: .final(Int(scalar - 0x3119))
        case 0x3127...0x3129: .medial(Int(scalar - 0x3126))
        case 0x02C7, 0x02C9...0x02CB, 0x02D9: .tone
        default: nil
        }
    }

    private static func append(_ names: StaticString, _ place: Int, _ width: Int, to output: inout TokenBuffer) {
        for offset in 0..<width {
            let byte = names.utf8Start[place + offset]
            if byte == UInt8(ascii: ".") { return }
            output.append(byte)
        }
    }
}
