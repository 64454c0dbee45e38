import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Documents of a block")
struct DocumentSumsTests {
    /// The documents after differences, by definition; nil if one is too large for 31 bits.
    private static func documents(_ differences: [UInt32], after previous: Int32) -> [UInt32]? {
        var sum = Int64(previous)
        var result: [UInt32] = []
        for difference in differences {
            sum += Int64(difference) + 1
            guard sum <= Int32.max else { return nil }
            result.append(UInt32(sum))
        }
        return result
    }

    @Test(arguments: [0, 1, 300, 1 << 22 - 1, 1 << 22, 1 << 24, 1 << 31, .max] as [UInt32])
    func `are the sums of their differences, or do not ascend`(greatest: UInt32) {
        var random = SeededGenerator(seed: UInt64(greatest))
        var counts = (valid: 0, invalid: 0)
        for previous in [-1, 0, 5, 1 << 29, 1 << 30 - 1, 1 << 30, .max - 200, .max - 1, .max] as [Int32] {
            for _ in 0..<20 {
                // Few are large, since many would always be too much.
                let rarity = Int.random(in: 1...200, using: &random)
                var block = (0..<IntegerBlock.capacity).map { _ in
                    Int.random(in: 0..<rarity, using: &random) == 0
                        ? UInt32.random(in: 0...greatest, using: &random)
                        : UInt32.random(in: 0...min(greatest, 3), using: &random)
                }
                let expected = Self.documents(block, after: previous)
                let last = block.withUnsafeMutableBufferPointer { buffer in
                    buffer.baseAddress.flatMap { PostingsDecoder.sumLanes($0, after: previous) }
                }
                #expect(last == (expected?.last).map(UInt64.init))
                if let expected {
                    #expect(block == expected)
                    counts.valid += 1
                } else {
                    counts.invalid += 1
                }
            }
        }
        #expect(counts.valid > 0 && counts.invalid > 0)
    }
}
