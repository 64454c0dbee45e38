import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite struct `A heap` {
    @Test(arguments: 0..<20)
    func `gives its elements in order`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let numbers = (0..<Int(seed) * 3).map { _ in Double(Int.random(in: 0..<20, using: &random)) }
        let half = numbers.count / 2
        var heap = Heap(Array(numbers[..<half]))
        for number in numbers[half...] { heap.insert(number) }
        #expect(heap.first == numbers.min())
        var sorted: [Double] = []
        while let next = heap.popFirst() { sorted.append(next) }
        #expect(sorted == numbers.sorted())
    }

    @Test(arguments: 1..<20)
    func `keeps those that leave last`(capacity: Int) {
        var random = SeededGenerator(seed: UInt64(capacity))
        var heap = Heap<Double>()
        var numbers: [Double] = []
        for _ in 0..<40 {
            numbers.append(Double(Int.random(in: 0..<20, using: &random)))
            heap.insert(numbers[numbers.count - 1], keeping: capacity)
            #expect(heap.elements.sorted() == numbers.sorted().suffix(capacity))
            #expect(heap.first == numbers.sorted().suffix(capacity).first)
        }
    }
}
