import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("A block of packed numbers")
struct IntegerBlockTests {
    /// Numbers of any width, of which few are much larger than the others.
    private func numbers(_ random: inout SeededGenerator) -> [UInt32] {
        let count = [1, 7, 8, 9, 60, 127, 128].randomElement(using: &random)!
        let (usual, largest) = (Int.random(in: 0...32, using: &random), Int.random(in: 0...32, using: &random))
        let oneIn = [1, 2, 5, 30, 1000].randomElement(using: &random)!
        return (0..<count).map { _ in
            let width = Int.random(in: 0..<oneIn, using: &random) == 0 ? largest : usual
            return width == 0 ? 0 : UInt32.random(in: 0 ... .max, using: &random) >> UInt32(32 - width)
        }
    }

    private func encoded(_ numbers: [UInt32]) -> [UInt8] {
        let writer = ByteWriter()
        numbers.withUnsafeBufferPointer { IntegerBlock.encode($0, into: writer) }
        return writer.array
    }

    /// The bytes that numbers take in each width, as the format says; of those that it allows.
    private func sizes(_ numbers: [UInt32]) -> [Int] {
        (0...32).compactMap { width in
            let highs = numbers.map { width == 32 ? 0 : $0 >> UInt32(width) }.filter { $0 > 0 }
            guard highs.count < IntegerBlock.capacity else { return nil }
            let highSize = highs.reduce(0) { $0 + (32 - $1.leadingZeroBitCount + 6) / 7 }
            return 1 + (numbers.count * width + 7) / 8 + (highs.isEmpty ? 0 : 1 + highs.count + highSize)
        }
    }

    @Test(arguments: 0..<8)
    func `gives back its numbers, and is as small as its format allows`(seed: UInt64) throws {
        var random = SeededGenerator(seed: 300 + seed)
        for _ in 0..<500 {
            let numbers = numbers(&random)
            let bytes = encoded(numbers)
            // Few numbers, and those of two bits, have no exceptions.
            if numbers.count >= 8, numbers.contains(where: { $0 > 3 }) {
                #expect(bytes.count == sizes(numbers).min(), "\(numbers)")
            }
            let padded = bytes + Array(repeating: 0, count: Block.padding)
            var result = [UInt32](repeating: 0, count: IntegerBlock.capacity)
            let rest = try padded.withUnsafeBytes { bytes in
                var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.dropLast(Block.padding)))
                try result.withUnsafeMutableBufferPointer { result in
                    try IntegerBlock.decode(&reader, count: numbers.count, into: result.baseAddress!)
                }
                return reader.remaining
            }
            #expect(Array(result.prefix(numbers.count)) == numbers && rest == 0)
        }
    }
}
