import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite struct `Sorted numbers` {
    @Test(arguments: 0..<20)
    func `are found from any index on`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = [0, 1, 2, 5, 64, 300][Int(seed % 6)]
        let numbers = (0..<count).map { _ in UInt32.random(in: 0..<400, using: &random) }.sorted()
        for value in UInt32(0)...401 {
            #expect(numbers.firstIndex(from: value) == numbers.firstIndex { $0 >= value } ?? count, "\(value)")
            let found = numbers.sortedIndex(of: value)
            #expect(found == numbers.firstIndex(of: value), "\(value)")
            let start = Int.random(in: 0...count, using: &random)
            let expected = numbers[start...].firstIndex { $0 >= value } ?? count
            let after = (start..<count).nearPartitionPoint { numbers[$0] < value }
            #expect(after == expected, "\(value) from \(start)")
            let guess = Int.random(in: -1...count + 1, using: &random)
            let near = (start..<count).partitionPoint(near: guess) { numbers[$0] < value }
            #expect(near == expected, "\(value) from \(start) near \(guess)")
        }
    }
}
