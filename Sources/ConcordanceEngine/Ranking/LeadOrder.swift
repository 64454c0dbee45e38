/// The order in which `FlatRanker` has the lists of an AND of alternatives. The first `leadCount` lead:
///
///     early       lists of one slot that are rare and may contribute much, or that the covering list covers
///     covering    lists of the slot with the fewest postings, one of which every match has
///
/// The others follow, each slot together: that of the covering lists, then those with fewer postings first. In a slot, mixed
/// lists come first, and main lists last (`ScoredList.Division`).
///
/// Once the rows of the early lists are ranked, what is left of their slot contributes less, and often none of the other rows
/// can be among the best. For `input AND (fa OR fa*)`, rows with `fa` itself are the best, and `fa` is much rarer than `input`.
struct LeadOrder {
    let lists: [ScoredList]
    let leadCount: Int
    /// At most this many documents match.
    let matchLimit: Int

    /// The early lists of another slot have together at most one posting for each two of the covering lists.
    static let earlyShare = 2

    /// - Parameter lists: At least one for each slot.
    init(_ lists: [ScoredList], slotCount: Int) {
        if lists.count == 1 {
            (self.lists, leadCount, matchLimit) = (lists, 1, lists[0].count)
            return
        }
        var slots = Array(repeating: [ScoredList](), count: slotCount)
        for list in lists { slots[list.slot].append(list) }
        for slot in slots.indices {
            slots[slot].sort { ($0.division.rawValue, $1.bound) < ($1.division.rawValue, $0.bound) }
        }
        let covering = slots.map { lists in
            lists.first(where: \.coversSlot).map { [$0] } ?? lists.filter { !$0.isCovered }
        }
        let counts = covering.map { $0.reduce(0) { $0 + $1.count } }
        let order = slots.indices.sorted { (counts[$0], $0) < (counts[$1], $1) }
        let mainSlot = order[0]
        // The first of some lists of a slot, and how much less it contributes without them.
        func early(_ lists: [ScoredList], ofSlot slot: Int, atMost limit: Int) -> (lists: [ScoredList], gain: Double) {
            var count = 0
            let rare = lists.prefix { list in
                count += list.count
                return count <= limit && !list.isCovered
            }
            guard let best = rare.map(\.bound).max(), let rest = slots[slot].without(rare).map(\.bound).max() else {
                return ([], 0)
            }
            return (Array(rare), max(0, best - rest))
        }
        // What the covering list covers leads before it even without a gain: its bounds are closer.
        var leading = early(slots[mainSlot].without(covering[mainSlot]), ofSlot: mainSlot, atMost: counts[mainSlot])
        for slot in order.dropFirst() {
            let other = early(slots[slot], ofSlot: slot, atMost: counts[mainSlot] / Self.earlyShare)
            if other.gain > leading.gain { leading = other }
        }
        let leads = leading.lists + covering[mainSlot]
        self.lists = leads + order.flatMap { slots[$0].without(leads) }
        leadCount = leads.count
        matchLimit = counts[mainSlot]
    }
}

extension [ScoredList] {
    /// The lists that are not among `others`.
    fileprivate func without(_ others: some Sequence<ScoredList>) -> [ScoredList] {
        filter { list in !others.contains { $0.phrase == list.phrase && $0.division == list.division } }
    }
}
