extension RankingQuery {
    /// The query as ranking works on it: terms and stored lists of prefixes by their keys, everything else found beforehand.
    ///
    /// - Parameter allowsPruning: `RankingStatistics.allowsPruning`.
    init(_ bound: BoundQuery, _ weights: ColumnWeights, allowsPruning: Bool) throws {
        self.init(
            bound: bound, root: .nothing, leaves: [],
            leafOfPhrase: Array(repeating: nil, count: bound.expression.phrases.count))
        if allowsPruning, let sole = Self.solePhrase(bound) {
            solePhrase = sole
            root = .leaf(0)
            leaves = [.matches([])]
            leafOfPhrase[sole.phrase] = 0
        } else if let node = bound.expression.root {
            root = try add(node, bound, weights)
        }
    }

    private static func solePhrase(_ bound: BoundQuery) -> SolePhrase? {
        guard case .near(let group) = bound.expression.root, group.phrases.count == 1, let phrase = group.phrases.first,
            case let terms = bound.expression.phrases[phrase].terms, terms.count > 1
        else { return nil }
        let keys = terms.map { $0.isPrefix || !$0.synonyms.isEmpty ? nil : [0] + $0.bytes }
        guard keys.contains(where: { $0 != nil }) else { return nil }
        let (expression, segments) = (bound.expression, bound.snapshot.segments)
        return SolePhrase(keys: keys, phrase: phrase, columns: group.columns) { index, readers in
            try SegmentSearch(expression, segment: segments[index].segment)
                .leaf(expression.phrases[phrase], known: readers.map { $0.map(WeightedPostingsLeaf.init) })
        }
    }

    private mutating func add(_ node: QueryNode, _ bound: BoundQuery, _ weights: ColumnWeights) throws -> RankingNode {
        switch node {
        case .nothing: return .nothing
        case .and(let nodes): return .and(try nodes.map { try add($0, bound, weights) })
        case .or(let nodes): return .or(try nodes.map { try add($0, bound, weights) })
        case .not(let matching, let excluded):
            return .not(try add(matching, bound, weights), try add(excluded, bound, weights))
        case .near(let group):
            for phrase in group.phrases { leafOfPhrase[phrase] = leaves.count }
            leaves.append(try Self.leaf(group, bound, weights))
            return .leaf(leaves.count - 1)
        }
    }

    private static func leaf(_ group: NearGroup, _ bound: BoundQuery, _ weights: ColumnWeights) throws -> Leaf {
        guard let phrase = group.phrases.first, group.phrases.count == 1,
            case let terms = bound.expression.phrases[phrase], let term = terms.terms.first, terms.terms.count == 1,
            term.synonyms.isEmpty, !terms.isInitial, let shape = bound.snapshot.segments.first?.segment.shape
        else {
            return .matches(
                try bound.snapshot.segments.enumerated().map { index, live in
                    try matches(group, try bound.makeLeaf(group, segment: index), live.segment, weights)
                })
        }
        if !term.isPrefix { return .key([0] + term.bytes, phrase: phrase, columns: group.columns) }
        if let key = term.listKey(shape) { return .key(key, phrase: phrase, columns: group.columns) }
        return .matches(
            try bound.snapshot.segments.map { live in
                guard shape.hasPositions, live.segment.hasColocatedTokens else {
                    return try TermUnion(live.segment, phrase: phrase, columns: group.columns, weights: weights)
                        .matches(withKeyPrefix: [0] + term.bytes)
                }
                // A place counts once, whatever terms stand there: all places are read, in one pass.
                let search = SegmentSearch(bound.expression, segment: live.segment)
                return try matches(group, try search.leaf(terms, isPart: true), live.segment, weights)
            })
    }

    /// What an iterator of the query finds for a group.
    private static func matches(
        _ group: NearGroup, _ leaf: LeafIterator, _ segment: Segment, _ weights: ColumnWeights
    ) throws -> ListLeafPostings.Matches {
        var matches = ListLeafPostings.Matches(phrases: group.phrases)
        var document = try leaf.seek(0)
        while document != DocumentIterator.exhausted {
            let frequencies = try group.phrases.indices.map { member in
                var frequency = 0.0
                try leaf.forEachColumn(ofMember: member) { column, count in
                    try weights.add(column, times: count, of: document, in: segment, to: &frequency)
                }
                return frequency
            }
            matches.append(document, frequencies)
            document = try leaf.seek(document + 1)
        }
        return matches
    }
}
