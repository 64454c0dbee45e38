import ConcordanceText
import Foundation
import TestSupport
import Testing

@Suite("What folds together is found, and what does not is not")
struct FoldingTests {
    private static let languages: [String: Analyzer] = [
        "de": .german, "fr": .french, "vi": .vietnamese, "tr": .turkish, "pl": .polish, "da": .danish, "el": .greek,
        "ja": .japanese, "zh": .chinese, "ko": .korean, "en": .english,
    ]

    @Test("Every judged pair holds with its language's analyzer")
    func pairs() throws {
        guard let url = SharedData.url("folding/pairs.tsv") else { return }
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
        #expect(lines.count >= 20)
        for line in lines {
            let fields = line.split(separator: "\t").map(String.init)
            let analyzer = try #require(Self.languages[fields[0]], "\(line)")
            #expect(analyzer.finds(fields[1], in: fields[2]) == (fields[3] == "match"), "\(line)")
            #expect(analyzer.finds(fields[2], in: fields[1]) == (fields[3] == "match"), "other way round: \(line)")
        }
    }

    @Test(
        "The analyzer for any language finds",
        arguments: [
            ("Encyclopaedia", "Encyclopædia"), ("Grossmann", "Großmann"), ("GROSSMANN", "Großmann"),
            ("fidelite", "ﬁdélité"), ("Diyarbakir", "Diyarbakır"), ("jerome", "Jérôme"), ("STRASSE", "Straße"),
            ("don't", "Don’t"), ("oeuvre", "œuvre"), ("Smorrebrod", "smørrebrød"), ("Lodz", "Łódź"),
            ("Thor", "Þór"), ("duong", "đường"), ("avion", "l’avion"), ("arte", "dell'arte"), ("sqlite", "SQLite's"),
            ("елка", "ёлка"), ("αθηνα", "Αθήνα"), ("οδος", "ΟΔΟΣ"), ("١٢٣", "١٢٣"), ("123", "１２３"),
            ("cooperate", "co\u{AD}operate"), ("שלום", "שָׁלוֹם"), ("محمد", "مُحَمَّد"), ("ガイド", "ｶﾞｲﾄﾞ"),
            ("中国", "我在中国"), ("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"), ("ijs", "ĳs"),
            ("naive", "nai\u{308}ve"), ("İzmir", "izmir"), ("ﬀ", "ff"), ("Ålesund", "A\u{30A}lesund"),
        ])
    func standard(query: String, document: String) {
        #expect(Analyzer.standard.finds(query, in: document))
    }

    @Test(
        "and does not find",
        arguments: [
            ("Мои", "Мой"), ("ha", "ば"), ("ka", "が"), ("Bauer", "Baur"), ("Mueller", "Müller"),
            ("か", "が"), ("し", "じ"),
        ])
    func differences(query: String, document: String) {
        #expect(!Analyzer.standard.finds(query, in: document))
    }

    @Test(
        "first is 1st in English, by query and by document",
        arguments: [("first", "1st place"), ("1st", "the First"), ("twentieth", "20th")])
    func ordinals(query: String, document: String) {
        #expect(Analyzer.english.finds(query, in: document))
    }

    @Test(
        "Umlauts have one form, whichever way they are spelled",
        arguments: [
            ("Müller Mueller Muller MÜLLER", "muller muller muller muller"), ("Bauer Baur", "bauer baur"),
            ("Quelle Qulle", "quelle qulle"), ("Goethe Göthe", "gothe gothe"),
            ("weißbier WEISSBIER", "weissbier weissbier"),
            ("Aeneas Äneas", "aneas aneas"), ("neue steuer", "neue steuer"), ("u\u{308}ber", "uber"),
        ])
    func german(text: String, tokens: String) {
        #expect(Analyzer(.words(), .fold, .latin, .german).line(text) == tokens)
    }

    @Test("Folds can be used one by one")
    func single() {
        func line(_ filter: Analyzer.Filter, _ text: String) -> String { Analyzer(.words(), filter).line(text) }
        #expect(line(.caseFolding, "Straße ÉTÉ ΟΔΟΣ") == "strasse été οδοσ")
        #expect(line(.diacritics, "Été Ångström Ёж Йод Їжак ﬁn") == "Ete Angstrom Еж Йод Їжак ﬁn")
        #expect(line(.latin, "Été Ærø ﬁn Αθήνα") == "Ete AEro fin Αθήνα")
        #expect(line(.nfkc, "ﬁn É") == "fin É")
        #expect(line(.kana, "ガ") == "ガ")
        #expect(line(.width, "Ａｂ ｶﾞ") == "Ab ガ")
        #expect(line(.ignorables, "a\u{200D}b") == "ab")
        #expect(Analyzer(.words(), .caseFolding, .scandinavian).line("Aarhus Århus Øl oel") == "arhus arhus ol ol")
    }

    @Test("Tokens stand where the words stand in the text, whatever folding does to their length")
    func offsets() {
        let text = "x ﬁdélité ẞ \u{1F600} İstanbul"
        for token in Analyzer.standard.makeTokenizer().tokens(in: text) {
            let word = String(decoding: Array(text.utf8)[token.range], as: UTF8.self)
            #expect(
                ["x": "x", "fidelite": "ﬁdélité", "ss": "ẞ", "\u{1F600}": "\u{1F600}", "istanbul": "İstanbul"][
                    token.text] == word)
        }
    }
}
