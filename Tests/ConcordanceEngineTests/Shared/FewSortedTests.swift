import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite struct `Few values` {
    @Test(arguments: [0, 1, 2, 3, 47, 48, 49, 200])
    func `are sorted as many are`(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        for _ in 0..<50 {
            let values = GrowingBuffer<Int>()
            for _ in 0..<count { values.append(Int.random(in: 0..<20, using: &random)) }
            let expected = values.values.sorted()
            values.sortFew(by: <)
            #expect(Array(values.values) == expected)
        }
    }
}
