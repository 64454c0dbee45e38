/// Ranks the documents of a segment that match any query, window by window.
///
/// A window is 256 documents. Its bound is computed along the query's tree: it is the sum of the bounds of the groups,
/// and a window in which a required group has no document is skipped. Windows are taken in the order of `RankingQueue`, the
/// greatest bounds first, so that after a few of them the threshold excludes nearly all others. In a window, each group
/// yields a mask and frequencies, the tree is evaluated on the masks, 256 documents at once, and all matches are scored
/// together.
///
/// Bounds of ranges of documents come from block-max indexes (Ding and Suel 2011), the order of ranges from anytime
/// ranking (Mackenzie, Petri and Moffat, "Anytime ranking on document-ordered indexes", 2021).
final class WindowRanker: SegmentRanker {
    private let root: QueryNode
    private let groupOfPhrase: [NearGroup?]
    /// By phrase, `NearGroup.number`; -1 if the segment does not have the group.
    private let groupNumbers: FixedBuffer<Int>
    /// By `NearGroup.number`: a source for each phrase of the group; empty if the segment does not have the group.
    private let blocks: [[BlockSource]]
    private let buffers: WindowBuffers
    /// The windows that are ranked.
    private let windows: Range<Int>
    /// Whether every group in a matching document counts. A group in a branch that may fail does not always.
    private let countsAllGroups: Bool
    /// An upper bound on the bonuses for positions.
    private var bonus = 0.0
    /// By `NearGroup.number`: the documents of the window that contain the group, and those in which it counts.
    @exclusivity(unchecked) private var masks: [WindowMask]
    @exclusivity(unchecked) private var countingMasks: [WindowMask]

    /// - Parameter range: The documents that are ranked. Its lower bound is that of a window, and its upper bound, too, unless
    ///   it is the segment's end.
    init(
        index: Int, _ live: LiveSegment, _ expression: QueryExpression, _ blocks: [[BlockSource]],
        in range: Range<UInt32>, _ buffers: WindowBuffers, _ statistics: RankingStatistics
    ) {
        windows = Int(range.lowerBound) / windowSize..<(Int(range.upperBound) + windowSize - 1) / windowSize
        let root = expression.root ?? .nothing
        self.root = root.ordered { blocks[$0.number].first?.count ?? 0 }
        self.blocks = blocks
        self.buffers = buffers
        groupOfPhrase = expression.groupOfPhrase.map { $0.flatMap { blocks[$0.number].isEmpty ? nil : $0 } }
        groupNumbers = FixedBuffer(groupOfPhrase.map { $0?.number ?? -1 })
        countsAllGroups = root.slots != nil
        masks = Array(repeating: WindowMask(), count: blocks.count)
        countingMasks = masks
        super.init(index: index, live, statistics)
        bonus = bonusCeiling(of: groupOfPhrase.indices.filter { groupOfPhrase[$0] != nil })
    }

    // MARK: - Bounds

    override var matchLimit: Int { segment.documentCount }

    override func appendUnits(to units: inout [RankingUnit]) throws {
        let bounds = try bounds(of: root)
        for window in windows where bounds[window] >= 0 {
            units.append(RankingUnit(bound: bounds[window] + bonus, segment: index, .block, window))
        }
    }

    /// For each window, an upper bound on the scores of its documents at the node; negative if none can match it.
    private func bounds(of node: QueryNode) throws -> [Double] {
        switch node {
        case .nothing: return noBounds
        case .near(let group): return try sum(of: blocks[group.number], bounds(of:), needsAll: true)
        case .and(let nodes): return try sum(of: nodes, bounds(of:), needsAll: true)
        case .or(let nodes): return try sum(of: nodes, bounds(of:), needsAll: false)
        case .not(let matching, _): return try bounds(of: matching)
        }
    }

    private func bounds(of source: BlockSource) throws -> [Double] {
        var bounds = noBounds
        try bounds.withUnsafeMutableBufferPointer { try source.raise($0, ofRanges: windowSize) }
        return bounds
    }

    private var noBounds: [Double] {
        Array(repeating: -1, count: (segment.documentCount + windowSize - 1) / windowSize)
    }

    /// The sums of the bounds of parts; negative if a required part has no match, or no part has one.
    private func sum<Part>(
        of parts: [Part], _ bounds: (Part) throws -> [Double], needsAll: Bool
    ) throws -> [Double] {
        guard let first = parts.first else { return noBounds }
        var sums = try bounds(first)
        for part in parts.dropFirst() {
            let others = try bounds(part)
            for window in sums.indices {
                if sums[window] >= 0, others[window] >= 0 {
                    sums[window] += others[window]
                } else {
                    sums[window] = needsAll ? -1 : max(sums[window], others[window])
                }
            }
        }
        return sums
    }

    // MARK: - One window

    override func rank(part: Int, _ window: Int, into sink: inout RankingSink) throws {
        let base = window * windowSize
        let mask = try matches(root, base: UInt32(truncatingIfNeeded: base))
        guard !mask.isZero else { return }
        if !countsAllGroups { dropWhatDoesNotCount(mask) }
        // Contributions are added in the order of the query's phrases, as in FTS5.
        try buffers.beginScores(mask, base: base, segment, statistics)
        for (phrase, group) in groupOfPhrase.enumerated() {
            guard let group, case let present = mask & masks[group.number], !present.isZero else { continue }
            buffers.addShares(of: phrase, present, weight: statistics.phraseWeights[phrase], statistics)
        }
        try mask.forEachBit { bit in
            let score = buffers.score(bit)
            if (score + bonus) * RankingStatistics.slack < sink.threshold { return }
            let bonus = bonus == 0 ? 0 : min(boundBonus(bit), bonus)
            try offer(UInt32(truncatingIfNeeded: base + bit), score, bonus: bonus, &sink)
        }
    }

    /// An upper bound on the bonuses for positions in a document of the window whose shares have been added up.
    private func boundBonus(_ bit: Int) -> Double {
        guard statistics.allowsPruning, let bounds = statistics.bonus else { return .infinity }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: groupNumbers.count) { present in
            var presentCount = 0
            for phrase in 0..<groupNumbers.count {
                let number = groupNumbers[phrase]
                guard number >= 0, masks[number].contains(bit), buffers.share(of: phrase, bit) > 0 else { continue }
                present[presentCount] = phrase
                presentCount += 1
            }
            return bounds.bound(count: presentCount, hasAll: true) {
                present[$0]
            } share: {
                buffers.share(of: present[$0], bit)
            }
        }
    }

    /// The documents of the window that match the node. Groups that cannot change the result are not read, and their
    /// masks are left empty.
    private func matches(_ node: QueryNode, base: UInt32) throws -> WindowMask {
        switch node {
        case .nothing:
            return WindowMask()
        case .near(let group):
            var mask = WindowMask()
            for (phrase, source) in zip(group.phrases, blocks[group.number]) {
                mask = try buffers.fill(phrase, from: source, base: base)
            }
            masks[group.number] = mask
            return mask
        case .and(let nodes):
            var mask = WindowMask(repeating: .max)
            for node in nodes {
                if mask.isZero { clear(node) } else { mask &= try matches(node, base: base) }
            }
            return mask
        case .or(let nodes):
            var mask = WindowMask()
            for node in nodes { mask |= try matches(node, base: base) }
            return mask
        case .not(let matching, let excluded):
            let mask = try matches(matching, base: base)
            if mask.isZero {
                clear(excluded)
                return mask
            }
            return mask & ~(try matches(excluded, base: base))
        }
    }

    private func clear(_ node: QueryNode) {
        node.forEachGroup { masks[$0.number] = WindowMask() }
    }

    /// Clears the frequencies of groups that match below a node that does not: FTS5 does not count such hits, either.
    private func dropWhatDoesNotCount(_ mask: WindowMask) {
        for number in countingMasks.indices { countingMasks[number] = WindowMask() }
        mark(root, mask)
        for (phrase, group) in groupOfPhrase.enumerated() {
            guard let group else { continue }
            let row = buffers.frequencies(of: phrase)
            (mask & ~countingMasks[group.number]).forEachBit { row[$0] = 0 }
        }
    }

    /// Passes the documents that match all nodes above a group down to the group.
    private func mark(_ node: QueryNode, _ mask: WindowMask) {
        switch node {
        case .nothing: break
        case .near(let group): countingMasks[group.number] = mask & masks[group.number]
        case .and(let nodes), .or(let nodes): for node in nodes { mark(node, mask & currentMask(node)) }
        case .not(let matching, _): mark(matching, mask & currentMask(matching))
        }
    }

    /// The result of `matches` for the node.
    private func currentMask(_ node: QueryNode) -> WindowMask {
        switch node {
        case .nothing: WindowMask()
        case .near(let group): masks[group.number]
        case .and(let nodes): nodes.reduce(WindowMask(repeating: .max)) { $0 & currentMask($1) }
        case .or(let nodes): nodes.reduce(WindowMask()) { $0 | currentMask($1) }
        case .not(let matching, let excluded): currentMask(matching) & ~currentMask(excluded)
        }
    }
}

extension QueryNode {
    /// The same query with the cheapest part of every AND first.
    fileprivate func ordered(by cost: (NearGroup) -> Int) -> QueryNode {
        switch self {
        case .near, .nothing:
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

    private func cost(_ groupCost: (NearGroup) -> Int) -> Int {
        switch self {
        case .nothing: 0
        case .near(let group): groupCost(group)
        case .and(let nodes): nodes.map { $0.cost(groupCost) }.min() ?? 0
        case .or(let nodes): nodes.reduce(0) { $0 + $1.cost(groupCost) }
        case .not(let matching, _): matching.cost(groupCost)
        }
    }
}
