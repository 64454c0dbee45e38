import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite struct `Few values` {
    @Test(arguments: [0, 1, 2, 3, 47, 48, 49, 200])
    func `are sorted as many are`(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        for _ in 0..<50 {
            var values = (0..<count).map { _ in Int.random(in: 0..<20, using: &random) }
            let expected = values.sorted()
            values.sortFew(by: <)
            #expect(values == expected)
        }
    }
}
