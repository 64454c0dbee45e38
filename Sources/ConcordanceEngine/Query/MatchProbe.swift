/// Determines which phrases of a query count in single documents of a segment, in any order.
///
/// As in FTS5, a phrase counts if every node from it up to the root matches the row. Phrases on the right of NOT never
/// count.
final class MatchProbe {
    private let search: SegmentSearch
    private let root: QueryNode?
    let phraseCount: Int
    /// By `NearGroup.number`, each created at its first use.
    @exclusivity(unchecked) private var leaves: [LeafIterator?]
    @exclusivity(unchecked) private var document: UInt32?
    @exclusivity(unchecked) private var isMatch = false
    /// For phrases that count in the document, the leaf and the phrase's number in it.
    @exclusivity(unchecked) private var counting: [(leaf: LeafIterator, member: Int)?]
    /// The leaves that count so far; kept so that a document does not cost an allocation.
    @exclusivity(unchecked) private var groups: [NearGroup] = []

    /// The groups of an AND of leaves and of ORs of leaves, in which every leaf that matches a matching document
    /// counts. None for other queries.
    private let members: [NearGroup]
    private let slots: FixedBuffer<Slot>

    /// A group without what costs reference counting in each document.
    private struct Slot {
        /// Its phrases, whose numbers follow each other.
        let first: Int
        let end: Int
        /// Kept alive by `leaves`; nil before its first use.
        var leaf: Unmanaged<LeafIterator>?
    }

    init(_ expression: QueryExpression, segment: Segment) {
        members = expression.root?.slots.map { Array($0.joined()) } ?? []
        slots = FixedBuffer(
            members.map { Slot(first: $0.number, end: $0.number + $0.phrases.count, leaf: nil) })
        search = SegmentSearch(expression, segment: segment)
        root = expression.root
        phraseCount = expression.phrases.count
        leaves = Array(repeating: nil, count: phraseCount)
        counting = Array(repeating: nil, count: phraseCount)
    }

    /// The leaf at the document, and the phrase's number in it; nil if the phrase does not count.
    func leaf(ofPhrase phrase: Int, at document: UInt32) throws -> (leaf: LeafIterator, member: Int)? {
        guard phrase >= 0, phrase < phraseCount else { return nil }
        if document != self.document { try look(at: document) }
        return counting[phrase]
    }

    /// Whether a document matches the query.
    func matches(_ document: UInt32) throws -> Bool {
        if document != self.document { try look(at: document) }
        return isMatch
    }

    /// Calls `body` with each leaf that counts in a document that is known to match, and its phrases.
    ///
    /// - Parameter isPassedOver: By phrase; a leaf is left out if all of its phrases are. Nil for none.
    func forEachLeaf(
        at document: UInt32, besides isPassedOver: UnsafePointer<Bool>? = nil,
        _ body: (LeafIterator, _ phrases: Range<Int>) throws -> Void
    ) throws {
        func isWanted(_ phrases: Range<Int>) -> Bool {
            guard let isPassedOver else { return true }
            return phrases.contains { !isPassedOver[$0] }
        }
        guard slots.count > 0 else {
            if document != self.document { try look(at: document) }
            for group in groups {
                let phrases = group.number..<group.number + group.phrases.count
                if isWanted(phrases) { try body(leaf(group), phrases) }
            }
            return
        }
        // This moves the leaves away from the document evaluated last.
        self.document = nil
        for index in 0..<slots.count {
            let slot = slots[index]
            guard isWanted(slot.first..<slot.end) else { continue }
            let leaf = try slot.leaf ?? makeLeaf(index)
            try leaf._withUnsafeGuaranteedRef { leaf in
                if try leaf.move(to: document) { try body(leaf, slot.first..<slot.end) }
            }
        }
    }

    private func makeLeaf(_ index: Int) throws -> Unmanaged<LeafIterator> {
        let leaf = Unmanaged.passUnretained(try leaf(members[index]))
        slots[index].leaf = leaf
        return leaf
    }

    private func look(at document: UInt32) throws {
        self.document = nil
        for index in counting.indices { counting[index] = nil }
        groups.removeAll(keepingCapacity: true)
        isMatch = try root.map { try evaluate($0, at: document) } ?? false
        for group in groups {
            guard let leaf = leaves[group.number] else { continue }
            for (member, phrase) in group.phrases.enumerated() { counting[phrase] = (leaf, member) }
        }
        self.document = document
    }

    /// Announces the documents, ascending, that will be asked for next, so that their positions are gathered at once
    /// instead of one by one.
    func expect(_ documents: [UInt32]) throws {
        document = nil
        try root?.forEachGroup { try leaf($0).expect(documents) }
    }

    /// Whether a node matches. If it does, adds the leaves below it that count.
    private func evaluate(_ node: QueryNode, at document: UInt32) throws -> Bool {
        let before = groups.count
        var isMatch: Bool
        switch node {
        case .nothing: return false
        case .near(let group):
            isMatch = try leaf(group).move(to: document)
            if isMatch { groups.append(group) }
        case .and(let nodes):
            isMatch = try nodes.allSatisfy { try evaluate($0, at: document) }
        case .or(let nodes):
            isMatch = false
            for node in nodes where try evaluate(node, at: document) { isMatch = true }
        case .not(let left, let right):
            isMatch = try evaluate(left, at: document)
            if isMatch {
                let counted = groups.count
                isMatch = try !evaluate(right, at: document)
                groups.removeLast(groups.count - counted)
            }
        }
        if !isMatch { groups.removeLast(groups.count - before) }
        return isMatch
    }

    private func leaf(_ group: NearGroup) throws -> LeafIterator {
        if let leaf = leaves[group.number] { return leaf }
        let leaf = try search.leaf(group)
        leaves[group.number] = leaf
        return leaf
    }
}
