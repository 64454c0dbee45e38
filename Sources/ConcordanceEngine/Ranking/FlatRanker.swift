/// Ranks the documents of a segment that have all, or any, of several terms, window by window in the order of the windows'
/// bounds.
///
/// In a window only some terms are read for all of its documents: for AND the rarest; for OR those without which a
/// document cannot reach the threshold, as in MAXSCORE (Turtle and Flood, "Query evaluation: strategies and
/// optimizations", 1995), chosen anew for each window by the bounds there. The other terms are looked up for the documents
/// whose share from the first, known exactly, and the bounds of the rest add up to the threshold.
final class FlatRanker: SegmentRanker {
    private let requiresAll: Bool
    private let owner: WindowMembers
    private let members: UnsafeMutablePointer<WindowMember>
    private let memberCount: Int
    private let buffers: WindowBuffers
    /// The members' indexes in the order of their phrases, in which scores are added.
    private let phraseOrder: UnsafeMutablePointer<Int>
    /// In a window: the members' indexes, those that are read for all documents first.
    private let sequence: UnsafeMutablePointer<Int>
    /// What each member adds to the score of one document.
    private let shares: UnsafeMutablePointer<Double>

    /// Below so many candidates, each is computed by itself; from there on all documents of the window at once.
    private static let scalarLimit = 32

    init(
        index: Int, _ live: LiveSegment, requiresAll: Bool, _ owner: WindowMembers, _ buffers: WindowBuffers,
        _ statistics: RankingStatistics
    ) {
        self.requiresAll = requiresAll
        self.owner = owner
        members = owner.base
        memberCount = owner.count
        self.buffers = buffers
        phraseOrder = .allocate(capacity: memberCount)
        sequence = .allocate(capacity: memberCount)
        shares = .allocate(capacity: memberCount)
        let members = owner.base
        for (place, member) in (0..<memberCount).sorted(by: { members[$0].phrase < members[$1].phrase }).enumerated() {
            phraseOrder[place] = member
        }
        for member in 0..<memberCount {
            sequence[member] = member
            shares[member] = 0
        }
        super.init(index: index, live, statistics)
    }

    deinit {
        phraseOrder.deallocate()
        sequence.deallocate()
        shares.deallocate()
    }

    override func units() throws -> [RankingUnit] {
        guard memberCount > 0 else { return [] }
        var units: [RankingUnit] = []
        for window in 0..<members[0].windowCount {
            var sum = 0.0
            var found = 0
            for member in 0..<memberCount {
                let bound = members[member].bounds[window]
                if bound >= 0 {
                    sum += bound
                    found += 1
                } else if requiresAll {
                    break
                }
            }
            guard requiresAll ? found == memberCount : found > 0 else { continue }
            units.append(
                RankingUnit(
                    bound: sum, segment: Int32(truncatingIfNeeded: index), number: Int32(truncatingIfNeeded: window)))
        }
        return units
    }

    override func rank(_ window: Int, into top: inout TopDocuments) throws {
        let (leaders, restBound) = divide(window, top.threshold)
        let first = sequence[0]
        if leaders == 1, members[first].isListed {
            return try members[first].forEachListed(window) { document, share in
                if (share + restBound) * RankingStatistics.slack < top.threshold { return }
                shares[first] = share
                try rank(document, window, 1, share + restBound, &top)
            }
        }
        buffers.beginWindow()
        var mask = WindowMask()
        for position in 0..<leaders { mask |= try fill(sequence[position], window) }
        if mask.bitCount >= Self.scalarLimit, !requiresAll, leaders < memberCount {
            mask = survivors(of: mask, leaders, restBound, top.threshold)
        }
        if mask.bitCount >= Self.scalarLimit { return try rankTogether(mask, window, leaders, &top) }
        try mask.forEachBit { bit in
            var bound = restBound
            for position in 0..<leaders {
                let member = sequence[position]
                shares[member] = row(member)[bit]
                bound += shares[member]
            }
            try rank(UInt32(truncatingIfNeeded: window * windowSize + bit), window, leaders, bound, &top)
        }
    }

    @inline(__always)
    private func row(_ member: Int) -> UnsafeMutablePointer<Double> { buffers.frequencies + member * windowSize }

    private func fill(_ member: Int, _ window: Int) throws -> WindowMask {
        try members[member].fill(window, row(member)) { mask in
            try buffers.norms(mask, base: window * windowSize, segment, statistics)
        }
    }

    /// Orders the members for a window. Returns how many are read for all of its documents, and the bound of the others.
    private func divide(_ window: Int, _ threshold: Double) -> (leaders: Int, restBound: Double) {
        var restBound = 0.0
        if requiresAll {
            for member in 1..<memberCount { restBound += members[member].bounds[window] }
            return (1, restBound)
        }
        for position in 1..<memberCount {
            let member = sequence[position]
            let bound = members[member].bounds[window]
            var place = position
            while place > 0, members[sequence[place - 1]].bounds[window] < bound {
                sequence[place] = sequence[place - 1]
                place -= 1
            }
            sequence[place] = member
        }
        var leaders = memberCount
        while leaders > 1 {
            let bound = restBound + max(members[sequence[leaders - 1]].bounds[window], 0)
            guard bound * RankingStatistics.slack < threshold else { break }
            restBound = bound
            leaders -= 1
        }
        return (leaders, restBound)
    }

    // MARK: - One document

    /// Looks a document up in the lists of the members that were not read, as long as it can reach the threshold.
    ///
    /// - Parameter bound: What the others add, exactly, and these at most.
    @inline(__always)
    private func rank(
        _ document: UInt32, _ window: Int, _ leaders: Int, _ bound: Double, _ top: inout TopDocuments
    ) throws {
        var bound = bound
        var norm = -1.0
        for position in leaders..<memberCount {
            let member = sequence[position]
            let share = try members[member].share(of: document, in: window) {
                if norm < 0 { norm = statistics.norm(try segment.length(at: Int(document))) }
                return norm
            }
            if share == nil, requiresAll { return }
            shares[member] = share ?? 0
            bound += shares[member] - max(members[member].bounds[window], 0)
            if bound * RankingStatistics.slack < top.threshold { return }
        }
        var score = 0.0
        for place in 0..<memberCount { score += shares[phraseOrder[place]] }
        try offer(document, score, &top)
    }

    @inline(__always)
    private func offer(_ document: UInt32, _ score: Double, _ top: inout TopDocuments) throws {
        // Written so that NaN passes.
        if score < top.threshold || deletions.isDeleted(document) { return }
        try top.offer(DocumentReference(segment: index, document: document), score: score) {
            try segment.rowID(at: Int(document))
        }
    }

    // MARK: - All documents of a window

    /// The documents whose share from the leaders, with the bound of the rest, reaches the threshold.
    private func survivors(
        of mask: WindowMask, _ leaders: Int, _ restBound: Double, _ threshold: Double
    ) -> WindowMask {
        buffers.clearScores()
        for position in 0..<leaders { buffers.addToScores(row(sequence[position])) }
        var result = WindowMask()
        mask.forEachBit { bit in
            if (buffers.scores[bit] + restBound) * RankingStatistics.slack >= threshold {
                result.insert(UInt32(truncatingIfNeeded: bit))
            }
        }
        return result
    }

    private func rankTogether(
        _ candidates: WindowMask, _ window: Int, _ leaders: Int, _ top: inout TopDocuments
    ) throws {
        var mask = candidates
        for position in leaders..<memberCount {
            let found = try fill(sequence[position], window)
            if requiresAll { mask &= found }
        }
        guard !mask.isZero else { return }
        buffers.clearScores()
        for place in 0..<memberCount { buffers.addToScores(row(phraseOrder[place])) }
        try mask.forEachBit { bit in
            try offer(UInt32(truncatingIfNeeded: window * windowSize + bit), buffers.scores[bit], &top)
        }
    }
}
