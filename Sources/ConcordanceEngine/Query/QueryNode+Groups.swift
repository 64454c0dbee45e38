extension NearGroup {
    /// Identifies a group of a query: the number of its first phrase.
    var number: Int { phrases.first ?? 0 }
}

extension QueryNode {
    /// Calls `body` with each group, from left to right.
    func forEachGroup(_ body: (NearGroup) throws -> Void) rethrows {
        switch self {
        case .nothing: break
        case .near(let group): try body(group)
        case .and(let nodes), .or(let nodes): for node in nodes { try node.forEachGroup(body) }
        case .not(let matching, let excluded):
            try matching.forEachGroup(body)
            try excluded.forEachGroup(body)
        }
    }

    /// For an AND of groups and of ORs of groups: the alternatives of each slot, of which every matching document
    /// contains at least one. Every group in a matching document counts then. Nil for other queries.
    var slots: [[NearGroup]]? {
        switch self {
        case .near, .or: return alternatives.map { [$0] }
        case .and(let nodes):
            let slots = nodes.compactMap(\.alternatives)
            return slots.count == nodes.count ? slots : nil
        case .not, .nothing: return nil
        }
    }

    private var alternatives: [NearGroup]? {
        switch self {
        case .near(let group): return [group]
        case .or(let nodes):
            let groups = nodes.compactMap { if case .near(let group) = $0 { group } else { nil } }
            return groups.count == nodes.count ? groups : nil
        case .and, .not, .nothing: return nil
        }
    }
}

extension QueryExpression {
    /// The group of each phrase; nil for phrases that cannot have hits, since their group cannot match.
    var groupOfPhrase: [NearGroup?] {
        var groups: [NearGroup?] = phrases.map { _ in nil }
        root?.forEachGroup { group in
            for phrase in group.phrases { groups[phrase] = group }
        }
        return groups
    }
}
