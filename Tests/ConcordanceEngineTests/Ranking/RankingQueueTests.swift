import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite struct `Units that are still to be ranked` {
    private static func units(_ count: Int) -> [RankingUnit] {
        var random = SeededGenerator(seed: UInt64(count))
        return (0..<count).map {
            RankingUnit(bound: Double.random(in: 0..<1, using: &random), segment: $0 % 3, part: $0 % 2, .block, $0)
        }
    }

    @Test(arguments: [0, 1, 100, 3000])
    func `come once, and only if they may reach the threshold`(count: Int) {
        let units = Self.units(count)
        var queue = RankingQueue(units)
        var threshold = 0.0
        var seen: Set<Int32> = []
        while let unit = queue.next(reaching: threshold) {
            #expect(unit.bound * RankingStatistics.slack >= threshold)
            #expect(seen.insert(unit.number).inserted, "\(unit)")
            threshold += 0.4 / Double(count)
        }
        for unit in units where !seen.contains(unit.number) {
            #expect(unit.bound * RankingStatistics.slack < threshold, "\(unit)")
        }
        #expect(seen.count >= (count + 1) / 2)
    }

    @Test func `come one after another where they are neighbours`() {
        var queue = RankingQueue(Self.units(10_000))
        var order: [RankingUnit] = []
        while let unit = queue.next(reaching: 0) { order.append(unit) }
        let places = order.map { (Int($0.segment), Int($0.part), Int($0.number)) }
        let turns = zip(places, places.dropFirst()).count { $0 > $1 }
        // Some hundred that come by their bounds, and the rounds.
        #expect((100..<300).contains(turns), "\(turns)")
        #expect(order.prefix(100).map(\.bound) == order.map(\.bound).sorted(by: >).prefix(100).map { $0 })
    }
}
