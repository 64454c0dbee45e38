@testable import ConcordanceText
import TestSupport
import Testing

@Suite("Analyzers of languages take hostile text in their scripts")
struct HostileScriptTests {
    private static let letters: [WritingSystem: [Unicode.Scalar]] = {
        var letters: [WritingSystem: [Unicode.Scalar]] = [:]
        for value in (0x41...0x323AF as ClosedRange<UInt32>) where value < 0x4F00 || value > 0xA9DF && value < 0xFFFF {
            guard let script = WritingSystem.of(value), let scalar = Unicode.Scalar(value) else { continue }
            letters[script, default: []].append(scalar)
        }
        return letters
    }()

    /// Joiners, direction, marks of other scripts, digits, apostrophes, presentation forms, noncharacters.
    private static let others: [Unicode.Scalar] = [
        " ", " ", " ", "\n", "\u{0}", "'", "’", "-", "_", ".", "\u{200B}", "\u{200C}", "\u{200D}", "\u{200E}",
        "\u{202E}",
        "\u{2066}", "\u{FEFF}", "\u{AD}", "\u{640}", "\u{301}", "\u{308}", "\u{345}", "\u{64B}", "\u{5B0}", "\u{93C}",
        "\u{E48}", "\u{1BA}", "\u{FB01}", "\u{FEFB}", "\u{FDFA}", "٣", "३", "๓", "9", "I", "İ", "ß", "\u{E000}",
        "\u{10FFFD}", "\u{1F468}", "\u{FE0F}", "\u{3099}", "\u{1100}",
    ]

    private static func text(_ language: TextLanguage, _ generator: inout SeededGenerator) -> [UInt8] {
        let script = language.writingSystems.randomElement(using: &generator) ?? .latin
        let own = letters[script] ?? []
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...200, using: &generator) {
            let list = Int.random(in: 0..<4, using: &generator) == 0 ? others : own
            guard let scalar = list.randomElement(using: &generator) else { continue }
            let count = Int.random(in: 0..<40, using: &generator) == 0 ? 80 : 1
            for _ in 0..<count { text.append(scalar) }
        }
        var bytes = Array(String(text).utf8)
        if Bool.random(using: &generator), !bytes.isEmpty {
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        return bytes
    }

    @Test(arguments: TextLanguage.allCases)
    func `tokens stand in the text, in order, bounded, and the same each time`(language: TextLanguage) {
        var generator = SeededGenerator(seed: 17)
        let tokenizer = language.analyzer.makeTokenizer()
        let asking = language.analyzer.ignoring(.language(language)).makeTokenizer()
        for _ in 0..<60 {
            let text = Self.text(language, &generator)
            let place = "\(language): \(String(decoding: text, as: UTF8.self).debugDescription)"
            for reason: TokenizationReason in [.document, .auxiliary, .query, [.query, .prefix]] {
                let log = tokenizer.log(text, for: reason)
                var start: Int32 = 0
                for call in log.calls {
                    #expect(call.start >= start && call.end >= call.start && Int(call.end) <= text.count, "\(place)")
                    #expect(!call.bytes.isEmpty, "\(place)")
                    start = call.start
                }
                #expect(log.calls.first?.flags ?? 0 == 0, "\(place)")
                #expect(log.calls.count <= 40 * (text.count + 1), "\(place)")
                #expect(tokenizer.log(text, for: reason) == log, "\(place)")
            }
            let places = tokenizer.log(text).calls.count { $0.flags == 0 }
            #expect(tokenizer.log(text, for: .auxiliary).calls.count { $0.flags == 0 } == places, "\(place)")
            #expect(
                asking.log(text, for: .query).calls.count { $0.flags == 0 }
                    <= tokenizer.log(text, for: .query).calls.count { $0.flags == 0 }, "\(place)")
        }
    }
}
