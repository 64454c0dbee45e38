extension QueryExpression {
    /// The rows that match this and `other`, whose phrases come first: FTS5 numbers those of the last MATCH so, and a
    /// snippet prefers the first of two phrases at one place.
    func and(_ other: QueryExpression) -> QueryExpression {
        let shifted = root.map { $0.renumbered(by: other.phrases.count) }
        let root: QueryNode? =
            switch (shifted, other.root) {
            case (let left?, let right?): .and(left.conjuncts + right.conjuncts)
            default: nil
            }
        return QueryExpression(root: root, phrases: other.phrases + phrases)
    }
}

extension QueryNode {
    fileprivate var conjuncts: [QueryNode] {
        if case .and(let nodes) = self { nodes } else { [self] }
    }

    /// The same over phrases whose numbers differ by `offset`.
    func renumbered(by offset: Int) -> QueryNode {
        switch self {
        case .near(var group):
            group.phrases = group.phrases.map { $0 + offset }
            return .near(group)
        case .and(let nodes): return .and(nodes.map { $0.renumbered(by: offset) })
        case .or(let nodes): return .or(nodes.map { $0.renumbered(by: offset) })
        case .not(let left, let right): return .not(left.renumbered(by: offset), right.renumbered(by: offset))
        case .nothing: return .nothing
        }
    }
}
