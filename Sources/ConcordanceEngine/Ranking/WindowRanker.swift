/// Ranks the documents of a segment that match any query, window by window.
///
/// A window is 256 documents. Its bound comes from the bounds of the leaves by the query's tree: none where a leaf that must
/// match has no document, otherwise the sum. Windows with large bounds come first, whatever their place, so that after a
/// few of them the threshold excludes nearly all others. In a window each leaf gives a mask and frequencies; the tree is
/// evaluated on the masks, 256 documents at once; then all matches are scored together.
///
/// Bounds over ranges of documents are those of block-max indexes (Ding and Suel 2011); ranges in the order of their
/// bounds are taken from anytime ranking (Mackenzie, Petri and Moffat, "Anytime ranking on document-ordered indexes", 2021).
final class WindowRanker: SegmentRanker {
    private let root: RankingNode
    /// By number; nil where the segment has none of the leaf.
    private let leaves: [LeafPostings?]
    /// The leaf of each phrase; nil for phrases without tokens.
    private let leafOfPhrase: [Int?]
    private let buffers: WindowBuffers
    /// Whether every leaf that matches a matching document counts: not so below a branch that may fail.
    private let countsAllLeaves: Bool
    /// The most that the places of hits add.
    private let bonus: Double
    @exclusivity(unchecked) private var effectiveMasks: [WindowMask]

    init(
        index: Int, _ live: LiveSegment, root: RankingNode, leaves: [LeafPostings?], leafOfPhrase: [Int?],
        buffers: WindowBuffers, _ statistics: RankingStatistics
    ) {
        self.root = root.ordered { leaves[$0]?.cost ?? 0 }
        self.leaves = leaves
        self.leafOfPhrase = leafOfPhrase
        self.buffers = buffers
        countsAllLeaves = root.isFlat
        let phrases = leafOfPhrase.indices.filter { phrase in leafOfPhrase[phrase].map { leaves[$0] != nil } ?? false }
        let bonus = statistics.bonus?.ceiling(of: phrases) ?? 0
        self.bonus = bonus == 0 || statistics.allowsPruning ? bonus : .infinity
        effectiveMasks = Array(repeating: WindowMask(), count: leaves.count)
        super.init(index: index, live, statistics)
    }

    private var windowCount: Int { (segment.documentCount + windowSize - 1) / windowSize }

    // MARK: - Bounds

    override func appendUnits(to units: inout [RankingUnit]) throws {
        let bounds = try bounds(of: root)
        for (number, bound) in bounds.enumerated() where bound >= 0 {
            units.append(RankingUnit(bound: bound + bonus, segment: index, number: number))
        }
    }

    /// The most that the documents of each window score at the node; negative where none can match it.
    private func bounds(of node: RankingNode) throws -> [Double] {
        var bounds = Array(repeating: -1.0, count: windowCount)
        switch node {
        case .nothing:
            break
        case .leaf(let leaf):
            try bounds.withUnsafeMutableBufferPointer { try leaves[leaf]?.bound($0) }
        case .not(let matching, let excluded):
            // The bounds of what is excluded say nothing, but its leaves are read.
            _ = try self.bounds(of: excluded)
            return try self.bounds(of: matching)
        case .and(let nodes):
            for (number, node) in nodes.enumerated() {
                let others = try self.bounds(of: node)
                for window in bounds.indices {
                    let bound = number == 0 ? others[window] : bounds[window] + others[window]
                    bounds[window] = bounds[window] < 0 && number > 0 || others[window] < 0 ? -1 : bound
                }
            }
        case .or(let nodes):
            for node in nodes {
                let others = try self.bounds(of: node)
                for window in bounds.indices where others[window] >= 0 {
                    bounds[window] = max(bounds[window], 0) + others[window]
                }
            }
        }
        return bounds
    }

    // MARK: - One window

    override func rank(part: Int, _ window: Int, into sink: inout RankingSink) throws {
        let base = window * windowSize
        let mask = try matches(root, base: UInt32(truncatingIfNeeded: base))
        guard !mask.isZero else { return }
        if !countsAllLeaves { dropWhatDoesNotCount(mask) }
        try score(mask, base: base)
        try mask.forEachBit { bit in
            try offer(UInt32(truncatingIfNeeded: base + bit), buffers.scores[bit], bonus: bonus, &sink)
        }
    }

    /// The documents of the window that match the node. Leaves that cannot change the answer are not read; their masks are
    /// empty then.
    private func matches(_ node: RankingNode, base: UInt32) throws -> WindowMask {
        switch node {
        case .nothing:
            return WindowMask()
        case .leaf(let leaf):
            guard let postings = leaves[leaf] else { return WindowMask() }
            try postings.fill(base: base, buffers)
            return buffers.masks[leaf]
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

    private func clear(_ node: RankingNode) {
        node.forEachLeaf { buffers.masks[$0] = WindowMask() }
    }

    /// Sets frequencies to zero where a leaf matches but a node above it does not: such instances count neither in FTS5.
    private func dropWhatDoesNotCount(_ mask: WindowMask) {
        for leaf in effectiveMasks.indices { effectiveMasks[leaf] = WindowMask() }
        mark(root, mask)
        for (phrase, leaf) in leafOfPhrase.enumerated() {
            guard let leaf, leaves[leaf] != nil else { continue }
            let row = buffers.frequencies + phrase * windowSize
            (mask & ~effectiveMasks[leaf]).forEachBit { row[$0] = 0 }
        }
    }

    /// Hands the documents that match all nodes above down to the leaves.
    private func mark(_ node: RankingNode, _ mask: WindowMask) {
        switch node {
        case .nothing:
            break
        case .leaf(let leaf):
            effectiveMasks[leaf] = mask & buffers.masks[leaf]
        case .and(let nodes), .or(let nodes):
            for node in nodes { mark(node, mask & currentMask(node)) }
        case .not(let matching, _):
            mark(matching, mask & currentMask(matching))
        }
    }

    /// What `matches` found for the node.
    private func currentMask(_ node: RankingNode) -> WindowMask {
        switch node {
        case .nothing: WindowMask()
        case .leaf(let leaf): leaves[leaf] == nil ? WindowMask() : buffers.masks[leaf]
        case .and(let nodes): nodes.reduce(WindowMask(repeating: .max)) { $0 & currentMask($1) }
        case .or(let nodes): nodes.reduce(WindowMask()) { $0 | currentMask($1) }
        case .not(let matching, let excluded): currentMask(matching) & ~currentMask(excluded)
        }
    }

    // MARK: - Scores

    /// Below so many documents, each is computed by itself; from there on all of the window at once.
    private static let scalarLimit = 48

    /// Computes the scores of the documents of the mask, phrase by phrase in the order of the query, as FTS5 adds them.
    private func score(_ mask: WindowMask, base: Int) throws {
        let norms = try buffers.norms(mask, base: base, segment, statistics)
        buffers.clearScores()
        for (phrase, leaf) in leafOfPhrase.enumerated() {
            guard let leaf, leaves[leaf] != nil, !buffers.masks[leaf].isZero else { continue }
            let weight = statistics.phraseWeights[phrase]
            let row = buffers.frequencies + phrase * windowSize
            let matches = mask & buffers.masks[leaf]
            if matches.bitCount < Self.scalarLimit {
                matches.forEachBit { bit in
                    buffers.scores[bit] += statistics.share(weight, frequency: row[bit], norm: norms[bit])
                }
            } else {
                WindowBuffers.makeShares(row, weight: weight, norms: norms, statistics)
                buffers.addToScores(row)
            }
        }
    }
}
