import TestSupport
import Testing

@testable import ConcordanceSQLite

@Suite("The waiting line")
struct WaitingLineTests {
    /// Random arrivals, turns and departures, beside an array that is searched for each.
    @Test("keeps its order whoever leaves", arguments: 0..<20 as Range<UInt64>)
    func oracle(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var line = WaitingLine()
        var model: [(ticket: UInt64, count: Int)] = []
        var nextTicket: UInt64 = 0
        for step in 0..<2000 {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0, 1:
                let count = Int.random(in: 1...5, using: &generator)
                line.append(WaitingLine.Waiter(count: count) { _ in }, ticket: nextTicket)
                model.append((nextTicket, count))
                nextTicket += 1
            case 2:
                let expected = model.isEmpty ? nil : model.removeFirst().count
                #expect(line.popFirst()?.count == expected, "seed \(seed), step \(step)")
            default:
                let ticket = UInt64.random(in: 0...nextTicket, using: &generator)
                let index = model.firstIndex { $0.ticket == ticket }
                let expected = index.map { model.remove(at: $0).count }
                #expect(line.remove(ticket)?.count == expected, "seed \(seed), step \(step)")
            }
            #expect(line.count == model.count && line.isEmpty == model.isEmpty)
            #expect(line.first?.count == model.first?.count, "seed \(seed), step \(step)")
        }
        #expect(line.removeAll().map(\.count) == model.map(\.count))
    }
}
