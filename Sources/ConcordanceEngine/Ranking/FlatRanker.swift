/// Ranks the documents of a segment that have all, or any, of several phrases; often of one.
///
/// The lists are in an order, the rarest first for AND, for OR the one that may add most. A unit is a block of the list that
/// leads, and the documents of it that have none of the lists before: so each document is in one unit, that of the first
/// list that has it. For AND only the first list leads. Blocks are taken in the order of their bounds, which are the
/// bound of the block and those of the lists behind (block-max indexes: Ding and Suel 2011; ranges in the order of
/// their bounds: Mackenzie, Petri and Moffat, "Anytime ranking on document-ordered indexes", 2021). In a block, documents
/// with too few hits are passed over, and the others looked up in the lists behind, block by block of these, as long as
/// what is known and the bounds of the rest reach the threshold. As the threshold rises, lists that add little lead no
/// more (MAXSCORE: Turtle and Flood, "Query evaluation: strategies and optimizations", 1995): their blocks are not even
/// looked at.
final class FlatRanker: SegmentRanker {
    private let requiresAll: Bool
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

    init(
        index: Int, _ live: LiveSegment, requiresAll: Bool, _ owner: ScoredLists, _ statistics: RankingStatistics
    ) {
        self.requiresAll = requiresAll
        self.owner = owner
        if requiresAll { owner.sort { $0.count < $1.count } } else { owner.sort { $0.bound > $1.bound } }
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
        if count == 1 || requiresAll && count > 0 { return try appendUnits(ofPart: 0, to: &units) }
        for lead in 0..<count {
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
        guard lead + 1 < count else { return 0 }
        let (first, last) = try lists[lead].range(ofBlock: block)
        var rest = 0.0
        for list in stride(from: count - 1, to: lead, by: -1) {
            rests[list] = rest
            ceilings[list] = try lists[list].bound(from: first, through: last, segment, statistics)
            if ceilings[list] >= 0 { rest += ceilings[list] } else if requiresAll { return nil }
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
        for list in lead + 1..<count {
            shares[list] = 0
            guard ceilings[list] >= 0 else { continue }
            let limit = try lists[list].seek(document, segment, statistics)
            if limit >= 0 {
                if (known + limit + rests[list] + bonus) * slack < threshold { return }
                if let share = try lists[list].share(of: document, norm: norm, statistics) {
                    shares[list] = share
                } else if requiresAll {
                    return
                }
            } else if requiresAll {
                return
            }
            known += shares[list]
            if (known + rests[list] + bonus) * slack < threshold { return }
        }
        for list in 0..<lead where try lists[list].seek(document, segment, statistics) >= 0 {
            if try lists[list].share(of: document, norm: norm, statistics) != nil { return }
        }
        var score = 0.0
        for place in 0..<count { score += shares[phraseOrder[place]] }
        try offer(document, score, bonus: bonus == 0 ? 0 : boundBonus(), &sink)
    }

    /// The most that the places of hits add in the document of which the shares are known.
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
