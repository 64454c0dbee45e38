/// Ranks the documents of a segment for a query that is an AND of alternatives: each document has a phrase of every slot
/// (`RankingNode.slots`). A single phrase, an AND and an OR are such queries, and so is what a person types, where the last
/// word may be whole or the beginning of others.
///
/// The lists of the slot with the fewest postings lead, first the one that may add most. A unit is a block of a list that
/// leads, and those of its documents that no list before has: so each document is in one unit. Blocks are taken in the
/// order of their bounds, each of which is the bound of the block and those of the lists behind (block-max indexes: Ding and
/// Suel 2011; ranges in the order of their bounds: Mackenzie, Petri and Moffat, "Anytime ranking on document-ordered
/// indexes", 2021). In a block, documents with too few hits are passed over, and the others looked up in the lists behind,
/// as long as what is known and the bounds of the rest reach the threshold. As the threshold rises, lists that add little
/// lead no more (MAXSCORE: Turtle and Flood, "Query evaluation: strategies and optimizations", 1995), and nobody looks at
/// their blocks.
final class FlatRanker: SegmentRanker {
    /// How many lists lead: those of the first slot.
    private let leadCount: Int
    private let owner: ScoredLists
    private let lists: UnsafeMutablePointer<ScoredList>
    private let count: Int
    /// The lists' indexes in the order of their phrases, in which scores are added.
    private let phraseOrder: UnsafeMutablePointer<Int>
    /// What each list adds to the score of one document.
    private let shares: UnsafeMutablePointer<Double>
    /// The most that each list behind the one that leads adds to the score of a document of the unit; negative where it
    /// has none.
    private let ceilings: UnsafeMutablePointer<Double>
    /// The most that the lists behind each of them add together.
    private let rests: UnsafeMutablePointer<Double>
    /// The most that the places of hits add where each list leads.
    private let bonuses: UnsafeMutablePointer<Double>

    /// - Parameter owner: One list or more for each of the slots.
    init(
        index: Int, _ live: LiveSegment, _ owner: ScoredLists, slotCount: Int, _ statistics: RankingStatistics
    ) {
        self.owner = owner
        var postingCounts = Array(repeating: 0, count: slotCount)
        for list in 0..<owner.count { postingCounts[owner.base[list].slot] += owner.base[list].count }
        owner.sort { left, right in
            guard left.slot == right.slot else {
                return (postingCounts[left.slot], left.slot) < (postingCounts[right.slot], right.slot)
            }
            return left.bound > right.bound
        }
        leadCount = (0..<owner.count).prefix { owner.base[$0].slot == owner.base[0].slot }.count
        lists = owner.base
        count = owner.count
        phraseOrder = .allocate(capacity: count)
        shares = .allocate(capacity: count)
        ceilings = .allocate(capacity: count)
        rests = .allocate(capacity: count)
        let lists = owner.base
        for (place, list) in (0..<count).sorted(by: { lists[$0].phrase < lists[$1].phrase }).enumerated() {
            phraseOrder[place] = list
        }
        shares.initialize(repeating: 0, count: count)
        ceilings.initialize(repeating: 0, count: count)
        rests.initialize(repeating: 0, count: count)
        bonuses = .allocate(capacity: count)
        for lead in 0..<count {
            bonuses[lead] = statistics.bonus?.ceiling(of: (lead..<count).lazy.map { lists[$0].phrase }) ?? 0
        }
        super.init(index: index, live, statistics)
    }

    deinit {
        phraseOrder.deallocate()
        shares.deallocate()
        ceilings.deallocate()
        rests.deallocate()
        bonuses.deallocate()
    }

    // MARK: - Units

    override func appendUnits(to units: inout [RankingUnit]) throws {
        if leadCount == 1 { return try appendUnits(ofPart: 0, to: &units) }
        for lead in 0..<leadCount {
            units.append(RankingUnit(bound: bound(from: lead) + bonuses[lead], segment: index, part: lead))
        }
    }

    override func appendUnits(ofPart lead: Int, to units: inout [RankingUnit]) throws {
        let rest = bound(from: lead + 1) + bonuses[lead]
        let blockCount = lists[lead].blockCount
        units.reserveCapacity(units.count + blockCount)
        for block in 0..<blockCount {
            let bound = try lists[lead].bound(ofBlock: block, segment, statistics)
            if bound >= 0 { units.append(RankingUnit(bound: bound + rest, segment: index, part: lead, number: block)) }
        }
    }

    /// The most that the lists from one on add to a score.
    private func bound(from first: Int) -> Double {
        var sum = 0.0
        for list in first..<count { sum += lists[list].bound }
        return sum
    }

    // MARK: - One unit

    override func rank(part lead: Int, _ block: Int, into sink: inout RankingSink) throws {
        guard let others = try boundRest(lead, block) else { return }
        let rest = others + bonuses[lead]
        let slack = RankingStatistics.slack
        let (segment, statistics) = (segment, statistics)
        let needed = sink.threshold / slack - rest
        if try lists[lead].bound(ofBlock: block, segment, statistics) * slack < needed { return }
        for list in 0..<lead { shares[list] = 0 }
        let isLast = lead + 1 == count && lead == 0
        try lists[lead].forEachDocument(inBlock: block, adding: needed, segment, statistics) { document, share, norm in
            if (share + rest) * slack < sink.threshold { return }
            if isLast { return try offer(document, share, &sink) }
            try rank(document, lead, share, norm, &sink)
        }
    }

    /// Sets the ceilings of the lists behind the one that leads, and what is behind each; returns the sum, or nil where no
    /// document can match.
    private func boundRest(_ lead: Int, _ block: Int) throws -> Double? {
        guard lead + 1 < count || documents != nil else { return 0 }
        let (first, last) = try lists[lead].range(ofBlock: block)
        if let documents, documents.first(from: first) > last { return nil }
        var rest = 0.0
        var isSlotEmpty = true
        for list in stride(from: count - 1, to: lead, by: -1) {
            rests[list] = rest
            ceilings[list] = try lists[list].bound(from: first, through: last, segment, statistics)
            if ceilings[list] >= 0 {
                rest += ceilings[list]
                isSlotEmpty = false
            }
            if list >= leadCount, lists[list].slot != lists[list - 1].slot {
                if isSlotEmpty { return nil }
                isSlotEmpty = true
            }
        }
        return rest
    }

    /// Looks a document up in the lists behind the one that leads, as long as it can reach the threshold.
    ///
    /// - Parameter share: What the list that leads adds, exactly.
    private func rank(
        _ document: UInt32, _ lead: Int, _ share: Double, _ norm: Double, _ sink: inout RankingSink
    ) throws {
        let slack = RankingStatistics.slack
        let threshold = sink.threshold
        let bonus = bonuses[lead]
        // Bounds are only ever added: what a difference of large ones leaves of a small score is not exact enough.
        var known = share
        shares[lead] = share
        var isSlotEmpty = false
        for list in lead + 1..<count {
            if list >= leadCount, lists[list].slot != lists[list - 1].slot {
                if isSlotEmpty { return }
                isSlotEmpty = true
            }
            shares[list] = 0
            guard ceilings[list] >= 0 else { continue }
            let limit = try lists[list].seek(document, segment, statistics)
            guard limit >= 0 else { continue }
            if (known + limit + rests[list] + bonus) * slack < threshold { return }
            if let share = try lists[list].share(of: document, norm: norm, statistics) {
                shares[list] = share
                known += share
                isSlotEmpty = false
            }
            if (known + rests[list] + bonus) * slack < threshold { return }
        }
        if isSlotEmpty { return }
        for list in 0..<lead where try lists[list].seek(document, segment, statistics) >= 0 {
            if try lists[list].share(of: document, norm: norm, statistics) != nil { return }
        }
        var score = 0.0
        for place in 0..<count { score += shares[phraseOrder[place]] }
        try offer(document, score, bonus: bonus == 0 ? 0 : boundBonus(), &sink)
    }

    /// The most that the places of hits add to the document whose shares are known.
    private func boundBonus() -> Double {
        guard statistics.allowsPruning, let bonus = statistics.bonus else { return .infinity }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { present in
            var presentCount = 0
            for list in 0..<count where shares[list] > 0 {
                present[presentCount] = list
                presentCount += 1
            }
            return bonus.bound(count: presentCount) {
                lists[present[$0]].phrase
            } share: {
                shares[present[$0]]
            }
        }
    }
}
