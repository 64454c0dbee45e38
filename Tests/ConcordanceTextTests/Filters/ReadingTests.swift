import ConcordanceText
import Foundation
import TestSupport
import Testing

@Suite("Chinese and Japanese are found by their readings")
struct ReadingTests {
    @Test(
        "Pinyin, with and without spaces and tones",
        arguments: [
            ("pinyin", "拼音"), ("pin yin", "拼音"), ("pīnyīn", "拼音"), ("pin1yin1", "拼音"), ("pin1 yin1", "拼音"),
            ("PINYIN", "汉语拼音"), ("zhongguo", "我在中国工作"), ("beijing", "北京大学"), ("beijingdaxue", "北京大学"),
            ("zhonghuarenmingongheguo", "中华人民共和国万岁"), ("chongqing", "重庆"), ("yinhang", "银行"), ("xi'an", "西安"),
            ("xian", "西安"), ("xian", "先生"), ("lvse", "绿色"), ("lüsè", "绿色"), ("nvren", "女人"), ("zhongguo", "中國"),
            ("中国", "zhongguo"), ("中国", "Zhōngguó"), ("中国人", "我是中国人"), ("人", "我是中国人"),
        ])
    func pinyin(query: String, document: String) {
        #expect(Analyzer.chinese.finds(query, in: document))
    }

    @Test(
        "A reading is not a word: characters do not find what sounds alike",
        arguments: [("是", "事"), ("中国", "种果"), ("zhong", "zhongguo"), ("an", "中国"), ("zhongren", "中国人")])
    func homophones(query: String, document: String) {
        #expect(!Analyzer.chinese.finds(query, in: document))
    }

    @Test(
        "Romaji in any spelling",
        arguments: [
            ("romaji", "ローマ字"), ("rōmaji", "ローマ字"), ("katakana", "カタカナ"), ("hiragana", "ひらがな"), ("tokyo", "トーキョー"),
            ("toukyou", "とうきょう"), ("tōkyō", "とうきょう"), ("tookyoo", "トウキョウ"), ("matcha", "まっちゃ"), ("maccha", "まっちゃ"),
            ("shimbun", "しんぶん"), ("shinbun", "シンブン"), ("sinbun", "しんぶん"), ("gakkō", "がっこう"), ("paatii", "パーティー"),
            ("fairu", "ファイル"), ("vaiorin", "ヴァイオリン"), ("huzisan", "ふじさん"), ("kin'en", "きんえん"), ("nihongo", "にほんごです"),
            ("syasin", "しゃしん"), ("konpyuta", "ｺﾝﾋﾟｭｰﾀｰ"), ("chekku", "チェック"), ("guwa", "グワ"), ("がっこう", "ガッコウ"),
            ("コンピュータ", "コンピュータプログラム"), ("desu", "にほんごです"), ("roma", "ローマ字"), ("ohtani", "おおたに"),
        ])
    func romaji(query: String, document: String) {
        #expect(Analyzer.japanese.finds(query, in: document))
    }

    @Test("Every character of a large list is found by its usual reading, most by each of their readings")
    func pinyinRecall() throws {
        guard let url = SharedData.url("cjk-readings/hanzi-pinyin.txt") else { return }
        let analyzer = Analyzer(.words(), .fold, .latin, .pinyin)
        let tokenizer = analyzer.makeTokenizer()
        var usual = (found: 0, all: 0)
        var common = (found: 0, all: 0)
        var missed: [String] = []
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("U+") }
        for (number, line) in lines.enumerated() {
            let code = line.dropFirst(2).prefix { $0 != ":" }
            guard let scalar = UInt32(code, radix: 16).flatMap(Unicode.Scalar.init) else { continue }
            // The common characters, and one in eight of the others.
            let isCommon = (0x4E00...0x9FA5).contains(scalar.value)
            if !isCommon, number % 8 != 0 || scalar.value == 0x3007 { continue }
            let readings = line.drop { $0 != ":" }.dropFirst(2).prefix { $0 != " " }.split(separator: ",")
            let tokens = Set(tokenizer.tokens(in: String(scalar)).map(\.text))
            for (index, reading) in readings.enumerated() {
                let query = Set(tokenizer.tokens(in: String(reading), for: .query).map(\.text))
                let isFound = !query.isDisjoint(with: tokens)
                if index == 0 {
                    usual.all += 1
                    usual.found += isFound ? 1 : 0
                    if !isFound { missed.append("\(scalar) \(reading)") }
                }
                if isCommon, index < 2 {
                    common.all += 1
                    common.found += isFound ? 1 : 0
                }
            }
        }
        print("pinyin recall: usual reading \(usual.found) of \(usual.all), first two \(common.found) of \(common.all)")
        #expect(usual.all > 20_000)
        #expect(usual.found * 1000 >= usual.all * 985, "\(missed.prefix(20))")
        #expect(common.found * 1000 >= common.all * 850)
    }

    @Test("Kana are found by the romaji of a published table and of a morphological list")
    func romajiRecall() throws {
        guard let table = SharedData.url("cjk-readings/kana-romaji-table.tsv"),
            let list = SharedData.url("cjk-readings/japanese-kana-romaji.jsonl")
        else { return }
        var missed: [String] = []
        var count = 0
        func check(_ romaji: String, _ kana: String) {
            count += 1
            if !Analyzer.japanese.finds(romaji, in: kana) { missed.append("\(romaji) \(kana)") }
        }
        for line in try String(contentsOf: table, encoding: .utf8).split(separator: "\n") {
            let fields = line.split(separator: "\t").map(String.init)
            // Lines of kana and their romaji; the others are about a keyboard. Hepburn's mm is んま, never っま.
            guard fields.count == 3, fields[2].utf8.allSatisfy({ (0x61...0x7A).contains($0) }),
                fields[1].unicodeScalars.allSatisfy({ (0x30A1...0x30FA).contains($0.value) }),
                fields[1].unicodeScalars.first?.value ?? 0 != 0x30C3, !fields[2].contains("mm")
            else { continue }
            check(fields[2], fields[0])
            check(fields[2], fields[1])
        }
        for line in try String(contentsOf: list, encoding: .utf8).split(separator: "\n") {
            guard let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String],
                let kana = entry["kana"], let hira = entry["hira"],
                kana.unicodeScalars.allSatisfy({ (0x30A1...0x30FC).contains($0.value) })
            else { continue }
            for system in ["hepburn", "kunrei", "passport"] {
                check(entry[system] ?? "", kana)
                check(entry[system] ?? "", hira)
            }
        }
        #expect(count > 300)
        #expect(missed.isEmpty, "\(missed.count) of \(count): \(missed)")
    }
}
