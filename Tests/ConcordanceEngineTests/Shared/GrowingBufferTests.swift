import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("A buffer that grows")
struct GrowingBufferTests {
    @Test(arguments: 0..<10)
    func `holds what an array holds, after any changes`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let buffer = GrowingBuffer<UInt32>(capacity: Int.random(in: 0...3, using: &random))
        var model: [UInt32] = []
        for step in 0..<300 {
            switch Int.random(in: 0..<9, using: &random) {
            case 0..<3:
                let value = UInt32.random(in: 0...9, using: &random)
                buffer.append(value)
                model.append(value)
            case 3:
                let values = (0..<Int.random(in: 0...40, using: &random)).map { UInt32($0) }
                values.withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
                model += values
            case 4:
                let start = Int.random(in: 0...model.count, using: &random)
                let range = start..<Int.random(in: start...model.count, using: &random)
                buffer.append(copyOf: range)
                model += model[range]
            case 5:
                let count = Int.random(in: 0...model.count, using: &random)
                buffer.removeFirst(count)
                model.removeFirst(count)
            case 6:
                let count = Int.random(in: 0...model.count + 2, using: &random)
                buffer.truncate(to: count)
                model.removeSubrange(min(count, model.count)...)
            case 7:
                func replacement(_ value: UInt32) -> UInt32? { value % 5 == 0 ? nil : value / 2 }
                buffer.replaceEach(replacement)
                model = model.compactMap(replacement)
            default:
                guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
                buffer.removeAll()
                model = []
            }
            #expect(buffer.count == model.count && Array(buffer.values) == model, "seed \(seed), step \(step)")
        }
    }
}
