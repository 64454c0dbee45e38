/// Ranks the documents of a segment for a query that is an AND of alternatives: every matching document contains at
/// least one phrase of each slot (`QueryNode.slots`). A single phrase, an AND and an OR are such queries. So is what a
/// person types, whose last word may be complete or not.
///
/// Some lists lead, of which every match has one (`LeadOrder`). A unit is a block of a leading list, without the documents of
/// earlier leading lists, so each document is in exactly one unit. Units are taken in the order of `RankingQueue`, at first
/// that of their bounds; the bound of a unit is that of the block plus those of the later lists (block-max indexes: Ding and
/// Suel 2011; ranges in the order of their bounds: Mackenzie, Petri and Moffat, "Anytime ranking on document-ordered
/// indexes", 2021).
/// Documents of a block with too few hits are skipped. The others are intersected with the lists in which they must be, to
/// match or to reach the threshold, and then looked up in the later lists, for as long as the known part of the score plus
/// the bounds of the rest reach the threshold. As the threshold rises, lists that contribute little no longer lead, and
/// their blocks are never looked at (MAXSCORE: Turtle and Flood, "Query evaluation: strategies and optimizations", 1995).
///
/// A prefix may have two lists (`ScoredList.Division`): a document of the mixed list is not looked up in the main one.
final class FlatRanker: SegmentRanker {
    /// A list, and what is known about it while another one leads.
    private struct Member {
        var list: ScoredList
        /// What it contributes to the score of the current document.
        var share = 0.0
        /// An upper bound on its contribution in the unit; negative if it has no document there.
        var ceiling = 0.0
        /// The sum of these bounds over the later lists.
        var rest = 0.0
        /// Their sum over the lists between the leading one and this one.
        var before = 0.0
        /// While it leads, an upper bound on the bonuses for positions.
        let bonus: Double
        /// Whether every match is in it.
        let isFilter: Bool
        /// For a main list, the mixed list of the same phrase; otherwise -1.
        let mixedIndex: Int
        /// Where to find lower bounds, if shares are only upper bounds.
        let inexactSource: BlockSource?
    }

    /// In the order of `LeadOrder`.
    private let members: FixedBuffer<Member>
    private let leadCount: Int
    /// The members' indexes, the rarest first.
    private let countOrder: FixedBuffer<Int>
    /// The members in which documents of the current unit must be.
    private let required: FixedBuffer<Int>
    /// By leading and other member, an upper bound on the bonuses in documents that are not in the other one. NaN until it is
    /// first asked for; empty if there are no bonuses.
    private let bonusesWithout: FixedBuffer<Double>
    /// The members' indexes in the order of their phrases, which is the order of the sum.
    private let phraseOrder: FixedBuffer<Int>
    private let matchCountLimit: Int
    /// Whether shares are exact. Otherwise some are upper bounds.
    private let countsExactly: Bool
    private let work: QueryWork

    /// - Parameter lists: At least one for each slot.
    init(
        index: Int, _ live: LiveSegment, _ lists: [ScoredList], slotCount: Int, _ statistics: RankingStatistics,
        _ work: QueryWork
    ) {
        self.work = work
        let order = LeadOrder(lists, slotCount: slotCount)
        let lists = order.lists
        (leadCount, matchCountLimit) = (order.leadCount, order.matchLimit)
        var listCounts = Array(repeating: 0, count: slotCount)
        for list in lists { listCounts[list.slot] += 1 }
        members = FixedBuffer(
            lists.indices.map { lead in
                Member(
                    list: lists[lead],
                    bonus: lead >= order.leadCount
                        ? 0
                        : statistics.bonusCeiling(ofLists: lists.count - lead) {
                            lists[lead + $0].phrase
                        } share: {
                            lists[lead + $0].bound
                        },
                    isFilter: lists[lead].coversSlot || listCounts[lists[lead].slot] == 1,
                    mixedIndex: lists[lead].division == .main
                        ? lists[..<lead].firstIndex { $0.phrase == lists[lead].phrase } ?? -1 : -1,
                    inexactSource: lists[lead].inexactSource)
            })
        countOrder = FixedBuffer(lists.indices.sorted { lists[$0].count < lists[$1].count })
        required = FixedBuffer(repeating: 0, count: lists.count)
        bonusesWithout = FixedBuffer(
            repeating: .nan, count: statistics.bonus == nil ? 0 : order.leadCount * lists.count)
        countsExactly = lists.allSatisfy { $0.inexactSource == nil }
        phraseOrder = FixedBuffer(lists.indices.sorted { lists[$0].phrase < lists[$1].phrase })
        super.init(index: index, live, statistics)
    }

    // MARK: - Units

    override var matchLimit: Int { matchCountLimit }

    override func appendUnits(to units: inout [RankingUnit]) throws {
        if leadCount == 1 { return try appendUnits(ofPart: 0, to: &units) }
        for lead in 0..<leadCount {
            let bound = members.start[lead].list.bound + bound(after: lead) + members.start[lead].bonus
            units.append(RankingUnit(bound: bound, segment: index, part: lead, .part))
        }
    }

    override func appendUnits(ofPart lead: Int, to units: inout [RankingUnit]) throws {
        let rest = bound(after: lead) + members.start[lead].bonus
        try members.start[lead].list.appendUnits(to: &units, segment: index, part: lead, adding: rest)
    }

    override func appendUnits(ofGroup group: Int, part lead: Int, to units: inout [RankingUnit]) throws {
        let list = members.start[lead].list
        let blocks = list.blocks(ofGroup: group)
        guard !blocks.isEmpty, let others = try boundRest(lead, blocks) else { return }
        try list.appendUnits(
            to: &units, ofBlocks: blocks, segment: index, part: lead, adding: others + members.start[lead].bonus)
    }

    /// An upper bound on the joint contribution of the lists after the leading one.
    private func bound(after lead: Int) -> Double {
        let members = members.start
        return (lead + 1..<self.members.count).reduce(0) {
            members[$1].mixedIndex == lead ? $0 : $0 + members[$1].list.bound
        }
    }

    // MARK: - One unit

    override func rank(part lead: Int, _ block: Int, into sink: inout RankingSink) throws {
        guard let others = try boundRest(lead, block..<block + 1) else { return }
        let members = members.start
        let rest = others + members[lead].bonus
        let slack = RankingStatistics.slack
        let (segment, statistics) = (segment, statistics)
        let needed = sink.threshold / slack - rest
        let bound = try members[lead].list.bound(ofBlock: block)
        if bound * slack < needed { return }
        for other in 0..<lead { members[other].share = 0 }
        let isLast = self.members.count == 1 && countsExactly
        let threshold = sink.threshold
        let requiredCount = require(lead, bound, threshold)
        try members[lead].list.forEachDocument(inBlock: block, adding: needed, segment, statistics) {
            // Most documents are dropped here, before their lengths are looked up.
            try keep($0, $1, of: $2, lead, bound, requiredCount, threshold)
        } _: { document, share, norm in
            if (share + rest) * slack < sink.threshold { return }
            if isLast { return try offer(document, share, &sink) }
            try rank(document, lead, share, norm, &sink)
        }
    }

    /// Bounds the lists after the leading one in blocks of that, and the sums after each. Returns the whole sum; nil if no
    /// document can match.
    private func boundRest(_ lead: Int, _ blocks: Range<Int>) throws -> Double? {
        let members = members.start
        guard lead + 1 < self.members.count || documents != nil else { return 0 }
        let (first, last) = try members[lead].list.range(ofBlocks: blocks)
        if let documents, documents.first(from: first) > last { return nil }
        let leadSlot = members[lead].list.slot
        var rest = 0.0
        var isSlotEmpty = true
        for other in stride(from: self.members.count - 1, to: lead, by: -1) {
            members[other].rest = rest
            let ceiling =
                members[other].mixedIndex == lead
                ? -1 : try members[other].list.bound(from: first, through: last, ofBlocks: blocks.count)
            members[other].ceiling = ceiling
            if ceiling >= 0 {
                rest += ceiling
                isSlotEmpty = false
            }
            if case let slot = members[other].list.slot, slot != members[other - 1].list.slot {
                if isSlotEmpty, slot != leadSlot { return nil }
                isSlotEmpty = true
            }
        }
        return rest
    }

    /// Finds the later members without which no document of a unit matches, or reaches the threshold: where the best documents
    /// have two words, an OR becomes an AND. Returns how many there are.
    ///
    /// - Parameter bound: The most that the leading list contributes.
    private func require(_ lead: Int, _ bound: Double, _ threshold: Double) -> Int {
        var count = 0
        addUpCeilings(lead)
        for place in 0..<countOrder.count {
            let other = countOrder[place]
            // Matches in an earlier leading list have been ranked; all of this unit are in the leading one.
            guard other > lead else { continue }
            if members.start[other].isFilter || isRequired(other, lead, bound, threshold) {
                required[count] = other
                count += 1
            }
        }
        return count
    }

    /// Whether no document of a unit reaches the threshold without the list.
    private func isRequired(_ other: Int, _ lead: Int, _ bound: Double, _ threshold: Double) -> Bool {
        let limit = bound + ceilings(without: other)
        // Written so that with NaN no list is required.
        guard limit * RankingStatistics.slack < threshold else { return false }
        return (limit + bonus(lead, without: other)) * RankingStatistics.slack < threshold
    }

    /// Sums for `ceilings`.
    private func addUpCeilings(_ lead: Int) {
        var sum = 0.0
        for other in lead + 1..<members.count {
            members.start[other].before = sum
            sum += max(members.start[other].ceiling, 0)
        }
    }

    /// The most that the later lists but one contribute in the unit.
    private func ceilings(without excluded: Int) -> Double {
        members.start[excluded].before + members.start[excluded].rest
    }

    /// The most that positions add in documents that are not in one of the later lists.
    private func bonus(_ lead: Int, without excluded: Int) -> Double {
        if members.start[lead].bonus == 0 { return 0 }
        let place = lead * members.count + excluded
        if bonusesWithout[place].isNaN {
            let members = members.start
            func member(_ number: Int) -> Int { lead + number < excluded ? lead + number : lead + number + 1 }
            bonusesWithout[place] = statistics.bonusCeiling(ofLists: self.members.count - lead - 1) {
                members[member($0)].list.phrase
            } share: {
                members[member($0)].list.bound
            }
        }
        return bonusesWithout[place]
    }

    /// Keeps those documents of a unit that are in the first `requiredCount` lists of `required`.
    ///
    /// - Parameter bound: The most that the leading list contributes.
    @inline(__always)
    private func keep(
        _ chosen: UnsafeMutableBufferPointer<Int>, _ count: Int, of documents: UnsafePointer<UInt32>, _ lead: Int,
        _ bound: Double, _ requiredCount: Int, _ threshold: Double
    ) throws -> Int {
        var count = count
        for place in 0..<requiredCount where count > 0 {
            let list = required[place]
            let rest = bound + members.start[lead].bonus + ceilings(without: list)
            let needed = threshold / RankingStatistics.slack - rest
            count = try members.start[list].list.keep(chosen, count, of: documents, adding: needed)
        }
        work.consideredDocuments &+= count
        return count
    }

    /// Looks a document up in the lists after the leading one, for as long as it can reach the threshold.
    ///
    /// - Parameter share: What the leading list contributes.
    private func rank(
        _ document: UInt32, _ lead: Int, _ share: Double, _ norm: Double, _ sink: inout RankingSink
    ) throws {
        let slack = RankingStatistics.slack
        let threshold = sink.threshold
        let members = members.start
        let bonus = members[lead].bonus
        // Bounds are only ever added: the difference of two large ones would not be exact enough for a small score.
        var known = share
        members[lead].share = share
        let leadSlot = members[lead].list.slot
        var isSlotEmpty = false
        for other in lead + 1..<self.members.count {
            if case let slot = members[other].list.slot, slot != members[other - 1].list.slot {
                if isSlotEmpty { return }
                isSlotEmpty = slot != leadSlot
            }
            members[other].share = 0
            guard members[other].ceiling >= 0 else { continue }
            if case let mixed = members[other].mixedIndex, mixed >= 0, members[mixed].share != 0 { continue }
            let limit = try members[other].list.seek(document)
            guard limit >= 0 else { continue }
            if (known + limit + members[other].rest + bonus) * slack < threshold { return }
            if let share = try members[other].list.share(of: document, norm: norm, statistics) {
                members[other].share = share
                known += share
                isSlotEmpty = false
            }
            if (known + members[other].rest + bonus) * slack < threshold { return }
        }
        if isSlotEmpty { return }
        for other in 0..<lead where try members[other].list.seek(document) >= 0 {
            if try members[other].list.share(of: document, norm: norm, statistics) != nil { return }
        }
        var score = 0.0
        for place in 0..<self.members.count { score += members[phraseOrder[place]].share }
        let least = countsExactly ? nil : leastScore(of: document, norm)
        try offer(document, score, least: least, bonus: bonus == 0 ? 0 : boundBonus(), &sink)
    }

    /// A lower bound on the score of the document whose shares are known; nil if they are exact.
    private func leastScore(of document: UInt32, _ norm: Double) -> Double? {
        let members = members.start
        var score = 0.0
        var isExact = true
        for place in 0..<self.members.count {
            let member = phraseOrder[place]
            guard members[member].share != 0 else { continue }
            if let source = members[member].inexactSource {
                let least = source.leastShare(of: document, norm: norm)
                score += least.share
                isExact = isExact && least.isExact
            } else {
                score += members[member].share
            }
        }
        return isExact ? nil : score
    }

    /// An upper bound on the bonuses for positions in the document whose shares are known.
    private func boundBonus() -> Double {
        guard statistics.allowsPruning, let bonus = statistics.bonus else { return .infinity }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: members.count) { present in
            var presentCount = 0
            for member in 0..<members.count where members.start[member].share > 0 {
                present[presentCount] = member
                presentCount += 1
            }
            return bonus.bound(count: presentCount, hasAll: true) {
                members.start[present[$0]].list.phrase
            } share: {
                members.start[present[$0]].share
            }
        }
    }
}
