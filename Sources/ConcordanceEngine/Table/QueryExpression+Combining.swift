extension QueryExpression {
    /// The rows that match this and `other`, whose phrases come behind.
    func and(_ other: QueryExpression) -> QueryExpression {
        let shifted = other.root.map { $0.renumbered(by: phrases.count) }
        let root: QueryNode? =
            switch (self.root, shifted) {
            case (let left?, let right?): .and(left.conjuncts + right.conjuncts)
            default: nil
            }
        return QueryExpression(root: root, phrases: phrases + other.phrases)
    }
}

extension QueryNode {
    fileprivate var conjuncts: [QueryNode] {
        if case .and(let nodes) = self { nodes } else { [self] }
    }

    fileprivate func renumbered(by offset: Int) -> QueryNode {
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
