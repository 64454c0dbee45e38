import ConcordanceText
import TestSupport
import Testing

@Suite("Scripts without spaces between words")
struct ClusterTests {
    @Test func `documents have each cluster and its pair, queries pairs`() {
        #expect(Analyzer.thai.line("กินข้าว") == "กิน +กิ นข้ +น ข้า +ข้ าว +า ว")
        #expect(Analyzer.thai.line("กินข้าว", for: .query) == "กิน นข้ ข้า าว")
        #expect(Analyzer.thai.line("กิ", for: .query) == "กิ")
        #expect(Analyzer.thai.line("ดี test ดี", for: .query) == "ดี test ดี")
    }

    @Test func `zero-width spaces do not separate words, and signs of repetition are left out`() {
        #expect(Analyzer.khmer.line("ភាសា\u{200B}ខ្មែរ", for: .query) == Analyzer.khmer.line("ភាសាខ្មែរ", for: .query))
        #expect(Analyzer.thai.line("เด็กๆ", for: .query) == Analyzer.thai.line("เด็ก", for: .query))
        #expect(Analyzer.thai.finds("เด็กๆ", in: "เด็ก ๆ เล่น"))
        #expect(Analyzer.thai.line("ๆ") == "")
    }

    @Test(arguments: [
        (Analyzer.thai, "น้ำเย็น", "น้ํา\u{E40}ย็น"), (.thai, "ทำงาน", "ทํางาน"), (.lao, "ນ້ຳເຢັນ", "ນ້ໍາເຢັນ"),
    ])
    func `letters that are written in two ways are one`(analyzer: Analyzer, one: String, other: String) {
        #expect(Array(one.utf8) != Array(other.utf8))
        #expect(analyzer.line(one) == analyzer.line(other))
        #expect(analyzer.line(one, for: .query) == analyzer.line(other, for: .query))
    }

    static let scripts: [(Analyzer, String)] = [
        (.thai, "กขคงนมยรลวสหะาิีุเแโ่้์ฯๆ"), (.lao, "ກຂຄງນມຍຣລວສຫະາິີຸເແໂ່້ໆ"), (.khmer, "កខគងនមយរលវសហាិីុេ្ៗ"),
        (.burmese, "ကခဂငနမယရလဝသဟာိီု်ျွ"),
    ]

    @Test(arguments: 0..<80 as Range<UInt64>)
    func `a part of a text from one cluster to another finds the text`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for (analyzer, letters) in Self.scripts {
            let letters = Array(letters.unicodeScalars)
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                let roll = Int.random(in: 0..<20, using: &generator)
                text.append(roll == 0 ? "\u{200B}" : roll == 1 ? " " : letters.randomElement(using: &generator) ?? " ")
            }
            let document = String(text)
            let clusters = Analyzer(.words(), .fold, .latin, .scripts).makeTokenizer().tokens(in: document)
            guard let first = clusters.indices.randomElement(using: &generator),
                let last = (first..<clusters.count).randomElement(using: &generator)
            else { continue }
            // Of one run: a query is split where a space stands.
            let gaps = clusters[first...last].indices.dropFirst().map {
                clusters[$0].range.lowerBound - clusters[$0 - 1].range.upperBound
            }
            if !gaps.allSatisfy({ $0 == 0 || $0 == 3 }) { continue }
            let bytes = Array(document.utf8)[clusters[first].range.lowerBound..<clusters[last].range.upperBound]
            let query = String(decoding: bytes, as: UTF8.self)
            if analyzer.line(query, for: .query).isEmpty { continue }
            #expect(analyzer.finds(query, in: document), "\(query.debugDescription) in \(document.debugDescription)")
        }
    }
}
