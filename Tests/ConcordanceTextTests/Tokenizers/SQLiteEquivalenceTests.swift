import ConcordanceText
import Foundation
import TestSupport
import Testing

/// What a random text is tested with: a tokenizer of SQLite with random options.
enum TokenizerKind: String, CaseIterable, CustomTestStringConvertible {
    case unicode61, unicode61WithOptions, ascii, porter, trigram

    var testDescription: String { rawValue }

    func components(_ random: inout RandomText) -> [String] {
        switch self {
        case .unicode61: ["unicode61", "remove_diacritics", random.oneOf(["0", "1", "2"])]
        case .unicode61WithOptions:
            ["unicode61", "remove_diacritics", random.oneOf(["0", "1", "2"])]
                + (random.below(2) == 0 ? ["categories", random.categories()] : [])
                + (0..<random.below(4)).flatMap { _ in
                    [random.oneOf(["tokenchars", "separators", "TokenChars"]), random.characters()]
                }
        case .ascii:
            ["ascii"]
                + (0..<random.below(4)).flatMap { _ in
                    [random.oneOf(["tokenchars", "SEPARATORS"]), random.characters()]
                }
        case .porter:
            ["porter"]
                + random.oneOf([[], ["ascii"], ["unicode61", "remove_diacritics", "2"], ["porter"], ["trigram"]])
        case .trigram: ["trigram"] + random.oneOf([[], ["case_sensitive", "0"], ["case_sensitive", "1"]])
        }
    }
}

@Suite("Tokens are SQLite's, byte for byte")
struct SQLiteEquivalenceTests {
    private let sqlite: SQLiteTokenizers

    init() throws { sqlite = try SQLiteTokenizers() }

    /// Whether the SQLite at hand defines the tokenizer as ours does.
    private func isComparable(_ components: [String]) -> Bool {
        if components.contains("trigram"), SQLiteTokenizers.version >= 3_045_000 {
            print("SKIPPED: SQLite \(SQLiteTokenizers.version) defines trigram differently")
            return false
        }
        return true
    }

    /// The UTF-8 of a code point; empty for a surrogate.
    private func utf8(_ codePoint: UInt32) -> [UInt8] {
        Unicode.Scalar(codePoint).map { Array(UTF8.encode($0) ?? UTF8.encodedReplacementCharacter) } ?? []
    }

    /// The first difference between the two, with the shortest text that shows it; nil if there is none.
    private func difference(_ ours: any Tokenizer, _ theirs: any Tokenizer, _ text: [UInt8]) -> String? {
        func differs(_ text: [UInt8]) -> Bool { ours.log(text) != theirs.log(text) }
        guard differs(text) else { return nil }
        var text = text
        var step = max(1, text.count / 2)
        while step > 0 {
            var start = 0
            while start < text.count {
                let shorter = Array(text[..<start] + text[min(start + step, text.count)...])
                if differs(shorter) { text = shorter } else { start += step }
            }
            step /= 2
        }
        return "\(text.readable): ours \(ours.log(text).calls), SQLite's \(theirs.log(text).calls)"
    }

    private func compare(_ components: [String], texts: some Sequence<[UInt8]>) throws {
        guard isComparable(components) else { return }
        let ours = try TokenizerSpecification(components: components).makeTokenizer()
        let theirs = try #require(try sqlite.make(components), "SQLite refuses \(components)")
        for text in texts {
            if let difference = difference(ours, theirs, text) {
                Issue.record("\(components): \(difference)")
                return
            }
        }
    }

    @Test("on random text with random options", arguments: TokenizerKind.allCases, TextKind.allCases)
    func randomText(tokenizer: TokenizerKind, kind: TextKind) throws {
        let seed = UInt64(tokenizer.rawValue.utf8.count * 100 + kind.rawValue.utf8.count)
        var random = RandomText(seed: seed)
        for _ in 0..<(kind == .longTokens ? 4 : 40) {
            let components = tokenizer.components(&random)
            try compare(components, texts: (0..<5).map { _ in random.text(kind) })
        }
    }

    @Test("for every code point, alone, inside a token and after one", arguments: ["0", "1", "2"])
    func everyCodePoint(removeDiacritics: String) throws {
        // In the planes where SQLite has no data, one block of 256 in sixteen.
        let blocks = stride(from: UInt32(0), to: 0x11_0000, by: 256).filter { (first: UInt32) -> Bool in
            let hasData = first < 0x3_0000 || (0xE_0000..<0xE_0200).contains(first)
            return hasData || (first >> 8) % 16 == 0
        }
        let texts = blocks.lazy.map { first -> [UInt8] in
            var text: [UInt8] = []
            for c in first..<first + 256 {
                let scalar = utf8(c)
                text += scalar
                text += Array(" a".utf8)
                text += scalar
                text += Array("b.".utf8)
            }
            return text
        }
        try compare(["unicode61", "remove_diacritics", removeDiacritics], texts: texts)
    }

    @Test(
        "for every code point in every category",
        arguments: [
            "Cc", "Cf", "Cn", "Co", "Cs", "LC", "Ll", "Lm", "Lo", "Lt", "Lu", "Mc", "Me", "Mn", "Nd", "Nl", "No", "Pc",
            "Pd", "Pe",
            "Pf", "Pi", "Po", "Ps", "Sc", "Sk", "Sm", "So", "Zl", "Zp", "Zs", "L*", "M*", "N*", "P*", "S*", "Z*", "C*",
        ])
    func everyCategory(name: String) throws {
        // All of the two-byte characters, a seventh of the others.
        let seventh = UInt32(name.utf8.reduce(0, &+) % 7)
        var text: [UInt8] = []
        for c in UInt32(1)..<0x1_0000 where c < 0x800 || c % 7 == seventh {
            text += utf8(c)
            text.append(0)
        }
        try compare(["unicode61", "categories", name], texts: [text])
    }

    @Test("for numbers that are not code points")
    func beyondUnicode() throws {
        var random = RandomText(seed: 11)
        let texts = (0..<2000).map { _ -> [UInt8] in
            var text = [0x61, UInt8(0xC0 + random.below(64))]
            for _ in 0..<random.below(9) { text.append(UInt8(0x80 + random.below(64))) }
            return text + [0x62, 0x20]
        }
        for components in [
            ["unicode61"], ["unicode61", "categories", "So"], ["unicode61", "tokenchars", "\u{FFFD}"], ["ascii"],
        ] {
            try compare(components, texts: texts)
        }
        try compare(["trigram"], texts: texts)
    }

    @Test("for a token of a megabyte, and the next one", arguments: [["unicode61"], ["ascii"], ["porter"]])
    func megabyteToken(components: [String]) throws {
        let token = [UInt8](repeating: UInt8(ascii: "A"), count: 1 << 20)
        try compare(components, texts: [token + Array(" b".utf8), Array("relational".utf8)])
    }

    @Test(
        "on real text in many languages",
        arguments: [
            "corpora/progit2-en.jsonl", "corpora/progit2-de.jsonl", "corpora/progit2-ja.jsonl",
            "corpora/rustbook-en.jsonl",
            "relevance/xquad-ru/corpus.jsonl", "relevance/xquad-th/corpus.jsonl", "relevance/xquad-zh/corpus.jsonl",
            "relevance/jsquad-ja/corpus.jsonl", "relevance/medline/corpus.jsonl",
        ])
    func realText(path: String) throws {
        guard let url = SharedData.url(path) else { return }
        let bytes = try Array(Data(contentsOf: url, options: .alwaysMapped).prefix(600_000))
        // Eight pieces spread over the file; their ends may cut a character.
        let texts = (0..<8).map { piece in Array(bytes[(bytes.count / 8 * piece)...].prefix(3000)) }
        for components in [
            ["unicode61"], ["unicode61", "remove_diacritics", "2"], ["ascii"], ["porter"], ["porter", "ascii"],
            ["trigram"],
        ] {
            try compare(components, texts: texts)
        }
    }

    @Test("and the arguments that are refused are those that SQLite refuses")
    func arguments() throws {
        var random = RandomText(seed: 5)
        let words = [
            "remove_diacritics", "REMOVE_DIACRITICS", "tokenchars", "separators", "categories", "case_sensitive", "0",
            "1", "2", "3",
            "", "01", "-", "é", "L*", "L* N*", "l*", "X*", "Lx", "L", "*", "Lu,Ll", "  ", "unicode61", "ascii",
            "Porter", "nonsense",
        ]
        var accepted = 0
        for _ in 0..<4000 {
            let name = random.oneOf(["unicode61", "ascii", "trigram", "porter", "UNICODE61", "Ascii", "none"])
            var components = [name] + (0..<random.below(5)).map { _ in random.oneOf(words) }
            if random.below(2) == 0, components.count % 2 == 0 { components.removeLast() }
            // SQLite 3.40 reads past the end of an odd number of trigram's arguments.
            if name == "trigram", components.count % 2 == 0 { components.removeLast() }
            // And it does not know remove_diacritics there.
            if name == "trigram", components.contains(where: { $0.lowercased() == "remove_diacritics" }) { continue }
            let theirs = try sqlite.make(components) != nil
            accepted += theirs ? 1 : 0
            let ours = (try? TokenizerSpecification(components: components)) != nil
            #expect(ours == theirs, "\(components)")
        }
        #expect(accepted > 500, "too few of the arguments are good to mean anything")
    }
}
