import ConcordanceText
import TestSupport
import Testing

private let specifications: [TokenizerSpecification] = [
    .unicode61(), .unicode61(.init(removeDiacritics: .full, tokenCharacters: "-_é", separators: "x中")), .ascii(),
    .ascii(.init(tokenCharacters: ".")), .porter(), .porter(.ascii()), .trigram(), .trigram(.init(caseSensitive: true)),
    .trigram(.init(removeDiacritics: true)), .words(),
]

private let sample = """
    The quick (“brown”) fox can’t jump 32.3 feet, right? Straße, Ærøskøbing, naïve café; ΑΒΓ Ωmega, Привет мир!
    日本語のテキスト、カタカナ と ひらがな。 한국어 텍스트 ภาษาไทย 🎉👩‍👩‍👧 🇩🇪🇫🇷 user_name@example.com relational connections
    """

@Suite("What holds for every tokenizer")
struct TokenizerContractTests {
    @Test("The sink's code stops the tokenizer and is returned", arguments: specifications)
    func stopping(specification: TokenizerSpecification) {
        let tokenizer = specification.makeTokenizer()
        let text = Array(sample.utf8)
        let all = tokenizer.log(text).calls
        for limit in [1, 2, all.count / 2, all.count] {
            let log = TokenLog(limit: limit, stopCode: 42)
            let code = log.record { sink in
                text.withUnsafeBufferPointer { tokenizer.tokenize($0, for: .query, into: sink) }
            }
            #expect(code == 42)
            #expect(log.calls == Array(all.prefix(limit)))
        }
        // And it starts afresh.
        #expect(tokenizer.log(text).calls == all)
    }

    @Test("Tokens stand in order, inside the text", arguments: specifications, TextKind.allCases)
    func offsets(specification: TokenizerSpecification, kind: TextKind) {
        var random = RandomText(seed: 3)
        let tokenizer = specification.makeTokenizer()
        for _ in 0..<20 {
            let text = random.text(kind)
            var last: Int32 = 0
            for call in tokenizer.log(text).calls {
                #expect(call.start >= last && call.start < text.count, "\(text.readable): \(call)")
                // SQLite's trigram counts the end by the folded bytes.
                if case .trigram = specification {
                } else {
                    #expect(call.end > call.start && call.end <= text.count, "\(text.readable): \(call)")
                }
                last = call.start
            }
        }
    }

    @Test("An empty text and a null one have no tokens", arguments: specifications)
    func emptyText(specification: TokenizerSpecification) {
        let log = TokenLog()
        let tokenizer = specification.makeTokenizer()
        log.record { tokenizer.tokenize(UnsafeBufferPointer(start: nil, count: 0), for: .query, into: $0) }
        #expect(log.count == 0)
        #expect(tokenizer.log([]).count == 0)
    }

    @Test("A specification prints what it is read from", arguments: specifications)
    func roundTrip(specification: TokenizerSpecification) throws {
        #expect(try TokenizerSpecification(components: specification.components) == specification)
    }

    @Test("Options read from random arguments print to arguments that read the same")
    func optionsRoundTrip() throws {
        var random = RandomText(seed: 9)
        for kind in TokenizerKind.allCases {
            for _ in 0..<200 {
                let specification = try TokenizerSpecification(components: kind.components(&random))
                #expect(try TokenizerSpecification(components: specification.components) == specification)
            }
        }
    }
}

/// A sink that has the tokenizer tokenize another text at each token.
private final class RecursiveSink {
    let tokenizer: any Tokenizer
    let inner: [UInt8]
    var tokens: [[UInt8]] = []

    init(_ tokenizer: any Tokenizer, inner: [UInt8]) {
        self.tokenizer = tokenizer
        self.inner = inner
    }

    func run(_ text: [UInt8]) {
        let sink = TokenSink(context: Unmanaged.passUnretained(self).toOpaque()) { context, _, token, count, _, _ in
            guard let context, let token else { return 1 }
            let sink = Unmanaged<RecursiveSink>.fromOpaque(context).takeUnretainedValue()
            _ = sink.tokenizer.log(sink.inner)
            sink.tokens.append(Array(UnsafeRawBufferPointer(start: token, count: Int(count))))
            return 0
        }
        _ = text.withUnsafeBufferPointer { tokenizer.tokenize($0, for: .document, into: sink) }
    }
}

@Suite("A sink may call the tokenizer that calls it")
struct TokenizerReentryTests {
    @Test("and gets the same tokens", arguments: specifications)
    func reentry(specification: TokenizerSpecification) {
        let tokenizer = specification.makeTokenizer()
        let text = Array((sample + String(repeating: "é", count: 5000) + " end").utf8)
        let expected = tokenizer.log(text).calls.map(\.bytes)
        let sink = RecursiveSink(tokenizer, inner: Array((String(repeating: "ü", count: 9000) + " x").utf8))
        sink.run(Array(text.prefix(400)))
        #expect(sink.tokens == Array(tokenizer.log(Array(text.prefix(400))).calls.map(\.bytes)))
        #expect(tokenizer.log(text).calls.map(\.bytes) == expected)
    }
}
