import ConcordanceText
import Testing

private let sample = """
    The quick (“brown”) fox can’t jump 32.3 feet, right? Straße, Ærøskøbing, nai\u{308}ve café; ΑΒΓ Ωmega, Привет мир! l'été
    日本語のテキスト、カタカナ と ひらがな。 \u{1112}\u{1161}\u{11AB} 한국어 🎉👩‍👩‍👧 user_name@example.com first New York dog's laptop 中国人民

    """

@Suite("Analyzers work without allocating")
struct AnalyzerAllocationTests {
    @Test(
        "In steady state nothing is allocated",
        arguments: Analyzer.named.map(\.analyzer) + [
            Analyzer(.unicode61(), .fold, .stop(.english), .unique, .length(1...20)),
            Analyzer(
                .words(), .fold,
                .synonyms(Synonyms(groups: [["first", "1st"], ["new york", "nyc", "the big apple"]])), .porter),
            Analyzer(.words(), .nfkc, .ngrams(2...3)), Analyzer(.words(), .edgeNGrams(1...8)),
            Analyzer(.words(), .fold, .stem(.german)), Analyzer(.words(), .cjk, .pinyin, .pinyinInitials, .romaji),
        ])
    func allocations(analyzer: Analyzer) {
        let tokenizer = analyzer.makeTokenizer()
        let sink = TokenSink(context: nil) { _, _, _, _, _, _ in 0 }
        Array(String(repeating: sample, count: 20).utf8).withUnsafeBufferPointer { text in
            _ = tokenizer.tokenize(text, for: .document, into: sink)
            let count = Allocations.count { _ = tokenizer.tokenize(text, for: .document, into: sink) }
            #expect(count == nil || count == 0, "\(String(describing: count)) by \(analyzer)")
        }
    }
}
