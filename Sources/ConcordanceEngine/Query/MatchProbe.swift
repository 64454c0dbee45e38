/// Says of single documents of a segment, in any order, which phrases of a query count in them.
///
/// As in FTS5, a phrase counts where every node from it up to the root matches the row; what stands right of NOT never
/// does.
final class MatchProbe {
    private let search: SegmentSearch
    private let root: QueryNode?
    private let phraseCount: Int
    /// By the number of the leaf's first phrase.
    private var leaves: [Int: LeafIterator] = [:]
    private var document: UInt32?
    /// The leaf and its member, for phrases that count in the document.
    private var counting: [(leaf: LeafIterator, member: Int)?] = []

    init(_ expression: QueryExpression, segment: Segment) {
        search = SegmentSearch(expression, segment: segment)
        root = expression.root
        phraseCount = expression.phrases.count
    }

    /// The leaf that is at the document, and the phrase's number in it; nil where the phrase does not count.
    func leaf(ofPhrase phrase: Int, at document: UInt32) throws -> (leaf: LeafIterator, member: Int)? {
        guard phrase >= 0, phrase < phraseCount else { return nil }
        if document != self.document {
            self.document = nil
            counting = Array(repeating: nil, count: phraseCount)
            var groups: [NearGroup] = []
            if let root { _ = try evaluate(root, at: document, &groups) }
            for group in groups {
                guard let first = group.phrases.first, let leaf = leaves[first] else { continue }
                for (member, phrase) in group.phrases.enumerated() { counting[phrase] = (leaf, member) }
            }
            self.document = document
        }
        return counting[phrase]
    }

    /// Whether a node matches; adds the leaves below it that count, if it does.
    private func evaluate(_ node: QueryNode, at document: UInt32, _ groups: inout [NearGroup]) throws -> Bool {
        let before = groups.count
        var isMatch: Bool
        switch node {
        case .nothing: return false
        case .near(let group):
            isMatch = try leaf(group).move(to: document)
            if isMatch { groups.append(group) }
        case .and(let nodes):
            isMatch = try nodes.allSatisfy { try evaluate($0, at: document, &groups) }
        case .or(let nodes):
            isMatch = false
            for node in nodes where try evaluate(node, at: document, &groups) { isMatch = true }
        case .not(let left, let right):
            isMatch = try evaluate(left, at: document, &groups)
            if isMatch {
                let counted = groups.count
                isMatch = try !evaluate(right, at: document, &groups)
                groups.removeLast(groups.count - counted)
            }
        }
        if !isMatch { groups.removeLast(groups.count - before) }
        return isMatch
    }

    private func leaf(_ group: NearGroup) throws -> LeafIterator {
        let first = group.phrases.first ?? -1
        if let leaf = leaves[first] { return leaf }
        let leaf = try search.leaf(group, isRandom: true)
        leaves[first] = leaf
        return leaf
    }
}
