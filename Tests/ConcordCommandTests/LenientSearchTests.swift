import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Lenient searches")
struct LenientSearchTests {
    @Test(arguments: [
        ("pthread_create", "pthread create", "pthread_create"), ("a.b-c/d_e", "a b c d e", "a.b-c/d_e"),
        ("don't", "don't", "don't"), ("__", "__", "__"), ("❤", "❤", "❤"),
        ("上海天气", "上海 天气", "上海 海天 天气"), ("天气预报员", "天气 预报员", "天气 气预 预报 报员"),
        ("日本語検索", "日本 語検索", "日本 本語 語検 検索"), ("한국어검색", "한국 어검색", "한국 국어 어검 검색"),
        ("iPhone天气预报", "iPhone 天气 预报", "iPhone 天气 气预 预报"), ("天气", "天气", "天气"),
        ("天气、上海", "天气 上海", "天气 上海"), ("天气预报，雨", "天气 预报 雨", "天气 气预 预报 雨"),
        ("らーめん", "らー めん", "らー ーめ めん"), ("C++天气预报", "C++ 天气 预报", "C++ 天气 气预 预报"),
        ("コンピューター構造", "コンピューター 構造", "コンピューター 構造"),
        ("日本語のテキスト", "日本 語の テキスト", "日本 本語 語の テキスト"),
    ])
    func parts(_ word: String, apart: String, paired: String) {
        #expect(WordParts.apart(word).joined(separator: " ") == apart)
        #expect(WordParts.paired(word).joined(separator: " ") == paired)
    }

    @Test("Words of Chinese, Japanese and Korean are found in other places of a text, without spaces between them")
    func searches() throws {
        let folder = try TemporaryFolder()
        try folder.write("docs/weather.txt", "上海今天天气很好,我们去公园。\n明天北京有雨。\n")
        try folder.write("docs/search.txt", "日本語のテキスト検索を行います。\n")
        try folder.write("docs/korean.txt", "한국어 문서를 빠르게 검색합니다.\n")
        try index(folder["docs"], into: folder["i.db"])
        let searcher = try Searcher(IndexFile(path: folder["i.db"], isReadOnly: true))
        for (query, name) in [
            ("上海天气", "weather.txt"), ("北京明天", "weather.txt"), ("今天天气", "weather.txt"), ("日本語検索", "search.txt"),
            ("한국어검색", "korean.txt"),
        ] {
            let names = try searcher.search(query).hits.map { String($0.path.split(separator: "/").last ?? "") }
            #expect(names == [name], "\(query)")
        }
        #expect(try searcher.search("\"上海天气\"").hits.isEmpty)
        #expect(try searcher.search("经济政策").hits.isEmpty)
    }

    @Test("The line of a hit in a long text is that of its first match")
    func lines() throws {
        let folder = try TemporaryFolder()
        let filler = (1...60_000).map { $0 == 41_007 ? "the needle is here" : "line \($0) of a log" }
        try folder.write("docs/long.txt", filler.joined(separator: "\n"))
        try folder.write("docs/rows.csv", "title,text\nFirst,apple\nSecond,\"pear\nneedles\"\n")
        try index(folder["docs"], into: folder["i.db"])
        let searcher = try Searcher(IndexFile(path: folder["i.db"], isReadOnly: true))
        #expect(try searcher.search("needle").hits.first?.line == 41_007)
        #expect(try searcher.search("pear").hits.first?.line == 3)
    }

    @Test("What a query excludes is said")
    func exclusions() throws {
        let folder = try TemporaryFolder()
        try folder.write("docs/message.txt", "ld: cannot find -lssl: No such file or directory\n")
        try folder.write("docs/other.txt", "cannot find a file\n")
        try index(folder["docs"], into: folder["i.db"])
        let searcher = try Searcher(IndexFile(path: folder["i.db"], isReadOnly: true))
        func summary(_ query: String) throws -> String { SearchCommand.summary(try searcher.search(query)) }
        #expect(try summary("directory -lssl").hasPrefix("Nothing found without lssl ("))
        #expect(try summary("directory -lssl").hasSuffix("put it in quotation marks: \"-x\"."))
        #expect(try summary("cannot find -lssl").hasPrefix("1 document without lssl ("))
        #expect(try summary("cannot find \"-lssl\"").hasPrefix("1 document ("))
        #expect(try !summary("cannot \"find a\"-lssl").contains("without"))
        #expect(try summary("15\" file －lssl").contains("1 document without lssl "))
        // There is nothing that it could be excluded from.
        #expect(try summary("-lssl").hasPrefix("1 document ("))
        #expect(try summary("nowhere").hasPrefix("Nothing found ("))
        let many = (1...7).map { "-x\($0)" }.joined(separator: " ")
        #expect(try summary("directory \(many)").hasPrefix("1 document without x1, x2, x3, x4, x5 and 2 more words ("))
    }
}
