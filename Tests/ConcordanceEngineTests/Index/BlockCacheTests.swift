import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("The block cache")
struct BlockCacheTests {
    private func block(_ count: Int, _ byte: UInt8) -> Block {
        [UInt8](repeating: byte, count: count).withUnsafeBytes { Block(copying: $0) }
    }

    @Test(arguments: 0..<8)
    func `finds what was put in it, stays within its bound, and forgets what it is told to`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var cache = BlockCache(capacity: Int.random(in: 500...20_000, using: &random))
        var newest: [Int64: Block] = [:]
        for step in 0..<4000 {
            // Ids of few segments and pages, so that slots collide and ranges hold something.
            let id = Int64.random(in: 1...4, using: &random) << 32 | Int64.random(in: 0...40, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                cache.remove(id...(id + 20))
                newest = newest.filter { !(id...(id + 20)).contains($0.key) }
            case 1 where step % 50 == 0: cache.capacity = Int.random(in: 500...20_000, using: &random)
            case 2..<10:
                if let found = cache.find(id) { #expect(found === newest[id], "seed \(seed), step \(step)") }
            default:
                guard cache.find(id) == nil else { continue }
                let new = block(Int.random(in: 0...600, using: &random), UInt8(truncatingIfNeeded: step))
                cache.insert(new, id: id)
                newest[id] = new
                if cache.capacity > 800 { #expect(cache.find(id) === new, "seed \(seed), step \(step)") }
            }
            #expect(cache.byteCount <= cache.capacity, "seed \(seed), step \(step)")
        }
        let kept = newest.keys.filter { cache.find($0) != nil }
        #expect(kept.count == cache.count, "seed \(seed)")
    }

    @Test
    func `keeps what is used and lets go of what is not`() {
        var cache = BlockCache(capacity: 10_000)
        let hot = block(500, 1)
        cache.insert(hot, id: 1)
        for id in Int64(2)...500 {
            cache.insert(block(500, 0), id: id)
            #expect(cache.find(1) === hot, "after block \(id)")
        }
    }

    @Test
    func `does not keep a block larger than its bound`() {
        var cache = BlockCache(capacity: 1000)
        cache.insert(block(2000, 0), id: 1)
        #expect(cache.find(1) == nil)
        #expect(cache.byteCount == 0)
    }
}
