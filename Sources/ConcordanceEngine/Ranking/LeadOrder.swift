/// The order in which `FlatRanker` has the lists of an AND of alternatives. The first `leadCount` lead:
///
///     early       rare lists of one slot that may contribute much
///     covering    lists of the slot with the fewest postings, one of which every match has
///
/// The others follow, each slot together, that of the covering lists first.
///
/// Once the rows of the early lists are ranked, what is left of their slot contributes less, and often none of the other rows
/// can be among the best. For `input AND (fa OR fa*)`, rows with `fa` itself are the best, and `fa` is much rarer than `input`.
struct LeadOrder {
    let lists: [ScoredList]
    let leadCount: Int
    /// At most this many documents match.
    let matchLimit: Int

    /// The early lists of another slot have at most one of so many postings of the covering lists; those of the same slot, at
    /// most as many.
    private static let earlyShare = 2

    /// - Parameter lists: At least one for each slot.
    init(_ lists: [ScoredList], slotCount: Int) {
        if lists.count == 1 {
            (self.lists, leadCount, matchLimit) = (lists, 1, lists[0].count)
            return
        }
        let slots = (0..<slotCount).map { slot in
            lists.filter { $0.slot == slot }.sorted { $0.bound > $1.bound }
        }
        let covering = slots.map { lists in lists.first(where: \.coversSlot).map { [$0] } ?? lists }
        let counts = covering.map { $0.reduce(0) { $0 + $1.count } }
        let main = counts.indices.min { counts[$0] < counts[$1] } ?? 0
        var early: ArraySlice<ScoredList> = []
        var greatestGain = 0.0
        for (slot, lists) in slots.enumerated() {
            let candidates = slot == main ? lists.without(covering[slot]) : lists
            let limit = slot == main ? counts[main] : counts[main] / Self.earlyShare
            var count = 0
            let rare = candidates.prefix { list in
                count += list.count
                return count <= limit
            }
            guard let first = rare.first, let rest = lists.without(rare).first else { continue }
            // How much less the slot contributes without them.
            let gain = first.bound - rest.bound
            if gain > greatestGain { (early, greatestGain) = (rare, gain) }
        }
        let rest = [main] + slots.indices.filter { $0 != main }
        let leads = Array(early) + covering[main]
        self.lists = leads + rest.flatMap { slots[$0].without(leads) }
        leadCount = leads.count
        matchLimit = counts[main]
    }
}

extension [ScoredList] {
    /// The lists of other phrases than those of `others`.
    fileprivate func without(_ others: some Sequence<ScoredList>) -> [ScoredList] {
        let phrases = others.map(\.phrase)
        return filter { !phrases.contains($0.phrase) }
    }
}
