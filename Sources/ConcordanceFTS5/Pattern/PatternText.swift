import ConcordanceText

/// A text that a user typed, split into strings of FTS5's query language.
///
/// A string of a pattern is the text that a token stands for, not the token: FTS5 tokenizes the strings again, with the
/// table's own tokenizer, and not every tokenizer leaves its own tokens unchanged (Porter's stem of a stem is another
/// one).
struct PatternText {
    /// How many tokens of a text are used in a pattern; more than a page of prose has. FTS5 opens a cursor in its index
    /// for each, and adds each to a list that it copies.
    static let tokenLimit = 1024

    /// Calls its visitor with each token of a text.
    typealias Tokenize = (UnsafeBufferPointer<UInt8>, (Token) throws -> Void) throws -> Void

    /// The strings, each in double quotes, in the order of the text.
    private(set) var strings: [String] = []
    /// The whole text, from its first token to its last, in double quotes; nil if there are no tokens.
    private(set) var phrase: String?
    /// For each string, whether no string before it has the same tokens.
    private(set) var isFirst: [Bool] = []

    init(_ text: String, tokenize: Tokenize) rethrows {
        var text = text
        try text.withUTF8 { utf8 in
            var collector = Collector()
            do {
                try tokenize(utf8) { try collector.add($0) }
            } catch is LimitReached {}
            strings = collector.ranges.map { Self.quoted(utf8, $0) }
            isFirst = collector.isFirst
            if let first = collector.ranges.first, let last = collector.ranges.last {
                phrase = Self.quoted(utf8, first.lowerBound..<max(first.upperBound, last.upperBound))
            }
        }
    }

    /// The strings without repetitions.
    var distinctStrings: [String] { zip(strings, isFirst).filter(\.1).map(\.0) }

    /// Bytes of a text as a string of a pattern. A NUL would end the pattern there: it becomes a space.
    static func quoted(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String {
        let quote = UInt8(ascii: "\"")
        var bytes: [UInt8] = [quote]
        bytes.reserveCapacity(range.count + 2)
        for byte in text[range.clamped(to: 0..<text.count)] {
            bytes.append(byte == 0 ? 0x20 : byte)
            if byte == quote { bytes.append(quote) }
        }
        bytes.append(quote)
        return String(decoding: bytes, as: UTF8.self)
    }

    private struct LimitReached: Error {}

    private struct Collector {
        var ranges: [Range<Int>] = []
        var isFirst: [Bool] = []
        private var seen: Set<[UInt8]> = []

        mutating func add(_ token: Token) throws {
            // FTS5 will find the synonyms again.
            if token.isColocated, !ranges.isEmpty { return }
            if ranges.count == PatternText.tokenLimit { throw LimitReached() }
            ranges.append(token.range)
            isFirst.append(seen.insert(Array(token.bytes)).inserted)
        }
    }
}
