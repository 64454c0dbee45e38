import ConcordanceText
import TestSupport
import Testing

@Suite("Any analyzer takes any bytes")
struct HostileFilterTests {
    @Test("An analyzer of many filters takes no more than their number")
    func manyFilters() throws {
        let lists = Array(repeating: ["stop", "en", "synonyms", "cat, feline"], count: 100).joined()
        let listed = try Analyzer(components: ["words"] + lists).makeTokenizer()
        #expect(listed.tokens(in: "the cat").map(\.text) == ["cat"] + Array(repeating: "feline", count: 100))
        let pieces = Array(repeating: ["ngrams", "1", "255"], count: 5).joined()
        let cut = try Analyzer(components: ["words"] + pieces).makeTokenizer()
        #expect(cut.tokens(in: "abc").map(\.text) == ["a", "ab", "abc", "b", "bc", "c"])
    }

    @Test(
        "Offsets stay within the text and in order, the output is bounded, and a second run repeats it",
        arguments: 0..<60)
    func randomAnalyzers(seed: Int) {
        var random = RandomText(seed: UInt64(seed) &+ 1000)
        let analyzer = random.analyzer()
        let tokenizer = analyzer.makeTokenizer()
        for kind in TextKind.allCases {
            let text = random.text(kind)
            for reason in [.document, .query, [.query, .prefix], .auxiliary] as [TokenizationReason] {
                let log = tokenizer.log(text, for: reason)
                let calls = log.calls
                var start: Int32 = 0
                for call in calls {
                    // A tokenizer alone does what SQLite's does: `trigram` may point beyond a text that ends within a
                    // character.
                    if analyzer.filters.isEmpty { break }
                    #expect(
                        call.start >= start && call.end >= call.start && Int(call.end) <= text.count,
                        "\(analyzer) \(text.readable) \(call)")
                    start = call.start
                }
                #expect(calls.first?.flags ?? 0 == 0, "\(analyzer) \(text.readable)")
                #expect(calls.allSatisfy { !$0.bytes.isEmpty }, "\(analyzer) \(text.readable)")
                // Six filters, each of which multiplies at most by its pieces or alternatives.
                #expect(calls.count <= (text.count + 16) * 600, "\(analyzer): \(calls.count) tokens")
                #expect(tokenizer.log(text, for: reason) == log, "\(analyzer) \(text.readable)")
            }
            let document = tokenizer.log(text).calls.filter { $0.flags == 0 }.count
            #expect(tokenizer.log(text, for: .auxiliary).calls.filter { $0.flags == 0 }.count == document)
        }
    }

    @Test("The sink's code stops every filter", arguments: 0..<60)
    func stopping(seed: Int) {
        var random = RandomText(seed: UInt64(seed) &+ 5000)
        let analyzer = random.analyzer()
        let text = Array("The first New York nyc l'avion 中国カタカナ dog's Müller ".utf8)
        let tokenizer = analyzer.makeTokenizer()
        let all = tokenizer.log(text).count
        for limit in [1, 2, all / 2, all] where limit > 0 && limit <= all {
            let log = TokenLog(limit: limit)
            let code = log.record { sink in
                text.withUnsafeBufferPointer { tokenizer.tokenize($0, for: .document, into: sink) }
            }
            #expect(code == 7 && log.count == limit, "\(analyzer) \(limit) of \(all)")
        }
        #expect(tokenizer.log(text).count == all, "\(analyzer): the next text begins anew")
    }

    @Test(
        "Long tokens, long runs of marks and long runs of characters take a moment",
        arguments: ["a", "é", "a\u{301}\u{323}", "\u{301}\u{323}\u{345}", "中", "カ", "ﷺ", "'", "ae", "\u{1100}"])
    func longTexts(piece: String) {
        let text = String(repeating: piece, count: 20_000)
        for analyzer in [Analyzer.standard, .german, .japanese, .chinese, Analyzer(.ascii(), .nfkc, .ngrams(2...3))] {
            let log = analyzer.makeTokenizer().log(Array(text.utf8))
            #expect(log.count < 1_000_000, "\(analyzer)")
        }
    }
}
