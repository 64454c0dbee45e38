import ConcordanceFTS5
import ConcordanceText

/// Which of LIKE and GLOB the index of a tokenizer's tokens answers.
struct PatternSupport {
    let servesLike: Bool

    /// As in FTS5, trigrams answer GLOB, and LIKE where they are folded to lower case; nil for any other tokenizer, and
    /// where diacritics are removed.
    init?(_ components: [String], _ registry: ExtensionRegistry) {
        guard let name = components.first, name.equalsIgnoringASCIICase(TrigramTokenizer.name),
            registry.isOriginalTokenizer(name),
            let options = try? TrigramTokenizer.Options(arguments: Array(components.dropFirst())),
            !options.removeDiacritics
        else { return nil }
        servesLike = !options.caseSensitive
    }
}

/// What the pattern of a LIKE or GLOB asks of an index of trigrams.
enum PatternOperator: UInt8 {
    case like = 76  // "L"
    case glob = 71  // "G"
}

extension QueryExpression {
    /// A query that every row matches whose column matches the pattern: it holds all literal parts of three characters
    /// or more. SQLite checks the rows that it finds by the pattern itself. Nil if the pattern has no such part.
    init?(
        pattern: UnsafeBufferPointer<UInt8>, operator: PatternOperator, column: Int, detail: TableOptions.Detail,
        tokenizer: any Tokenizer
    ) throws {
        let columns = detail == .none ? nil : ColumnSet(columns: [column])
        var phrases: [QueryPhrase] = []
        for part in Self.literalParts(of: pattern, `operator`) {
            var terms: [QueryTerm] = []
            try tokenizer.forEachToken(in: UnsafeBufferPointer(rebasing: pattern[part]), for: .query) { token in
                terms.append(QueryTerm(bytes: Array(token.bytes)))
            }
            if detail == .full, !terms.isEmpty {
                phrases.append(QueryPhrase(terms: terms, columns: columns))
            } else {
                // Without positions, all trigrams of the part, wherever they are.
                phrases += terms.map { QueryPhrase(terms: [$0], columns: columns) }
            }
        }
        guard !phrases.isEmpty else { return nil }
        let nodes = phrases.indices.map { QueryNode.near(NearGroup(phrases: [$0], distance: 0, columns: columns)) }
        self.init(root: nodes.count == 1 ? nodes[0] : .and(nodes), phrases: phrases)
    }

    /// The parts of a pattern without wildcards, those of less than three bytes left out.
    private static func literalParts(
        of pattern: UnsafeBufferPointer<UInt8>, _ operator: PatternOperator
    ) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        var index = 0
        while index <= pattern.count {
            let byte = index < pattern.count ? pattern[index] : 0
            let isWildcard =
                switch `operator` {
                case .like: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "%")
                case .glob: byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[")
                }
            if index == pattern.count || isWildcard {
                if index - start >= 3 { parts.append(start..<index) }
                if `operator` == .glob, byte == UInt8(ascii: "["), index < pattern.count {
                    index = endOfSet(in: pattern, from: index)
                }
                start = index + 1
            }
            index += 1
        }
        return parts
    }

    /// The index of the `]` that ends the set of characters which begins at `start`; `]` as its first member is one.
    private static func endOfSet(in pattern: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start + 1
        if index < pattern.count, pattern[index] == UInt8(ascii: "^") { index += 1 }
        if index < pattern.count, pattern[index] == UInt8(ascii: "]") { index += 1 }
        while index < pattern.count, pattern[index] != UInt8(ascii: "]") { index += 1 }
        return index
    }
}
