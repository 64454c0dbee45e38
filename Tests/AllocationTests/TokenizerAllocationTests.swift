import ConcordanceText
import Testing

private let sample = """
    The quick (“brown”) fox can’t jump 32.3 feet, right? Straße, Ærøskøbing, naïve café; ΑΒΓ Ωmega, Привет мир!
    日本語のテキスト、カタカナ と ひらがな。 한국어 텍스트 ภาษาไทย 🎉👩‍👩‍👧 🇩🇪🇫🇷 user_name@example.com relational connections
    """

@Suite("Tokenizers work without allocating")
struct TokenizerAllocationTests {
    @Test(
        "In steady state nothing is allocated",
        arguments: [
            .unicode61(), .unicode61(.init(removeDiacritics: .full, tokenCharacters: "-_é", separators: "x中")),
            .ascii(),
            .porter(), .porter(.ascii()), .trigram(), .trigram(.init(removeDiacritics: true)), .words(),
        ] as [TokenizerSpecification])
    func allocations(specification: TokenizerSpecification) {
        let tokenizer = specification.makeTokenizer()
        let sink = TokenSink(context: nil) { _, _, _, _, _, _ in 0 }
        for text in [String(repeating: sample, count: 20), String(repeating: "abcé", count: 5000)] {
            Array(text.utf8).withUnsafeBufferPointer { text in
                _ = tokenizer.tokenize(text, for: .document, into: sink)
                let count = Allocations.count { _ = tokenizer.tokenize(text, for: .document, into: sink) }
                #expect((count ?? 0) == 0)
            }
        }
        let control = Allocations.count { withExtendedLifetime([Int](repeating: 0, count: Int.random(in: 2...3))) {} }
        #expect(control != 0, "the counter counts nothing")
    }
}
