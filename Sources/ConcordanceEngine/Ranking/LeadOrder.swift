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

    /// The early lists of another slot have at most one of so many postings of the covering lists; what a covering list covers
    /// has at most as many.
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
        // The first of some lists of a slot, and how much less it contributes without them.
        func first(_ lists: [ScoredList], ofSlot slot: Int, atMost limit: Int) -> (lists: [ScoredList], gain: Double) {
            var count = 0
            let rare = lists.prefix { list in
                count += list.count
                return count <= limit
            }
            guard let first = rare.first, let rest = slots[slot].without(rare).first else { return ([], 0) }
            return (Array(rare), max(0, first.bound - rest.bound))
        }
        // What a prefix covers may contribute as much, and its bounds are closer.
        var early = first(slots[main].without(covering[main]), ofSlot: main, atMost: counts[main])
        for slot in slots.indices where slot != main {
            let other = first(slots[slot], ofSlot: slot, atMost: counts[main] / Self.earlyShare)
            if other.gain > early.gain { early = other }
        }
        let rest = [main] + slots.indices.filter { $0 != main }
        let leads = early.lists + covering[main]
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
