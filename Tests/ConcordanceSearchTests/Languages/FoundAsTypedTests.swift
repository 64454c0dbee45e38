import Concordance
import TestSupport
import Testing

/// Words that people type otherwise than a text has them.
@Suite("Words are found as people type them")
struct FoundAsTypedTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let tokenizer: String
        let text: String
        let query: String

        var testDescription: String { "\(tokenizer): \(query) in \(text)" }
    }

    private static func cases(_ tokenizer: String, _ pairs: [(String, String)]) -> [Case] {
        pairs.map { Case(tokenizer: tokenizer, text: $0.0, query: $0.1) }
    }

    /// The same word, written otherwise in the text than in the query.
    static let accents: [Case] = [
        cases("pt", [("Sao Paulo", "\"São Paulo\""), ("educacao", "educação"), ("educação", "educacao")]),
        cases("ro", [("Bucuresti", "București")]),
        cases("pl", [("Krakow", "Kraków")]),
        cases("cs", [("Plzen", "Plzeň")]),
        cases("es", [("comio", "comió")]),
        cases("hi", [("कम्पनी", "कम्*"), ("हिन्दी", "हिन*")]),
        cases("guess en lo", [("ຕຳແໜ່ງ", "\"ຕຳແໜ່ງ\""), ("my ໝໍ here", "ໝໍ")]),
        cases(
            "guess en ko",
            [
                ("naïve하다", "naïve하다"), ("Москва에서", "\"Москва에서\""), ("Beyoncé의 노래", "\"Beyoncé의\""),
                ("open 파일1.txt now", "\"파일1.txt now\""), ("Foo'와", "\"Foo'와\""),
                ("GitHub에서", "\"GitHub\u{110B}\u{1166}\u{1109}\u{1165}\""),
            ]),
        cases("guess en pt", [("as informacoes que ele deu", "informações")]),
    ].flatMap { $0 }

    /// Texts in one language with words of another that is written without spaces.
    static let mixed =
        cases(
            "guess en zh",
            [
                ("Windows 11 系统 activation tool download page", "系统"),
                ("AI技术 is the word for the technology of today", "AI技术"),
                ("Windows系统 and other systems of today", "\"Windows系统\""), ("苹果iPhone手机", "苹果iPhone手机"),
                ("the 北京大学 library", "\"the 北京大学 library\""),
                (String(repeating: "the English language ", count: 60) + "北京大学", "北京大学"),
            ])
        + cases(
            "guess en ja",
            [
                ("We went to 東京 last year", "東京"), ("Toyota (トヨタ) is a company", "トヨタ"),
                ("YouTube動画 are watched by many people", "YouTube動画"), ("the ﾄﾖﾀ company", "トヨタ"),
            ])
        + cases(
            "guess en ko zh",
            [
                ("Samsung Galaxy S24 Ultra 갤럭시 case", "갤럭시"), ("LG전자 OLED TV is the best of all", "LG전자"),
                ("the LG전자 OLED TV", "\"LG전자 OLED\""), ("서울大 교수", "\"서울大 교수\""), ("중국産 쌀", "중국産"),
                ("A한글B here", "\"A한글B here\""), ("서울東京", "서울東京"), ("中文网站上的 갤럭시 手机", "갤럭시"), ("한국어 系統 문장입니다", "系統"),
            ])
        + cases("guess en th", [("The word สวัสดีครับ means hello", "สวัสดี"), ("คำว่า hello แปลว่าสวัสดี", "hello")])
        + cases("guess th zh", [("東京都の人口は多い", "人口")])

    /// Words of other languages that could be pinyin.
    static let pinyin = cases(
        "zh",
        [
            ("An adventure begins", "adventure"), ("we eliminate it", "eliminate"), ("higher education", "education*"),
            ("the situation now", "situation*"), ("the population", "population"), ("academia", "academia"),
            ("中华人民共和国", "zhonghuarenmin"), ("中华人民共和国", "zhonghuarenmingonghe"),
            ("中华人民共和国", "zhonghuarenmingongheguo"),
        ])

    /// A misspelt word seldom has the stem of the right one.
    static let typos =
        cases("en", [("business", "buisness~"), ("definitely", "definately~"), ("artillery", "artiller~")])
        + cases("de", [("Kapitel", "Kapite~")]) + cases("ru", [("читали", "чиатли~")])
        + cases("it", [("liberi", "libeir~")])

    static let vietnamese = cases(
        "vi",
        [
            ("Mỹ", "Mỹ*"), ("kỹ", "kỹ*"), ("my", "my*"), ("hoá", "hoá*"), ("quý khách", "quý*"), ("thuỷ", "thuỷ*"),
            ("quy định", "\"qui định\""), ("quý khách", "\"quí khách\""), ("người", "ngươi*"), ("việt", "viêt*"),
            ("đường", "đương*"), ("trường", "trương*"),
        ])

    static let apostrophes =
        cases("he", [("ג'ירפה", "גירפה"), ("ג׳ינס", "\"ג'ינס\""), ("ג'ירפה", "\"ג׳ירפה\"")])
        + ["zh", "ja", "ko", "th", "fa", "en"].flatMap {
            cases($0, [("O'Neil", "oneil"), ("don’t", "dont"), ("OʼBrien", "obrien")])
        }
        + cases("zh", [("John's", "john"), ("l’avion", "avion")])
        + cases("uk", [("пʼять", "\"п'ять\""), ("об'єкт", "\"обʼєкт\"")]) + cases("en", [("O‘Brien", "\"O'Brien\"")])

    static let armenian = ["hy", "standard"].flatMap {
        cases($0, [("Ինչպե՞ս", "ինչպես"), ("Ո՞վ", "ով"), ("Գնա՛", "գնա"), ("Երևան", "ԵՐԵՎԱՆ"), ("Երևան", "երեվան")])
    }

    /// A syllable gets its last consonant last, and a letter alone is the beginning of one.
    static let korean = cases(
        "ko",
        [
            ("한글", "한그*"), ("한글", "한ㄱ*"), ("한글", "한글*"), ("대한민국 한글", "\"한국\" OR 한그*"), ("안녕하세요", "안녀*"),
            ("값이 싸다", "값ㅇ*"),
        ])

    static let chinese = cases(
        "zh",
        [
            ("爲什麼", "为什么"), ("裏面", "里面"), ("裏面", "裡面"), ("上綫", "上线"), ("羣衆", "群众"), ("説話", "说话"), ("鷄肉", "鸡肉"),
            ("滙豐", "汇丰"), ("啓動", "启动"), ("山峯", "山峰"),
        ])

    /// Characters that fold to letters and digits are parts of words.
    static let compatible =
        cases("standard", [("CO₂ and H₂O", "CO2"), ("CO2", "\"CO₂\""), ("x₁₂ + 1", "x12"), ("a room of 25㎡", "25m2")])
        + cases("ja", [("体重3㎏", "3kg"), ("㍿山田", "株式会社"), ("株式会社", "\"㍿\"")])

    /// A database with an empty table `t` that has one column.
    private static func table(_ tokenizer: String) throws -> Database {
        let db = try Database(path: ":memory:")
        try db.execute(
            sql: "CREATE VIRTUAL TABLE t USING concordance(text, tokenize='concordance \(tokenizer)')")
        return db
    }

    @Test(
        arguments: accents + mixed + pinyin + typos + vietnamese + apostrophes + armenian + korean + chinese
            + compatible)
    func find(each: Case) throws {
        let db = try Self.table(each.tokenizer)
        try db.execute("INSERT INTO t VALUES (\(each.text)), ('other')")
        #expect(
            try Int64.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid", arguments: [each.query])
                == [1])
        let marked = try String.fetchOne(
            db, sql: "SELECT highlight(t, 0, '[', ']') FROM t WHERE t MATCH ?", arguments: [each.query])
        #expect(marked?.contains("[") == true)
        try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
    }

    /// Whatever the scripts of a word: as a text, and within a text.
    @Test(arguments: ["en ko", "ko en", "en zh", "zh ja en", "en ja ko", "en ko zh ja th", "de th", "en fr"])
    func mixedWordsFindThemselves(languages: String) throws {
        var random = SeededGenerator(seed: 17)
        let pieces = ["A", "LG", "the", "2024", "한글", "서울", "大", "東京", "ラーメン", "中国人", "สวัสดี", "国", "-", "é"]
        let db = try Self.table("guess \(languages)")
        for _ in 0..<150 {
            let word = (0..<Int.random(in: 2...4, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            let texts = [word, "we know the \(word) of this great city from the news"]
            for (text, query) in zip(texts, [word, "the \(word) of"]) {
                try db.execute(sql: "DELETE FROM t")
                try db.execute("INSERT INTO t VALUES (\(text))")
                let count = try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM t WHERE t MATCH ?", arguments: ["\"\(query)\""])
                #expect(count == 1 || word.allSatisfy { $0 == "-" }, "\(query) in \(text)")
            }
        }
    }

    /// The other direction of what is folded: what differs stays apart.
    @Test(
        arguments: [
            cases(
                "vi", [("dương", "đường"), ("người", "ngược*"), ("tới", "tôi*"), ("dài", "đ*"), ("name", "năm*")]),
            cases("es", [("disponible", "diseñ*"), ("dista", "diseño")]), cases("eo", [("la", "laŭ")]),
            cases("hi", [("संदेश", "सम*")]), cases("hu", [("megnéz", "megkö*")]),
            cases("ko", [("한국", "한그*"), ("한글", "한나*")]), cases("zh", [("北京", "beijingdaxue")]),
            cases("en", [("business", "buisness")]), cases("guess en zh", [("the 系统 of all", "統計")]),
            cases("guess en ko", [("now A한글C", "\"now A한글B\""), ("서울東", "서울대")]),
        ].flatMap { $0 })
    func findNothingElse(each: Case) throws {
        let db = try Self.table(each.tokenizer)
        try db.execute("INSERT INTO t VALUES (\(each.text))")
        #expect(
            try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH ?", arguments: [each.query]) == 0)
    }
}
