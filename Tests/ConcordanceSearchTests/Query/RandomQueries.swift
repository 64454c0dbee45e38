@testable import Concordance
@testable import ConcordanceSearch
import TestSupport

/// Texts and queries of all kinds for property tests.
struct RandomQueries {
    var random: SeededGenerator
    var words = [
        "a", "b", "ab", "abc", "cab", "week", "Weekly", "weekend", "the", "don't", "e-mail", "東京", "京都", "Großmann",
    ]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func word() -> String { words.randomElement(using: &random) ?? "a" }

    /// A text with much of the grammar.
    mutating func grammaticalText() -> String {
        let syntax = [
            "\"", "“", "”", "„", "«", "»", "「", "」", "(", ")", "（", "|", "-", "−", "--", "*", "#", ":", ",", "title:",
            "body:", "title,body:", "nope:", "OR", "AND", "NOT", "NEAR", "NEAR/2", "NEAR(", ", 3)", "or", "\0",
            "\u{301}", "5\"",
            "\"title\":", "->", "...", "?", "\u{200B}", "\u{FEFF}", "🍎", "\u{E000}", "%", "_", "\\", "'", "’",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...14, using: &random) {
            text += Bool.random(using: &random) ? word() : syntax.randomElement(using: &random) ?? ""
            if Int.random(in: 0..<3, using: &random) > 0 { text += " " }
        }
        return text
    }

    /// Any scalars.
    mutating func wildText() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            let limit: UInt32 = [0x80, 0x300, 0x3100, 0x11_0000].randomElement(using: &random) ?? 0x80
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }

    /// Words and phrases, put together up to a depth.
    mutating func node(depth: Int) -> SearchQuery.Node {
        let isPrefix = Int.random(in: 0..<4, using: &random) == 0
        switch Int.random(in: 0..<(depth > 0 ? 10 : 4), using: &random) {
        case 0: return .word(word(), isPrefix: isPrefix)
        case 1: return .similar(word(), isPrefix: isPrefix)
        case 2: return .phrase(words(1...3).joined(separator: " "), isPrefix: isPrefix)
        case 3:
            return .near(words(1...3), distance: Int.random(in: 0...3, using: &random), isPrefix: isPrefix)
        case 4:
            let fields = [["title"], ["body"], ["body", "title"]].randomElement(using: &random) ?? []
            return .fields(fields, node(depth: depth - 1))
        case 5, 6: return .all(nodes(depth: depth - 1))
        case 7, 8: return .any(nodes(depth: depth - 1))
        default:
            let base = Bool.random(using: &random) ? node(depth: depth - 1) : nil
            return .excluding(base, nodes(depth: depth - 1))
        }
    }

    mutating func words(_ count: ClosedRange<Int>) -> [String] {
        (0..<Int.random(in: count, using: &random)).map { _ in word() }
    }

    private mutating func nodes(depth: Int) -> [SearchQuery.Node] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in node(depth: depth) }
    }
}
