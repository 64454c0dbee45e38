@testable import ConcordanceText
import Testing

@Suite("Words that are written in several ways")
struct SpellingFormTests {
    @Test(arguments: [
        ("食べる", ["食べ"]), ("読む", ["読み", "読ま", "読め", "読も", "読ん"]), ("行く", ["行き", "行か", "行け", "行こ", "行い", "行っ"]),
        ("新しい", ["新し"]), ("高い", ["高く", "高か", "高け"]), ("勉強する", ["勉強"]), ("愛する", ["愛し", "愛さ", "愛せ"]),
        ("打ち合わせ", ["打合わせ", "打合せ", "打ち合せ", "打合"]), ("引っ越し", ["引越し", "引っ越し", "引越"]),
        ("山の上", []), ("人々", ["人人"]), ("人人", ["人々"]), ("コンピューター", ["コンピュータ"]), ("ウィルス", ["ウイルス"]),
        ("ダイヤ", ["ダイア"]), ("ビル", []), ("三月", ["3月"]), ("第２回", ["第二回"]), ("12人", ["十二人"]), ("二十一世紀", ["21世紀"]),
        ("三", []), ("2024", []), ("百人", []), ("東京", []), ("", []), ("running", []), ("です", []),
        (String(repeating: "食", count: 200) + "べる", []),
    ])
    func `a Japanese word has these other spellings`(word: String, others: [String]) {
        #expect(JapaneseSpellings.others(word) == others.filter { $0 != word })
    }

    @Test(arguments: ["あ", "々", "々々", "ー", "ーー", "ヤ", "十", "十十", "一十二", "〇人", "0人", "00人", "99人", "100人", "食\u{0}る"])
    func `any word has few other spellings`(word: String) {
        for other in JapaneseSpellings.others(word) { #expect(!other.isEmpty && other != word) }
        #expect(JapaneseSpellings.others(word).count <= 12)
    }

    @Test(arguments: [
        ("hoà", "hòa"), ("thuỷ", "thủy"), ("khoẻ", "khỏe"), ("kỹ thuật", "kĩ thuật"), ("lí", "lý"), ("quí", "quí"),
    ])
    func `Vietnamese words are one in both spellings`(query: String, text: String) {
        #expect(Analyzer.vietnamese.finds(query, in: text))
        #expect(Analyzer.vietnamese.finds(text, in: query))
    }

    @Test(arguments: [("hòa", "hóa"), ("hoàn", "hòan"), ("lý", "lỳ"), ("thủy", "thúy"), ("ký", "hý")])
    func `Vietnamese words with other marks are others`(query: String, text: String) {
        #expect(!Analyzer.vietnamese.finds(query, in: text))
    }

    @Test(arguments: [
        ("2024", "2024년 보고서"), ("js", "Node.js를 배운다"), ("node", "Node를 배운다"), ("2024년", "2024년 보고서"),
        ("서울", "KTX서울역2번"),
    ])
    func `Korean particles behind other letters are words of their own`(query: String, text: String) {
        #expect(Analyzer.korean.finds(query, in: text))
        #expect(!Analyzer.korean.finds("다른", in: text))
    }

    @Test func `places of Korean words beside others are their own`() {
        let tokens = Analyzer.korean.makeTokenizer().tokens(in: "x2024년도", for: .query)
        #expect(tokens.map(\.text) == ["x2024", "년도"])
        #expect(tokens.map(\.range) == [0..<5, 5..<11])
    }

    /// Each form has the stem of the first word.
    @Test(arguments: [
        (StemmingLanguage.estonian, ["pank", "panga", "pangas", "pankade", "pangaga"]),
        (.estonian, ["number", "numbri", "numbrid", "numbritele"]),
        (.armenian, ["գիրք", "գրքի", "գրքեր", "գրքերը", "գրքերով"]),
        (.armenian, ["քաղաք", "քաղաքի", "քաղաքներից", "քաղաքում"]),
        (.basque, ["etxe", "etxea", "etxeak", "etxean", "etxetik", "etxerantz"]),
        (.persian, ["کتاب", "کتاب‌ها", "کتابهای", "کتاب‌هایشان", "کتابم"]),
        (.persian, ["پرنده", "پرندگان", "پرنده‌ها", "پرنده‌ای"]),
        (.irish, ["leabhar", "leabhair", "leabhar"]), (.irish, ["sráid", "sráideanna", "shráid"]),
        (.nepali, ["हिन्दी", "हिंदी", "हिन्दि", "हिन्दीको"]), (.turkish, ["masa", "masada", "masalar"]),
        (.greek, ["βιβλίο", "βιβλία"]), (.hungarian, ["kert", "kertben"]),
        (.bengali, ["শহর", "শহরের", "শহরে"]), (.marathi, ["घर", "घरात", "घराचा"]),
        (.urdu, ["لڑکا", "لڑکے", "لڑکوں", "لڑکی"]),
        (.telugu, ["పుస్తకం", "పుస్తకాలు", "పుస్తకంలో"]), (.kannada, ["ಮನೆ", "ಮನೆಯಲ್ಲಿ", "ಮನೆಗೆ"]),
        (.malayalam, ["മരം", "മരങ്ങൾ", "മരങ്ങളുടെ"]), (.gujarati, ["શાળા", "શાળામાં", "શાળાએ"]), (.punjabi, ["ਕੁੜੀ", "ਕੁੜੀਆਂ"]),
    ])
    func `forms of a word have one stem`(language: StemmingLanguage, words: [String]) {
        let tokenizer = Analyzer(.words(), .inflections(language)).makeTokenizer()
        let stems = Set(words.map { tokenizer.tokens(in: $0, for: .query).map(\.text) })
        #expect(stems.count == 1, "\(stems)")
    }

    @Test(arguments: StemmingLanguage.allCases)
    func `the rules for forms are read, and end`(language: StemmingLanguage) {
        #expect(language.forms.program != nil)
        let tokenizer = Analyzer(.words(), .inflections(language)).makeTokenizer()
        for word in [
            "", "a", "ա", "ی", "ক", "aaaaaaaaaaaa", "ներներներներներ", "هاهاهاهاها",
            String(repeating: "gailuaren", count: 20),
        ] {
            for token in tokenizer.tokens(in: word, for: .document) { #expect(!token.text.isEmpty) }
        }
    }
}
