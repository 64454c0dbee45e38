import ConcordanceText

/// What a query looks for, in the engine's terms and in those of FTS5's language: a tree in postfix form, so that
/// building, copying, comparing and freeing it never recurses.
///
/// A typed query becomes a tree through `SearchQuery`, an expression in FTS5's language through `QuerySyntax`. The
/// strings in it are texts: the tokenizer of the searched table makes tokens of them.
///
///     "a b" AND (c OR title : d*)        phrase "a b", group, node
///                                        phrase "c", group, node
///                                        phrase "d"*, group, node, filter [title]
///                                        or 2
///                                        and 2
package struct QueryTree: Hashable, Sendable {
    /// Builds the tree from phrases, groups of phrases, and nodes on a stack.
    package enum Instruction: Hashable, Sendable {
        /// Begins a phrase with the tokens of a string.
        case phrase(Literal)
        /// Adds the tokens of a string to the phrase.
        case extend(Literal)
        /// `^`: the phrase is at the beginning of a column.
        case initial
        /// Begins a group with the phrase.
        case group
        /// Adds the phrase to the group.
        case join
        /// How many tokens may be between the phrases of the group.
        case distance(Int)
        /// Pushes the group as a node.
        case node
        /// Restricts the node on top to columns with these names, or to all others.
        case filter(columns: [String], isInverted: Bool)
        /// Replaces this many nodes on top, at least two.
        case and(Int), or(Int)
        /// Replaces the two nodes on top.
        case not
        /// Replaces the two nodes on top by an AND that leaves out strings without tokens.
        case implicitAnd
    }

    /// A string: a word, or the text in quotes.
    package struct Literal: Hashable, Sendable {
        /// Its content, in UTF-8 that may be invalid.
        package var bytes: [UInt8]
        /// Whether its last token may be the beginning of a longer one.
        package var isPrefix: Bool
        /// How many typos each of its tokens may have.
        package var typos: TypoTolerance
    }

    /// The tree, its leaves from left to right.
    package internal(set) var instructions: [Instruction] = []

    /// Creates an empty query, which matches no row.
    package init() {}

    /// How deeply operators may be nested: each evaluation recurses that deep. It is FTS5's own limit.
    package static let heightLimit = 256

    /// The height of the tree, counting an AND in an AND, and an OR in an OR, as one node.
    package var height: Int {
        var nodes: [(root: Operator?, height: Int)] = []
        func combine(_ count: Int, _ operation: Operator) {
            guard nodes.count >= count else { return }
            let height = nodes.suffix(count).reduce(0) { height, node in
                max(height, operation != .not && node.root == operation ? node.height : node.height + 1)
            }
            nodes.removeLast(count)
            nodes.append((operation, height))
        }
        for instruction in instructions {
            switch instruction {
            case .phrase, .extend, .initial, .group, .join, .distance, .filter: break
            case .node: nodes.append((nil, 1))
            case .and(let count): combine(count, .and)
            case .or(let count): combine(count, .or)
            case .not: combine(2, .not)
            case .implicitAnd: combine(2, .and)
            }
        }
        return nodes.last?.height ?? 0
    }

    /// The strings of the phrases, including excluded ones, in the order in which the engine numbers them.
    package var phraseTexts: [String] {
        var texts: [String] = []
        for case .phrase(let literal) in instructions { texts.append(String(decoding: literal.bytes, as: UTF8.self)) }
        return texts
    }

    private enum Operator { case and, or, not }
}

// Trees that a program composes.
extension QueryTree {
    /// A string without tokens, which matches no row.
    package static let nothing = phrase("")

    /// Rows with the tokens of `text` next to each other.
    ///
    /// - Parameter isPrefix: Whether the last token may be the beginning of a longer one.
    package static func phrase(_ text: String, isPrefix: Bool = false) -> QueryTree {
        near([text], distance: 0, isPrefix: isPrefix)
    }

    /// Rows with all of these phrases near each other, in one column. Without phrases: no rows.
    ///
    /// - Parameters:
    ///   - distance: The largest number of tokens between the end of the first phrase and the start of the last.
    ///   - isPrefix: Whether the last token may be the beginning of a longer one.
    ///   - typos: How many typos each token may have.
    package static func near(
        _ texts: [String], distance: Int, isPrefix: Bool = false, typos: TypoTolerance = .none
    ) -> QueryTree {
        var tree = QueryTree()
        for (index, text) in (texts.isEmpty ? [""] : texts).enumerated() {
            let isLast = index == texts.count - 1
            // A NUL ends a text in FTS5's language.
            let bytes = text.utf8.map { $0 == 0 ? 0x20 : $0 }
            tree.instructions.append(.phrase(Literal(bytes: bytes, isPrefix: isPrefix && isLast, typos: typos)))
            tree.instructions.append(index == 0 ? .group : .join)
        }
        if texts.count > 1 { tree.instructions.append(.distance(min(max(0, distance), distanceLimit))) }
        tree.instructions.append(.node)
        return tree
    }

    /// FTS5 3.40 reads the number into a C `int` without checking whether it fits.
    private static let distanceLimit = 100_000_000

    /// Rows that match all of these. Without trees: no rows.
    package static func all(_ trees: [QueryTree]) -> QueryTree { joined(trees) { .and($0) } }

    /// Rows that match at least one of these. Without trees: no rows.
    package static func any(_ trees: [QueryTree]) -> QueryTree { joined(trees) { .or($0) } }

    /// Rows that match this and do not match `other`.
    package func excluding(_ other: QueryTree) -> QueryTree {
        var tree = self
        tree.instructions += other.instructions
        tree.instructions.append(.not)
        return tree
    }

    /// Rows that match this in one of these columns. Without columns: no rows.
    package func inColumns(_ columns: [String]) -> QueryTree {
        if columns.isEmpty { return .nothing }
        var tree = self
        tree.instructions.append(.filter(columns: columns, isInverted: false))
        return tree
    }

    private static func joined(_ trees: [QueryTree], by operation: (Int) -> Instruction) -> QueryTree {
        guard var tree = trees.first else { return .nothing }
        if trees.count == 1 { return tree }
        for other in trees.dropFirst() { tree.instructions += other.instructions }
        tree.instructions.append(operation(trees.count))
        return tree
    }
}
