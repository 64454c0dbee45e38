extension QueryExpression {
    /// A query that this one's matches all match, without the prefixes of which the segment has no lists, whose terms would have
    /// to be looked for; nil if there is none.
    func withoutUnlistedPrefixes(in segment: Segment) -> QueryExpression? {
        if prefixCount == 0 { return self }
        return root.flatMap { withoutUnlistedPrefixes($0, segment.shape) }.map {
            QueryExpression(root: $0, phrases: phrases)
        }
    }

    private func withoutUnlistedPrefixes(_ node: QueryNode, _ shape: IndexShape) -> QueryNode? {
        switch node {
        case .nothing: return node
        case .near(let group):
            let terms = group.phrases.flatMap { phrases[$0].terms }
            return terms.contains { $0.isPrefix && $0.listKey(shape) == nil } ? nil : node
        case .and(let nodes):
            let parts = nodes.compactMap { withoutUnlistedPrefixes($0, shape) }
            return parts.count > 1 ? .and(parts) : parts.first
        case .or(let nodes):
            let parts = nodes.compactMap { withoutUnlistedPrefixes($0, shape) }
            return parts.count == nodes.count ? .or(parts) : nil
        case .not(let included, _): return withoutUnlistedPrefixes(included, shape)
        }
    }
}
