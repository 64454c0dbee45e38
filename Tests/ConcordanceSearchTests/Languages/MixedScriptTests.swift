import Concordance
import Testing

/// Where a run of characters ends and another word follows, a phrase needs the positions of both.
@Suite("Words that are split into pairs or pieces, next to others")
struct MixedScriptTests {
    static let cases: [(analyzer: Analyzer, texts: [String])] = [
        (.korean, ["갤럭시S24 폰", "삼성 갤럭시 폰", "한국2024", "2024년 한국, 서울"]),
        (.chinese, ["苹果iPhone手机", "苹果手机，很好", "中国人 国", "第3章 中国", "A股市场"]),
        (.japanese, ["スマホ2024", "東京都、大阪府", "カタカナ テスト x", "5月の東京"]),
        (.thai, ["ภาษาไทย Thai", "ไทย 2024 ภาษา"]),
        (.standard, ["苹果iPhone手机", "한국2024", "東京都 Tokyo"]),
        (Analyzer(.words(), .fold, .ngrams(2...3)), ["search engine", "well-known", "a search", "abc x"]),
        (Analyzer(.words(), .fold, .ngrams(2...5)), ["search engines, abcd xy", "abcdefgh i jk"]),
        (Analyzer(.words(), .fold, .ngrams(3...3)), ["search engine", "ab abcd"]),
    ]

    @Test(arguments: cases.indices)
    func findThemselves(number: Int) throws {
        let (analyzer, texts) = Self.cases[number]
        let index = SearchIndex("texts", in: "t") {
            Field("title")
            Analysis(analyzer)
        }
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, title TEXT)")
        try db.install(index)
        for text in texts { try db.execute("INSERT INTO t(title) VALUES (\(text))") }
        for (row, text) in texts.enumerated() {
            let words = text.split(whereSeparator: \.isWhitespace)
            let pairs = zip(words, words.dropFirst()).map { "\"\($0) \($1)\"" }
            for query in [text, "\"\(text)\""] + words.map(String.init) + pairs {
                let page = try index.query(query).typos(.none).fetch(db)
                #expect(page.map(\.id).contains(Int64(row + 1)), "\(query) in \(text)")
            }
        }
    }
}
