/// The units that are still to be ranked, the most promising first.
///
/// The first few come in the order of their bounds, so that the threshold rises early. Later ones come in rounds, each of as
/// many as all before it, in the order of their documents: units that are neighbours are in the same pages, which are so
/// read once a round, where the order of bounds would read them again for each unit as soon as the lists of a query do not fit
/// the cache.
struct RankingQueue {
    private var units: Heap<RankingUnit>
    private var round: [RankingUnit] = []
    private var index = 0
    private var takenCount = 0

    /// The number of units that come one by one.
    private static let orderedCount = 256

    init(_ units: consuming [RankingUnit]) { self.units = Heap(units) }

    /// Inserts a unit if it may have documents whose scores reach the threshold.
    mutating func insert(_ unit: RankingUnit, reaching threshold: Double) {
        if Self.mayReach(threshold, unit) { units.insert(unit) }
    }

    /// The next unit that may have documents whose scores reach the threshold; nil if there is none. What is inserted later may
    /// come before.
    mutating func next(reaching threshold: Double) -> RankingUnit? {
        repeat {
            while index < round.count {
                let unit = round[index]
                index += 1
                if Self.mayReach(threshold, unit) { return unit }
            }
        } while beginRound(reaching: threshold)
        return nil
    }

    /// Written so that a bound that is not a number counts.
    private static func mayReach(_ threshold: Double, _ unit: RankingUnit) -> Bool {
        !(unit.bound * RankingStatistics.slack < threshold)
    }

    private mutating func beginRound(reaching threshold: Double) -> Bool {
        round.removeAll(keepingCapacity: true)
        index = 0
        let size = takenCount < Self.orderedCount ? 1 : takenCount
        while round.count < size, let unit = units.popFirst() {
            guard Self.mayReach(threshold, unit) else {
                units = Heap()
                break
            }
            round.append(unit)
        }
        takenCount += round.count
        if round.count > 1 { round.sort { $0.precedes($1) } }
        return !round.isEmpty
    }
}
