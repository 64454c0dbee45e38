import ConcordanceText
import Testing

@Suite("Zhuyin is read as pinyin")
struct ZhuyinTests {
    static let syllables = """
        ㄅㄚ ba ㄆㄛ po ㄇㄛ mo ㄈㄥ feng ㄉㄜ de ㄊㄞ tai ㄋㄟ nei ㄌㄠ lao ㄍㄡ gou ㄎㄢ kan ㄏㄣ hen ㄓㄤ zhang ㄔㄥ cheng
        ㄓ zhi ㄔ chi ㄕ shi ㄖ ri ㄗ zi ㄘ ci ㄙ si ㄦ er ㄚ a ㄛ o ㄜ e ㄞ ai ㄠ ao ㄡ ou ㄢ an ㄣ en ㄤ ang
        ㄧ yi ㄧㄚ ya ㄧㄝ ye ㄧㄠ yao ㄧㄡ you ㄧㄢ yan ㄧㄣ yin ㄧㄤ yang ㄧㄥ ying
        ㄨ wu ㄨㄚ wa ㄨㄛ wo ㄨㄞ wai ㄨㄟ wei ㄨㄢ wan ㄨㄣ wen ㄨㄤ wang ㄨㄥ weng
        ㄩ yu ㄩㄝ yue ㄩㄢ yuan ㄩㄣ yun ㄩㄥ yong
        ㄅㄧ bi ㄉㄧㄚ dia ㄐㄧㄝ jie ㄒㄧㄠ xiao ㄐㄧㄡ jiu ㄑㄧㄢ qian ㄅㄧㄣ bin ㄌㄧㄤ liang ㄉㄧㄥ ding
        ㄓㄨ zhu ㄍㄨㄚ gua ㄉㄨㄛ duo ㄏㄨㄞ huai ㄍㄨㄟ gui ㄓㄨㄢ zhuan ㄌㄨㄣ lun ㄓㄨㄤ zhuang ㄉㄨㄥ dong
        ㄐㄩ ju ㄌㄩ lu ㄋㄩㄝ nue ㄑㄩㄝ que ㄒㄩㄢ xuan ㄐㄩㄣ jun ㄐㄩㄥ jiong ㄒㄩㄥ xiong
        """

    @Test func `every kind of syllable`() {
        let analyzer = Analyzer(.words(), .fold, .pinyin)
        let words = Self.syllables.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(words.count >= 140)
        for index in stride(from: 0, to: words.count - 1, by: 2) {
            let (zhuyin, pinyin) = (words[index], words[index + 1])
            for tone in ["", "ˊ", "ˇ", "ˋ"] {
                let line = analyzer.line(zhuyin + tone, for: .query)
                #expect(line == "\(zhuyin)\(tone) +py~\(pinyin)", "\(zhuyin)\(tone)")
            }
        }
    }

    @Test(
        "A syllable ends where the next one begins, with or without tones",
        arguments: [
            ("ㄅㄟˇㄐㄧㄥ", "beijing"), ("ㄅㄟㄐㄧㄥ", "beijing"), ("ㄊㄞˊㄨㄢ", "taiwan"), ("ㄒㄧㄢ", "xian"), ("ㄒㄧㄢˋ", "xian"),
            ("ㄓㄨㄥㄍㄨㄛˊ", "zhongguo"), ("ㄦㄗ", "erzi"), ("ㄧㄧ", "yiyi"), ("ㄨㄨ", "wuwu"),
        ])
    func runs(zhuyin: String, pinyin: String) {
        let line = Analyzer(.words(), .fold, .pinyin).line(zhuyin, for: .query)
        #expect(line == "\(zhuyin) +py~\(pinyin)")
    }

    @Test(
        "A syllable that is being typed is the beginning of what it may become",
        arguments: [
            ("ㄅㄟˇㄐ", "beij"), ("ㄓ", "zh"), ("ㄧ", "y"), ("ㄨ", "w"), ("ㄓㄨㄥㄍ", "zhongg"), ("ㄐㄧ", "ji"), ("ㄅㄟ", "bei"),
        ])
    func halfTyped(zhuyin: String, pinyin: String) {
        let line = Analyzer(.words(), .fold, .pinyin).line(zhuyin, for: [.query, .prefix])
        #expect(line == "\(zhuyin) +py~\(pinyin)")
    }

    @Test("Other words are not zhuyin", arguments: ["ˇ", "ˊˋ", "ㄅaㄟ", "ㆠ", String(repeating: "ㄅ", count: 100)])
    func others(text: String) {
        #expect(!Analyzer(.words(), .fold, .pinyin).line(text, for: .query).contains("py~"))
    }

    @Test(
        "Initials: three to five characters, or two that end a run, by each first letter that they have",
        arguments: [
            ("北京", "pi~bj"), ("我在北京", "pi~wzb pi~wzbj pi~zbj pi~bj"),
            ("重庆市", "pi~zqs pi~cqs pi~zqf pi~cqf pi~qs pi~qf"), ("人", ""),
        ])
    func initials(text: String, expected: String) {
        let tokens = Analyzer(.words(), .fold, .pinyinInitials).makeTokenizer().tokens(in: text).map(\.text)
        #expect(tokens.filter { $0.hasPrefix("pi~") }.joined(separator: " ") == expected)
    }

    @Test(
        "A word asks for initials if it could be some and is not pinyin",
        arguments: [
            ("bjdx", true), ("bj", true), ("bjd", true), ("b", false), ("beijing", false), ("ba", false),
            ("bid", false), ("bjdxtsg", false), ("b2", false),
        ])
    func asksForInitials(word: String, asks: Bool) {
        #expect(Analyzer(.words(), .fold, .pinyinInitials).line(word, for: .query).contains("pi~") == asks)
    }
}
