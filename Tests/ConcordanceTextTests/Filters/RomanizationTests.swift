import ConcordanceText
import Testing

@Suite("Words in other alphabets are found in Latin letters")
struct RomanizationTests {
    static let analyzer = Analyzer(.words(), .fold, .romanized)

    /// Examples of the Korean notification 2000-8, except compounds that insert an n between their words.
    @Test(
        "Revised Romanization of Korean",
        arguments: [
            ("구미", "gumi"), ("영동", "yeongdong"), ("백암", "baegam"), ("옥천", "okcheon"), ("합덕", "hapdeok"),
            ("호법", "hobeop"),
            ("월곶", "wolgot"), ("벚꽃", "beotkkot"), ("한밭", "hanbat"), ("구리", "guri"), ("설악", "seorak"), ("칠곡", "chilgok"),
            ("임실", "imsil"), ("울릉", "ulleung"), ("대관령", "daegwallyeong"), ("백마", "baengma"), ("종로", "jongno"),
            ("왕십리", "wangsimni"), ("별내", "byeollae"), ("신라", "silla"), ("해돋이", "haedoji"), ("같이", "gachi"),
            ("맞히다", "machida"), ("좋고", "joko"), ("놓다", "nota"), ("낳지", "nachi"), ("묵호", "mukho"), ("압구정", "apgujeong"),
            ("낙동강", "nakdonggang"), ("죽변", "jukbyeon"), ("광희문", "gwanghuimun"), ("제주도", "jejudo"), ("독도", "dokdo"),
            ("속리산", "songnisan"), ("독립문", "dongnimmun"), ("촉석루", "chokseongnu"), ("극락전", "geungnakjeon"),
            ("거북선", "geobukseon"), ("다보탑", "dabotap"),
        ])
    func korean(word: String, romanized: String) {
        #expect(Self.analyzer.finds(romanized, in: word))
    }

    @Test(
        "What a word is in a document: itself, then its romanizations, each once",
        arguments: [
            ("Москва", "москва +rz~moskva"), ("Щука", "щука +rz~shuka +rz~shtuka"),
            ("Гоголь", "гоголь +rz~gogol +rz~hohol"),
            ("Αθήνα", "αθηνα +rz~atina"), ("Χανιά", "χανια +rz~chania +rz~hania"),
            ("한국어", "한국어 +rz~hangugeo +rz~hangukeo"),
            ("Moscow", "moscow"), ("я", "я +rz~ia"), ("中国", "中 国"), ("мiр", "мiр"), ("42", "42"), ("שלום", "שלום"),
        ])
    func documents(text: String, line: String) {
        #expect(Self.analyzer.line(text) == line)
    }

    @Test(
        "What a word is in a query",
        arguments: [
            ("moskva", "moskva +rz~moskva"), ("Dostoyevsky", "dostoyevsky +rz~dostoevski"),
            ("Москва", "москва +moskva"),
            ("김치", "김치 +gimchi +kimchi"), ("q2", "q2"), ("a", "a"),
        ])
    func queries(text: String, line: String) {
        #expect(Self.analyzer.line(text, for: .query) == line)
    }

    @Test("Romanizations stand with the first pair of a word")
    func pairs() {
        let analyzer = Analyzer(.words(), .fold, .romanized, .hangul)
        let tokens = analyzer.makeTokenizer().tokens(in: "나는 한국어를")
        let romanized = tokens.filter { $0.text.hasPrefix("rz~hangug") }
        #expect(romanized.map(\.position) == [2, 2])
        #expect(romanized.map(\.range) == [7..<19, 7..<19])
        #expect(tokens.filter { !$0.isColocated }.map(\.text) == ["나는", "는", "한국", "국어", "어를", "를"])
    }

    @Test("The error for a missing dictionary says what to install")
    func missingDictionary() throws {
        do {
            #expect(try Analyzer(components: ["japanese_readings"]) == .japaneseReadings)
        } catch {
            #expect("\(error)".contains("libmecab-dev") || "\(error)".contains("mecab-ipadic"), "\(error)")
            // A program that asks for the tokenizer nevertheless finds what it would find without the dictionary.
            let tokens = Analyzer.japaneseReadings.makeTokenizer().tokens(in: "検索エンジン")
            #expect(tokens == Analyzer.japanese.makeTokenizer().tokens(in: "検索エンジン"))
        }
    }
}
