/// How a query combines its leaves.
indirect enum RankingNode {
    case leaf(Int)
    case and([RankingNode])
    case or([RankingNode])
    case not(RankingNode, RankingNode)
    case nothing
}

extension RankingNode {
    /// Whether a leaf that matches a document which matches the query always counts.
    var isFlat: Bool {
        switch self {
        case .leaf, .nothing: return true
        case .and(let nodes), .or(let nodes):
            return nodes.allSatisfy { if case .leaf = $0 { true } else { false } }
        case .not: return false
        }
    }

    func forEachLeaf(_ body: (Int) -> Void) {
        switch self {
        case .nothing: break
        case .leaf(let leaf): body(leaf)
        case .and(let nodes), .or(let nodes): for node in nodes { node.forEachLeaf(body) }
        case .not(let matching, let excluded):
            matching.forEachLeaf(body)
            excluded.forEachLeaf(body)
        }
    }

    /// The same query with the cheapest part of every AND first.
    func ordered(by cost: (Int) -> Int) -> RankingNode {
        switch self {
        case .leaf, .nothing:
            return self
        case .and(let nodes):
            let parts = nodes.map { node in (node.ordered(by: cost), node.cost(cost)) }
            return .and(parts.sorted { $0.1 < $1.1 }.map(\.0))
        case .or(let nodes):
            return .or(nodes.map { $0.ordered(by: cost) })
        case .not(let matching, let excluded):
            return .not(matching.ordered(by: cost), excluded.ordered(by: cost))
        }
    }

    private func cost(_ leafCost: (Int) -> Int) -> Int {
        switch self {
        case .nothing: 0
        case .leaf(let leaf): leafCost(leaf)
        case .and(let nodes): nodes.map { $0.cost(leafCost) }.min() ?? 0
        case .or(let nodes): nodes.reduce(0) { $0 + $1.cost(leafCost) }
        case .not(let matching, _): matching.cost(leafCost)
        }
    }

    /// The leaves as alternatives of which each document has one or more in every slot, where the query is an AND of leaves
    /// and of ORs of leaves; nil for other queries.
    var slots: [[Int]]? {
        switch self {
        case .leaf, .or: return alternatives.map { [$0] }
        case .and(let nodes):
            let slots = nodes.compactMap(\.alternatives)
            return slots.count == nodes.count ? slots : nil
        case .not, .nothing: return nil
        }
    }

    private var alternatives: [Int]? {
        switch self {
        case .leaf(let leaf): return [leaf]
        case .or(let nodes):
            let leaves = nodes.compactMap { if case .leaf(let leaf) = $0 { leaf } else { nil } }
            return leaves.count == nodes.count ? leaves : nil
        case .and, .not, .nothing: return nil
        }
    }
}
